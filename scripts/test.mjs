// npm test: every test there is, from a bare clone. `npm test -- bindings types` runs some parts.
// Each part shows its runner's own output; a table and one line of totals come last.
import { mkdirSync } from "node:fs";
import process from "node:process";
import { build } from "./build.mjs";
import { cmakeBuild } from "./cmake.mjs";
import { googletest } from "./parts/googletest.mjs";
import { jest } from "./parts/jest.mjs";
import { fromRoot, main, say, Stop } from "./process.mjs";
import { checkRules } from "./rules.mjs";
import { ensureBrowser, ensureGoogleTest, ensureNodeModules, ensureSdl } from "./toolchain.mjs";

// A part returns { passed, failed }. Those that need node_modules at load time are imported late.
const parts = {
  native: () => native("native"),
  asan: () =>
    native("native-asan", { UBSAN_OPTIONS: "print_stacktrace=1", ASAN_OPTIONS: "detect_stack_use_after_return=1" }),
  wasm: () => (builtOnce(), googletest("wasm", process.execPath, [fromRoot("build/wasm/tests/core_tests.js")])),
  bindings: () => (builtOnce(), jest("bindings")),
  types: async () => (builtOnce(), (await import("./parts/types.mjs")).checkTypes()),
  api: async () => (builtOnce(), (await import("./parts/api.mjs")).checkApi()),
  browser: () => (builtOnce(), jest("browser", { CHROMIUM_PATH: ensureBrowser() })),
  package: () => (builtOnce(), jest("package")),
  examples: () => (builtOnce(), jest("examples")),
  size: async () => (builtOnce(), (await import("./parts/size.mjs")).checkSize()),
  rules: () => checkRules(),
};

function native(preset, env = {}) {
  ensureGoogleTest();
  ensureSdl(); // the demo's native program is built too; the page's is what the browser tests run
  cmakeBuild(preset);
  const runs = ["core", "scene"].map((of) =>
    googletest(`${preset}-${of}`, fromRoot("build", preset, `tests/${of}_tests`), [], env),
  );
  return { passed: runs[0].passed + runs[1].passed, failed: runs[0].failed + runs[1].failed };
}

let outcome; // of the one build that most parts look at
function builtOnce() {
  if (outcome === undefined) {
    try {
      ensureNodeModules();
      ensureGoogleTest();
      build({ targets: [] });
      outcome = true;
    } catch (error) {
      outcome = error;
    }
  }
  if (outcome !== true) throw outcome;
}

/** Runs one part; whatever goes wrong, it is a failure of that part and the others still run. */
async function runPart(name) {
  const started = performance.now();
  say(`test: ${name}`);
  let counts;
  try {
    counts = await parts[name]();
  } catch (error) {
    console.error(error instanceof Stop ? `error: ${error.message}` : error);
    counts = { passed: 0, failed: 1 };
  }
  if (counts.passed + counts.failed === 0) {
    console.error(`error: the part "${name}" ran no test`);
    counts.failed = 1;
  }
  return { part: name, ...counts, seconds: Math.round((performance.now() - started) / 1000) };
}

await main(async () => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new Stop(`no such part: ${unknown.join(", ")}. There are: ${Object.keys(parts).join(", ")}`);
  mkdirSync(fromRoot("build/reports"), { recursive: true });

  const results = [];
  for (const name of Object.keys(parts)) {
    if (chosen.length === 0 || chosen.includes(name)) results.push(await runPart(name));
  }

  say("results");
  for (const { part, passed, failed, seconds } of results) {
    console.log(
      `${part.padEnd(10)}${String(passed).padStart(6)} passed${String(failed).padStart(6)} failed${String(seconds).padStart(6)} s`,
    );
  }
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`\n${total("passed")} passed, ${total("failed")} failed`);
  if (total("failed") > 0) process.exitCode = 1;
});
