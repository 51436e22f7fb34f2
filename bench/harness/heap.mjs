// Counting bytes: what a world occupies, and what steps leave to the garbage collector.
import { PerformanceObserver } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

/** Bytes of garbage for each operation, over a million of them. Needs a young generation that holds them all. */
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
    globalThis.gc();
    globalThis.gc();
    let collections = 0;
    const observer = new PerformanceObserver((list) => {
      collections += list.getEntries().length;
    });
    observer.observe({ entryTypes: ["gc"] });
    const before = process.memoryUsage().heapUsed;
    await step(count);
    const after = process.memoryUsage().heapUsed;
    await pause(0);
    observer.disconnect();
    results.push(
      collections > 0
        ? { params, void: "garbage was collected while it was counted" }
        : { params, ops: cell.ops, garbage: Math.max(0, after - before) / (count * cell.ops) },
    );
  }
  return results;
}

/** Bytes that a world occupies for each entity: JavaScript's heap, its array buffers, WebAssembly memory. */
export async function memoryOf(make, paramsList) {
  const results = [];
  const small = await make({ n: 1 }); // code and whatever else is there once
  for (const params of paramsList) {
    const before = await occupied(small);
    const large = await make(params);
    const after = await occupied(large);
    const bytes = Object.fromEntries(
      Object.keys(after).map((kind) => [kind, Math.max(0, after[kind] - before[kind]) / params.n]),
    );
    if (large.wasmBytes) bytes.wasm = (await wasmOf(make, params, large)) / params.n;
    bytes.total = Object.values(bytes).reduce((sum, b) => sum + b, 0);
    results.push({ params, bytes });
    if (large.keep === undefined || small.keep === undefined)
      throw new Error("a world must be kept until it has been measured");
  }
  return results;
}

/**
 * WebAssembly memory grows in large steps, at moments when it is full: between the first such moment and the
 * last, so many worlds have filled so many bytes.
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
