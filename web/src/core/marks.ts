import type { Entity } from "../module/entity.js";
import * as heap from "../module/heap.js";
import { Mark, QueueControl, SlotFlag } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import type { CoreWorld } from "./core_world.js";

/**
 * Appends a mark to the mark queue, without calling the core, unless the slot has one in the queue already.
 * `flagsWord` is the word that contains the address of the storage's flags. When the queue is full, the core drains it.
 * @internal
 */
export function appendMark(world: CoreWorld, flagsWord: number, component: number, e: Entity, slot: number): void {
  // No local variables for `heap.u32` and `world.marks`: with them, the function is so short that V8 inlines it into
  // loops that read components and never mark, and then reaches its limit (920 bytes of bytecode) before the getters.
  const flag = heap.u32[flagsWord] + slot;
  if ((heap.u8[flag] & SlotFlag.queued) !== 0) return;
  if (heap.u32[world.marks + QueueControl.next] === heap.u32[world.marks + QueueControl.end]) {
    drainAndAppend(world, flagsWord, component, e, slot);
    return;
  }
  const next = heap.u32[world.marks + QueueControl.next];
  heap.u8[flag] = heap.u8[flag] | SlotFlag.queued;
  heap.u32[(next >> 2) + Mark.component] = component;
  heap.u32[(next >> 2) + Mark.entity] = e;
  heap.u32[(next >> 2) + Mark.slot] = slot;
  heap.u32[world.marks + QueueControl.next] = next + Mark.bytes;
}

const drainAndAppend = noInline((world: CoreWorld, flagsWord: number, component: number, e: Entity, slot: number) => {
  world.drain();
  appendMark(world, flagsWord, component, e, slot); // reads the views again: memory can have grown
});
