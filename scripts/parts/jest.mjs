// Runs one project of jest.config.mjs and counts from Jest's JSON report.
import { existsSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { fromRoot, runStatus } from "../process.mjs";

export function jest(project, env = {}) {
  const report = fromRoot("build/reports", `jest-${project}.json`);
  rmSync(report, { force: true });
  const status = runStatus(
    process.execPath,
    [fromRoot("node_modules/jest/bin/jest.js"), "--selectProjects", project, "--json", `--outputFile=${report}`],
    // The package is ES modules, which Jest runs behind this flag. NODE_OPTIONS reaches workers.
    {
      env: {
        ...process.env,
        ...env,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --experimental-vm-modules`.trim(),
      },
    },
  );
  if (!existsSync(report)) return { passed: 0, failed: 1 };

  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, "utf8"));
  const failed = numFailedTests + numRuntimeErrorTestSuites; // the latter never got to their tests
  return { passed: numPassedTests, failed: failed === 0 && numPassedTests > 0 && status !== 0 ? 1 : failed };
}
