import type { Component } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { Cursor } from "../component/cursor.js";
import type { ArrayOf, Schema, TypeOf } from "../component/schema.js";
import { isField, type FieldInfo } from "../component/fields.js";
import type { SchemaOf } from "../component/stored_class.js";
import { CachedArray } from "../core/cached_array.js";
import { requireList } from "../core/core_world.js";
import { entitiesOf, SlotIteration } from "../core/iteration.js";
import { Place } from "../core/place.js";
import { describe, stale, type Entity } from "../module/entity.js";
import { EcsError } from "../module/errors.js";
import { type AnyColumn, heap } from "../module/heap.js";
import { core } from "../module/instance.js";

/** A typed array per field: a view of WebAssembly memory. */
export type Columns<S extends Schema> = { readonly [K in keyof S]: ArrayOf<TypeOf<S[K]>> };

/**
 * All components of one class, for loops over columns (rule T1). `columns.x[slot]` is the value of `entities[slot]`, for
 * slots from 0 to `extent - 1`; under `linear`, the slot is the index of the entity, and those that `mask` lacks are empty. Writing to a column does not signal; call `markDirty` afterwards (rule D2). The arrays
 * are views of memory as it is now; read the properties again after a component was added or removed.
 */
export class Storage<C extends Component = Component> {
  readonly #table: ComponentTable;
  readonly #entities = new CachedArray(Uint32Array);
  readonly #mask = new CachedArray(Uint32Array);
  #cursor: Cursor | undefined;
  #slots = new Uint32Array(64);
  #result = this.#slots;
  /**
   * A typed array per field. Read it before a loop, not inside. The property always returns a valid array; an array that
   * you keep becomes invalid when memory grows (rule X2).
   */
  readonly columns: Columns<SchemaOf<C>>;
  /**
   * The distance from one component to the next in a column, in elements: 1, or more for native classes. The value of a
   * slot is `columns.x[slot * strides.x]`.
   */
  readonly strides: { readonly [K in keyof SchemaOf<C>]: number };

  /** @internal */
  constructor(table: ComponentTable) {
    this.#table = table;
    this.columns = Object.defineProperties(
      {},
      Object.fromEntries(
        [...table.info.names].map(([name, k]) => [
          name,
          { enumerable: true, get: this.#column(table.info.fields[k], k) },
        ]),
      ),
    ) as Columns<SchemaOf<C>>;
    this.strides = Object.fromEntries(table.info.fields.filter(isField).map((f) => [f.name, f.stride])) as {
      [K in keyof SchemaOf<C>]: number;
    };
  }

  #column({ kind, stride, length }: FieldInfo, k: number): () => AnyColumn {
    const cached = new CachedArray(kind.array);
    return () => {
      const table = this.#live();
      return cached.at(heap.u32[table.columnTable + k], Math.max((table.extent - 1) * stride + length, 0));
    };
  }
  #live(): ComponentTable {
    this.#table.world.live();
    return this.#table;
  }

  /** Where the storage has values (rule T2): `linear`, at the index of their entity, or `sparse`, without gaps. */
  get policy(): "sparse" | "linear" {
    return this.#table.info.linear ? "linear" : "sparse";
  }
  /** How many entities have the component. */
  get count(): number {
    return this.#live().count;
  }
  /** The number of slots: `count` under `sparse`; under `linear`, some of them may be empty (see `mask`). */
  get extent(): number {
    return this.#live().extent;
  }
  /** The entities, in the order of the slots; under `linear`, what is in an empty slot has no meaning (see `mask`). A view of memory. */
  get entities(): Uint32Array {
    const table = this.#live();
    return this.#entities.at(table.entitiesAddress, table.extent);
  }
  /** Under `linear`: bit `i & 31` of word `i >> 5` is set if slot `i` is filled. Under `sparse` empty. */
  get mask(): Uint32Array {
    const table = this.#live();
    return this.#mask.at(table.maskAddress, table.info.linear ? (table.extent + 31) >> 5 : 0);
  }
  /**
   * The slot of the entity's component, or -1 if it has none. Throws `STALE_ENTITY` if the entity is not alive. O(1).
   */
  slot(e: Entity): number {
    const slot = this.#live().slot(e);
    if (slot < 0 && !this.#table.world.alive(e)) throw stale("slot", e);
    return slot;
  }
  /**
   * Accesses the component of one entity without creating an object for it: a cursor, valid until the next call of `at`
   * on this storage (rule Q6). For an object class, the object itself. Undefined if the entity has no such component.
   * O(1).
   */
  at(e: Entity): C | undefined {
    const cursor = this.#cursor;
    return cursor !== undefined && cursor.moveToEntity(e) ? (cursor.view as C) : this.#atSlowly(e);
  }
  #atSlowly(e: Entity): C | undefined {
    const table = this.#live();
    if (this.#cursor !== undefined) return undefined;
    if (table.info.kind === "object") return table.slot(e) < 0 ? undefined : (table.find(e) as C | undefined);
    this.#cursor = new Cursor(table, new Place());
    return this.at(e);
  }
  /**
   * The slots of many entities, at less cost than `slot` for each: `columns.x[slots[i]]` is the value of `entities[i]`.
   * The returned array is valid until a component of the class is added or removed, or until the next call. Throws
   * `MISSING_COMPONENT` if an entity has no such component, and `STALE_ENTITY` if one is not alive.
   *
   *     const slots = ecs.storage(Position).slots(dirty.ids);
   */
  slots(entities: ArrayLike<Entity>): Uint32Array {
    const table = this.#live();
    requireList("slots", entities);
    const n = entities.length;
    if (n > this.#slots.length) this.#slots = this.#result = new Uint32Array(Math.max(n, 2 * this.#slots.length));
    const failed = table.slots(entities, this.#slots);
    if (failed >= 0) this.#missing("slots", entities[failed]);
    if (n !== this.#result.length) this.#result = this.#slots.subarray(0, n);
    return this.#result;
  }
  #missing(call: string, e: Entity): never {
    const { world, info } = this.#table;
    if (!world.alive(e)) throw stale(call, e);
    throw new EcsError("MISSING_COMPONENT", `${call}: ${describe(e)} has no ${info.name}`);
  }
  /**
   * Signals the component of one entity or of many (rule D2). Call it after writing to columns. One crossing for a list.
   * Throws `MISSING_COMPONENT` if an entity has no such component, and `STALE_ENTITY` if one is not alive.
   */
  markDirty(entities: Entity | ArrayLike<Entity>): void {
    const { world, info } = this.#live();
    if (typeof entities === "number") {
      const slot = this.#table.slot(entities);
      if (slot < 0) this.#missing("markDirty", entities);
      this.#table.changed(slot);
      return;
    }
    requireList("markDirty", entities);
    world.checkList(
      "markDirty",
      entities,
      core._crateful_mark_dirty(world.self, world.listAddress("markDirty", entities), entities.length, info.id),
    );
  }
  /**
   * Iterates the entities that have the component. Components may be added and removed meanwhile: an entity that has the
   * component throughout is visited exactly once, and one that gets it meanwhile is not visited (rule T4).
   */
  [Symbol.iterator](): IterableIterator<Entity> {
    const table = this.#live();
    return table.info.linear ? new SlotIteration(table, table) : entitiesOf(table.set);
  }
}
