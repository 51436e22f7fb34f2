// Runs a GoogleTest program and counts from its JSON report, which does not exist after a crash.
import { existsSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { fromRoot, runStatus } from "../process.mjs";
import { countMissingCases } from "../rules.mjs";

/** The title of a test and, if it has a parameter with a name, this in brackets: "A2 in on remove … [sparse clear]". */
function titleOf({ name }) {
  const [title, parameter] = name.split("/");
  const words = (text) => text.replaceAll("_", " ");
  return parameter === undefined ? words(title) : `${words(title)} [${words(parameter)}]`;
}

/** `command args…` is the test program; `name` names its report. */
export function googletest(name, command, args = [], env = {}) {
  const report = fromRoot("build/reports", `googletest-${name}.json`);
  rmSync(report, { force: true });
  const status = runStatus(command, [...args, "--gtest_brief=1", `--gtest_output=json:${report}`], {
    env: { ...process.env, ...env },
  });
  if (!existsSync(report)) return { passed: 0, failed: 1 };

  const { testsuites } = JSON.parse(readFileSync(report, "utf8"));
  const tests = testsuites.flatMap((suite) => suite.testsuite);
  const succeeded = tests.filter((test) => test.failures === undefined && test.result === "COMPLETED");
  const passed = succeeded.length;
  const missing = name.endsWith("-core_tests") ? countMissingCases("cpp", succeeded.map(titleOf)) : 0;
  const failures = tests
    .filter((test) => test.failures !== undefined)
    .map((test) => `${test.classname}.${test.name}\n${test.failures[0].failure}`);
  const failed = failures.length + missing;
  // All tests passed, but a sanitizer may still fail the program, for example for leaks found at exit.
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed, failures };
}
