// Bundles a library as for a page: one file, made by esbuild. Crateful's WebAssembly file stays separate.
import { createRequire } from "node:module";
import { fromRoot } from "../../scripts/process.mjs";
import { fileOf } from "./chromium.mjs";

/** The adapters import Crateful's entry for Node; this replaces it by the entry for browsers. */
const forBrowsers = {
  name: "crateful for browsers",
  setup(build) {
    build.onResolve({ filter: /dist\/inline\.js$/ }, () => ({ path: fromRoot("dist/browser.js") }));
  },
};

/**
 * Bundles a module.
 * @param {string} source its text; imports are relative to bench/
 * @returns {Promise<string>}
 */
export async function bundle(source) {
  const esbuild = createRequire(import.meta.url)("esbuild"); // from the root's node_modules, which may have been installed by this process
  const {
    outputFiles: [file],
  } = await esbuild.build({
    stdin: { contents: source, resolveDir: fromRoot("bench"), sourcefile: "entry.mjs" },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [forBrowsers],
  });
  return file.text;
}

/** The WebAssembly file that a bundle fetches. */
export const wasmOf = (path) =>
  path.endsWith("/crateful.wasm") ? fileOf(fromRoot("dist"), "crateful.wasm") : undefined;
