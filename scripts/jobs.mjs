// Runs the jobs of `npm test` as child processes, several at a time. The output of each is shown when it ends.
import { spawn } from "node:child_process";
import process from "node:process";
import { fromRoot, say } from "./process.mjs";

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {string[]} after jobs that must have succeeded before it starts
 * @property {string[]} command the arguments of Node
 *
 * @typedef {object} Outcome
 * @property {string} name
 * @property {number | undefined} status the exit code; undefined if a job before it failed, so that it did not run
 * @property {number} seconds
 */

/**
 * Runs `jobs`, at most `lanes` at a time, each as soon as the jobs that it needs have ended, in the given order.
 * One job alone shows its output while it runs.
 * @param {Job[]} jobs @param {number} lanes
 * @returns {Promise<Outcome[]>}
 */
export function runJobs(jobs, lanes) {
  const waiting = [...jobs];
  const outcomes = new Map();
  let running = 0;
  return new Promise((resolve) => {
    const end = (outcome) => {
      outcomes.set(outcome.name, outcome);
      schedule();
    };
    const schedule = () => {
      for (;;) {
        const at = waiting.findIndex(({ after }) => after.some((name) => failed(outcomes.get(name))));
        if (at < 0) break;
        const [{ name }] = waiting.splice(at, 1);
        outcomes.set(name, { name, status: undefined, seconds: 0 });
      }
      while (running < lanes) {
        const at = waiting.findIndex(({ after }) => after.every((name) => outcomes.get(name)?.status === 0));
        if (at < 0) break;
        const [job] = waiting.splice(at, 1);
        running += 1;
        const live = waiting.length === 0 && running === 1;
        runJob(job, live).then((outcome) => {
          running -= 1;
          end(outcome);
        });
      }
      if (running === 0 && waiting.length === 0) resolve(jobs.map(({ name }) => outcomes.get(name)));
    };
    schedule();
  });
}

const failed = (outcome) => outcome !== undefined && outcome.status !== 0;

async function runJob({ name, command }, live) {
  const started = performance.now();
  if (live) say(name);
  else console.log(`   started: ${name}`);
  const child = spawn(process.execPath, command, {
    cwd: fromRoot(),
    stdio: ["ignore", live ? "inherit" : "pipe", live ? "inherit" : "pipe"],
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => chunks.push(data));
  const status = await new Promise((resolve) => {
    child.on("error", (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1)); // null: ended by a signal
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  if (!live) {
    say(`${name} (${seconds} s)`);
    process.stdout.write(Buffer.concat(chunks));
  }
  return { name, status, seconds };
}
