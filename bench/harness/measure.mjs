// Timing one cell. Knows neither Node nor libraries: the same code runs in processes and in pages.
import { median } from "./spread.mjs";

/**
 * What an adapter gives for a case.
 * @typedef {object} Cell
 * @property {() => (void | Promise<unknown>)} [step] one repetition of the work
 * @property {number} ops how many operations a step does
 * @property {(steps: number) => void} verify throws unless exactly that many steps have been done
 * @property {Record<string, () => void>} [phases] instead of `step`: run in turn, timed apart
 * @property {{ ns: number }} [report] instead of `step`: timed inside, where setting up is not part of it
 * @property {(params: object) => Cell} [again] the same world for other parameters
 *
 * @typedef {object} Options
 * @property {boolean} [collect] garbage, before timing
 * @property {number} [batchMs] a batch of steps takes about that long
 * @property {number} [batches]
 * @property {number} [warmMs] warm up at least that long …
 * @property {number} [warmSteps] … and that often …
 * @property {number} [warmLimitMs] … but no longer than that
 */

const defaults = { collect: true, batchMs: 3, batches: 20, warmMs: 150, warmSteps: 200, warmLimitMs: 500 };

/** Nanoseconds of a step: the median batch. @param {Cell} cell @param {Options} [options] */
export async function measure(cell, options = {}) {
  const { batchMs, batches, warmMs, warmSteps, warmLimitMs, collect } = { ...defaults, ...options };
  if (cell.report) return cell.report;
  if (cell.phases) return measurePhases(cell);

  let steps = 0;
  const first = cell.step();
  steps += 1;
  const awaited = first instanceof Promise;
  if (awaited) await first;
  const timed = async (count) => {
    steps += count;
    return awaited ? timeAwaited(cell.step, count) : time(cell.step, count);
  };

  const began = performance.now();
  let last = 0; // ms of the last warm-up batch
  for (
    let size = 1, gone = 0;
    gone < warmMs || (steps < warmSteps && gone < warmLimitMs);
    gone = performance.now() - began
  ) {
    last = await timed(size);
    if (last < batchMs / 2) size *= 2;
  }
  if (collect) globalThis.gc?.(); // what building the world left behind is not the steps' fault

  // Warm now: how many steps make a batch?
  let size = 1;
  for (let ms = await timed(size); ms < batchMs; ms = await timed(size)) {
    size = Math.max(size + 1, Math.min(size * 10, Math.ceil((size * batchMs * 1.1) / Math.max(ms, 0.01))));
  }
  const limit = 2 * batchMs * batches; // slow cells: fewer batches, never fewer than 3
  const times = [];
  const start = performance.now();
  while (times.length < batches && (times.length < 3 || performance.now() - start < limit)) {
    times.push(((await timed(size)) * 1e6) / size);
  }
  await cell.verify(steps);
  return { ns: median(times), steps };
}

function time(step, count) {
  const start = performance.now();
  for (let i = 0; i < count; i++) step();
  return performance.now() - start;
}

async function timeAwaited(step, count) {
  const start = performance.now();
  for (let i = 0; i < count; i++) await step();
  return performance.now() - start;
}

/** Phases are long and come in turn: a warm-up turn, then turns for 0.3 s, at least 2. */
async function measurePhases(cell) {
  const times = Object.fromEntries(Object.keys(cell.phases).map((name) => [name, []]));
  let turns = 0;
  const turn = async () => {
    turns += 1;
    for (const [name, phase] of Object.entries(cell.phases)) {
      globalThis.gc?.();
      const start = performance.now();
      const result = phase();
      if (result instanceof Promise) await result;
      times[name].push((performance.now() - start) * 1e6);
    }
  };
  const start = performance.now();
  while (turns < 3 || performance.now() - start < 300) {
    await turn();
    if (turns === 1) for (const list of Object.values(times)) list.length = 0;
  }
  await cell.verify(turns);
  return {
    phases: Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)])),
    steps: turns,
  };
}

/**
 * All parameter sets of one case and library in this process, one after another. Later ones find warm
 * code. What goes wrong voids that result only.
 */
export async function measureAll(make, paramsList, options) {
  forgetIntactBuffers();
  const results = [];
  let cell;
  for (const params of paramsList) {
    try {
      const isWarm = cell?.again !== undefined && cell.ops > 0; // has run the same code
      cell = cell?.again ? await cell.again(params) : await make(params);
      const warm = isWarm ? { collect: false, warmMs: 40, warmSteps: 50, warmLimitMs: 150 } : {};
      results.push({ params, ops: cell.ops, ...(await measure(cell, { ...options, ...warm })) });
    } catch (error) {
      results.push({ params, void: String(error?.message ?? error).split("\n")[0] });
      cell = undefined;
    }
  }
  return results;
}

/**
 * While no ArrayBuffer of a process was ever transferred, V8 reads typed arrays without asking whether they
 * still have one, in up to half the time. In pages that does not last (messages, files, memory that grows), and
 * here it would end at random moments, as Node itself transfers buffers; so it ends at the start, for all alike.
 */
function forgetIntactBuffers() {
  const buffer = new ArrayBuffer(8);
  structuredClone(buffer, { transfer: [buffer] });
}
