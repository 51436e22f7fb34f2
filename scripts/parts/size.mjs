// The size of what a page downloads for the package, compressed with brotli.
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { fromRoot } from "../process.mjs";

/** For the WebAssembly binary and its glue together, in bytes. */
const goal = 40 * 1024;
const budget = 64 * 1024; // a larger package fails the test

export async function checkSize() {
  const layer = await build({
    entryPoints: [fromRoot("dist/browser.js")],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    external: ["*/crateful.web.mjs"], // counted on its own
  });
  const sizes = {
    "crateful.wasm": readFileSync(fromRoot("dist/crateful.wasm")),
    "crateful.web.mjs": readFileSync(fromRoot("dist/crateful.web.mjs")),
    "TypeScript layer, minified": layer.outputFiles[0].contents,
  };
  const kib = (bytes) => `${(bytes / 1024).toFixed(1).padStart(6)} KiB`;
  const compressed = {};
  for (const [name, content] of Object.entries(sizes)) {
    compressed[name] = brotliCompressSync(content).length;
    console.log(`${name.padEnd(28)}${kib(content.length)}${kib(compressed[name])} brotli`);
  }
  const total = compressed["crateful.wasm"] + compressed["crateful.web.mjs"];
  const verdict = total > budget ? "OVER BUDGET" : total > goal ? "over the goal" : "within the goal";
  console.log(
    `${"binary and glue".padEnd(28)}${" ".repeat(10)}${kib(total)} brotli: ${verdict} (goal ${kib(goal).trim()}, budget ${kib(budget).trim()})`,
  );
  return total > budget ? { passed: 0, failed: 1 } : { passed: 1, failed: 0 };
}
