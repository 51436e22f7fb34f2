// Counts bytes: the memory of a world, and the garbage of its steps.
import { PerformanceObserver } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Bytes of garbage per operation, over a million operations: the least of three measurements, because code that is not
 * compiled yet allocates a number for each result. The young generation must be large enough for all of it, so that nothing
 * is collected meanwhile.
 */
export async function garbageOf(make, paramsList) {
  const results = [];
  for (const params of paramsList) {
    const cell = await make(params);
    const step = async (count) => {
      for (let i = 0; i < count; i++) {
        const done = cell.step();
        if (done instanceof Promise) await done;
      }
    };
    const count = Math.ceil(1_000_000 / cell.ops);
    await step(count); // compile
    await step(count);
    let garbage = Infinity;
    let collections = 0;
    for (let round = 0; round < 3; round++) {
      globalThis.gc();
      globalThis.gc();
      const observer = new PerformanceObserver((list) => {
        collections += list.getEntries().length;
      });
      observer.observe({ entryTypes: ["gc"] });
      const before = process.memoryUsage().heapUsed;
      await step(count);
      garbage = Math.min(garbage, Math.max(0, process.memoryUsage().heapUsed - before));
      await pause(0);
      observer.disconnect();
    }
    results.push(
      collections > 0
        ? { params, void: "garbage was collected while it was counted" }
        : { params, ops: cell.ops, garbage: garbage / (count * cell.ops) },
    );
  }
  return results;
}

/** Bytes per entity that a world occupies at rest, after 100 frames: JavaScript heap, array buffers, WebAssembly memory. */
export async function memoryOf(make, paramsList) {
  const results = [];
  const rested = async (params) => {
    const cell = await make(params);
    if (cell.keep === undefined)
      throw new Error("memory: the case must return the world as `keep`, so that it is not collected meanwhile");
    for (let i = 0; i < 100; i++) await cell.keep.frame();
    return cell;
  };
  const small = await rested({ n: 1 }); // everything that does not depend on the number of entities
  for (const params of paramsList) {
    const before = await occupied(small);
    const large = await rested(params);
    const after = await occupied(large);
    const bytes = Object.fromEntries(
      Object.keys(after).map((kind) => [kind, Math.max(0, after[kind] - before[kind]) / params.n]),
    );
    if (large.wasmBytes) bytes.wasm = (await wasmOf(rested, params, large)) / params.n;
    bytes.total = Object.values(bytes).reduce((sum, b) => sum + b, 0);
    results.push({ params, bytes });
  }
  return results;
}

/**
 * Bytes of WebAssembly memory per world. This memory grows in large steps, whenever it is full. So worlds are created until it
 * has grown several times; the result is the growth between the first and the last step, divided by the worlds created
 * between them.
 */
async function wasmOf(make, params, first) {
  const worlds = [first];
  const full = []; // { bytes, worlds } just before each step
  for (let bytes = first.wasmBytes(); worlds.length < 60 && bytes < 2 ** 27; ) {
    worlds.push(await make(params));
    const now = first.wasmBytes();
    if (now > bytes) full.push({ bytes, worlds: worlds.length });
    bytes = now;
  }
  const [from, to] = [full[0], full.at(-1)];
  return (to.bytes - from.bytes) / (to.worlds - from.worlds);
}

async function occupied({ wasmBytes }) {
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    await pause(10); // finalizers
  }
  const { heapUsed, external } = process.memoryUsage(); // external: array buffers and WebAssembly memory
  return { heap: heapUsed, buffers: external - (wasmBytes?.() ?? 0), wasm: 0 };
}
