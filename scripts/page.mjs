// The demo's page, with Vite: served for development, or built into static files.
// Vite comes from node_modules; import this module only once they are there.
import process from "node:process";
import { build, createServer } from "vite";
import { fromRoot } from "./process.mjs";

const root = fromRoot("demo/page");

/** What the page's own vite.config.ts need not know: where this repository keeps things. */
const common = {
  root,
  resolve: {
    // The page imports the package by name, as any user would; here that is the freshly built one.
    alias: [
      { find: /^crateful$/, replacement: fromRoot("dist/browser.js") },
      { find: /^crateful\/inline$/, replacement: fromRoot("dist/inline.js") },
    ],
  },
};

/** Serves the page; resolves to its URL and a function that stops serving. */
export async function servePage({ port = 5173, strictPort = false, quiet = false } = {}) {
  const server = await createServer({
    ...common,
    logLevel: quiet ? "error" : "info",
    // dist and the WebAssembly modules lie outside the page's folder.
    server: { port, strictPort, host: "localhost", fs: { allow: [fromRoot()] } },
  });
  await server.listen();
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}

/** Builds the page into `outDir`, with relative addresses so that it can be put anywhere. */
export async function buildPage(outDir = fromRoot("build/page")) {
  await build({ ...common, base: "./", build: { outDir, emptyOutDir: true, target: "es2022" } });
  console.log(`The page is in ${outDir.replace(`${process.cwd()}/`, "")}`);
}
