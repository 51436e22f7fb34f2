import { type Heap, heap } from "../module/heap.js";
import { Mark, NoMark, QueueControl } from "../module/layout.js";
import type { CoreWorld } from "./core_world.js";

/**
 * Returns a function that appends the signal of the component in a slot to the mark queue, without calling the core. The
 * last mark is extended if the slot is behind its slots, so that a loop that changes all values appends one mark. Call it
 * only for watched classes: V8 does not inline calls that were never executed, and a loop that marks nothing must not lose
 * the bytecode that it may inline. For the same reason it is short.
 * @internal
 */
export function markFunction(world: CoreWorld, component: number): (slot: number) => void {
  return makeMark(heap, world.marks, world.marks + Mark.end, component, world);
}
const makeMark =
  (memory: Heap, last: number, lastEnd: number, component: number, world: CoreWorld) =>
  (slot: number): void => {
    const { u32 } = memory;
    const end = u32[lastEnd];
    if (slot === end && u32[last] === component) u32[lastEnd] = slot + 1;
    else if (slot !== end - 1 || u32[last] !== component) appendMark(world, component, slot);
  };

// The queue is drained when it is full.
function appendMark(world: CoreWorld, component: number, slot: number): void {
  const { marks } = world;
  if (heap.u32[marks + QueueControl.next] === heap.u32[marks + QueueControl.end]) world.drain();
  const { u32 } = heap; // memory can have grown
  if (u32[marks] !== NoMark.component) {
    const next = u32[marks + QueueControl.next];
    for (let k = 0; k < Mark.words; ++k) u32[(next >> 2) + k] = u32[marks + k];
    u32[marks + QueueControl.next] = next + (Mark.words << 2);
  }
  u32[marks + Mark.component] = component;
  u32[marks + Mark.first] = slot;
  u32[marks + Mark.end] = slot + 1;
}
