// `entities` and `dirty`: a real ReadonlyMap and ReadonlySet to look at, sets in WebAssembly memory
// underneath (core/include/crateful/sparse_set.hpp), so that nothing is copied and growth breaks nothing.
import { CachedArray } from "./cached_array.js";
import { INDEX_MASK, type Entity } from "./entity.js";
import * as heap from "./heap.js";
import type { World } from "./world.js";

// Words of SparseSet::Control.
const DENSE = 0, SIZE = 1, PAGES = 2, PAGE_COUNT = 3;
const PAGE_BITS = 10;

/** A SparseSet in memory; the address is 0 when it is no more. @internal */
export interface SetMemory {
  world: World;
  address: number;
  /** Address of the count of elements somebody has seen (rule D7); 0 if nobody asks. */
  seen?: number;
}

/** Iterations under way by set; past a few, abandoned ones are looked for. */
const UNWATCHED_CURSORS = 8;
const open = new WeakMap<SetMemory, number>();
const abandoned = new FinalizationRegistry<{ set: SetMemory; cursor: number }>(({ set, cursor }) => close(set, cursor));

function close(set: SetMemory, cursor: number): void {
  open.set(set, (open.get(set) ?? 1) - 1);
  if (set.address !== 0) set.world.raw.closeCursor(set.address, cursor);
}

/**
 * An iteration with a cursor in the core, which removals keep right (rule T4). A step touches memory
 * only. An iterator that is dropped half-way leaves its cursor behind; a few of them per set cost
 * next to nothing, and more are freed when they are collected.
 */
class LiveIterator<T> {
  #cursor = 0;
  #done = false;
  constructor(
    readonly set: SetMemory,
    readonly make: (e: Entity) => T,
  ) {}

  next(): IteratorResult<T, undefined> {
    const { set } = this;
    if (this.#done || set.address === 0) return this.#end();
    const words = set.address >> 2;
    let position = this.#cursor === 0 ? 0 : heap.u32[this.#cursor >> 2];
    if (position >= heap.u32[words + SIZE]) {
      // At the end: marks that wait may bring more (rule D7).
      if (set.seen === undefined || set.seen === 0) return this.#end();
      set.world.drain();
      if (this.#cursor !== 0) position = heap.u32[this.#cursor >> 2];
      if (position >= heap.u32[words + SIZE]) return this.#end();
    }
    if (this.#cursor === 0) this.#open();
    const e = heap.u32[(heap.u32[words + DENSE] >> 2) + position];
    heap.u32[this.#cursor >> 2] = position + 1;
    if (set.seen !== undefined && set.seen !== 0 && heap.u32[set.seen >> 2] <= position) heap.u32[set.seen >> 2] = position + 1;
    return { value: this.make(e), done: false };
  }
  return(): IteratorResult<T, undefined> {
    return this.#end();
  }
  [Symbol.iterator](): this {
    return this;
  }

  #open(): void {
    const { set } = this;
    this.#cursor = set.world.raw.openCursor(set.address);
    const others = open.get(set) ?? 0;
    open.set(set, others + 1);
    if (others >= UNWATCHED_CURSORS) abandoned.register(this, { set, cursor: this.#cursor }, this);
  }
  #end(): IteratorResult<T, undefined> {
    if (this.#cursor !== 0) {
      abandoned.unregister(this);
      close(this.set, this.#cursor);
      this.#cursor = 0;
    }
    this.#done = true;
    return { value: undefined, done: true };
  }
}

// Iterators of the language share a prototype, from which `map`, `filter` and so on come.
Object.setPrototypeOf(LiveIterator.prototype, Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object);

/** @internal */
export function iterate<T>(set: SetMemory, make: (e: Entity) => T): SetIterator<T> & MapIterator<T> {
  return new LiveIterator(set, make) as unknown as SetIterator<T> & MapIterator<T>;
}

/** What the two collections share. */
abstract class LiveSet {
  /** @internal */
  readonly $set: SetMemory;
  readonly #ids = new CachedArray(Uint32Array);
  /** @internal */
  constructor(set: SetMemory) {
    this.$set = set;
  }
  // The first word of the set with all marks in it, or 0.
  #words(): number {
    if (this.$set.address !== 0 && this.$set.seen) this.$set.world.drain();
    return this.$set.address >> 2;
  }
  /** How many there are. Looking never consumes anything. */
  get size(): number {
    const words = this.#words();
    return words === 0 ? 0 : heap.u32[words + SIZE];
  }
  has(e: Entity): boolean {
    if (typeof e !== "number") return false;
    const words = this.#words();
    const page = (e & INDEX_MASK) >>> PAGE_BITS;
    if (words === 0 || page >= heap.u32[words + PAGE_COUNT]) return false;
    const cell = (heap.u32[(heap.u32[words + PAGES] >> 2) + page] >> 2) + (e & ((1 << PAGE_BITS) - 1));
    const slot = heap.u32[cell];
    return slot < heap.u32[words + SIZE] && heap.u32[(heap.u32[words + DENSE] >> 2) + slot] === e;
  }
  /**
   * The entities as a zero-copy array, in order: the fastest way to loop when nothing is added or
   * removed meanwhile. It shows memory as it is now; fetch it anew in each update.
   */
  get ids(): Uint32Array {
    const words = this.#words();
    return words === 0 ? this.#ids.at(0, 0) : this.#ids.at(heap.u32[words + DENSE], heap.u32[words + SIZE]);
  }
}

/** The entities a system tracks and their aspects: a ReadonlyMap, plus `ids`. */
export interface EntityMap<A> extends ReadonlyMap<Entity, A> {
  readonly ids: Uint32Array;
}

/** The entities with a watched component that changed: a ReadonlySet, plus `ids`. */
export interface DirtySet extends ReadonlySet<Entity> {
  readonly ids: Uint32Array;
}

/** @internal */
export class LiveEntityMap<A> extends LiveSet implements EntityMap<A> {
  readonly #aspect: (e: Entity) => A;
  constructor(set: SetMemory, aspect: (e: Entity) => A) {
    super(set);
    this.#aspect = aspect;
  }
  get(e: Entity): A | undefined {
    return this.has(e) ? this.#aspect(e) : undefined;
  }
  keys() {
    return iterate(this.$set, (e) => e);
  }
  values() {
    return iterate(this.$set, this.#aspect);
  }
  entries() {
    return iterate(this.$set, (e): [Entity, A] => [e, this.#aspect(e)]);
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  forEach(call: (aspect: A, e: Entity, map: ReadonlyMap<Entity, A>) => void, self?: unknown): void {
    for (const e of this.keys()) call.call(self, this.#aspect(e), e, this);
  }
  get [Symbol.toStringTag](): string {
    return "EntityMap";
  }
}

/** @internal */
export class LiveDirtySet extends LiveSet {
  keys() {
    return iterate(this.$set, (e) => e);
  }
  values() {
    return this.keys();
  }
  entries() {
    return iterate(this.$set, (e): [Entity, Entity] => [e, e]);
  }
  [Symbol.iterator]() {
    return this.keys();
  }
  forEach(call: (e: Entity, again: Entity, set: ReadonlySet<Entity>) => void, self?: unknown): void {
    for (const e of this.keys()) call.call(self, e, e, this as unknown as DirtySet);
  }
  get [Symbol.toStringTag](): string {
    return "DirtySet";
  }
}

// The set operations of ES2025 (`union`, `isSubsetOf`, …), wherever the language has them.
for (const name of ["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"]) {
  const operation = (Set.prototype as unknown as Record<string, ((other: unknown) => unknown) | undefined>)[name];
  if (operation === undefined) continue;
  Object.defineProperty(LiveDirtySet.prototype, name, {
    configurable: true,
    writable: true,
    value(this: LiveDirtySet, other: unknown) {
      return operation.call(new Set(this), other);
    },
  });
}
