import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// On an isolated page the clock's resolution is 5 microseconds instead of 100. An update of a room at rest is shorter
// than 100.
const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

export default defineConfig({
  base: "./",
  resolve: {
    alias: [
      // The module that CMake builds, and the package that `npm run build` makes.
      { find: /^#crate-room$/, replacement: fromHere("../../build/wasm/demo/crate-room.mjs") },
      { find: /^#crate-room\.wasm/, replacement: fromHere("../../build/wasm/demo/crate-room.wasm") },
      { find: /^crateful\/module$/, replacement: fromHere("../../dist/module.js") },
      { find: /^crateful\/state$/, replacement: fromHere("../../dist/state.js") },
      { find: /^crateful\/inspector$/, replacement: fromHere("../../dist/inspector.js") },
    ],
  },
  // The page lists systems by the names of their classes, so the build must keep class names.
  // Without preloading: chunks have nothing to load before themselves, and Firefox reports a module that is preloaded twice as missing.
  build: { target: "es2022", modulePreload: false, rolldownOptions: { output: { keepNames: true } } },
  preview: { headers },
  server: { headers, fs: { allow: [fromHere("../..")] } },
});
