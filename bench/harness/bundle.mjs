// A library as a page gets it: one file by esbuild, for Crateful with its WebAssembly beside it.
import { createRequire } from "node:module";
import { fromRoot } from "../../scripts/process.mjs";

/** Adapters import Crateful for Node; a page gets what `exports` gives a bundler. */
const forBrowsers = {
  name: "crateful for browsers",
  setup(build) {
    build.onResolve({ filter: /dist\/node\.js$/ }, () => ({ path: fromRoot("dist/browser.js") }));
  },
};

/**
 * The bundle of a module that is given as text and stands in bench/.
 * @param {string} source
 * @returns {Promise<string>}
 */
export async function bundle(source) {
  const esbuild = createRequire(import.meta.url)("esbuild"); // of the root's node_modules, which may just have come
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
