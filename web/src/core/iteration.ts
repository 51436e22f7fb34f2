// Iterators over a set in WebAssembly memory. The set may change meanwhile (rule T4).
import { NONE, type Entity } from "../module/entity.js";
import { EcsError } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { IterationPosition, SetControl } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import type { Borrower, CoreWorld } from "./core_world.js";
import type { Place } from "./place.js";
import type { SetMemory } from "./sparse_set.js";

/** Up to this number of positions per set are not freed when their iterators are abandoned. */
const UNWATCHED_POSITIONS = 8;
const abandoned = new FinalizationRegistry<{ set: SetMemory; word: number }>(({ set, word }) => {
  --set.positions;
  if (set.words !== set.world.emptySet >> 2) core._crateful_close_iteration(set.words << 2, word << 2);
});

/** How many iterations per world count their steps in JavaScript; it limits how many abandoned ones are kept alive. */
const MOST_BORROWERS = 8;

/**
 * An iteration with a position in the core, which removals keep correct (rule T4). It counts its steps in JavaScript, and
 * the core asks for the position before elements move. Positions are used again: an idle one stays linked to its set, at 0,
 * where removals skip it. An iteration gets its position in its second step, so that `keys().next().value` needs none. An
 * iterator that is abandoned later keeps its position. A few of them per set cost almost nothing; further ones are freed
 * when their iterators are collected.
 * @internal
 */
export abstract class Iteration implements Borrower {
  // Names begin with $, because the language's iterator helpers (`map`, …) are found on the same object.
  /** The position of the next element; valid below `$end`. */
  $index = 0;
  /** Up to here, exclusive, a step reads the next element from the list at the word `$dense`. */
  $end = 0;
  $dense = 0;
  /** The word with its position in the core; 0 if it has none. */
  $position = 0;
  /** What counts its steps, if it does not do so itself. */
  $place: Place | undefined = undefined;
  #state: "new" | "first" | "started" | "ended" = "new";
  /** In the state "first": the first element. */
  #first: Entity = NONE;
  #watched = false;
  /** What `next` returns: always the same object, so that a step allocates nothing. */
  readonly $result: { value: unknown; done: boolean } = { value: undefined, done: false };
  constructor(readonly $set: SetMemory) {}

  /** The next entity, or -1 at the end. */
  $step(): Entity {
    const index = this.$index;
    if (index >= this.$end) return stepSlowly(this);
    this.$index = index + 1;
    return heap.u32[this.$dense + index];
  }
  /** The first step and the second, those after a removal, and those at the end, where marks can add elements (rule D7). */
  $stepSlowly(): Entity {
    const { $set: set } = this;
    if (this.#state === "ended" || set.world.disposed) {
      this.$finish();
      return -1;
    }
    this.$giveBack();
    if (set.dirty) set.world.drain();
    const first = heap.u32[heap.u32[set.words + SetControl.dense] >> 2];
    let index = 0;
    if (this.#state === "started") index = heap.u32[this.$position];
    else if (this.#state === "first" && this.#first === first && heap.u32[set.visited] !== 0) index = 1;
    // Otherwise another one is in its place, or the same was removed and added again.
    if (index >= heap.u32[set.words + SetControl.size]) {
      this.$finish();
      return -1;
    }
    if (this.#state === "new") {
      this.#state = "first";
      this.#first = first;
      if (heap.u32[set.visited] === 0) heap.u32[set.visited] = 1;
      return first;
    }
    if (this.#state === "first") this.#open(index);
    this.#borrow();
    return this.$step();
  }
  /** Gives a new iteration its position before its first step. */
  $start(): void {
    if (this.$set.words !== this.$set.world.emptySet >> 2) this.#open(0);
  }
  #open(index: number): void {
    const { $set: set } = this;
    let word = set.idle.pop();
    if (word === undefined) {
      word = core._crateful_open_iteration(set.world.self, set.words << 2) >> 2;
      if (word === 0) throw new EcsError("OUT_OF_MEMORY", "no memory for an iteration");
      ++set.positions;
    }
    heap.u32[word] = index;
    this.$position = word;
    this.#state = "started";
    this.#watched = set.positions > UNWATCHED_POSITIONS;
    if (this.#watched) abandoned.register(this, { set, word }, this);
  }
  /** From now on, it counts its steps in JavaScript. */
  #borrow(): void {
    const { $set: set, $position } = this;
    const { u32 } = heap;
    const { borrowers } = set.world;
    if (borrowers.length === MOST_BORROWERS) borrowers[0].$giveBack();
    borrowers.push(this);
    u32[$position + IterationPosition.borrowed] = 1;
    this.$index = u32[$position];
    this.$end = u32[set.words + SetControl.size];
    this.$dense = u32[set.words + SetControl.dense] >> 2;
  }
  $giveBack(): void {
    if (this.$end === 0) return;
    this.$place?.stop();
    const { u32 } = heap;
    const { $index, $position, $set } = this;
    this.$end = 0;
    u32[$position] = $index;
    u32[$position + IterationPosition.borrowed] = 0;
    if (u32[$set.visited] < $index) u32[$set.visited] = $index;
    const { borrowers } = $set.world;
    if (borrowers.at(-1) === this) borrowers.pop();
    else borrowers.splice(borrowers.indexOf(this), 1);
  }
  return(): IteratorResult<never, undefined> {
    finish(this);
    return this.$result as IteratorResult<never, undefined>;
  }
  [Symbol.iterator](): this {
    return this;
  }
  $finish(): void {
    const { $set: set } = this;
    if (this.#watched) abandoned.unregister(this);
    if (this.#state === "started" && set.words !== set.world.emptySet >> 2) {
      this.$giveBack();
      heap.u32[this.$position] = 0;
      set.idle.push(this.$position);
    }
    this.#state = "ended";
    this.$end = 0;
    this.$result.value = undefined;
    this.$result.done = true;
  }
}

// V8 must not inline these into loops: it limits how much it inlines, which is better spent on accessors.
const finish = noInline((iteration: Iteration): void => iteration.$finish());
const stepSlowly = noInline((iteration: Iteration): Entity => iteration.$stepSlowly());

// The language's iterators share a prototype, which provides `map`, `filter` and so on.
Object.setPrototypeOf(Iteration.prototype, Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object);

/** A set of entities with an aspect for each. @internal */
export interface AspectSet<A> {
  readonly $set: SetMemory;
  /** The aspect of an entity that is in the set. */
  $aspect(e: Entity): A;
  /** The aspect of an entity, or undefined if the set does not contain it. */
  get(e: Entity): A | undefined;
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

/**
 * The last iterator of each class. When a garbage collection finds no object of a hidden class, V8 discards all optimised
 * code that uses it, and iterators live for one loop only. The object must be a recent one: when the type of a field
 * becomes more general, new objects have another hidden class.
 */
const last: Record<"keys" | "pairs" | "values" | "entries", Iteration | undefined> = {
  keys: undefined,
  pairs: undefined,
  values: undefined,
  entries: undefined,
};

/** Lets go of the last iterators of a world that was disposed. @internal */
export function forgetIterators(world: CoreWorld): void {
  for (const kind of ["keys", "pairs", "values", "entries"] as const)
    if (last[kind]?.$set.world === world) last[kind] = undefined;
}

/** Iterates the entities of a set. @internal */
export function entitiesOf(set: SetMemory): Iteration & SetIterator<Entity> & MapIterator<Entity> {
  return (last.keys = new Keys(set)) as unknown as Iteration & SetIterator<Entity> & MapIterator<Entity>;
}
/** Iterates the aspects of a set. @internal */
export function aspectsOf<A>(set: AspectSet<A>): MapIterator<A> {
  return (last.values = new Values(set)) as unknown as MapIterator<A>;
}
/** Iterates pairs of entity and aspect. @internal */
export function entriesOf<A>(set: AspectSet<A>): MapIterator<[Entity, A]> {
  return (last.entries = new Entries(set)) as unknown as MapIterator<[Entity, A]>;
}
/** Iterates pairs of an entity and itself, as `Set.entries` does. @internal */
export function pairsOf(set: SetMemory): SetIterator<[Entity, Entity]> {
  return (last.pairs = new Pairs(set)) as unknown as SetIterator<[Entity, Entity]>;
}
