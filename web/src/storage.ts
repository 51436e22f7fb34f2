import { requireList } from "./bulk.js";
import { CachedArray } from "./cached_array.js";
import type { Component } from "./component.js";
import { describe, stale, type Entity } from "./entity.js";
import { EcsError } from "./errors.js";
import type { AnyColumn, ColumnArray, FieldInfo, Schema } from "./fields.js";
import * as heap from "./heap.js";
import { entitiesOf } from "./live_sets.js";
import type { ClassStore } from "./store.js";
import type { SchemaOf } from "./stored.js";

/** What one class costs, and what the other policy would. Bytes. */
export interface MemoryReport {
  name: string;
  policy: "sparse" | "linear";
  count: number;
  /** Share of all entities that have the component, 0 to 1. */
  utilisation: number;
  /** Allocated now, in WebAssembly memory. */
  bytes: number;
  /** What the other policy would take: linear C·N + ⌈N/8⌉, sparse 8·N + C·N·U. */
  otherBytes: number;
  /** Empty unless switching saves over a quarter. */
  advice: string;
}

/** A typed array per field, straight on WebAssembly memory. */
export type Columns<S extends Schema> = { readonly [K in keyof S]: ColumnArray<S[K]> };

/**
 * All components of one class, for loops over raw memory. `columns.x[i]` and `entities[i]` belong
 * together for `i` from 0 to `extent - 1`. Writing to a column is silent: no system hears of it until
 * `markDirty`. Arrays show memory as it is now; fetch them again after anything was added or removed.
 */
export class Storage<C extends Component = Component> {
  readonly #store: ClassStore;
  readonly #entities = new CachedArray(Uint32Array);
  readonly #mask = new CachedArray(Uint32Array);
  #slots = new Uint32Array(64);
  #shown = this.#slots;
  /** A typed array per field, always a live one; fetch it before a loop, not inside. */
  readonly columns: Columns<SchemaOf<C>>;
  /**
   * Elements of a column from one component to the next: 1, or more for C++ structs:
   * `columns.x[i * strides.x]`.
   */
  readonly strides: { readonly [K in keyof SchemaOf<C>]: number };

  /** @internal */
  constructor(store: ClassStore) {
    this.#store = store;
    this.columns = Object.defineProperties(
      {},
      Object.fromEntries(
        store.info.fields.map((field, k) => [field.name, { enumerable: true, get: this.#column(field, k) }]),
      ),
    ) as Columns<SchemaOf<C>>;
    this.strides = Object.fromEntries(store.info.fields.map((f) => [f.name, f.stride])) as {
      [K in keyof SchemaOf<C>]: number;
    };
  }

  #column({ kind, stride }: FieldInfo, k: number): () => AnyColumn {
    const cached = new CachedArray(kind.array);
    return () => {
      const store = this.#live();
      return cached.at(heap.u32[store.columnTable + k], Math.max((store.extent - 1) * stride + 1, 0));
    };
  }
  #live(): ClassStore {
    this.#store.world.live();
    return this.#store;
  }

  /** `sparse` (dense values) or `linear` (one slot per entity index). */
  get policy(): "sparse" | "linear" {
    return this.#store.info.linear ? "linear" : "sparse";
  }
  /** How many entities have the component. */
  get count(): number {
    return this.#live().count;
  }
  /** Slots to look at: `count` under `sparse`; under `linear` there are gaps, see `mask`. */
  get extent(): number {
    return this.#live().extent;
  }
  /** The entities, in the values' order, zero-copy. */
  get entities(): Uint32Array {
    const store = this.#live();
    return this.#entities.at(store.entitiesAddress, store.extent);
  }
  /** Under `linear`: bit `i & 31` of word `i >> 5` tells whether slot `i` is filled. Else empty. */
  get mask(): Uint32Array {
    const store = this.#live();
    return this.#mask.at(store.maskAddress, store.info.linear ? (store.extent + 31) >> 5 : 0);
  }
  /** The entity's place in the columns, or -1 if it has no such component. O(1). */
  index(e: Entity): number {
    const slot = this.#live().slot(e);
    if (slot < 0 && !this.#store.world.alive(e)) throw stale("index", e);
    return slot;
  }
  /**
   * The places of many at once, which costs less than `index` for each: `columns.x[indices[i]]` belongs to
   * `entities[i]`. Good until components of the class come or go, or the next call. Throws
   * `MISSING_COMPONENT` if one of them has none.
   *
   *     const at = ecs.storage(Position).indices(dirty.ids);
   */
  indices(entities: ArrayLike<Entity>): Uint32Array {
    const store = this.#live();
    const n = entities.length;
    if (n > this.#slots.length) this.#slots = this.#shown = new Uint32Array(Math.max(n, 2 * this.#slots.length));
    const failed = store.slots(entities, this.#slots);
    if (failed >= 0) this.#missing("indices", entities[failed]);
    if (n !== this.#shown.length) this.#shown = this.#slots.subarray(0, n);
    return this.#shown;
  }
  #missing(call: string, e: Entity): never {
    const { world, info } = this.#store;
    if (!world.alive(e)) throw stale(call, e);
    throw new EcsError("MISSING_COMPONENT", `${call}: ${describe(e)} has no ${info.name}`);
  }
  /** Signals the component of one entity, or of many at once, dirty after writing to columns. */
  markDirty(entities: Entity | ArrayLike<Entity>): void {
    const { world, info } = this.#live();
    if (typeof entities === "number") {
      const slot = this.#store.slot(entities);
      if (slot < 0) this.#missing("markDirty", entities);
      this.#store.changed(entities, slot);
      return;
    }
    requireList("markDirty", entities);
    world.checkList(
      "markDirty",
      entities,
      world.raw.markDirty(world.listAddress("markDirty", entities), entities.length, info.id),
    );
  }
  /**
   * The entities that have the component. Safe against any change meanwhile: what is there throughout
   * comes exactly once.
   */
  [Symbol.iterator](): IterableIterator<Entity> {
    const { set, info } = this.#live();
    return info.linear ? this.#filled() : entitiesOf(set);
  }
  // Nothing moves under `linear`, so the index is all there is to remember.
  *#filled(): Generator<Entity, undefined> {
    for (let i = 0; i < this.extent; ++i) {
      const e = heap.u32[(this.#store.entitiesAddress >> 2) + i];
      if (e !== 0xffffffff && this.#store.slot(e) >= 0) yield e;
    }
    return undefined;
  }
}
