// npm run build: the WebAssembly modules, then the npm package in dist/.
// With --demo also the demo page, as static files in build/page.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { cmakeBuild } from "./cmake.mjs";
import { fromRoot, isMain, main, run, say, Stop } from "./process.mjs";
import { ensureEmscripten, ensureNodeModules } from "./toolchain.mjs";

/** The WebAssembly binary and its glue, as bindings/CMakeLists.txt names them. */
const binary = fromRoot("build/wasm/bindings/crateful.wasm");
const glue = fromRoot("build/wasm/bindings/crateful.mjs");

/** The arguments of Node that check web/src and write its types to dist/; only what changed is checked again. */
export const compileTypes = [
  fromRoot("node_modules/typescript/bin/tsc"),
  ...["-p", "web/tsconfig.json", "--emitDeclarationOnly"],
  ...["--incremental", "--tsBuildInfoFile", "build/web.tsbuildinfo"],
];

/** The version of the package as a number, as in core/include/crateful/version.hpp. */
const [major, minor, patch] = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")).version.split(/[.-]/);
const version = Number(major) * 1_000_000 + Number(minor) * 1000 + Number(patch);

const entries = ["node", "browser", "inline", "module", "module.node"];
/** What the entries have in common. */
const shared = "crateful";

/**
 * The options of esbuild that bundle the entries in a folder into one file for each and one that they share. `dist` leads
 * from `outdir` to dist/.
 */
const bundle = (folder, outdir, dist) => ({
  entryPoints: entries.map((name) => fromRoot(folder, `${name}.ts`)),
  outdir: fromRoot(outdir),
  define: {
    BINARY_ADDRESS: JSON.stringify(path.posix.join(dist, "crateful.wasm")),
    VERSION: String(version),
  },
  bundle: true,
  splitting: true,
  chunkNames: shared,
  format: "esm",
  target: "es2022",
  tsconfig: fromRoot("web/tsconfig.json"),
  alias: { "crateful:glue": `${dist}/glue.js`, "crateful:binary": binary },
  loader: { ".wasm": "binary" },
  external: ["node:fs", `${dist}/glue.js`],
  logLevel: "warning",
  ignoreAnnotations: true, // "sideEffects" in package.json is about dist/; the development build consists of side effects
});
/** The production build and the development build, which share the binary. */
export const webBundles = [
  bundle("web/src", "dist", "."),
  {
    ...bundle("web/src/development", "dist/development", ".."),
    // So that a component class of the other build, which can be in the same page, is not taken for one of this build.
    mangleProps: /^\$info$/,
    mangleCache: { $info: "$developmentInfo" },
  },
];

/** Builds the `targets` of the WebAssembly build and the package in dist/. */
export function build({ targets = ["crateful_package", "crate_room"], options = [] } = {}) {
  ensureNodeModules();
  cmakeBuild("wasm", { env: ensureEmscripten(), targets, options });
  if (targets.includes("crateful_package")) buildPackage();
}

function buildPackage() {
  say("dist");
  removeOutdated();
  run(process.execPath, compileTypes);
  for (const file of [binary, glue]) if (!existsSync(file)) throw new Stop(`the build left no ${file}`);
  writeFileSync(fromRoot("dist/glue.js"), minified(readFileSync(glue, "utf8")));
  for (const options of webBundles) esbuild().buildSync(options);
  copyFileSync(binary, fromRoot("dist/crateful.wasm"));
}

/** Removes everything from dist/ that no source compiles to: a renamed source leaves nothing behind. */
function removeOutdated() {
  mkdirSync(fromRoot("dist"), { recursive: true });
  const files = (folder) =>
    readdirSync(fromRoot(folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const inFolder = (entry, folder) => `${entry.parentPath}/${entry.name}`.slice(fromRoot(folder).length + 1);
  const sources = files("web/src").map((entry) => inFolder(entry, "web/src"));
  const types = sources.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => name.replace(/\.ts$/, ".d.ts"));
  const scripts = [...entries, shared].map((name) => `${name}.js`);
  const current = new Set([
    "crateful.wasm",
    "glue.js",
    ...types,
    ...scripts,
    ...scripts.map((name) => `development/${name}`),
  ]);
  const outdated = files("dist").filter((entry) => !current.has(inFolder(entry, "dist")));
  for (const entry of outdated) rmSync(`${entry.parentPath}/${entry.name}`);
  const missing = types.some((name) => !existsSync(fromRoot("dist", name)));
  if (missing) rmSync(fromRoot("build/web.tsbuildinfo"), { force: true }); // tsc would take it for compiled
}

/**
 * Emscripten leaves local names as they are; without them the glue is half as large. Its address is not needed, because the
 * package loads the binary itself; with it, bundlers would take the glue for another user of the binary.
 */
function minified(source) {
  const define = { "import.meta.url": '""' };
  return esbuild().transformSync(source, { minify: true, define, format: "esm", target: "es2022" }).code;
}

/** Loaded late: node_modules may have been installed just now. */
export const esbuild = () => createRequire(import.meta.url)("esbuild");

if (isMain(import.meta.url)) {
  await main(async () => {
    build();
    if (process.argv.includes("--demo")) {
      const { buildPage } = await import("./page.mjs"); // needs node_modules, which build() brought
      await buildPage();
    }
  });
}
