// npm run size: the size of what a page downloads for the package, compressed with brotli.
// With --why also the bytes of each function of the binary and of each file of the TypeScript layer.
import { readFileSync } from "node:fs";
import process from "node:process";
import { brotliCompressSync } from "node:zlib";
import { build, webBundles } from "../build.mjs";
import { cmakeBuild } from "../cmake.mjs";
import { fromRoot, isMain, main, say } from "../process.mjs";
import { ensureEmscripten } from "../toolchain.mjs";
import { functionsOf } from "./wasm_functions.mjs";

/** The entries, their binaries, and what a page downloads for both together, in bytes; more fails the test. */
const entries = [
  { entry: "browser", binary: "crateful", budget: 85.8 * 1024 }, // equivalent texts differ by up to 0.06 KiB in Brotli
  { entry: "state", binary: "crateful_state", budget: 204.4 * 1024 },
];
/** The inspector, beside what the page downloads anyway. */
const inspector = { entry: "inspector", budget: 26.2 * 1024 };
/** What a page downloads only if it imports it; it is not counted. */
const optional = ["defineObject", "verifyReplay"];

const brotli = (bytes) => brotliCompressSync(bytes).length;

async function bundle(entry, options = {}) {
  const { build: bundleWith } = await import("esbuild"); // node_modules may have been installed just now
  return bundleWith({
    stdin: {
      contents: `export { ${(await counted(entry)).join()} } from "./${entry}.js"`,
      resolveDir: fromRoot("dist"),
    },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    ...options,
  });
}

/** The names of all other exports. */
async function counted(entry) {
  const all = Object.keys(await import(fromRoot(`dist/${entry}.js`)));
  return all.filter((name) => !optional.includes(name));
}

/** One test for each entry. */
export async function checkSize() {
  const fitting = [];
  for (const each of entries) fitting.push(await fits(each));
  fitting.push(await inspectorFits());
  const passed = fitting.filter(Boolean).length;
  return { passed, failed: fitting.length - passed };
}

async function fits({ entry, binary, budget }) {
  const layer = await bundle(entry);
  const files = {
    [`${binary}.wasm`]: readFileSync(fromRoot(`dist/${binary}.wasm`)),
    "JavaScript, minified": layer.outputFiles[0].contents,
  };
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`.padStart(10);
  let total = 0;
  for (const [name, content] of Object.entries(files)) {
    total += brotli(content);
    console.log(`${name.padEnd(28)}${kib(content.length)}${kib(brotli(content))} brotli`);
  }
  const within = total <= budget;
  console.log(
    `${"together".padEnd(28)}${kib(total).padStart(20)} brotli: ${within ? "within" : "OVER"} the budget of${kib(budget)}`,
  );
  return within;
}

async function inspectorFits() {
  const { outputFiles } = await bundle(inspector.entry, { external: ["./crateful.js"] });
  const size = brotli(outputFiles[0].contents);
  const within = size <= inspector.budget;
  console.log(
    `${"inspector, minified".padEnd(28)}${`${(size / 1024).toFixed(1)} KiB`.padStart(20)} brotli: ${within ? "within" : "OVER"} the budget of ${inspector.budget / 1024} KiB`,
  );
  return within;
}

/** Prints by how many bytes the compressed file would shrink without each of its parts, the largest first. */
function printShares(whole, pieces) {
  const total = brotli(whole);
  const shares = pieces.map(({ name, from, to }) => ({
    name,
    raw: to - from,
    compressed: total - brotli(Buffer.concat([whole.subarray(0, from), whole.subarray(to)])),
  }));
  console.log(`${"brotli".padStart(7)}${"raw".padStart(8)}`);
  for (const { name, raw, compressed } of shares.sort((a, b) => b.compressed - a.compressed).slice(0, 150)) {
    console.log(`${String(compressed).padStart(7)}${String(raw).padStart(8)}  ${name.slice(0, 150)}`);
  }
}

async function printReasons() {
  say("functions of the binary");
  cmakeBuild("wasm", { env: ensureEmscripten(), targets: ["crateful_named"] });
  const { whole, functions } = functionsOf(readFileSync(fromRoot("build/wasm/bindings/named/crateful.wasm")));
  printShares(whole, functions);

  say("files of the TypeScript layer, minified but not compressed");
  const { outdir, splitting, chunkNames, ...sources } = webBundles[0];
  const { metafile } = await bundle("browser", {
    ...sources,
    stdin: undefined,
    entryPoints: [fromRoot("web/src/browser.ts")],
    metafile: true,
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const bySize = Object.entries(inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
  for (const [name, { bytesInOutput }] of bySize) console.log(`${String(bytesInOutput).padStart(7)}  ${name}`);
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await build({ targets: ["crateful_package"] });
    say("size");
    await checkSize();
    if (process.argv.includes("--why")) await printReasons();
  });
}
