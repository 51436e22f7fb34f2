// Part `browser`: the same adapters in headless Chromium, each cell in its own page.
import { setTimeout as pause } from "node:timers/promises";
import { fromRoot } from "../scripts/process.mjs";
import { bundle, wasmOf } from "./harness/bundle.mjs";
import { fileOf, withChromium } from "./harness/chromium.mjs";
import { progress } from "./harness/progress.mjs";
import { runRounds } from "./harness/rounds.mjs";
import { spread } from "./harness/spread.mjs";
import { startLibraries } from "./start.mjs";
import { quietFlags } from "../scripts/chromium.mjs";
import { browserCells, libraries } from "./suite.mjs";

/** Batches are longer, because a browser's clock is coarse. */
const options = { batchMs: 5, batches: 20 };
const timeout = 120_000;

/** Returns rows for the cells, and for the time until the first update. */
export async function browser(peers, rounds, executablePath) {
  const bundles = new Map();
  for (const library of libraries.filter((name) => peers[name])) {
    progress(`browser: bundling ${library}`);
    bundles.set(
      `/${library}/cell.js`,
      await bundle(`
      import { measureAll } from "./harness/measure.mjs";
      import { cases } from "./peers/${library}.mjs";
      export const run = (name, params, options) => measureAll(cases[name], params, options);`),
    );
  }
  for (const library of startLibraries)
    bundles.set(`/${library}/start.js`, await bundle(`export { run } from "./start/${library}.mjs";`));

  const answer = (path) =>
    bundles.get(path) ?? (path.startsWith("/build/") ? fileOf(fromRoot("."), path) : wasmOf(path));
  const launch = { executablePath, args: [...quietFlags, "--js-flags=--expose-gc"] };
  return withChromium(launch, answer, async (instance, url) => {
    const context = await instance.newContext();
    context.setDefaultTimeout(timeout);
    const inPage = async (library, call) => {
      const page = await context.newPage(); // has its own process
      try {
        await page.goto(`${url}/${library}/`);
        return await call(page);
      } finally {
        await page.close();
      }
    };
    const runCell = async ({ library, name, params }) => {
      try {
        return await limited(
          inPage(library, (page) =>
            page.evaluate(
              async (cell) => {
                const { run } = await import(`/${cell.library}/cell.js`);
                return run(cell.name, cell.params, cell.options);
              },
              { library, name, params, options },
            ),
          ),
        );
      } catch (error) {
        return params.map((p) => ({ params: p, void: String(error.message).split("\n")[0] }));
      }
    };
    const rows = await runRounds(browserCells(peers), rounds, runCell);

    for (const library of startLibraries) {
      const times = [];
      for (let round = 0; round < rounds; round++) {
        progress(`browser: start of ${library}`);
        times.push(
          await inPage(library, async (page) => {
            await pause(1000); // the browser is still busy with starting the page's process
            return page.evaluate(async (address) => {
              const before = performance.now();
              const { run } = await import(address);
              const x = await run();
              const after = performance.now();
              if (x !== 1) throw new Error(`the system has not run: position.x is ${x}, not 1`);
              return (after - before) * 1e6;
            }, `/${library}/start.js`);
          }),
        );
      }
      rows.push({ part: "browser", case: "start_chromium", library, params: {}, unit: "ns", ops: 1, ...spread(times) });
    }
    progress();
    return rows;
  });
}

function limited(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${timeout / 1000} s`)), timeout);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
