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
  /** Addresses of the cursors of iterations that are over, for the next ones. */
  idle: number[];
  /** How many cursors there are in all. */
  cursors: number;
}

/** The set is about to go. @internal */
export function endSet(set: SetMemory): void {
  for (const cursor of set.idle) set.world.raw.closeCursor(set.address, cursor);
  set.idle = [];
  set.address = set.seen = 0;
}

/** Cursors of a set that an iteration left half-way may keep; past a few, abandoned ones are looked for. */
const UNWATCHED_CURSORS = 8;
const abandoned = new FinalizationRegistry<{ set: SetMemory; cursor: number }>(({ set, cursor }) => {
  --set.cursors;
  if (set.address !== 0) set.world.raw.closeCursor(set.address, cursor);
});

/**
 * An iteration with a cursor in the core, which removals keep right (rule T4). A step touches memory
 * only, and cursors are used again: linked to their set all the while, but at 0, where removals pass
 * them by. An iterator that is dropped half-way leaves its cursor behind; a few of them per set cost
 * next to nothing, and more are freed when they are collected.
 */
class Iteration {
  /** The word that holds its position; 0 before the first step and after the last. */
  #cursor = 0;
  #done = false;
  #watched = false;
  constructor(readonly set: SetMemory) {}

  /** The next entity, or -1 at the end. */
  step(): Entity {
    const { set } = this;
    const cursor = this.#cursor;
    if (cursor === 0) return this.#start();
    const words = set.address >> 2;
    const position = heap.u32[cursor];
    if (words === 0 || position >= heap.u32[words + SIZE]) return this.#more() ? this.step() : -1;
    heap.u32[cursor] = position + 1;
    const seen = set.seen;
    if (seen && heap.u32[seen >> 2] <= position) heap.u32[seen >> 2] = position + 1;
    return heap.u32[(heap.u32[words + DENSE] >> 2) + position];
  }
  // At the end: marks that wait may bring more (rule D7).
  #more(): boolean {
    const { set } = this;
    if (set.seen) set.world.drain();
    if (!this.#done && set.address !== 0 && heap.u32[this.#cursor] < heap.u32[(set.address >> 2) + SIZE]) return true;
    this.end();
    return false;
  }
  #start(): Entity {
    const { set } = this;
    if (set.seen) set.world.drain();
    if (this.#done || set.address === 0 || heap.u32[(set.address >> 2) + SIZE] === 0) {
      this.#done = true;
      return -1;
    }
    let cursor = set.idle.pop();
    if (cursor === undefined) {
      cursor = set.world.raw.openCursor(set.address);
      ++set.cursors;
    }
    this.#cursor = cursor >> 2;
    this.#watched = set.cursors > UNWATCHED_CURSORS;
    if (this.#watched) abandoned.register(this, { set, cursor }, this);
    return this.step();
  }
  end(): void {
    this.#done = true;
    const cursor = this.#cursor;
    if (cursor === 0) return;
    this.#cursor = 0;
    if (this.#watched) abandoned.unregister(this);
    if (this.set.address === 0) return;
    heap.u32[cursor] = 0;
    this.set.idle.push(cursor << 2);
  }
}

// One class for each thing an iteration yields: a callback would be called in every step.
abstract class LiveIterator<T> {
  protected readonly iteration: Iteration;
  constructor(set: SetMemory) {
    this.iteration = new Iteration(set);
  }
  abstract next(): IteratorResult<T, undefined>;
  return(): IteratorResult<T, undefined> {
    this.iteration.end();
    return { value: undefined, done: true };
  }
  [Symbol.iterator](): this {
    return this;
  }
}
// Iterators of the language share a prototype, from which `map`, `filter` and so on come.
Object.setPrototypeOf(LiveIterator.prototype, Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object);

class Keys extends LiveIterator<Entity> {
  next(): IteratorResult<Entity, undefined> {
    const e = this.iteration.step();
    return e < 0 ? { value: undefined, done: true } : { value: e, done: false };
  }
}
class Values<A> extends LiveIterator<A> {
  constructor(readonly map: LiveEntityMap<A>) {
    super(map.$set);
  }
  next(): IteratorResult<A, undefined> {
    const e = this.iteration.step();
    return e < 0 ? { value: undefined, done: true } : { value: this.map.$aspect(e), done: false };
  }
}
class Entries<A> extends LiveIterator<[Entity, A]> {
  constructor(readonly map: LiveEntityMap<A>) {
    super(map.$set);
  }
  next(): IteratorResult<[Entity, A], undefined> {
    const e = this.iteration.step();
    return e < 0 ? { value: undefined, done: true } : { value: [e, this.map.$aspect(e)], done: false };
  }
}
class Pairs extends LiveIterator<[Entity, Entity]> {
  next(): IteratorResult<[Entity, Entity], undefined> {
    const e = this.iteration.step();
    return e < 0 ? { value: undefined, done: true } : { value: [e, e], done: false };
  }
}

/** The entities of a set, safe against any change meanwhile. @internal */
export function entitiesOf(set: SetMemory): SetIterator<Entity> & MapIterator<Entity> {
  return new Keys(set) as unknown as SetIterator<Entity> & MapIterator<Entity>;
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
  readonly $aspect: (e: Entity) => A;
  constructor(set: SetMemory, aspect: (e: Entity) => A) {
    super(set);
    this.$aspect = aspect;
  }
  get(e: Entity): A | undefined {
    return this.has(e) ? this.$aspect(e) : undefined;
  }
  keys() {
    return entitiesOf(this.$set);
  }
  values(): MapIterator<A> {
    return new Values(this) as unknown as MapIterator<A>;
  }
  entries(): MapIterator<[Entity, A]> {
    return new Entries(this) as unknown as MapIterator<[Entity, A]>;
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  forEach(call: (aspect: A, e: Entity, map: ReadonlyMap<Entity, A>) => void, self?: unknown): void {
    for (const e of this.keys()) call.call(self, this.$aspect(e), e, this);
  }
  get [Symbol.toStringTag](): string {
    return "EntityMap";
  }
}

/** @internal */
export class LiveDirtySet extends LiveSet {
  keys() {
    return entitiesOf(this.$set);
  }
  values() {
    return this.keys();
  }
  entries(): SetIterator<[Entity, Entity]> {
    return new Pairs(this.$set) as unknown as SetIterator<[Entity, Entity]>;
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
