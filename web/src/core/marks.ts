import type { Entity } from "../module/entity.js";
import * as heap from "../module/heap.js";
import { Mark, QueueControl, SlotFlag } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import type { CoreWorld } from "./core_world.js";

/**
 * Appends a mark to the mark queue, without calling the core, unless the slot has one in the queue already.
 * `flagsWord` is the word that contains the address of the storage's flags. When the queue is full, the core drains it.
 * Call it only for watched classes: V8 does not inline calls that were never executed, and a loop that marks nothing
 * must not lose the bytecode that it may inline.
 * @internal
 */
export function appendMark(world: CoreWorld, flagsWord: number, component: number, e: Entity, slot: number): void {
  const { u32, u8 } = heap;
  const { marks } = world;
  const flag = u32[flagsWord] + slot;
  const flags = u8[flag];
  if ((flags & SlotFlag.queued) !== 0) return;
  const next = u32[marks + QueueControl.next];
  if (next === u32[marks + QueueControl.end]) {
    drainAndAppend(world, flagsWord, component, e, slot);
    return;
  }
  u8[flag] = flags | SlotFlag.queued;
  const at = next >> 2;
  u32[at + Mark.component] = component;
  u32[at + Mark.entity] = e;
  u32[at + Mark.slot] = slot;
  u32[marks + QueueControl.next] = next + Mark.bytes;
}

const drainAndAppend = noInline((world: CoreWorld, flagsWord: number, component: number, e: Entity, slot: number) => {
  world.drain();
  appendMark(world, flagsWord, component, e, slot); // reads the views again: memory can have grown
});
