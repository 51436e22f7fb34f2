// Times one cell. This file uses neither Node nor any library, so that the same code runs in processes and in pages.
import { median } from "./spread.mjs";

/**
 * What an adapter returns for a case.
 * @typedef {object} Cell
 * @property {() => (void | Promise<unknown>)} [step] one repetition of the work
 * @property {number} ops the number of operations per step
 * @property {(steps: number) => void} verify throws unless exactly that many steps have been done
 * @property {{ ns: number }} [report] instead of `step`: the case has measured itself, without its set-up
 * @property {(params: object) => Cell} [again] the same world for other parameters
 *
 * @typedef {object} Options
 * @property {boolean} [collect] collects garbage before timing
 * @property {number} [batchMs] the approximate duration of a batch of steps
 * @property {number} [batches]
 * @property {number} [warmMs] the warm-up takes at least this long …
 * @property {number} [warmSteps] … and at least this many steps …
 * @property {number} [warmLimitMs] … but at most this long
 */

const defaults = { collect: true, batchMs: 3, batches: 20, warmMs: 150, warmSteps: 200, warmLimitMs: 500 };

/** Returns the nanoseconds per step of the median batch. @param {Cell} cell @param {Options} [options] */
export async function measure(cell, options = {}) {
  const { batchMs, batches, warmMs, warmSteps, warmLimitMs, collect } = { ...defaults, ...options };
  if (cell.report) return cell.report;

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
    let size = 1, elapsed = 0;
    elapsed < warmMs || (steps < warmSteps && elapsed < warmLimitMs);
    elapsed = performance.now() - began
  ) {
    last = await timed(size);
    if (last < batchMs / 2) size *= 2;
  }
  if (collect) globalThis.gc?.(); // garbage from building the world does not belong to the steps

  // The code is warm. Find out how many steps make a batch.
  let size = 1;
  for (let ms = await timed(size); ms < batchMs; ms = await timed(size)) {
    size = Math.max(size + 1, Math.min(size * 10, Math.ceil((size * batchMs * 1.1) / Math.max(ms, 0.01))));
  }
  const limit = 2 * batchMs * batches; // slow cells get fewer batches, but at least 3
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

/**
 * Measures all parameter sets of one case and library in this process, one after another. For the later ones the code is
 * already warm. A failure voids only its own result.
 */
export async function measureAll(make, paramsList, options) {
  transferABuffer();
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
 * Before the first transfer of an ArrayBuffer in a process, V8 reads typed arrays without checking whether they are
 * detached, in up to half the time. In pages this state does not last (messages, files, growing memory), and here it would
 * end at a random moment, because Node itself transfers buffers. So it is ended at the start, for all libraries.
 */
export function transferABuffer() {
  const buffer = new ArrayBuffer(8);
  structuredClone(buffer, { transfer: [buffer] });
}
