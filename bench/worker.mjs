// Part `worker`: a world in the page or in a worker, and four ways in which the page gets what has changed, in headless
// Chromium. Each cell has a page of its own; the cells run in turn.
import { serialize } from "node:v8";
import { quietFlags } from "../scripts/chromium.mjs";
import { bundle, wasmOf } from "./harness/bundle.mjs";
import { withChromium } from "./harness/chromium.mjs";
import { progress } from "./harness/progress.mjs";
import { median, spread } from "./harness/spread.mjs";
import { workerModes, workerParams } from "./suite.mjs";

const [warmUp, measured] = [60, 100]; // frames

export async function worker(rounds, executablePath) {
  const bundles = {
    "/page.js": await bundle(`export { run } from "./worker/page.mjs";`),
    "/worker.js": await bundle(`import "./worker/worker.mjs";`),
  };
  const cells = workerParams.flatMap((params) =>
    Object.keys(workerModes).map((mode) => ({ params, mode, samples: [] })),
  );
  const answer = (path) => bundles[path] ?? wasmOf(path);
  await withChromium({ executablePath, args: quietFlags }, answer, async (instance, url) => {
    for (let round = 0; round < rounds; round++) {
      for (const [at, { params, mode, samples }] of cells.entries()) {
        progress(`worker: round ${round + 1} of ${rounds}, ${at + 1} of ${cells.length}`);
        samples.push(await measure(instance, url, { ...params, mode }));
      }
    }
  });
  progress();
  return cells.flatMap(({ params, mode, samples }) => {
    const row = { part: "worker", library: mode, params };
    const time = (what) => ({
      ...row,
      case: `worker_${what}`,
      unit: "ns",
      ops: 1,
      ...spread(samples.map((sample) => sample[what])),
    });
    if (mode === "page") return [time("page")];
    return [time("page"), time("worker"), { ...row, case: "worker_bytes", unit: "bytes", ...bytes(params, mode) }];
  });
}

/** The medians of the page's and the worker's time per frame, in nanoseconds. */
async function measure(instance, url, cell) {
  const page = await instance.newPage(); // has its own process
  try {
    await page.goto(`${url}/`);
    const times = await page.evaluate(
      async ([params, frames]) => {
        const { run } = await import("/page.js");
        return run(params, frames);
      },
      [cell, warmUp + measured],
    );
    const middle = (list) => median(list.slice(warmUp)) * 1e6;
    return { page: middle(times.page), worker: cell.mode === "page" ? 0 : middle(times.worker) };
  } finally {
    await page.close();
  }
}

/** What crosses in a frame. V8 serializes an object in the same way for messages. */
function bytes({ moving }, mode) {
  const list = Array.from({ length: moving }, (_, i) => ({ index: i, x: i + 0.5, y: i + 0.25, heat: 1 }));
  return spread([mode === "objects" ? serialize(list).length : 16 * moving]);
}
