// npm run build: the WebAssembly modules, then the npm package in dist/.
// With --demo also the demo page, as static files in build/page.
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { cmakeBuild } from "./cmake.mjs";
import { fromRoot, isMain, main, run, say, Stop } from "./process.mjs";
import { ensureEmscripten, ensureNodeModules } from "./toolchain.mjs";

/** The one WebAssembly binary and its three wrappings, as bindings/CMakeLists.txt names them. */
export const moduleFiles = ["crateful.wasm", "crateful.web.mjs", "crateful.node.mjs", "crateful.inline.mjs"];

/** Builds the modules of the package and the demo, or `targets` (none: all there are); then dist/. */
export function build({ targets = ["crateful_package", "crate_room"], options = [] } = {}) {
  ensureNodeModules();
  cmakeBuild("wasm", { env: ensureEmscripten(), targets, options });
  buildPackage();
}

function buildPackage() {
  say("tsc: dist");
  rmSync(fromRoot("dist"), { recursive: true, force: true }); // a renamed source leaves nothing behind
  run(process.execPath, [fromRoot("node_modules/typescript/bin/tsc"), "-p", "web/tsconfig.json"]);
  for (const file of moduleFiles) {
    const built = fromRoot("build/wasm/bindings", file);
    if (!existsSync(built)) throw new Stop(`the build left no ${built}`);
    if (file.endsWith(".wasm")) copyFileSync(built, fromRoot("dist", file));
    else writeFileSync(fromRoot("dist", file), minified(readFileSync(built, "utf8")));
  }
}

/** Emscripten leaves local names as they are; without them the glue is half as large. */
function minified(source) {
  const esbuild = createRequire(import.meta.url)("esbuild"); // late: node_modules may just have come
  return esbuild.transformSync(source, { minify: true, format: "esm", target: "es2022" }).code;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    build();
    if (process.argv.includes("--demo")) {
      const { buildPage } = await import("./page.mjs"); // needs node_modules, which build() brought
      await buildPage();
    }
  });
}
