import * as heap from "../module/heap.js";
import { Mark, QueueControl } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import type { CoreWorld } from "./core_world.js";

/**
 * Appends the signal of the component in a slot to the mark queue, without calling the core. The last mark is extended if
 * the slot is behind its slots, so that a loop that changes all values appends one mark. When the queue is full, the core
 * drains it. Call it only for watched classes: V8 does not inline calls that were never executed, and a loop that marks
 * nothing must not lose the bytecode that it may inline.
 * @internal
 */
export function appendMark(world: CoreWorld, component: number, slot: number): void {
  const { u32 } = heap;
  const { marks } = world;
  const next = u32[marks + QueueControl.next] >> 2;
  const last = next - Mark.words;
  if (u32[last + Mark.component] === component) {
    const count = u32[last + Mark.count];
    const at = slot - u32[last + Mark.slot];
    if (at === count) {
      u32[last + Mark.count] = count + 1;
      return;
    }
    if (at >= 0 && at < count) return;
  }
  if (next === u32[marks + QueueControl.end] >> 2) {
    drainAndAppend(world, component, slot);
    return;
  }
  u32[next + Mark.component] = component;
  u32[next + Mark.slot] = slot;
  u32[next + Mark.count] = 1;
  u32[marks + QueueControl.next] = (next + Mark.words) << 2;
}

const drainAndAppend = noInline((world: CoreWorld, component: number, slot: number): void => {
  world.drain();
  appendMark(world, component, slot); // reads the views again: memory can have grown
});
