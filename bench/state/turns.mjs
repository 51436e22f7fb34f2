// Times what is done in turn in one process: the two sides of a ratio, or the parts of a frame.
import { transferABuffer } from "../harness/measure.mjs";
import { median } from "../harness/spread.mjs";

/**
 * @typedef {object} Clock
 * @property {<R>(what: string, run: () => R, ops?: number) => R} time times a call, which repeats its work `ops` times
 * @property {(sides: Record<string, () => unknown>) => void} inTurn times each of them; every other time in reverse order,
 *   so that no side always has what another one has left in the caches
 * @property {(what: string, value: number) => void} count adds to a quantity that is no time
 *
 * @typedef {object} Quantity one number of the result
 * @property {string} what
 * @property {"ns" | "bytes" | "ratio"} unit
 * @property {number} value
 * @property {object} [params] those of the row, if they differ from those of the cell
 *
 * @typedef {object} Cell
 * @property {(clock: Clock) => void} turn does everything once
 * @property {(of: Record<string, number>) => Quantity[]} quantities gets, for each `what`, the median of the batches:
 *   nanoseconds per turn (and repetition), and counts per turn
 * @property {() => void} verify throws unless the work was done
 */

/** Turns until `warmMs` have passed, but at least `warmTurns` within `warmLimitMs`; then batches. */
const warmMs = 300;
const warmTurns = 50;
const warmLimitMs = 1000;
/** A batch consists of turns in which at least this time was measured. */
const batchMs = 3;
const batches = 20;
/** Slow cells get fewer batches, but at least 5. */
const limitMs = 1500;
const fewest = 5;

/** @param {Cell} cell @returns {Quantity[]} */
export function measureTurns(cell) {
  transferABuffer();
  let sums = {};
  let measured = 0;
  let reversed = false;
  const time = (what, run, ops = 1) => {
    const start = performance.now();
    const result = run();
    const ms = performance.now() - start;
    measured += ms;
    sums[what] = (sums[what] ?? 0) + (ms * 1e6) / ops;
    return result;
  };
  const clock = {
    time,
    inTurn(sides) {
      const list = Object.entries(sides);
      if (reversed) list.reverse();
      reversed = !reversed;
      for (const [what, run] of list) time(what, run);
    },
    count(what, value) {
      sums[what] = (sums[what] ?? 0) + value;
    },
  };

  const began = performance.now();
  for (let turns = 0, elapsed = 0; elapsed < warmMs || (turns < warmTurns && elapsed < warmLimitMs); turns++) {
    cell.turn(clock);
    elapsed = performance.now() - began;
  }
  globalThis.gc?.(); // garbage from building the worlds does not belong to the turns

  const samples = {};
  const start = performance.now();
  for (let n = 0; n < batches && (n < fewest || performance.now() - start < limitMs); n++) {
    sums = {};
    measured = 0;
    let turns = 0;
    // An even number, so that both orders count equally.
    do {
      cell.turn(clock);
      turns += 1;
    } while (measured < batchMs || turns % 2 === 1);
    for (const [what, sum] of Object.entries(sums)) (samples[what] ??= []).push(sum / turns);
  }
  cell.verify();
  return cell.quantities(Object.fromEntries(Object.entries(samples).map(([what, list]) => [what, median(list)])));
}
