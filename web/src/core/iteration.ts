// Iterators over a set in WebAssembly memory. The set may change meanwhile (rule T4).
import { NONE, type Entity } from "../module/entity.js";
import { EcsError } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Handle, IterationPosition, SetControl } from "../module/layout.js";
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

/** Up to this number of iterations per set that have made one step keep their positions. */
const MOST_BEGUN = 4;

/**
 * An iteration with a position in the core, which changes keep correct (rule T4). It counts its steps in JavaScript, and
 * the core asks for the position before elements move. Positions are used again: an idle one stays linked to its set, at 0,
 * where removals skip it. An iterator that is abandoned keeps its position. A few of them per set cost almost nothing; further
 * ones are freed when their iterators are collected. `keys().next().value` abandons an iterator after its first step, and
 * programs do this any number of times before a collection: so the oldest of those that have made one step lose their positions.
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
  #state: "new" | "begun" | "lost" | "started" | "ended" = "new";
  // In the state "lost": its position and end, and the first element; NONE if the elements do not move.
  #lostIndex = 0;
  #lostEnd = 0;
  #first: Entity = NONE;
  #watched = false;
  /** What `next` returns: always the same object, so that a step allocates nothing. */
  readonly $result: { value: unknown; done: boolean } = { value: undefined, done: false };
  constructor(readonly $set: SetMemory) {}

  /** Whether it yields the elements of a list in memory one after the other, so that rows can take them from there. */
  get $isList(): boolean {
    return true;
  }
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
    this.$giveBack();
    if (set.dirty && !set.world.disposed) set.world.drain();
    if (!this.$hold()) return -1;
    const { u32 } = heap;
    const index = u32[this.$position];
    if (index >= Math.min(u32[set.words + SetControl.size], u32[this.$position + IterationPosition.end])) {
      this.$finish();
      return -1;
    }
    if (this.#state === "begun") {
      u32[this.$position] = index + 1;
      this.$markFirst();
      if (u32[set.visited] <= index) u32[set.visited] = index + 1;
      return u32[(u32[set.words + SetControl.dense] >> 2) + index];
    }
    this.#borrow();
    return this.$step();
  }
  /** Behind the last element that it visits, if it begins now: those that are added to a dirty set are visited, too. */
  $limit(): number {
    const { dirty, words } = this.$set;
    return dirty ? NONE : heap.u32[words + SetControl.size];
  }
  /** Gives it a position in the core before its first step, and keeps it in the second one. Returns false if it has ended. */
  $hold(): boolean {
    const { $set: set } = this;
    if (set.world.disposed || set.words === set.world.emptySet >> 2) this.$finish();
    switch (this.#state) {
      case "ended":
        return false;
      case "new":
        this.#open(0, this.$limit());
        this.#state = "begun";
        if (set.begun.push(this) > MOST_BEGUN) set.begun.shift()!.$lose();
        break;
      case "begun":
        this.#endFirstStep();
        this.#state = "started";
        break;
      case "lost":
        this.#open(this.#isFirst() ? this.#lostIndex : 0, this.#lostEnd);
        this.#state = "started";
    }
    return true;
  }
  #endFirstStep(): void {
    const { begun } = this.$set;
    if (begun.at(-1) === this) begun.pop();
    else begun.splice(begun.indexOf(this), 1);
  }
  // In the state "lost": whether the first element is the one that it has visited. Otherwise another one is in its place, or the
  // same was removed and added again.
  #isFirst(): boolean {
    const { words, visited } = this.$set;
    const { u32 } = heap;
    return this.#first === NONE || (this.#first === u32[u32[words + SetControl.dense] >> 2] && u32[visited] !== 0);
  }
  /** It has made one step, and others need positions more. If it goes on, it finds its place by the first element. */
  $lose(): void {
    const { words } = this.$set;
    const { u32 } = heap;
    this.#lostIndex = u32[this.$position];
    this.#lostEnd = u32[this.$position + IterationPosition.end];
    this.#first = u32[words + SetControl.size] === 0 ? NONE : u32[u32[words + SetControl.dense] >> 2];
    this.#close();
    this.#state = "lost";
  }
  /** It has returned its first element: until the next step, its iterator may be abandoned. */
  $markFirst(): void {
    const { u32 } = heap;
    u32[this.$position + IterationPosition.begun] = u32[this.$position];
  }
  /** Whether it has made one step. */
  get $isBegun(): boolean {
    return this.#state === "begun";
  }
  /** Gives a new iteration a position that it keeps to its end. */
  $start(): void {
    if (this.$set.words === this.$set.world.emptySet >> 2) return;
    this.#open(0, this.$limit());
    this.#state = "started";
  }
  #open(index: number, end: number): void {
    const { $set: set } = this;
    let word = set.idle.pop();
    if (word === undefined) {
      word = core._crateful_open_iteration(set.world.self, set.words << 2) >> 2;
      if (word === 0) throw new EcsError("OUT_OF_MEMORY", "no memory for an iteration");
      ++set.positions;
    }
    heap.u32[word] = index;
    heap.u32[word + IterationPosition.end] = end;
    this.$position = word;
    this.#watched = set.positions > UNWATCHED_POSITIONS;
    if (this.#watched) abandoned.register(this, { set, word }, this);
  }
  #close(): void {
    const { $set: set, $position } = this;
    if (this.#watched) abandoned.unregister(this);
    this.$giveBack();
    if ($position === 0 || set.words === set.world.emptySet >> 2) return;
    const { u32 } = heap;
    for (let word = 0; word <= IterationPosition.begun; ++word) u32[$position + word] = 0;
    set.idle.push($position);
    this.$position = 0;
  }
  /** From now on, it counts its steps in JavaScript. */
  #borrow(): void {
    const { $set: set, $position } = this;
    const { u32 } = heap;
    this.$enlist();
    u32[$position + IterationPosition.borrowed] = 1;
    this.$index = u32[$position];
    this.$end = Math.min(u32[set.words + SetControl.size], u32[$position + IterationPosition.end]);
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
    this.$delist();
  }
  /** It reads memory that the world must ask for before it is freed. */
  $enlist(): void {
    const { borrowers } = this.$set.world;
    if (borrowers.length === MOST_BORROWERS) borrowers[0].$giveBack();
    borrowers.push(this);
  }
  $delist(): void {
    const { borrowers } = this.$set.world;
    if (borrowers.at(-1) === this) borrowers.pop();
    else if (borrowers.includes(this)) borrowers.splice(borrowers.indexOf(this), 1);
  }
  return(): IteratorResult<never, undefined> {
    finish(this);
    return this.$result as IteratorResult<never, undefined>;
  }
  [Symbol.iterator](): this {
    return this;
  }
  $finish(): void {
    if (this.#state === "begun") this.#endFirstStep();
    this.#close();
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

/** A storage under `linear`, as an iteration uses it. @internal */
export interface Slots {
  readonly set: SetMemory;
  readonly extent: number;
  readonly info: { readonly id: number };
  slot(e: Entity): number;
}

/** The classes that the entities of an iteration must have, too. @internal */
export interface Required {
  /** The words of a signature with these classes. */
  readonly signature: readonly number[];
  /** Changes whenever a component is added or removed on which this depends. */
  versions(): number;
}

/** How many entities are found at once, unless the first is only asked for. */
const MOST_FOUND = 255;

/**
 * Iterates the entities of a storage under `linear` that have the required classes: no value moves, and bits tell which ones were
 * added. It finds several at once, which are a list in memory until one is removed.
 * @internal
 */
export class SlotIteration extends Iteration {
  readonly #slots: Slots;
  readonly #required: Required;
  #versions = 0;
  constructor(slots: Slots, required: Required) {
    super(slots.set);
    this.#slots = slots;
    this.#required = required;
  }
  override get $isList(): boolean {
    return this.#versions === this.#required.versions();
  }
  override $limit(): number {
    return this.#slots.extent;
  }
  override $step(): Entity {
    do {
      while (this.$index < this.$end) {
        const e = heap.u32[this.$dense + this.$index++];
        if (this.$isList || this.#stays(e)) return e;
      }
    } while (this.#find());
    return -1;
  }
  /** Whether the entity has had the component since the iteration began. */
  #stays(e: Entity): boolean {
    const { u32 } = heap;
    const slot = this.#slots.slot(e);
    const added = u32[this.$position + IterationPosition.added] >> 2;
    return slot >= 0 && (added === 0 || ((u32[added + (slot >> 5)] >>> (slot & 31)) & 1) === 0);
  }
  /** Finds the next entities; false at the end. */
  #find(): boolean {
    this.$giveBack();
    if (!this.$hold()) return false;
    const first = this.$isBegun;
    const { world } = this.$set;
    const { signature } = this.#required;
    const address = world.scratch("query", 4 * signature.length);
    for (let k = 0; k < signature.length; ++k) heap.u32[(address >> 2) + k] = signature[k];
    const found = core._crateful_find_entities(
      world.self,
      this.#slots.info.id,
      this.$position << 2,
      address,
      signature.length,
      first ? 1 : MOST_FOUND,
    );
    if (found === 0) throw new EcsError("OUT_OF_MEMORY", "query: no memory for an iteration");
    this.#versions = this.#required.versions();
    this.$index = 0;
    this.$dense = (found >> 2) + 1;
    this.$end = heap.u32[found >> 2];
    if (this.$end === 0) {
      this.$finish();
      return false;
    }
    if (first) this.$markFirst();
    this.$enlist();
    return true;
  }
  override $giveBack(): void {
    this.$place?.stop();
    this.$delist();
  }
  next(): IteratorResult<Entity, undefined> {
    const e = this.$step();
    const { $result } = this;
    if (e >= 0) $result.value = e;
    return $result as IteratorResult<Entity, undefined>;
  }
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
/** Those entities of a dirty set that some causes made dirty (rule D15). @internal */
export class CausedIteration extends Keys {
  readonly #causes: number;
  /** The word with the address of the causes, by entity index. */
  readonly #word: number;
  constructor(set: SetMemory, causes: number, word: number) {
    super(set);
    this.#causes = causes;
    this.#word = word;
  }
  override get $isList(): boolean {
    return false;
  }
  override $step(): Entity {
    for (;;) {
      const e = super.$step();
      const { u32 } = heap;
      if (e < 0 || u32[(u32[this.#word] >> 2) + (e & Handle.indexMask)] & this.#causes) return e;
    }
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
