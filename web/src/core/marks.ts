import type { Entity } from "../module/entity.js";
import * as heap from "../module/heap.js";
import { Mark, QueueControl, SlotFlag } from "../module/layout.js";
import type { CoreWorld } from "./core_world.js";

/**
 * Appends a mark to the mark queue, without calling the core, unless the slot has one in the queue already.
 * `flagsWord` is the word that contains the address of the storage's flags. When the queue is full, the core drains it.
 * @internal
 */
export function appendMark(world: CoreWorld, flagsWord: number, component: number, e: Entity, slot: number): void {
  const { u8, u32 } = heap;
  const flag = u32[flagsWord] + slot;
  const flags = u8[flag];
  if ((flags & SlotFlag.queued) !== 0) return;
  const queue = world.marks;
  const at = u32[queue + QueueControl.next];
  if (at === u32[queue + QueueControl.end]) {
    world.drain();
    appendMark(world, flagsWord, component, e, slot); // reads the views again: memory can have grown
    return;
  }
  u8[flag] = flags | SlotFlag.queued;
  u32[(at >> 2) + Mark.component] = component;
  u32[(at >> 2) + Mark.entity] = e;
  u32[(at >> 2) + Mark.slot] = slot;
  u32[queue + QueueControl.next] = at + Mark.bytes;
}
