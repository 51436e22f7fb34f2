// Prints the nanoseconds from importing a library until its first update has returned, in this process.
import process from "node:process";

const before = performance.now();
const { run } = await import(`./start/${process.argv[2]}.mjs`);
const x = await run();
const after = performance.now();
if (x !== 1) throw new Error(`the system has not run: position.x is ${x}, not 1`);
console.log((after - before) * 1e6);
