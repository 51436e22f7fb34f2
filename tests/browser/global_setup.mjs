// Starts one browser for all test files of a project, and builds the demo's page for them unless they are package's.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";
import { buildPage } from "../../scripts/page.mjs";

/** Starts the installed Chromium, headless and without network services. */
function launchChromium() {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error("CHROMIUM_PATH is not set: run these tests with `npm test`");
  return chromium.launchServer({
    executablePath,
    timeout: 0, // Jest's timeout applies
    args: [
      "--no-sandbox", // it is not available in containers and for root
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader", // WebGL in software, the same everywhere
      "--disable-gpu-compositing", // in software, the other way to draw a page takes a quarter less time
    ],
  });
}

async function buildPageInto(folder) {
  await buildPage(folder);
  process.env.CRATE_ROOM_PAGE = folder;
}

export default async function setUp(_, { displayName }) {
  const folder = await mkdtemp(path.join(tmpdir(), "crateful-page-"));
  const [server] = await Promise.all([launchChromium(), displayName.name === "package" || buildPageInto(folder)]);
  process.env.CHROMIUM_ENDPOINT = server.wsEndpoint();
  globalThis.closeBrowser = async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
