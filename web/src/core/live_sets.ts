// `entities` and `dirty` of a system: a ReadonlyMap and a ReadonlySet that read a SparseSet in WebAssembly memory.
// Nothing is copied, and growth of the memory does not invalidate them (rule X2).
import type { Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Handle, SetControl, SystemMemory } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import { CachedArray } from "./cached_array.js";
import { CausedIteration, aspectsOf, entitiesOf, entriesOf, pairsOf, type AspectSet } from "./iteration.js";
import { Repeatable } from "./repeatable.js";
import { contains, type SetMemory } from "./sparse_set.js";

/** What the two collections have in common. @internal */
export abstract class LiveSet {
  /** @internal */
  readonly $set: SetMemory;
  readonly #ids = new CachedArray(Uint32Array);
  /** @internal */
  constructor(set: SetMemory) {
    this.$set = set;
  }
  // The first word of the set, after queued marks were added to it.
  #words(): number {
    if (this.$set.dirty) this.$set.world.drain();
    return this.$set.words;
  }
  /** How many entities are in the set. Reading it clears nothing (rule D9). */
  get size(): number {
    return heap.u32[this.#words() + SetControl.size];
  }
  /** Whether the entity is in the set. O(1). */
  has(e: Entity): boolean {
    if (this.$set.dirty) this.$set.world.drain();
    return contains(this.$set, e);
  }
  // The articles' systems declare Map and Set, so that these compile.
  /** @internal */
  set(): never {
    return readOnly("set");
  }
  /** @internal */
  add(): never {
    return readOnly("add");
  }
  /** @internal */
  delete(): never {
    return readOnly("delete");
  }
  /** @internal */
  clear(): never {
    return readOnly("clear");
  }
  /**
   * The entities as a zero-copy array, in order: the fastest way to loop if nothing is added or removed meanwhile. The
   * array is a view of memory as it is now; read the property again in each update.
   */
  get ids(): Uint32Array {
    const words = this.#words();
    return this.#ids.at(heap.u32[words + SetControl.dense], heap.u32[words + SetControl.size]);
  }
}

function readOnly(call: string): never {
  throw badArgument(`${call}: the sets of a system are read-only; add or remove components instead`);
}

/** The entities that a system tracks, with their aspects: a ReadonlyMap with `ids`. */
export interface EntityMap<A> extends ReadonlyMap<Entity, A> {
  readonly ids: Uint32Array;
}

/** A component class. */
type WatchedClass = abstract new (...args: never[]) => { dirty(): void };

/** The entities with a watched component that signalled: a ReadonlySet with `ids`. */
export interface DirtySet extends ReadonlySet<Entity> {
  readonly ids: Uint32Array;
  /**
   * Keeps an entity in the set for the next run of the system, also if this run visits it (rule D12). Throws `BAD_ARGUMENT`
   * if the set does not contain it. O(1).
   */
  keep(e: Entity): void;
  /**
   * Those entities of the set for which this watched class signalled, and those that the system has newly started to track, for a
   * system that does different work for different changes (rule D15). Iterating it counts as iterating the set, including the
   * entities that it passes over (rule D7). What was in the set before the first call of `of` counts for every class. Throws
   * `BAD_ARGUMENT` if the system does not watch the class, or more than 31 classes.
   */
  of(cls: WatchedClass): Iterable<Entity>;
  /**
   * The entities, sorted so that ancestors are in front of their descendants (rule D13). Entities that become dirty during the
   * iteration follow at its end. O(1) if the entities became dirty because of their ancestors, otherwise O(entities and their
   * ancestors).
   */
  topDown(): Iterable<Entity>;
}

/** @internal */
export class LiveEntityMap<A extends { readonly entity: Entity }>
  extends LiveSet
  implements EntityMap<A>, AspectSet<A>
{
  readonly #aspects: { aspects: (A | undefined)[] };
  readonly #make: (e: Entity) => A;
  /** `aspects` contains, by entity index, what `make` returned for an entity, for as long as it is in the set. */
  constructor(set: SetMemory, aspects: { aspects: (A | undefined)[] }, make: (e: Entity) => A) {
    super(set);
    this.#aspects = aspects;
    this.#make = noInline(make);
  }
  $aspect(e: Entity): A {
    const known = this.#aspects.aspects[e & Handle.indexMask];
    return known !== undefined ? known : this.#make(e);
  }
  get(e: Entity): A | undefined {
    const known = typeof e === "number" ? this.#aspects.aspects[e & Handle.indexMask] : undefined;
    return known !== undefined && known.entity === e ? known : this.has(e) ? this.$aspect(e) : undefined;
  }
  keys() {
    return entitiesOf(this.$set);
  }
  values(): MapIterator<A> {
    return aspectsOf(this);
  }
  entries(): MapIterator<[Entity, A]> {
    return entriesOf(this);
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
export class LiveDirtySet extends LiveSet implements DirtySet {
  keep(e: Entity): void {
    const { world, system } = this.$set;
    if (!this.has(e)) throw badArgument(`keep: the dirty set does not contain the entity ${show(e)}`);
    world.check(core._crateful_keep(world.self, system, e));
  }
  of(cls: WatchedClass): Iterable<Entity> {
    return new Repeatable(this.$of(cls));
  }
  /** @internal */
  $of(cls: WatchedClass): () => CausedIteration {
    const { $set } = this;
    const { world, system } = $set;
    if (system === 0) return () => new CausedIteration($set, 0, 0);
    const causes = core._crateful_dirty_of(world.self, system, world.idOf(cls));
    if (causes === 0) world.throwLast();
    const word = heap.u32[(core._crateful_system_memory(system) >> 2) + SystemMemory.causes] >> 2;
    return () => new CausedIteration($set, causes, word);
  }
  topDown(): Iterable<Entity> {
    return new Repeatable(() => this.$topDown());
  }
  /** @internal */
  $topDown(): ReturnType<typeof entitiesOf> {
    const { world, system } = this.$set;
    if (system !== 0) world.check(core._crateful_sort_top_down(world.self, system));
    return entitiesOf(this.$set);
  }
  keys() {
    return entitiesOf(this.$set);
  }
  values() {
    return this.keys();
  }
  entries(): SetIterator<[Entity, Entity]> {
    return pairsOf(this.$set);
  }
  [Symbol.iterator]() {
    return this.keys();
  }
  forEach(call: (e: Entity, again: Entity, set: ReadonlySet<Entity>) => void, self?: unknown): void {
    for (const e of this.keys()) call.call(self, e, e, this);
  }
  get [Symbol.toStringTag](): string {
    return "DirtySet";
  }
}

// The set operations of ES2025 (`union`, `isSubsetOf`, …), if the JavaScript engine has them.
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
