// Part `browser`: the same adapters in headless Chromium, each cell in its own page.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { fromRoot } from "../scripts/process.mjs";
import { bundle } from "./harness/bundle.mjs";
import { progress } from "./harness/progress.mjs";
import { runRounds } from "./harness/rounds.mjs";
import { spread } from "./harness/spread.mjs";
import { startLibraries } from "./start.mjs";
import { quietFlags } from "../scripts/chromium.mjs";
import { browserCells, libraries } from "./suite.mjs";

/** Batches are longer, because a browser's clock is coarse. */
const options = { batchMs: 5, batches: 20 };
const timeout = 60_000;

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

  const server = await serve(bundles);
  const { chromium } = createRequire(import.meta.url)("playwright-core"); // from the root's node_modules
  const instance = await chromium.launch({ executablePath, args: [...quietFlags, "--js-flags=--expose-gc"] });
  try {
    const context = await instance.newContext();
    context.setDefaultTimeout(timeout);
    const inPage = async (library, call) => {
      const page = await context.newPage(); // has its own process
      try {
        await page.goto(`${server.url}/${library}/`);
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
  } finally {
    await instance.close();
    server.close();
  }
}

function limited(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${timeout / 1000} s`)), timeout);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Serves bundles, the WebAssembly files that they fetch, and empty pages. Cross-origin isolation makes the clock finer. */
export async function serve(bundles) {
  const page = "<!doctype html><meta charset=utf-8><link rel=icon href='data:,'>";
  const answer = (path) => {
    if (bundles.has(path)) return ["text/javascript", bundles.get(path)];
    if (path.endsWith("/crateful.wasm")) return ["application/wasm", readFileSync(fromRoot("dist/crateful.wasm"))];
    const built = /^\/build\/wasm\/bench\/(crateful-bench\.(?:mjs|wasm))$/.exec(path);
    if (built)
      return [
        path.endsWith(".wasm") ? "application/wasm" : "text/javascript",
        readFileSync(fromRoot("build/wasm/bench", built[1])),
      ];
    return path.endsWith("/") ? ["text/html", page] : undefined;
  };
  const server = createServer((request, response) => {
    const found = answer(new URL(request.url, "http://127.0.0.1").pathname);
    if (!found) return response.writeHead(404).end();
    response
      .writeHead(200, {
        "content-type": found[0],
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
        "cache-control": "no-store",
      })
      .end(found[1]);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
