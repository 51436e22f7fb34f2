// Measures one cell in this process: node --expose-gc bench/cell.mjs <case> <library> <list of params as JSON> [garbage]
// prints a list of results as the last line of its output. With `garbage` it counts the bytes that steps allocate.
import process from "node:process";
import { garbageOf, memoryOf } from "./harness/heap.mjs";
import { measureAll } from "./harness/measure.mjs";

const [name, library, json, what] = process.argv.slice(2);
const params = [JSON.parse(json)].flat();
const { cases } = await import(`./peers/${library}.mjs`);
const make = cases[name];
const results =
  what === "garbage"
    ? await garbageOf(make, params)
    : name === "memory"
      ? await memoryOf(make, params)
      : await measureAll(make, params);
// The share of the elapsed time in which this process ran. If it is small, other programs disturbed the measurement.
const { user, system } = process.cpuUsage();
for (const result of results) result.busy = (user + system) / 1000 / performance.now();
process.stdout.write(`\n${JSON.stringify(results)}\n`, () => process.exit(0)); // some libraries leave timers running
