// Runs the jobs of `npm test` as child processes, several at a time. The output of a job is kept in build/reports, and shown if the job
// fails; meanwhile a line says what runs.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fromRoot, root, say } from "./process.mjs";

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {string[]} after jobs that must have succeeded before it starts
 * @property {string[]} command the arguments of Node
 * @property {string} [folder] the build folder that it uses alone: jobs with the same one do not run at the same time
 *
 * @typedef {object} Outcome
 * @property {string} name
 * @property {number | undefined} status the exit code; undefined if a job before it failed, so that it did not run
 * @property {number} seconds
 * @property {number} [processorSeconds] what it and its own children used; undefined where the system does not say
 */

/** How often a line says what runs, in seconds; on a terminal, the line is replaced. */
const PROGRESS_SECONDS = process.stdout.isTTY ? 1 : 60;

/**
 * Runs `jobs`, at most `lanes` at a time, each as soon as the jobs that it needs have ended, in the given order.
 * @param {Job[]} jobs @param {number} lanes
 * @param {string} [shown] the job that shows its output while it runs
 * @returns {Promise<Outcome[]>}
 */
export async function runJobs(jobs, lanes, shown) {
  const started = performance.now();
  const waiting = [...jobs];
  const running = new Map();
  const outcomes = new Map();
  const showProgress = () => {
    if (running.has(shown)) return;
    const seconds = Math.round((performance.now() - started) / 1000);
    const names = [...running.keys()].join(", ");
    line(`   ${outcomes.size} of ${jobs.length} done, ${seconds} s; running: ${names}`);
  };
  const timer = setInterval(showProgress, PROGRESS_SECONDS * 1000);
  while (waiting.length > 0 || running.size > 0) {
    for (const { name, after } of [...waiting]) {
      if (!after.some((other) => failed(outcomes.get(other)))) continue;
      take(waiting, name);
      outcomes.set(name, { name, status: undefined, seconds: 0 });
    }
    while (running.size < lanes) {
      const used = new Set(jobs.filter(({ name }) => running.has(name)).map(({ folder }) => folder));
      const ready = waiting.find(
        ({ after, folder }) =>
          after.every((name) => outcomes.get(name)?.status === 0) && (folder === undefined || !used.has(folder)),
      );
      if (ready === undefined) break;
      take(waiting, ready.name);
      running.set(ready.name, runJob(ready, ready.name === shown));
    }
    if (running.size === 0) continue;
    const outcome = await Promise.race(running.values());
    running.delete(outcome.name);
    outcomes.set(outcome.name, outcome);
  }
  clearInterval(timer);
  return jobs.map(({ name }) => outcomes.get(name));
}

const take = (jobs, name) =>
  jobs.splice(
    jobs.findIndex((job) => job.name === name),
    1,
  );
/** Prints a line; on a terminal, the next one replaces it. */
function line(text) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text.slice(0, (process.stdout.columns ?? 80) - 1)}\r`);
  else console.log(text);
}
const failed = (outcome) => outcome !== undefined && outcome.status !== 0;

/** The time of processors that ended children of this process have used, with theirs, in seconds; undefined where there is no /proc. */
function secondsOfChildren() {
  if (!existsSync("/proc/self/stat")) return undefined;
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100; // user and system; a tick is 10 ms
}
let counted = 0;

/** The file with the output of a job that is not shown while it runs. */
const logOf = (name) => fromRoot("build/reports", `${name}.log`);

async function runJob({ name, command }, live) {
  const started = performance.now();
  if (live) say(name);
  const log = live ? undefined : openSync(logOf(name), "w");
  const output = log ?? "inherit";
  const child = spawn(process.execPath, command, { cwd: fromRoot(), stdio: ["ignore", output, output] });
  const status = await new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1)); // null: ended by a signal
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  const used = secondsOfChildren();
  const processorSeconds = used === undefined ? undefined : Math.round(used - counted);
  counted = used ?? 0;
  if (log !== undefined) {
    closeSync(log);
    line(`   ${status === 0 ? "ok" : "FAILED"}: ${name} (${seconds} s)`);
    if (process.stdout.isTTY) process.stdout.write("\n");
    if (status !== 0) {
      say(`${name}: ${path.relative(root, logOf(name))}`);
      process.stdout.write(readFileSync(logOf(name)));
    }
  }
  return { name, status, seconds, processorSeconds };
}
