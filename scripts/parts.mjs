// The parts of `npm test`, and the steps that they share. `node scripts/parts.mjs NAME [PART…]` runs one of them in
// this process; a part leaves its counts in build/reports/part-NAME.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { build } from "./build.mjs";
import { cmakeBuild, compilerCache } from "./cmake.mjs";
import { packPackages } from "./pack.mjs";
import { googletest } from "./parts/googletest.mjs";
import { jest } from "./parts/jest.mjs";
import { fromRoot, isMain, main, output, Stop } from "./process.mjs";
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
 * @property {string[]} [tools] what toolchain.mjs has to install
 * @property {boolean} [plain] whether it needs no npm package
 * @property {"ci" | "night"} [when] if it is not named: run only by CI, or only by `npm run test:all`
 * @property {string[]} [targets] what it needs of the WebAssembly build; undefined: it needs no build
 * @property {boolean} [packed] whether it also needs the packed packages
 * @property {() => Promise<Counts> | Counts} run
 *
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} [failures] the title and the message of each failed test; not all parts have them
 */

/** In the order in which they start, the longest first. @type {Record<string, Part>} */
export const parts = {
  native: {
    plain: true,
    tools: ["googletest", "sdl", "json"],
    run: () =>
      native("native", [
        "core_tests",
        "inspector_tests",
        "core_no_rtti_tests",
        "core_no_exceptions_tests",
        "core_shared_tests",
        "core_threads_tests",
        "fuzz_tests",
        "scene_tests",
        "crate_room",
      ]),
  },
  browser: {
    tools: ["browser"],
    targets: ["crateful_package", "crate_room"],
    run: () => jest("browser", { CHROMIUM_PATH: ensureBrowser() }),
  },
  engines: {
    when: "ci",
    tools: ["browser"], // it installs the others itself: without them, only this part fails
    targets: ["crateful_package", "native_fixture", "crate_room"],
    run: async () => (await import("./parts/engines.mjs")).checkEngines(),
  },
  package: {
    tools: ["browser"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("package", { ...compilerCache(process.env, tmpdir()), CHROMIUM_PATH: ensureBrowser() }),
  },
  cpp: {
    tools: ["browser", "json"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("cpp", consumersOfCpp()),
  },
  everywhere: {
    when: "ci",
    tools: ["browser"],
    targets: ["crateful_package"],
    packed: true,
    run: () => {
      ensureEverywhere();
      return jest("everywhere", { CHROMIUM_PATH: ensureBrowser() });
    },
  },
  soak: {
    tools: ["browser"],
    targets: ["crateful_package", "crate_room"],
    run: () => jest("soak", { CHROMIUM_PATH: ensureBrowser() }),
  },
  asan: {
    plain: true,
    tools: ["googletest", "json"],
    run: () =>
      native("native-asan", ["core_tests", "inspector_tests", "fuzz_tests", "scene_tests"], {
        UBSAN_OPTIONS: "print_stacktrace=1",
        ASAN_OPTIONS: "detect_stack_use_after_return=1",
      }),
  },
  tsan: {
    plain: true,
    tools: ["googletest"],
    run: () => native("native-tsan", ["core_threads_tests"], {}, withoutRandomAddresses()),
  },
  wasm: {
    tools: ["googletest"],
    targets: ["core_tests"],
    run: () => googletest("wasm", process.execPath, [fromRoot("build/wasm/tests/core_tests.js")]),
  },
  examples: {
    tools: ["browser"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("examples", consumersOfCpp()),
  },
  templates: {
    tools: ["browser", "sdl"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("templates", consumersOfCpp()),
  },
  multiplayer: {
    tools: ["browser", "redis", "beast", "json"],
    targets: ["crateful_package"],
    packed: true,
    run: () => jest("multiplayer", { ...compilerCache(process.env), CHROMIUM_PATH: ensureBrowser() }),
  },
  docs: {
    tools: ["browser"],
    targets: ["crateful_package", "crate_room"],
    run: () => jest("docs", { CHROMIUM_PATH: ensureBrowser() }),
  },
  bindings: { targets: ["crateful_package", "native_fixture"], run: () => jest("bindings") },
  development: {
    tools: ["json"],
    targets: ["crateful_package", "native_fixture"],
    run: () => jest("development", compilerCache(process.env)),
  },
  "wasm-asan": {
    when: "night",
    targets: ["crateful_package"],
    run: () => {
      cmakeBuild("wasm-asan", { env: ensureEmscripten(), targets: ["native_fixture"] });
      return jest("wasm-asan", { CRATEFUL_OPERATIONS: process.env.CRATEFUL_OPERATIONS ?? "500" }); // of the models; it is slow
    },
  },
  react: { targets: ["crateful_package"], run: () => jest("react") },
  "react-18": { targets: ["crateful_package"], run: () => jest("react-18") },
  types: { targets: ["crateful_package"], run: async () => (await import("./parts/types.mjs")).checkTypes() },
  api: { targets: ["crateful_package"], run: async () => (await import("./parts/api.mjs")).checkApi() },
  headers: {
    plain: true,
    tools: ["clangTidy", "json"], // with clang-tidy, Debian installs a Clang
    run: async () => {
      const headers = await (await import("./parts/headers.mjs")).checkHeaders();
      const debugging = (await import("./parts/debugger.mjs")).checkDebugger();
      return { passed: headers.passed + debugging.passed, failed: headers.failed + debugging.failed };
    },
  },
  lint: { tools: ["clangTidy", "json"], run: async () => (await import("./lint.mjs")).checkLint() },
  size: { targets: ["crateful_package"], run: async () => (await import("./parts/size.mjs")).checkSize() },
  rules: { run: () => checkRules() },
};

/** The environment of tests that build C++ of users in temporary folders, which share what they compile. */
function consumersOfCpp() {
  const env = ensureEmscripten();
  return { ...env, ...compilerCache(env, tmpdir()), CHROMIUM_PATH: ensureBrowser() };
}

/** Builds and runs the targets that are tests; `launcher` is a command that starts them. */
function native(preset, targets, env = {}, launcher = []) {
  ensureCompiler();
  cmakeBuild(preset, { targets });
  const totals = { passed: 0, failed: 0, failures: [] };
  for (const program of targets.filter((target) => target.endsWith("_tests"))) {
    const [command, ...args] = [...launcher, fromRoot("build", preset, "tests", program)];
    const counts = googletest(`${preset}-${program}`, command, args, env);
    totals.passed += counts.passed;
    totals.failed += counts.failed;
    totals.failures.push(...(counts.failures ?? []));
  }
  return totals;
}

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
      const { tools, targets, packed, plain } = parts[name];
      const last = packed ? ["packed"] : targets ? ["modules"] : [];
      return job(name, [...(plain ? [] : ["packages"]), ...(tools ? ["system"] : []), ...last]);
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
