// Part `demo`: the page of the crate room in headless Chromium with software graphics, all crates at rest.
import { createReadStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { softwareFlags } from "../scripts/chromium.mjs";
import { progress } from "./harness/progress.mjs";
import { spread } from "./harness/spread.mjs";
import { demoParams } from "./suite.mjs";

const settlingMs = 1500; // the camera reaches its place, and code is compiled
const windowMs = 5000;

/** Returns rows for update and render of a frame, means over the window without the outer tenths; rounds are interleaved. */
export async function demo(rounds, executablePath) {
  const { buildPage } = await import("../scripts/page.mjs");
  const folder = mkdtempSync(path.join(tmpdir(), "crate-room-"));
  const server = await serve(folder);
  const { chromium } = createRequire(import.meta.url)("playwright-core"); // from the root's node_modules
  const instance = await chromium.launch({ executablePath, args: softwareFlags });
  try {
    await buildPage(folder);
    const samples = demoParams.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [i, params] of demoParams.entries()) {
        progress(`demo: round ${round + 1} of ${rounds}: ${JSON.stringify(params)}`);
        samples[i].push(await measurePage(instance, server.url, params));
      }
    }
    progress();
    return demoParams.flatMap((params, i) =>
      [
        ...["update", "render"].map((what) => ({
          case: `demo_${what}`,
          unit: "ns",
          ops: 1,
          ...spread(samples[i].map((one) => one[what] * 1e6)),
        })),
        ...["calls", "sprites", "uploaded"].map((what) => ({
          case: `demo_${what}`,
          unit: "count",
          ...spread(samples[i].map((one) => one[what])),
        })),
      ].map((row) => ({ part: "demo", library: "crateful", params, ...row })),
    );
  } finally {
    await instance.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measurePage(instance, url, { crates, tracking }) {
  const page = await instance.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(`${url}/?crates=${crates}&guards=0&muted&tracking=${tracking ? "on" : "off"}`);
    await page.waitForFunction(() => globalThis.crateRoom?.room.spritesDrawn > 0);
    return await page.evaluate(
      async ([before, during]) => {
        const wait = (time) =>
          new Promise((resolve) => {
            setTimeout(resolve, time);
          });
        const { figures, room } = globalThis.crateRoom;
        await wait(before);
        figures.restart();
        await wait(during);
        return {
          update: figures.update.mean,
          render: figures.render.mean,
          calls: room.drawCalls,
          sprites: room.spritesDrawn,
          uploaded: room.uploadedBytes,
        };
      },
      [settlingMs, windowMs],
    );
  } finally {
    await page.close();
  }
}

/** Serves a folder. Cross-origin isolation makes the clock finer. */
async function serve(folder) {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = path.join(folder, pathname === "/" ? "index.html" : path.normalize(pathname));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {
      "Content-Type": types[path.extname(file)] ?? "application/octet-stream",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => {
    server.listen(0, "localhost", resolve);
  });
  return { url: `http://localhost:${server.address().port}`, close: () => server.close() };
}
