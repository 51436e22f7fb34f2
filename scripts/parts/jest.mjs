// Runs one project of jest.config.mjs and counts from Jest's JSON report.
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { fromRoot, runStatus } from "../process.mjs";
import { countMissingCases } from "../rules.mjs";

/** The arguments of Node, and the environment, that run one project. */
export function jestCommand(project, args, env = {}) {
  return [
    [fromRoot("node_modules/jest/bin/jest.js"), "--selectProjects", project, ...args],
    // The package is ES modules, which Jest runs behind this flag. NODE_OPTIONS reaches workers.
    { ...process.env, ...env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --experimental-vm-modules`.trim() },
  ];
}

export function jest(project, env = {}) {
  const report = fromRoot("build/reports", `jest-${project}.json`);
  rmSync(report, { force: true });
  const [args, environment] = jestCommand(project, ["--json", `--outputFile=${report}`], env);
  const status = runStatus(process.execPath, args, { env: environment });
  if (!existsSync(report)) return { passed: 0, failed: 1 };

  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  const passed = testResults.flatMap(({ assertionResults }) => assertionResults).filter((t) => t.status === "passed");
  const missing =
    project === "bindings"
      ? countMissingCases(
          "web",
          passed.map((t) => t.title),
        )
      : 0;
  const failed = numFailedTests + numRuntimeErrorTestSuites + missing; // the second failed before their tests ran
  return {
    passed: numPassedTests,
    failed: failed === 0 && numPassedTests > 0 && status !== 0 ? 1 : failed,
    failures: testResults.flatMap(failuresOf),
  };
}

/** The titles of the tests of a file that failed, with the beginnings of their messages. */
function failuresOf({ name, message, status, assertionResults }) {
  const file = path.relative(fromRoot(), name);
  const beginning = (text) => stripVTControlCharacters(text).split("\n").slice(0, 8).join("\n");
  const tests = assertionResults.filter((test) => test.status === "failed");
  if (status === "failed" && tests.length === 0) return [`${file}\n${beginning(message)}`];
  return tests.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${beginning(failureMessages[0] ?? "")}`);
}
