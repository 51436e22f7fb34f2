// Sparse sets of the core (core/include/crateful: SparseSet), read directly from WebAssembly memory.
import { isHandle, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Handle, Page, SetControl } from "../module/layout.js";
import type { CoreWorld } from "./core_world.js";

/** A SparseSet in memory, and the positions of iterations over it. @internal */
export interface SetMemory {
  world: CoreWorld;
  /** The word at which its control block begins; after the set was destroyed, that of an empty set. */
  words: number;
  /**
   * The word with the length of the visited prefix (rule D7). For a set that has none, a word with a value greater
   * than every length.
   */
  visited: number;
  /** Whether queued marks can add to the set. */
  dirty: boolean;
  /** Of a dirty set: the address of its system. */
  system: number;
  /** Words of the positions of ended iterations; they are used again. */
  idle: number[];
  /** How many positions are linked to the set. */
  positions: number;
  /** The iterations that have made one step. */
  begun: { $lose(): void }[];
}

/**
 * The SparseSet at `address` (0: a set that is always empty). For a dirty set, `visited` is the address of the length of
 * its visited prefix, and `system` that of its system.
 * @internal
 */
export function setMemory(world: CoreWorld, address: number, visited = 0, system = 0): SetMemory {
  return {
    world,
    words: (address === 0 ? world.emptySet : address) >> 2,
    visited: (visited === 0 ? world.emptyPage : visited) >> 2,
    dirty: visited !== 0,
    system,
    idle: [],
    positions: 0,
    begun: [],
  };
}

/** Makes the set empty and frees its idle positions. Call it before the core destroys the set. @internal */
export function closeSet(set: SetMemory): void {
  for (const position of set.idle) core._crateful_close_iteration(set.words << 2, position << 2);
  set.idle = [];
  set.words = set.world.emptySet >> 2;
  set.visited = set.world.emptyPage >> 2;
  set.dirty = false;
  set.system = 0;
}

/**
 * The word at which the page for an entity index begins, or -1 if the sparse index has no page for it. `pages` is the
 * word at which the addresses of the pages begin.
 * @internal
 */
export function pageWord(u32: Uint32Array, pages: number, pageCount: number, index: number): number {
  const page = index >>> Page.bits;
  return page < pageCount ? u32[pages + page] >> 2 : -1;
}

/** The slot in an entry of a sparse index, or -1 if the entry is not that of the entity. @internal */
export function slotIn(entry: number, e: Entity): number {
  const slot = (entry ^ (e & ~Handle.indexMask)) >>> 0; // too large if the generations differ
  return slot < Page.slotLimit ? slot : -1;
}

/** The slot of an entity in a sparse set, or -1 if it is not in the set or no handle. O(1). @internal */
export function findSlot(u32: Uint32Array, pages: number, pageCount: number, e: Entity): number {
  if (!isHandle(e)) return -1;
  const page = pageWord(u32, pages, pageCount, e & Handle.indexMask);
  return page < 0 ? -1 : slotIn(u32[page + (e & Page.mask)], e);
}

/** Whether the entity is in the set. O(1). @internal */
export function contains({ words }: SetMemory, e: Entity): boolean {
  const u32 = heap.u32;
  const pages = u32[words + SetControl.pages] >> 2;
  return findSlot(u32, pages, u32[words + SetControl.pageCount], e) >= 0;
}
