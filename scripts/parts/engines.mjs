// The same tests in Chromium, Firefox and WebKit.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fromRoot } from "../process.mjs";
import { ensureEngines } from "../toolchain.mjs";
import { jest } from "./jest.mjs";

export function checkEngines() {
  const counts = jest("engines", ensureEngines());
  const { testResults } = JSON.parse(readFileSync(fromRoot("build/reports/jest-engines.json"), "utf8"));
  const passed = testResults.map(({ name, assertionResults, startTime, endTime }) => {
    const version = assertionResults[0]?.ancestorTitles[0] ?? path.basename(name);
    const count = (status) => assertionResults.filter((result) => result.status === status).length;
    const seconds = Math.round((endTime - startTime) / 1000);
    console.log(`${version}: ${count("passed")} passed, ${count("failed")} failed, ${seconds} s`);
    return count("passed");
  });
  if (passed.length === 3 && new Set(passed).size === 1) return counts;
  console.error("error: the number of passed tests is not the same in all three browsers");
  return { ...counts, failed: counts.failed + 1 };
}
