// Iterators over a set in WebAssembly memory. The set may change meanwhile (rule T4).
import { NONE, type Entity } from "../module/entity.js";
import { EcsError } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { SetControl } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import type { CoreWorld } from "./core_world.js";
import { setMemory, type SetMemory } from "./sparse_set.js";

/** Up to this number of positions per set are not freed when their iterators are abandoned. */
const UNWATCHED_POSITIONS = 8;
const abandoned = new FinalizationRegistry<{ set: SetMemory; word: number }>(({ set, word }) => {
  --set.positions;
  if (set.words !== set.world.emptySet >> 2) set.world.raw.closeIteration(set.words << 2, word << 2);
});

/**
 * An iteration with a position in the core, which removals keep correct (rule T4). A step only accesses memory.
 * Positions are used again: an idle one stays linked to its set, at 0, where removals skip it. An iteration gets its
 * position in its second step, so that `keys().next().value` needs none. An iterator that is abandoned later keeps its
 * position. A few of them per set cost almost nothing; further ones are freed when their iterators are collected.
 * @internal
 */
export abstract class Iteration {
  static $kept: readonly Iteration[];
  // Names begin with $, because the language's iterator helpers (`map`, …) are found on the same object.
  /** The word with its position. Before there is one: a word with a value greater than every size. */
  $position: number;
  #state: "new" | "first" | "started" | "ended" = "new";
  /** In the state "first": the first element. */
  #first: Entity = NONE;
  #watched = false;
  /** What `next` returns: always the same object, so that a step allocates nothing. */
  readonly $result: { value: unknown; done: boolean } = { value: undefined, done: false };
  constructor(readonly $set: SetMemory) {
    this.$position = $set.world.emptyPage >> 2;
  }

  /** The next entity, or -1 at the end. */
  $step(): Entity {
    const { $set: set, $position } = this;
    const u32 = heap.u32;
    const position = u32[$position];
    if (position >= u32[set.words + SetControl.size]) return stepSlowly(this);
    u32[$position] = position + 1;
    if (u32[set.visited] <= position) u32[set.visited] = position + 1;
    return u32[(u32[set.words + SetControl.dense] >> 2) + position];
  }
  /** The first step and the second, and those at the end, where queued marks can add elements (rule D7). */
  $stepSlowly(): Entity {
    const { $set: set } = this;
    const state = this.#state;
    if (state === "ended") return -1;
    if (set.dirty) set.world.drain();
    const first = heap.u32[heap.u32[set.words + SetControl.dense] >> 2];
    // If the first element was removed since the first step, another one is in its place.
    let position = state === "first" && this.#first === first ? 1 : 0;
    if (state === "started") position = heap.u32[this.$position];
    if (position >= heap.u32[set.words + SetControl.size]) {
      this.$end();
      return -1;
    }
    if (state === "new") {
      this.#state = "first";
      this.#first = first;
      if (heap.u32[set.visited] === 0) heap.u32[set.visited] = 1;
      return first;
    }
    if (state === "first") this.#start(position);
    return this.$step();
  }
  /** Gives a new iteration its position before its first step. */
  $start(): void {
    if (this.$set.words !== this.$set.world.emptySet >> 2) this.#start(0);
  }
  #start(position: number): void {
    const { $set: set } = this;
    let word = set.idle.pop();
    if (word === undefined) {
      word = set.world.raw.openIteration(set.words << 2) >> 2;
      if (word === 0) throw new EcsError("OUT_OF_MEMORY", "no memory for an iteration");
      ++set.positions;
    }
    heap.u32[word] = position;
    this.$position = word;
    this.#state = "started";
    this.#watched = set.positions > UNWATCHED_POSITIONS;
    if (this.#watched) abandoned.register(this, { set, word }, this);
  }
  return(): IteratorResult<never, undefined> {
    this.$end();
    return this.$result as IteratorResult<never, undefined>;
  }
  [Symbol.iterator](): this {
    return this;
  }
  $end(): void {
    const { $set: set } = this;
    if (this.#watched) abandoned.unregister(this);
    if (this.#state === "started" && set.words !== set.world.emptySet >> 2) {
      heap.u32[this.$position] = 0;
      set.idle.push(this.$position);
    }
    this.#state = "ended";
    this.$result.value = undefined;
    this.$result.done = true;
    this.$position = set.world.emptyPage >> 2;
  }
}
const stepSlowly = noInline((iteration: Iteration): Entity => iteration.$stepSlowly());

// The language's iterators share a prototype, which provides `map`, `filter` and so on.
Object.setPrototypeOf(Iteration.prototype, Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object);

/** A set of entities with an aspect for each. @internal */
export interface AspectSet<A> {
  readonly $set: SetMemory;
  /** The aspect of an entity that is in the set. */
  $aspect(e: Entity): A;
}

// One class for each kind of element: a callback would be called in every step.
class Keys extends Iteration {
  next(): IteratorResult<Entity, undefined> {
    const e = this.$step();
    const { $result } = this;
    if (e >= 0) $result.value = e;
    return $result as IteratorResult<Entity, undefined>;
  }
}
class Values<A> extends Iteration {
  constructor(readonly $map: AspectSet<A>) {
    super($map.$set);
  }
  next(): IteratorResult<A, undefined> {
    const e = this.$step();
    const { $result } = this;
    if (e >= 0) $result.value = this.$map.$aspect(e);
    return $result as IteratorResult<A, undefined>;
  }
}
class Entries<A> extends Iteration {
  constructor(readonly $map: AspectSet<A>) {
    super($map.$set);
  }
  next(): IteratorResult<[Entity, A], undefined> {
    const e = this.$step();
    const { $result } = this;
    if (e >= 0) $result.value = [e, this.$map.$aspect(e)];
    return $result as IteratorResult<[Entity, A], undefined>;
  }
}
class Pairs extends Iteration {
  next(): IteratorResult<[Entity, Entity], undefined> {
    const e = this.$step();
    const { $result } = this;
    if (e >= 0) $result.value = [e, e];
    return $result as IteratorResult<[Entity, Entity], undefined>;
  }
}

// One iterator of each class is kept: when a garbage collection finds no object of a hidden class, V8 discards all
// optimised code that uses it, and iterators live for one loop only.
const noSet = setMemory({ emptySet: 0, emptyPage: 0 } as CoreWorld, 0);
const noAspects = { $set: noSet } as AspectSet<unknown>;
Iteration.$kept = [new Keys(noSet), new Pairs(noSet), new Values(noAspects), new Entries(noAspects)];

/** Iterates the entities of a set. @internal */
export function entitiesOf(set: SetMemory): Iteration & SetIterator<Entity> & MapIterator<Entity> {
  return new Keys(set) as unknown as Iteration & SetIterator<Entity> & MapIterator<Entity>;
}
/** Iterates the aspects of a set. @internal */
export function aspectsOf<A>(set: AspectSet<A>): MapIterator<A> {
  return new Values(set) as unknown as MapIterator<A>;
}
/** Iterates pairs of entity and aspect. @internal */
export function entriesOf<A>(set: AspectSet<A>): MapIterator<[Entity, A]> {
  return new Entries(set) as unknown as MapIterator<[Entity, A]>;
}
/** Iterates pairs of an entity and itself, as `Set.entries` does. @internal */
export function pairsOf(set: SetMemory): SetIterator<[Entity, Entity]> {
  return new Pairs(set) as unknown as SetIterator<[Entity, Entity]>;
}
