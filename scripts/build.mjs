// npm run build: the WebAssembly modules, then the npm package in dist/.
// With --demo also the demo page, as static files in build/page.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { cmakeBuild } from "./cmake.mjs";
import { fromRoot, isMain, main, run, say, Stop } from "./process.mjs";
import { ensureEmscripten, ensureNodeModules } from "./toolchain.mjs";

/** The library modules, as bindings/CMakeLists.txt names them, and how the names of their files in dist/ begin. */
const libraries = { crateful: "", crateful_state: "state_" };
/** That of the development build, whose files are only in its folder. */
const developmentLibrary = "crateful_inspector";
const built = (name) => fromRoot("build/wasm/bindings", name);

/**
 * The arguments of Node that check a project with the fastest TypeScript, of which several threads would each check the types that they
 * share; only what changed is checked again.
 */
export const typescript = (project, ...options) => [
  fromRoot("node_modules/typescript-7/bin/tsc"),
  ...["-p", project, "--singleThreaded", ...options],
  ...["--incremental", "--tsBuildInfoFile", fromRoot(`build/types/${project.replaceAll("/", "-")}.tsbuildinfo`)],
];

/** The arguments of Node that check web/src and write its types to dist/, except those that it has written before. */
export const compileTypes = typescript("web", "--emitDeclarationOnly");

/** Checks web/src, and writes its types to dist/. */
export function writeTypes() {
  if (declarations().some((name) => !existsSync(fromRoot("dist", name))))
    rmSync(fromRoot("build/types"), { recursive: true, force: true });
  run(process.execPath, compileTypes);
}

/** The version of the package as a number, as in core/include/crateful/version.hpp. */
const [major, minor, patch] = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")).version.split(/[.-]/);
const version = Number(major) * 1_000_000 + Number(minor) * 1000 + Number(patch);

/** The entries for other libraries, which have the name of the library. */
const adapters = ["colyseus", "react", "three"];
const entries = ["inline", "module", "inspector", ...adapters];
/** What the entries have in common. */
const shared = "crateful";

/** The style sheet of the inspector without comments, and spaces that mean nothing. */
function inspectorStyles() {
  const css = readFileSync(fromRoot("web/src/inspector/panel/styles.css"), "utf8");
  return css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{}:;,>]) /g, "$1")
    .replaceAll(" {", "{")
    .replaceAll(";}", "}")
    .trim();
}

/** The options of esbuild for all bundles. `dist` leads from `outdir` to dist/. */
const common = (outdir, dist) => ({
  outdir: fromRoot(outdir),
  define: {
    BINARY_ADDRESS: JSON.stringify(path.posix.join(dist, "crateful.wasm")),
    STATE_ADDRESS: JSON.stringify(path.posix.join(dist, "crateful_state.wasm")),
    VERSION: String(version),
    INSPECTOR_STYLES: JSON.stringify(inspectorStyles()),
  },
  bundle: true,
  target: "es2022",
  tsconfig: fromRoot("web/tsconfig.json"),
  logLevel: "warning",
  ignoreAnnotations: true, // "sideEffects" in package.json is about dist/; the development build consists of side effects
});

/** The names of the binaries in `web/src`, and those of the files beside the bundles. */
const files = (dist) =>
  Object.fromEntries(
    Object.entries(libraries).flatMap(([library, prefix]) => [
      [`crateful:${prefix}glue`, `${dist}/${prefix}glue.js`],
      [`crateful:${prefix}binary`, `${dist}/${prefix}binary.js`],
      [`crateful:${prefix}module`, `${dist}/${library}.wasm`],
    ]),
  );

const developmentFiles = { "crateful:inspector_glue": "./glue.js", "crateful:inspector_binary": "./binary.js" };

/** One file for each entry in a folder, and one that they share. */
const modules = (folder, outdir, dist, names) => ({
  ...common(outdir, dist),
  entryPoints: names.map((name) => fromRoot(folder, `${name}.ts`)),
  splitting: true,
  chunkNames: shared,
  format: "esm",
  alias: { ...files(dist), ...developmentFiles },
  external: [...Object.values(files(dist)), ...Object.values(developmentFiles), ...adapters],
});

/**
 * For `require`: all entries are one file, api.js, and adapters are files that import it. `dist` leads from `outdir` to
 * dist/cjs/.
 */
const commonJs = (folder, outdir, dist) => ({
  ...common(outdir, dist),
  entryPoints: { api: fromRoot(folder, "cjs.ts"), ...Object.fromEntries(adapters.map(nameOfAdapter)) },
  format: "cjs",
  platform: "node", // then esbuild lists the exports in a form that `import` understands
  minifyWhitespace: true,
  alias: { ...files(dist), ...developmentFiles },
  external: [`${dist}/binary.js`, `${dist}/glue.js`, ...Object.values(developmentFiles), "../api.js", ...adapters],
});
const nameOfAdapter = (name) => [`adapters/${name}`, fromRoot(`web/src/adapters/${name}.ts`)];

const stateNames = ["Changes", "Replica", "Rewind", "merge", "restore", "snapshot"].join();

/** The entry crateful/state for `require`, in a form in which `import` finds the names of its exports. */
const commonJsState = (dist) => `const { decoded, initialise, ${stateNames} } = require("./api.js").$state;
const library = {
  factory: require("${dist}/state_glue.js"),
  binary: () => decoded(require("${dist}/state_binary.js")),
  file: "crateful_state.wasm",
};
const init = require("./api.js").$state.developing?.(library) ?? ((options) => initialise(library, options));
module.exports = { ...require("./api.js"), init, ${stateNames} };
`;

/** The inspector for `require`: it finds what it uses of the package in api.js, too. */
function buildCommonJsInspector(outdir, dist) {
  const { outputFiles } = esbuild().buildSync({
    ...common(outdir, dist),
    stdin: { contents: `export * from "./inspector/index.js";`, resolveDir: fromRoot("web/src"), loader: "ts" },
    write: false,
    format: "cjs",
    platform: "node",
    minifyWhitespace: true,
    external: ["./internals.js"],
  });
  const code = outputFiles[0].text.replaceAll('require("./internals.js")', 'require("./api.js").$inspector');
  writeFileSync(fromRoot(outdir, "inspector.js"), code);
}

/** The production build and the development build, which share the binary. */
export const webBundles = [
  modules("web/src", "dist", ".", [...entries, "browser", "workerd", "state", "state_inline", "state_workerd"]),
  modules("web/src/development", "dist/development", "..", [...entries, "state"]),
  commonJs("web/src", "dist/cjs", "."),
  commonJs("web/src/development", "dist/cjs/development", ".."),
];

/**
 * Builds the `targets` of the WebAssembly build and the package in dist/. Without the target `crateful_package`, that is the package without
 * its modules and types, for pages that have their own module.
 */
export async function build({ targets = ["crateful_package", "crate_room"], options = [] } = {}) {
  const packages = ensureNodeModules(); // beside Emscripten, most of whose time is spent by one processor
  const env = ensureEmscripten();
  await packages;
  const libraries = targets.includes("crateful_package");
  cmakeBuild("wasm", { env, targets, options: [...(libraries ? ["-DCRATEFUL_BUILD_PACKAGE=ON"] : []), ...options] });
  if (libraries || targets.includes("crate_room")) buildPackage({ libraries });
}

/** Builds dist/, with or without what the WebAssembly build has left and the types. */
export function buildPackage({ libraries: withLibraries }) {
  say("dist");
  removeOutdated();
  if (withLibraries) writeTypes();
  for (const [library, prefix] of Object.entries(libraries)) {
    if (withLibraries) {
      copyFileSync(built(`${library}.wasm`), fromRoot(`dist/${library}.wasm`));
      copyLibrary(library, prefix);
    } else writeFileSync(fromRoot(`dist/${prefix}glue.js`), withoutLibrary);
  }
  if (withLibraries) copyLibrary(developmentLibrary, "development/");
  for (const options of webBundles) esbuild().buildSync(options);
  buildCommonJsInspector("dist/cjs", ".");
  buildCommonJsInspector("dist/cjs/development", "..");
  writeFileSync(fromRoot("dist/cjs/state.js"), commonJsState("."));
  writeFileSync(fromRoot("dist/cjs/development/state.js"), commonJsState(".."));
  writeFileSync(fromRoot("dist/cjs/package.json"), '{ "type": "commonjs" }\n');
  if (!withLibraries) return;
  for (const name of declarations().filter((name) => !/^(development|inspector\/panel)\//.test(name)))
    cpSync(fromRoot("dist", name), fromRoot("dist/cjs", name));
}

/** In place of the code that loads a module. */
const withoutLibrary = `export default () => {
  throw new Error("dist/ was built without the modules of the package: npm run build");
};
`;

/** Writes a binary, as text in base64, and its glue to dist/. */
function copyLibrary(library, prefix) {
  const [binary, glue] = [built(`${library}.wasm`), built(`${library}.mjs`)];
  for (const file of [binary, glue]) if (!existsSync(file)) throw new Stop(`the build left no ${file}`);
  const text = JSON.stringify(readFileSync(binary, "base64"));
  writeFileSync(fromRoot(`dist/${prefix}binary.js`), `export default ${text};\n`);
  writeFileSync(fromRoot(`dist/cjs/${prefix}binary.js`), `module.exports = ${text};\n`);
  const code = minified(readFileSync(glue, "utf8"));
  writeFileSync(fromRoot(`dist/${prefix}glue.js`), code);
  const { code: commonJs } = esbuild().transformSync(code, { format: "cjs", minifyWhitespace: true });
  writeFileSync(fromRoot(`dist/cjs/${prefix}glue.js`), `${commonJs}module.exports = module.exports.default;\n`);
}

/** The declarations that TypeScript writes to dist/, as paths inside it. */
function declarations() {
  const sources = readdirSync(fromRoot("web/src"), { recursive: true }).filter((name) => /(?<!\.d)\.tsx?$/.test(name));
  return sources.map((name) => name.replace(/\.tsx?$/, ".d.ts"));
}

/** Removes from dist/ what this build does not keep: a renamed source leaves nothing behind. */
function removeOutdated() {
  for (const folder of ["development", "cjs/development"]) mkdirSync(fromRoot("dist", folder), { recursive: true });
  const kept = new Set(declarations()); // TypeScript writes only those that have changed
  const files = readdirSync(fromRoot("dist"), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name);
    if (!kept.has(path.relative(fromRoot("dist"), file))) rmSync(file);
  }
}

/**
 * Emscripten leaves local names as they are; without them the glue is half as large. Its address is not needed, because the
 * package loads the binary itself; with it, bundlers would take the glue for another user of the binary.
 */
function minified(source) {
  const define = { "import.meta.url": '""' };
  const { code } = esbuild().transformSync(source, { minify: true, define, format: "esm", target: "es2022" });
  // Jest's environment jsdom has no TextDecoder.
  return `var TextDecoder=globalThis.TextDecoder??globalThis.process.getBuiltinModule("util").TextDecoder;${code}`;
}

/** Loaded late: node_modules may have been installed just now. */
export const esbuild = () => createRequire(import.meta.url)("esbuild");

if (isMain(import.meta.url)) {
  await main(async () => {
    await build();
    if (process.argv.includes("--demo")) {
      const { buildPage } = await import("./page.mjs"); // needs node_modules, which build() brought
      await buildPage();
    }
  });
}
