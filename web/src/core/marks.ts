import { type Heap, heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Mark } from "../module/layout.js";
import type { CoreWorld } from "./core_world.js";

/**
 * Returns a function that appends the signal of the component in a slot to the mark queue. The last mark is extended if the
 * slot is behind its slots, so that a loop that changes all values appends one mark and calls the core once. Call it only
 * for watched classes: V8 does not inline calls that were never executed, and a loop that marks nothing must not lose the
 * bytecode that it may inline. For the same reason it is short.
 * @internal
 */
export function markFunction(world: CoreWorld, component: number): (slot: number) => void {
  return makeMark(heap, world.marks, world.marks + Mark.end, component, core._crateful_append_mark, world.self, world);
}
const makeMark =
  (
    memory: Heap,
    last: number,
    lastEnd: number,
    component: number,
    append: (self: number, id: number, slot: number) => number,
    self: number,
    world: CoreWorld,
  ) =>
  (slot: number): void => {
    const { u32 } = memory;
    const end = u32[lastEnd];
    if (slot === end && u32[last] === component) u32[lastEnd] = slot + 1;
    else if (slot !== end - 1 || u32[last] !== component) world.checkMark(append(self, component, slot));
  };
