// Serves the demo's page for development, or builds it into static files, with Vite.
// Vite is in node_modules: import this module only after they are installed.
import { copyFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { build, createServer } from "vite";
import { fromRoot } from "./process.mjs";

const root = fromRoot("demo/page");

/** Settings that depend on this repository; the page's vite.config.ts contains the others. */
const common = {
  root,
  resolve: {
    // The page imports the package by name, as a user does. Here it is the package that was built last.
    alias: [
      { find: /^crateful$/, replacement: fromRoot("dist/browser.js") },
      { find: /^crateful\/inline$/, replacement: fromRoot("dist/inline.js") },
    ],
  },
};

/** Serves the page. Resolves to its URL and a function that stops the server. */
export async function servePage({ port = 5173, strictPort = false, quiet = false } = {}) {
  const server = await createServer({
    ...common,
    logLevel: quiet ? "error" : "info",
    // dist and the WebAssembly modules are outside of the page's folder.
    server: { port, strictPort, host: "localhost", fs: { allow: [fromRoot()] } },
  });
  await server.listen();
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}

/** Builds the page into `outDir`, with relative addresses, so that it works under any path. */
export async function buildPage(outDir = fromRoot("build/page")) {
  await build({ ...common, base: "./", build: { outDir, emptyOutDir: true } });
  copyFileSync(fromRoot("docs/crate-room.png"), path.join(outDir, "crate-room.png")); // what links to the page show
  console.log(`The page is in ${outDir.replace(`${process.cwd()}/`, "")}`);
}
