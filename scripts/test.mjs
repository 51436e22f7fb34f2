// npm test: what a change must pass, from a bare clone; `npm run test:all` runs everything. `npm test -- bindings types` runs some parts,
// `npm test -- --since REF` also the nightly parts whose own files differ from a commit.
// The output of a part is in build/reports, and is shown if the part fails; the failed tests, a table and one line of totals come last.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { runJobs } from "./jobs.mjs";
import { jobsFor, parts, reportOf } from "./parts.mjs";
import { cores, fromRoot, main, output, say, Stop } from "./process.mjs";

/** As many parts as processors at a time, and at least two, so that one can compile while another waits for a browser or a download. */
const LANES = Math.max(2, cores);

/** The files that differ from a commit, among them those that are not committed. */
function changedSince(ref) {
  const lists = [
    ["diff", "--name-only", ref, "--"],
    ["ls-files", "--others", "--exclude-standard"],
  ].map((args) => output("git", args));
  return lists.join("").split("\n").filter(Boolean);
}

/** The names of the parts that the arguments select. */
function choose(args) {
  const names = Object.keys(parts);
  const always = names.filter((name) => parts[name].when === "always");
  if (args.includes("--all")) return names;
  const at = args.indexOf("--since");
  if (at >= 0) {
    if (args.length !== 2 || at !== 0) throw new Stop("usage: npm test -- --since REF");
    const changed = changedSince(args[1]);
    const differs = (path) => changed.some((file) => file === path || file.startsWith(`${path}/`));
    return names.filter((name) => always.includes(name) || parts[name].paths?.some(differs));
  }
  const unknown = args.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Stop(`no such part: ${unknown.join(", ")}. The parts are: ${names.join(", ")}`);
  return args.length === 0 ? always : names.filter((name) => args.includes(name));
}

/**
 * What the random models read (CONTRIBUTING.md): at night, a new first seed and ten times the operations, if they are not given.
 * @param {boolean} night
 */
function setModels(night) {
  if (!night) return;
  process.env.CRATEFUL_SEED ??= String(1 + Math.floor(Math.random() * 1e9));
  process.env.CRATEFUL_TIMES ??= "10";
  console.log(
    `The random models: CRATEFUL_SEED=${process.env.CRATEFUL_SEED} CRATEFUL_TIMES=${process.env.CRATEFUL_TIMES}`,
  );
}

await main(async () => {
  const args = process.argv.slice(2);
  const chosen = choose(args);
  setModels(args.includes("--all"));
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

  say("results, with seconds, and seconds of processors where the system counts them");
  const totals = { passed: 0, failed: 0 };
  let processor = 0;
  for (const { name, status, seconds, processorSeconds } of outcomes) {
    processor += processorSeconds ?? 0;
    const times = `${String(seconds).padStart(7)} s${String(processorSeconds ?? "").padStart(7)}`;
    if (!(name in parts)) {
      console.log(`${name.padEnd(18)}${(status === 0 ? "" : "FAILED").padStart(28)}${times}`);
      continue;
    }
    const counts = countsOf(name);
    totals.passed += counts.passed;
    totals.failed += counts.failed;
    const columns = [`${counts.passed} passed`.padStart(13), `${counts.failed} failed`.padStart(15)];
    console.log(`${name.padEnd(18)}${columns.join("")}${times}`);
  }
  console.log(`in all ${Math.round((performance.now() - started) / 1000)} s, ${processor} s of processors`);
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
  if (totals.failed > 0) process.exitCode = 1;
});
