// npm test: the tests, from a bare clone; with CI=true also the long parts that a change must pass, with --all every part.
// `npm test -- bindings types` runs some parts.
// The output of a part is in build/reports, and is shown if the part fails; the failed tests, a table and one line of totals come last.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { runJobs } from "./jobs.mjs";
import { jobsFor, parts, reportOf } from "./parts.mjs";
import { cores, fromRoot, main, say, Stop } from "./process.mjs";

/** As many parts as processors at a time, and at least two, so that one can compile while another waits for a browser or a download. */
const LANES = Math.max(2, cores);

await main(async () => {
  const all = process.argv.includes("--all");
  const asked = process.argv.slice(2).filter((word) => word !== "--all");
  const unknown = asked.filter((name) => !(name in parts));
  if (unknown.length > 0) {
    throw new Stop(`no such part: ${unknown.join(", ")}. The parts are: ${Object.keys(parts).join(", ")}`);
  }
  const included = (when) => all || when === undefined || (when === "ci" && process.env.CI);
  const byDefault = Object.keys(parts).filter((name) => included(parts[name].when));
  const chosen = asked.length === 0 ? byDefault : Object.keys(parts).filter((name) => asked.includes(name));
  const started = performance.now();
  mkdirSync(fromRoot("build/reports"), { recursive: true });
  for (const name of chosen) rmSync(reportOf(name), { force: true });
  const outcomes = await runJobs(jobsFor(chosen), LANES, chosen.length === 1 ? chosen[0] : undefined);

  const countsOf = (name) => {
    const report = reportOf(name);
    return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : { passed: 0, failed: 1 };
  };
  const failures = chosen.flatMap((name) => (countsOf(name).failures ?? []).map((failure) => `${name}: ${failure}`));
  if (failures.length > 0) say(`failed\n${failures.join("\n\n")}`);

  say("results");
  const totals = { passed: 0, failed: 0 };
  for (const { name, status, seconds } of outcomes) {
    if (!(name in parts)) {
      console.log(`${name.padEnd(10)}${(status === 0 ? "" : "FAILED").padStart(28)}${String(seconds).padStart(6)} s`);
      continue;
    }
    const counts = countsOf(name);
    totals.passed += counts.passed;
    totals.failed += counts.failed;
    const columns = [`${counts.passed} passed`.padStart(13), `${counts.failed} failed`.padStart(15)];
    console.log(`${name.padEnd(10)}${columns.join("")}${String(seconds).padStart(6)} s`);
  }
  console.log(`in all ${Math.round((performance.now() - started) / 1000)} s`);
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
  if (totals.failed > 0) process.exitCode = 1;
});
