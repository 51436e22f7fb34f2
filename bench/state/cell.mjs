// Measures one cell of part `state` in this process:
// node --expose-gc bench/state/cell.mjs <case> <library> <list of params as JSON>
// prints a list of results as the last line of its output.
import process from "node:process";
import { measureTurns } from "./turns.mjs";

const [name, library, json] = process.argv.slice(2);
const results = [];
for (const params of JSON.parse(json)) {
  try {
    const { cases } = await import(name === "limit" ? "./limits.mjs" : "./cases.mjs");
    results.push({ params, quantities: measureTurns(await cases[name](params, library)) });
  } catch (error) {
    results.push({ params, void: String(error?.message ?? error).split("\n")[0] });
  }
}
const { user, system } = process.cpuUsage();
for (const result of results) result.busy = (user + system) / 1000 / performance.now();
process.stdout.write(`\n${JSON.stringify(results)}\n`, () => process.exit(0));
