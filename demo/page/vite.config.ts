import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// An isolated page gets a clock of 5 microseconds instead of 100, and a quiet update takes less than those.
const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

export default defineConfig({
  base: "./",
  resolve: {
    alias: [
      // The module that CMake builds, and the package that `npm run build` makes.
      { find: /^#crate-room$/, replacement: fromHere("../../build/wasm/demo/crate-room.mjs") },
      { find: /^#crate-room\.wasm/, replacement: fromHere("../../build/wasm/demo/crate-room.wasm") },
      { find: /^crateful$/, replacement: fromHere("../../dist/browser.js") },
    ],
  },
  // A system is listed under the name of its class, so names have to last.
  build: { target: "es2022", rolldownOptions: { output: { keepNames: true } } },
  preview: { headers },
  server: { headers, fs: { allow: [fromHere("../..")] } },
});
