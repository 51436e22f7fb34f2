// Runs cells in rounds, each in a new process. The libraries run in turn, so that a slow minute of the machine affects all
// of them.
import { spawn } from "node:child_process";
import process from "node:process";
import { fromRoot } from "../../scripts/process.mjs";
import { progress } from "./progress.mjs";
import { median, spread } from "./spread.mjs";

const timeout = 120_000;
const flags = ["--expose-gc", "--no-warnings"];
/** Besides the Node that runs the benchmark: its current version, from the packages of bench/, and the same with V8's next compiler. */
const engines = { current: [], turbolev: ["--turbolev"] };
/** A young generation that is large enough that nothing is collected while garbage is counted. */
const garbageFlags = ["--min-semi-space-size=256", "--max-semi-space-size=256"];

/**
 * @param {object[]} cells of suite.mjs
 * @param {number} rounds
 * @param {(cell: object) => Promise<object[]>} runCell returns a result for each of the cell's params
 */
export async function runRounds(cells, rounds, runCell = inProcess) {
  const measured = new Map(); // key -> { cell's identity, the rounds' results }
  for (let round = 0; round < rounds; round++) {
    const shift = Math.floor((round * cells.length) / rounds);
    const order = [...cells.slice(shift), ...cells.slice(0, shift)];
    for (const [at, cell] of order.entries()) {
      if (round >= (cell.rounds ?? rounds)) continue;
      progress(
        `${cell.part}: round ${round + 1} of ${rounds}, ${at + 1} of ${cells.length}: ${cell.name} ${cell.library}`,
      );
      for (const result of await runCell(cell)) {
        const key = JSON.stringify([cell.name, cell.library, result.params, cell.garbage ?? false]);
        if (!measured.has(key)) measured.set(key, { cell, params: result.params, results: [] });
        measured.get(key).results.push(result);
      }
    }
  }
  progress();
  return [...measured.values()].flatMap(summary);
}

/** One row of results.json for each measured quantity of a cell. */
function summary({ cell: { part, name, library, garbage }, params, results }) {
  const busy = results[0].busy === undefined ? {} : { busy: median(results.map((result) => result.busy)) };
  const row = { part, case: garbage ? `${name}_garbage` : name, library, params, ...busy };
  const failed = results.find((result) => result.void);
  if (failed) return [{ ...row, void: failed.void }];
  const collect = (value) => spread(results.map(value));
  const [first] = results;
  if (first.quantities) {
    return first.quantities.map(({ what, unit, params: own = params }, at) => ({
      ...row,
      case: `${name}_${what}`,
      params: own,
      unit,
      ops: 1,
      ...collect((result) => result.quantities[at].value),
    }));
  }
  if (garbage) return [{ ...row, unit: "bytes", ...collect((result) => result.garbage) }];
  if (first.bytes) return [{ ...row, unit: "bytes", ...collect((result) => result.bytes.total), bytes: first.bytes }];
  return [
    {
      ...row,
      unit: "ns",
      ops: first.ops,
      ...collect((result) => result.ns),
    },
  ];
}

async function inProcess({ name, library, params, garbage, script = "bench/cell.mjs" }) {
  const failure = (reason) => params.map((p) => ({ params: p, void: reason }));
  const more = garbage ? ["garbage"] : [];
  const { engine } = params[0];
  const node = engine === undefined ? process.execPath : fromRoot("bench/node_modules/node/bin/node");
  const { code, signal, stdout, stderr } = await finished(node, [
    ...flags,
    ...(engines[engine] ?? []),
    ...(garbage ? garbageFlags : []),
    fromRoot(script),
    name,
    library,
    JSON.stringify(params),
    ...more,
  ]);
  if (signal) return failure(`the process was ended by ${signal}; the limit is ${timeout / 1000} s`);
  if (code !== 0) return failure(`exit code ${code}: ${/^\w*Error.*$/m.exec(stderr)?.[0] ?? stderr.slice(-200)}`);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

function finished(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      timeout,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_ENV: "production" },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data) => {
      stdout += data;
    });
    child.stderr.on("data", (data) => {
      stderr += data;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
