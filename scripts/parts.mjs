// The parts of `npm test`, and the steps that they share. `node scripts/parts.mjs NAME [PART…]` runs one of them in
// this process; a part leaves its counts in build/reports/part-NAME.json.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { build } from "./build.mjs";
import { cmakeBuild, compilerSettings } from "./cmake.mjs";
import { packPackages } from "./pack.mjs";
import { googletest } from "./parts/googletest.mjs";
import { jest } from "./parts/jest.mjs";
import { cores, fromRoot, isMain, main, output, Stop } from "./process.mjs";
import { checkRules } from "./rules.mjs";
import {
  ensure,
  ensureBrowser,
  ensureCompiler,
  ensureEmscripten,
  ensureEverywhere,
  ensureNodeModules,
} from "./toolchain.mjs";

/**
 * @typedef {object} Part
 * @property {"always" | "night"} when `npm test` runs the parts that are always run, `npm run test:all` also those of the night
 * @property {string[]} [paths] of a nightly part: its own files and folders; `npm test -- --since REF` runs it if one of them differs
 * @property {string[]} [tools] what toolchain.mjs has to install
 * @property {boolean} [plain] whether it needs no npm package
 * @property {string[]} [targets] what it needs of the WebAssembly build; undefined: it needs no build
 * @property {boolean} [packed] whether it also needs the packed packages
 * @property {string} [folder] a build folder that another part uses, too: they do not run at the same time
 * @property {() => Promise<Counts> | Counts} run
 *
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} [failures] the title and the message of each failed test; not all parts have them
 */

/** In the order in which they start: the longest first; `types`, which uses one processor, before those that use all. @type {Record<string, Part>} */
export const parts = {
  asan: {
    when: "always",
    plain: true,
    tools: ["googletest", "json", "clang"],
    folder: "native-asan",
    run: () => sanitized(["core_tests", "inspector_tests", "fuzz_tests"], share(1 / 3)),
  },
  package: {
    when: "always",
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("package"),
  },
  smoke: {
    when: "always",
    tools: ["browser"],
    targets: ["crateful_package", "crate_room"],
    packed: true,
    run: () => jest("smoke", { CHROMIUM_PATH: ensureBrowser() }),
  },
  types: {
    when: "always",
    targets: ["crateful_package"],
    run: async () => (await import("./parts/types.mjs")).checkTypes(),
  },
  development: {
    when: "always",
    targets: ["crateful_package", "native_fixture"],
    run: () => jest("development", share(1 / 3)),
  },
  bindings: { when: "always", targets: ["crateful_package", "native_fixture"], run: () => jest("bindings") },
  tsan: {
    when: "always",
    plain: true,
    tools: ["googletest", "clang"],
    run: () => native("native-tsan", ["core_threads_tests"], { launcher: withoutRandomAddresses() }),
  },
  headers: { when: "always", plain: true, tools: ["json"], run: async () => (await headers()).checkHeaders("one") },
  multiplayer: {
    when: "always",
    targets: ["crateful_package"],
    run: () => jest("multiplayer"),
  },
  react: { when: "always", targets: ["crateful_package"], run: () => jest("react") },
  api: {
    when: "always",
    targets: ["crateful_package"],
    run: async () => (await import("./parts/api.mjs")).checkApi(),
  },
  lint: { when: "always", run: async () => (await import("./lint.mjs")).checkLint() },
  size: {
    when: "always",
    targets: ["crateful_package"],
    run: async () => (await import("./parts/size.mjs")).checkSize(),
  },
  rules: { when: "always", run: () => checkRules() },

  fuzz: {
    when: "night",
    paths: ["tests/fuzz"],
    plain: true,
    tools: ["clang"],
    run: async () => (await import("./parts/fuzz.mjs")).fuzz(),
  },
  "wasm-asan": {
    when: "night",
    paths: ["tests/bindings/sanitized.ts"],
    targets: ["crateful_package"],
    run: () => {
      cmakeBuild("wasm-asan", { env: ensureEmscripten(), targets: ["native_fixture"] });
      return jest("wasm-asan", share(1 / 100));
    },
  },
  everywhere: {
    when: "night",
    paths: ["tests/everywhere", "docs/environments.md"],
    tools: ["browser"],
    targets: ["crateful_package"],
    packed: true,
    run: async () => {
      await ensureEverywhere();
      return jest("everywhere", { CHROMIUM_PATH: ensureBrowser() });
    },
  },
  native: {
    when: "night",
    paths: ["tests/core/no_exceptions", "tests/core/no_rtti", "tests/core/shared", "demo/sdl"],
    plain: true,
    tools: ["googletest", "sdl"],
    run: () =>
      native("native", [
        "core_no_rtti_tests",
        "core_no_exceptions_tests",
        "core_shared_tests",
        "core_threads_tests",
        "crate_room",
      ]),
  },
  scene: {
    when: "night",
    paths: ["tests/scene", "demo/scene", "demo/art", "demo/sound"],
    plain: true,
    tools: ["googletest", "clang"],
    folder: "native-asan",
    run: () => sanitized(["scene_tests"]),
  },
  cpp: {
    when: "night",
    paths: ["tests/cpp", "docs/cpp.md", "docs/coming-from-cpp.md", "docs/your-own-module.md", "port"],
    tools: ["browser", "json"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("cpp", consumersOfCpp()),
  },
  wasm: {
    when: "night",
    tools: ["googletest"],
    targets: ["core_tests"],
    run: () => googletest("wasm", process.execPath, [fromRoot("build/wasm/tests/core_tests.js")]),
  },
  docs: {
    when: "night",
    paths: ["tests/docs", "docs/.vitepress", "docs/public", "docs/Doxyfile", "scripts/docs.mjs"],
    tools: ["browser"],
    targets: ["crateful_package", "crate_room"],
    run: () => jest("docs", { CHROMIUM_PATH: ensureBrowser() }),
  },
  examples: {
    when: "night",
    paths: ["tests/examples", "examples"],
    tools: ["browser"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("examples", consumersOfCpp()),
  },
  templates: {
    when: "night",
    paths: ["tests/templates", "create-crateful"],
    tools: ["browser", "sdl"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("templates", consumersOfCpp()),
  },
  engines: {
    when: "night",
    paths: ["tests/engines"],
    tools: ["browser"], // it installs the others itself: without them, only this part fails
    targets: ["crateful_package", "native_fixture", "crate_room"],
    run: async () => (await import("./parts/engines.mjs")).checkEngines(),
  },
  browser: {
    when: "night",
    paths: ["tests/browser", "demo"],
    tools: ["browser"],
    targets: ["crateful_package", "crate_room"],
    run: () => jest("browser", { CHROMIUM_PATH: ensureBrowser() }),
  },
  pages: {
    when: "night",
    paths: ["tests/pages", "docs/tutorial", "docs/recipes", "docs/workers.md", "docs/saving.md", "docs/three.md"],
    tools: ["browser"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("pages", { CHROMIUM_PATH: ensureBrowser() }),
  },
  "multiplayer-pages": {
    when: "night",
    paths: ["tests/multiplayer/pages", "examples/multiplayer", "examples/native-server", "docs/multiplayer.md"],
    tools: ["browser", "redis", "beast", "json"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("multiplayer-pages", { ...compilerSettings(process.env), CHROMIUM_PATH: ensureBrowser() }),
  },
  compilers: {
    when: "night",
    paths: ["tests/headers", "tests/debugger", "scripts/parts/headers.mjs", "scripts/parts/debugger.mjs"],
    plain: true,
    tools: ["clang", "json"],
    run: async () => {
      const headersOfAll = await (await headers()).checkHeaders("all");
      const debugging = (await import("./parts/debugger.mjs")).checkDebugger();
      return {
        passed: headersOfAll.passed + debugging.passed,
        failed: headersOfAll.failed + debugging.failed,
      };
    },
  },
  tidy: {
    when: "night",
    paths: [".clang-tidy"],
    tools: ["clangTidy", "json"],
    run: async () => (await import("./lint.mjs")).checkTidy(),
  },
  soak: {
    when: "night",
    paths: ["tests/soak"],
    tools: ["browser"],
    targets: ["crateful_package", "crate_room"],
    run: () => jest("soak", { CHROMIUM_PATH: ensureBrowser() }),
  },
  "types-all": {
    when: "night",
    paths: ["tests/types", "scripts/parts/types.mjs"],
    targets: ["crateful_package"],
    run: async () => (await import("./parts/types.mjs")).checkOtherCompilers(),
  },
  "react-18": { when: "night", targets: ["crateful_package"], run: () => jest("react-18") },
};
const headers = () => import("./parts/headers.mjs");

/** The environment in which the random models of a slow build do a part of their operations. */
const share = (part) => ({ CRATEFUL_TIMES: String(part * Number(process.env.CRATEFUL_TIMES ?? 1)) });

/** The environment of tests that build C++ of users in temporary folders, which share what they compile. */
function consumersOfCpp() {
  const env = ensureEmscripten();
  return { ...env, ...compilerSettings(env, tmpdir()), CHROMIUM_PATH: ensureBrowser() };
}

/** The preset names Clang, whose sanitizers need half of GCC's time; other parts compile the core with the default compiler. */
function sanitized(targets, models = {}) {
  const env = { ...models, UBSAN_OPTIONS: "print_stacktrace=1", ASAN_OPTIONS: "detect_stack_use_after_return=1" };
  return native("native-asan", targets, { env });
}

/** Builds and runs the targets that are tests; `launcher` is a command that starts them. */
async function native(preset, targets, { env = {}, launcher = [] } = {}) {
  ensureCompiler();
  cmakeBuild(preset, { targets });
  const totals = { passed: 0, failed: 0, failures: [] };
  for (const program of targets.filter((target) => target.endsWith("_tests"))) {
    const [command, ...args] = [...launcher, fromRoot("build", preset, "tests", program)];
    const shards = program === "core_tests" ? cores : 1; // the longest one
    const files = [path.join("build", preset, "tests", program), ...(program === "fuzz_tests" ? corpora() : [])];
    const counts = await googletest(`${preset}-${program}`, command, args, { env, shards, files });
    totals.passed += counts.passed;
    totals.failed += counts.failed;
    totals.failures.push(...(counts.failures ?? []));
  }
  return totals;
}

/** The files that `fuzz_tests` reads. */
const corpora = () =>
  ["tests/fuzz/corpus", "tests/fuzz/apply_corpus"].flatMap((folder) =>
    readdirSync(fromRoot(folder)).map((file) => path.join(folder, file)),
  );

/**
 * A command that starts a program without address space layout randomisation, which the thread sanitizer of older
 * compilers does not support on kernels that randomise many bits. Empty where this is not possible.
 */
function withoutRandomAddresses() {
  const launcher = ["setarch", "--addr-no-randomize"];
  try {
    output(launcher[0], [launcher[1], "true"]);
    return launcher;
  } catch {
    return []; // not Linux, or a container that does not allow it
  }
}

/** Steps before the parts; each takes the names of the chosen parts. */
export const steps = {
  packages: () => ensureNodeModules(),
  system: (chosen) => ensure(...new Set(chosen.flatMap((name) => parts[name].tools ?? []))),
  emscripten: () => ensureEmscripten(),
  modules: (chosen) => build({ targets: [...new Set(chosen.flatMap((name) => parts[name].targets ?? []))] }),
  packed: () => packPackages(),
};

/** The jobs for jobs.mjs that run the chosen parts. */
export function jobsFor(chosen) {
  const job = (name, after) => ({ name, after, command: [fromRoot("scripts/parts.mjs"), name, ...chosen] });
  const built = chosen.some((name) => parts[name].targets !== undefined);
  const installed = chosen.some((name) => parts[name].tools !== undefined);
  return [
    ...(built ? [job("emscripten", [])] : []), // first, because it takes longest where it has to be installed
    job("packages", []),
    ...(installed ? [job("system", [])] : []),
    ...(built ? [job("modules", ["packages", "emscripten", ...(installed ? ["system"] : [])])] : []),
    ...(chosen.some((name) => parts[name].packed) ? [job("packed", ["modules"])] : []),
    ...chosen.map((name) => {
      const { tools, targets, packed, plain, folder } = parts[name];
      const last = packed ? ["packed"] : targets ? ["modules"] : [];
      return { ...job(name, [...(plain ? [] : ["packages"]), ...(tools ? ["system"] : []), ...last]), folder };
    }),
  ];
}

/** Where a part leaves its counts. */
export const reportOf = (name) => fromRoot("build/reports", `part-${name}.json`);

/** Runs one part; an exception counts as a failure, and so does a part without tests. */
async function runPart(name) {
  let counts;
  try {
    counts = await parts[name].run();
  } catch (error) {
    console.error(error instanceof Stop ? `error: ${error.message}` : error);
    counts = { passed: 0, failed: 1 };
  }
  if (counts.passed + counts.failed === 0) {
    console.error(`error: the part "${name}" ran no test`);
    counts.failed = 1;
  }
  mkdirSync(fromRoot("build/reports"), { recursive: true });
  writeFileSync(reportOf(name), JSON.stringify(counts));
  if (counts.failed > 0) process.exitCode = 1;
}

if (isMain(import.meta.url)) {
  const [name, ...chosen] = process.argv.slice(2);
  await main(() => (name in steps ? steps[name](chosen) : runPart(name)));
}
