// `entities` and `dirty`: a real ReadonlyMap and ReadonlySet to look at, sets in WebAssembly memory
// underneath (core/include/crateful/sparse_set.hpp), so that nothing is copied and growth breaks nothing.
import { CachedArray } from "./cached_array.js";
import { INDEX_MASK, type Entity } from "./entity.js";
import { EcsError } from "./errors.js";
import * as heap from "./heap.js";
import { outOfLine } from "./out_of_line.js";
import type { World } from "./world.js";

// Words of SparseSet::Control.
const enum Control {
  dense,
  size,
  pages,
  pageCount,
}
const enum Page {
  bits = 10,
  mask = (1 << bits) - 1,
}

/** A SparseSet in memory. @internal */
export interface SetMemory {
  world: World;
  /** The word at which its control block begins; when the set is no more, that of an empty one. */
  words: number;
  /** The word with the count of elements somebody has seen (rule D7), or one with a greater number. */
  seen: number;
  /** Whether marks may wait that belong in it. */
  dirty: boolean;
  /** Words of the cursors of iterations that are over, for the next ones. */
  idle: number[];
  /** How many cursors there are in all. */
  cursors: number;
}

/** The SparseSet at an address; `seen` is the address of a dirty set's count. @internal */
export function setMemory(world: World, address: number, seen = 0): SetMemory {
  return {
    world,
    words: (address === 0 ? world.emptySet : address) >> 2,
    seen: (seen === 0 ? world.emptyPage : seen) >> 2,
    dirty: seen !== 0,
    idle: [],
    cursors: 0,
  };
}

/** The set is about to go. @internal */
export function endSet(set: SetMemory): void {
  for (const cursor of set.idle) set.world.raw.closeCursor(set.words << 2, cursor << 2);
  set.idle = [];
  set.words = set.world.emptySet >> 2;
  set.seen = set.world.emptyPage >> 2;
  set.dirty = false;
}

/** Cursors of a set that an iteration left half-way may keep; past a few, abandoned ones are looked for. */
const UNWATCHED_CURSORS = 8;
const abandoned = new FinalizationRegistry<{ set: SetMemory; cursor: number }>(({ set, cursor }) => {
  --set.cursors;
  if (set.words !== set.world.emptySet >> 2) set.world.raw.closeCursor(set.words << 2, cursor << 2);
});

/**
 * An iteration with a cursor in the core, which removals keep right (rule T4). A step touches memory
 * only, and cursors are used again: linked to their set all the while, but at 0, where removals pass
 * them by. An iterator that is dropped half-way leaves its cursor behind; a few of them per set cost
 * next to nothing, and more are freed when they are collected.
 */
abstract class Iteration {
  // With $ in front, as helpers of the language's iterators (`map`, …) are found beside these names.
  /** The word that holds its position; outside of an iteration one with a number beyond every set. */
  $cursor: number;
  #state: "new" | "under way" | "over" = "new";
  #watched = false;
  constructor(readonly $set: SetMemory) {
    this.$cursor = $set.world.emptyPage >> 2;
  }

  /** The next entity, or -1 at the end. */
  $step(): Entity {
    const { $set: set, $cursor } = this;
    const u32 = heap.u32;
    const position = u32[$cursor];
    if (position >= u32[set.words + Control.size]) return stepSlowly(this);
    u32[$cursor] = position + 1;
    if (u32[set.seen] <= position) u32[set.seen] = position + 1;
    return u32[(u32[set.words] >> 2) + position];
  }
  /** It begins, or has come to the end, where marks that wait may bring more (rule D7). */
  $more(): boolean {
    const { $set: set } = this;
    if (this.#state === "over") return false;
    if (set.dirty) set.world.drain();
    const position = this.#state === "new" ? 0 : heap.u32[this.$cursor];
    if (position >= heap.u32[set.words + Control.size]) {
      this.$end();
      return false;
    }
    if (this.#state === "new") this.#start();
    return true;
  }
  #start(): void {
    const { $set: set } = this;
    let cursor = set.idle.pop();
    if (cursor === undefined) {
      cursor = set.world.raw.openCursor(set.words << 2) >> 2;
      if (cursor === 0) throw new EcsError("OUT_OF_MEMORY", "no memory for an iteration");
      ++set.cursors;
    }
    this.$cursor = cursor;
    this.#state = "under way";
    this.#watched = set.cursors > UNWATCHED_CURSORS;
    if (this.#watched) abandoned.register(this, { set, cursor }, this);
  }
  return(): IteratorResult<never, undefined> {
    this.$end();
    return { value: undefined, done: true };
  }
  [Symbol.iterator](): this {
    return this;
  }
  $end(): void {
    const { $set: set } = this;
    if (this.#watched) abandoned.unregister(this);
    if (this.#state === "under way" && set.words !== set.world.emptySet >> 2) {
      heap.u32[this.$cursor] = 0;
      set.idle.push(this.$cursor);
    }
    this.#state = "over";
    this.$cursor = set.world.emptyPage >> 2;
  }
}
const stepSlowly = outOfLine((iteration: Iteration): Entity => (iteration.$more() ? iteration.$step() : -1));

// Iterators of the language share a prototype, from which `map`, `filter` and so on come.
Object.setPrototypeOf(Iteration.prototype, Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object);

// One class for each thing an iteration yields: a callback would be called in every step.
class Keys extends Iteration {
  next(): IteratorResult<Entity, undefined> {
    const e = this.$step();
    return e < 0 ? { value: undefined, done: true } : { value: e, done: false };
  }
}
class Values<A> extends Iteration {
  constructor(readonly $map: LiveEntityMap<A>) {
    super($map.$set);
  }
  next(): IteratorResult<A, undefined> {
    const e = this.$step();
    return e < 0 ? { value: undefined, done: true } : { value: this.$map.$aspect(e), done: false };
  }
}
class Entries<A> extends Iteration {
  constructor(readonly $map: LiveEntityMap<A>) {
    super($map.$set);
  }
  next(): IteratorResult<[Entity, A], undefined> {
    const e = this.$step();
    return e < 0 ? { value: undefined, done: true } : { value: [e, this.$map.$aspect(e)], done: false };
  }
}
class Pairs extends Iteration {
  next(): IteratorResult<[Entity, Entity], undefined> {
    const e = this.$step();
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
  // The first word of the set with all marks in it.
  #words(): number {
    if (this.$set.dirty) this.$set.world.drain();
    return this.$set.words;
  }
  /** How many there are. Looking never consumes anything. */
  get size(): number {
    return heap.u32[this.#words() + Control.size];
  }
  has(e: Entity): boolean {
    if (typeof e !== "number") return false;
    const words = this.#words();
    const u32 = heap.u32;
    const page = (e & INDEX_MASK) >>> Page.bits;
    if (page >= u32[words + Control.pageCount]) return false;
    const slot = u32[(u32[(u32[words + Control.pages] >> 2) + page] >> 2) + (e & Page.mask)];
    return slot < u32[words + Control.size] && u32[(u32[words + Control.dense] >> 2) + slot] === e;
  }
  /**
   * The entities as a zero-copy array, in order: the fastest way to loop when nothing is added or
   * removed meanwhile. It shows memory as it is now; fetch it anew in each update.
   */
  get ids(): Uint32Array {
    const words = this.#words();
    return this.#ids.at(heap.u32[words + Control.dense], heap.u32[words + Control.size]);
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
  readonly #aspects: { aspects: (A | undefined)[] };
  readonly #make: (e: Entity) => A;
  /** `aspects`, by entity index, holds what was made by `make` for an entity while it is in the set. */
  constructor(set: SetMemory, aspects: { aspects: (A | undefined)[] }, make: (e: Entity) => A) {
    super(set);
    this.#aspects = aspects;
    this.#make = outOfLine(make);
  }
  /** The aspect of an entity that is in the set. */
  $aspect(e: Entity): A {
    const known = this.#aspects.aspects[e & INDEX_MASK];
    return known !== undefined ? known : this.#make(e);
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
for (const name of [
  "union",
  "intersection",
  "difference",
  "symmetricDifference",
  "isSubsetOf",
  "isSupersetOf",
  "isDisjointFrom",
]) {
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
