// Part `start`: the size that a page downloads for a library, and the time until the first update.
import { readFileSync } from "node:fs";
import process from "node:process";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { fromRoot, output } from "../scripts/process.mjs";
import { bundle } from "./harness/bundle.mjs";
import { progress } from "./harness/progress.mjs";
import { spread } from "./harness/spread.mjs";

/** The modules whose exports are bundled, all of them, because it is not known which of them a page uses. */
const imports = {
  crateful: "../dist/browser.js",
  bitecs: "bitecs",
  becsy: "@lastolivegames/becsy/lib/perf.js",
  koota: "koota",
  miniplex: "miniplex",
};
export const startLibraries = Object.keys(imports);

const sizes = {
  raw: (content) => content.length,
  gzip: (content) => gzipSync(content, { level: 9 }).length,
  brotli: (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
};

/** Returns rows for the sizes, and for the time in new Node processes. */
export async function start(rounds) {
  const rows = [];
  for (const library of startLibraries) {
    progress(`start: size of ${library}`);
    const files = [Buffer.from(await bundle(`export * from ${JSON.stringify(imports[library])};`))];
    if (library === "crateful") files.push(readFileSync(fromRoot("dist/crateful.wasm")));
    for (const [how, measure] of Object.entries(sizes)) {
      const bytes = files.reduce((sum, file) => sum + measure(file), 0);
      rows.push({ part: "start", case: `size_${how}`, library, params: {}, unit: "bytes", ...spread([bytes]) });
    }
  }
  const times = Object.fromEntries(startLibraries.map((library) => [library, []]));
  for (let round = 0; round < 2 * rounds; round++) {
    for (const library of startLibraries) {
      progress(`start: round ${round + 1} of ${2 * rounds}: ${library}`);
      times[library].push(
        Number(
          output(process.execPath, ["--no-warnings", fromRoot("bench/start_cell.mjs"), library], {
            env: { ...process.env, NODE_ENV: "production" },
          }),
        ),
      );
    }
  }
  progress();
  for (const library of startLibraries)
    rows.push({
      part: "start",
      case: "start_node",
      library,
      params: {},
      unit: "ns",
      ops: 1,
      ...spread(times[library]),
    });
  return rows;
}
