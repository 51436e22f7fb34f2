// Runs a GoogleTest program and counts from its JSON report, which does not exist after a crash.
import { existsSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { fromRoot, runStatus } from "../process.mjs";

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
  const failed = tests.filter((test) => test.failures !== undefined).length;
  const passed = tests.filter((test) => test.failures === undefined && test.result === "COMPLETED").length;
  // All tests passed, but a sanitizer may still fail the program, for example for leaks found at exit.
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed };
}
