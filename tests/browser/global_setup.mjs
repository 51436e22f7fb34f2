// Runs once before all test files of a part that uses a browser: starts one for all of them, and builds the demo's page for
// those parts that open it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";
import { softwareFlags } from "../../scripts/chromium.mjs";
import { buildPage } from "../../scripts/page.mjs";

/** Starts the installed Chromium. */
function launchChromium() {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error("CHROMIUM_PATH is not set: run these tests with `npm test`");
  return chromium.launchServer({
    executablePath,
    timeout: 0, // Jest's timeout applies
    // In software, the other way to draw a page takes a quarter less time.
    args: [...softwareFlags, "--disable-gpu-compositing"],
  });
}

export default async function setUp(_, { displayName }) {
  const folder = await mkdtemp(path.join(tmpdir(), "crateful-page-"));
  const demo = ["browser", "smoke", "soak"].includes(displayName.name);
  const [server] = await Promise.all([launchChromium(), demo && buildPage(folder)]);
  process.env.CHROMIUM_ENDPOINT = server.wsEndpoint();
  if (demo) process.env.CRATE_ROOM_PAGE = folder;
  globalThis.closeBrowser = async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
