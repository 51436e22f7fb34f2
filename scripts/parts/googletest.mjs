// Runs a GoogleTest program and counts from its JSON report, which does not exist after a crash.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { fromRoot } from "../process.mjs";
import { contentsOf, remembered } from "../remember.mjs";
import { countMissingCases } from "../rules.mjs";

/** The title of a test and, if it has a parameter with a name, this in brackets: "A2 in on remove … [sparse clear]". */
function titleOf({ name }) {
  const [title, parameter] = name.split("/");
  const words = (text) => text.replaceAll("_", " ");
  return parameter === undefined ? words(title) : `${words(title)} [${words(parameter)}]`;
}

/** Runs one of `total` shards of a program; `undefined` if it left no report, otherwise its exit code and its tests. */
async function runShard(report, command, args, env, index, total) {
  rmSync(report, { force: true });
  const child = spawn(command, [...args, "--gtest_brief=1", `--gtest_output=json:${report}`], {
    cwd: fromRoot(),
    env: { ...process.env, ...env, GTEST_TOTAL_SHARDS: String(total), GTEST_SHARD_INDEX: String(index) },
    stdio: "inherit",
  });
  const status = await new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1)); // null: ended by a signal
  });
  if (!existsSync(report)) return undefined;
  const { testsuites } = JSON.parse(readFileSync(report, "utf8"));
  return { status, tests: testsuites.flatMap((suite) => suite.testsuite) };
}

/** Whether no test failed, and no program was ended or complained at its end. */
const allPassed = (runs) =>
  runs.every((run) => run?.status === 0 && run.tests.every((test) => test.failures === undefined));

/**
 * `command args…` is the test program; `name` names its report. `shards` of it run side by side. With `files`, of which the program is
 * one, the result depends on their contents and the arguments alone.
 */
export async function googletest(name, command, args = [], { env = {}, shards = 1, files } = {}) {
  const report = (i) => fromRoot("build/reports", `googletest-${name}-${i}.json`);
  const run = () =>
    Promise.all(Array.from({ length: shards }, (_, i) => runShard(report(i), command, args, env, i, shards)));
  const settings = Object.entries(process.env).filter(([key]) => /^(CRATEFUL|GTEST)_/.test(key));
  const runs = files
    ? await remembered(name, [command, args, env, settings.sort(), contentsOf(files)], run, allPassed)
    : await run();
  if (runs.includes(undefined)) return { passed: 0, failed: 1 };

  const tests = runs.flatMap((run) => run.tests);
  const succeeded = tests.filter((test) => test.failures === undefined && test.result === "COMPLETED");
  const passed = succeeded.length;
  const missing = name.endsWith("-core_tests") ? countMissingCases("cpp", succeeded.map(titleOf)) : 0;
  const failures = tests
    .filter((test) => test.failures !== undefined)
    .map((test) => `${test.classname}.${test.name}\n${test.failures[0].failure}`);
  const failed = failures.length + missing;
  // All tests passed, but a sanitizer may still fail the program, for example for leaks found at exit.
  const broken = runs.some(({ status }) => status !== 0);
  return { passed, failed: failed === 0 && broken ? 1 : failed, failures };
}
