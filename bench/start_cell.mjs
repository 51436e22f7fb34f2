// One process: from importing a library until its first update has returned. Prints nanoseconds.
import process from "node:process";

const before = performance.now();
const { run } = await import(`./start/${process.argv[2]}.mjs`);
const seen = await run();
const after = performance.now();
if (seen !== 1) throw new Error(`the system has not run: position.x is ${seen}`);
console.log((after - before) * 1e6);
