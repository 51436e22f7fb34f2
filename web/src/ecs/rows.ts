// Iterating the entities of a query as rows (rules Q2 to Q5).
import { Cursor } from "../component/cursor.js";
import type { ComponentTable } from "../component/component_table.js";
import type { AspectSet, Iteration } from "../core/iteration.js";
import { Place } from "../core/place.js";
import { contains, type SetMemory } from "../core/sparse_set.js";
import type { Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { Handle, Page, SetControl, StorageControl } from "../module/layout.js";
import type { World } from "../world/world.js";
import type { Source } from "./row_sources.js";

/** What a query selects in one world. @internal */
export interface QueryClasses {
  world: World;
  /** For each class its name in the rows. */
  names: readonly string[];
  tables: readonly ComponentTable[];
  /** The classes from this number on are optional. */
  required: number;
  without: readonly ComponentTable[];
  any: readonly ComponentTable[];
  /** Whether having all required components is not enough. */
  filters: boolean;
  /** In the rows of a system: the entities that it tracks, which are those that it selects. */
  tracked?: SetMemory;
  /** In the rows of a system with an aspect class: its aspects. */
  aspects?: AspectSet<unknown>;
  /** Whether a row depends on nothing but required classes. */
  stretches: boolean;
}

/** One row of a query, with the cursors for its components. Each iteration in progress has its own. @internal */
export class RowState {
  readonly place: Place;
  /** In the order of the classes. */
  readonly cursors: readonly Cursor[];
  readonly row: object;
  /** Whether it is given back when its iterator is collected. */
  watched = false;
  // What an iteration has found: as long as the set and the versions of the storages are these, they contain the same
  // entities in the same order from end to end.
  #set: SetMemory | undefined;
  #size = 0;
  #versions = 0;

  constructor(readonly classes: QueryClasses) {
    const place = (this.place = new Place(classes.world));
    const { names, tables, required } = classes;
    this.cursors = tables.map((table) => new Cursor(table, place));
    // Accessors instead of values, so that an iteration never writes to objects of different shapes; on a prototype,
    // because V8 treats functions of a prototype as constants.
    const prototype = {};
    const define = (name: string, get: () => unknown) =>
      Object.defineProperty(prototype, name, { enumerable: true, get });
    define("entity", () => place.entity);
    this.cursors.forEach((cursor, k) => {
      const { table, view } = cursor;
      if (table.info.kind === "object") define(names[k], () => table.find(place.entity));
      else if (k < required) define(names[k], () => view);
      else define(names[k], () => (cursor.present ? view : undefined));
    });
    const { aspects } = classes;
    if (aspects !== undefined) define("aspect", () => aspects.$aspect(place.entity));
    this.row = Object.create(prototype) as object;
  }

  /** Moves to an entity; false if the query does not select it. Then its cursors can't be used. */
  moveTo(e: Entity): boolean {
    const { cursors, classes, place } = this;
    place.index = 0;
    for (let k = 0; k < cursors.length; ++k) {
      const slot = cursors[k].table.slot(e);
      if (slot >= 0) cursors[k].moveTo(slot);
      else if (k < classes.required) return this.#leave();
      else cursors[k].detach();
    }
    place.entity = e;
    return (!classes.filters && classes.tracked === undefined) || selects(classes, e) || this.#leave();
  }
  #leave(): false {
    for (const cursor of this.cursors) cursor.detach();
    return false;
  }

  /** Changes whenever a component of one of the classes is added or removed. */
  versions(): number {
    let sum = 0;
    for (const { table } of this.cursors) sum = (sum + table.version) | 0;
    return sum;
  }
  /** Whether the set and the storages are known to be in the same order. */
  agrees(set: SetMemory): boolean {
    return (
      this.#set === set && this.#size === heap.u32[set.words + SetControl.size] && this.#versions === this.versions()
    );
  }
  /**
   * An iteration over the whole set, which began at these versions, has found them in the same order. For other sets than
   * these, the versions would not show every change.
   */
  agreed(set: SetMemory, versions: number): void {
    if (set !== this.classes.tracked && !this.cursors.some(({ table }) => table.set === set)) return;
    this.#set = set;
    this.#size = heap.u32[set.words + SetControl.size];
    this.#versions = versions;
  }
}

/** Whether a query selects the entity. @internal */
export function selects({ world, tables, required, without, any, tracked }: QueryClasses, e: Entity): boolean {
  if (tracked !== undefined && !contains(tracked, e)) return false;
  if (required === 0 && !world.alive(e)) return false;
  for (let k = 0; k < required; ++k) if (tables[k].slot(e) < 0) return false;
  for (const table of without) if (table.slot(e) >= 0) return false;
  return any.length === 0 || any.some((table) => table.slot(e) >= 0);
}

/** Rows for iterations. Those of ended iterations are used again. @internal */
export class RowPool {
  readonly #idle: RowState[] = [];
  #rows = 0;
  /** The place of iterations that have not started or have ended. */
  readonly noPlace: Place;
  /** Keeps the class of its iterators alive: see `Iteration.$kept`. */
  readonly kept: readonly unknown[];
  constructor(readonly classes: QueryClasses) {
    this.noPlace = new Place(classes.world);
    this.kept = [new Rows(undefined, this, false), new StretchRows(undefined, this)];
  }
  take(owner: object): RowState {
    const row = this.#idle.pop() ?? this.#make();
    row.watched = this.#rows - this.#idle.length > UNWATCHED_ROWS;
    if (row.watched) abandoned.register(owner, { pool: this, row }, owner);
    return row;
  }
  #make(): RowState {
    ++this.#rows;
    return new RowState(this.classes);
  }
  give(row: RowState, owner?: object): void {
    if (owner !== undefined && row.watched) abandoned.unregister(owner);
    row.place.leaveStretch();
    this.#idle.push(row);
  }
}
/** Up to this number of rows of a query that are in use are not given back when their iterators are abandoned. */
const UNWATCHED_ROWS = 8;
const abandoned = new FinalizationRegistry<{ pool: RowPool; row: RowState }>(({ pool, row }) => pool.give(row));

/** Iterates rows, and looks the slots of each entity up. @internal */
export class Rows<R> implements IterableIterator<R> {
  #row: RowState | undefined;
  #source: Source | undefined;
  readonly #pool: RowPool;
  readonly #filters: boolean;
  readonly #result = { value: undefined as R | undefined, done: false };
  /** `filters`: whether having all required components is not enough for an entity of the source. */
  constructor(source: Source | undefined, pool: RowPool, filters: boolean) {
    this.#source = source;
    this.#pool = pool;
    this.#filters = filters;
  }
  next(): IteratorResult<R, undefined> {
    this.#advance();
    return this.#result as IteratorResult<R, undefined>;
  }
  // Not divided into functions, as StretchRows.#advance(): V8 must not inline it into loops, or it would no longer inline
  // the accessors there. The look-ups are those of ComponentTable.slot().
  #advance(): void {
    const source = this.#source;
    if (source === undefined) return;
    const { cursors, place, classes } = this.#row ?? this.#start();
    place.index = 0; // so that the deltas of cursors are slots
    search: for (;;) {
      const e = classes.world.disposed ? -1 : source.$step();
      if (e < 0) {
        this.return();
        return;
      }
      const { u32 } = heap;
      const index = e & Handle.indexMask;
      let jump = 0;
      for (let k = 0; k < cursors.length; ++k) {
        const cursor = cursors[k];
        const { table, delta } = cursor;
        let slot = -1;
        if (cursor.dense) {
          // Storages often contain the same entities in the same order: then the slots of all classes change by the same.
          slot = delta + jump;
          if (
            k === 0 ||
            slot < 0 ||
            u32[table.dense + slot] !== e ||
            slot >= u32[table.control + StorageControl.count]
          ) {
            const page = index >>> Page.bits;
            slot = page < table.pageCount ? u32[(u32[table.pages + page] >> 2) + (index & Page.mask)] : Page.absent;
            if (slot === Page.absent || u32[table.dense + slot] !== e) slot = -1;
            jump = slot - delta;
          }
        } else if (index < u32[table.control + StorageControl.extent]) {
          const bits = u32[table.mask + (index >> 5)];
          if (((bits >>> (index & 31)) & 1) !== 0 && u32[table.dense + index] === e) slot = index;
        }
        if (slot >= 0) {
          cursor.delta = slot;
          if (!cursor.placed) table.place(cursor);
        } else if (k < classes.required) continue search;
        else cursor.detach();
      }
      if (this.#filters && !selects(classes, e)) continue;
      place.entity = e;
      return;
    }
  }
  #start(): RowState {
    const row = this.#pool.take(this);
    this.#result.value = row.row as R;
    return (this.#row = row);
  }
  return(): IteratorResult<never, undefined> {
    this.#source?.$end();
    this.#source = undefined;
    if (this.#row !== undefined) this.#pool.give(this.#row, this);
    this.#row = undefined;
    return this.#ended();
  }
  #ended(): IteratorResult<never, undefined> {
    this.#result.value = undefined;
    this.#result.done = true;
    return this.#result as IteratorResult<never, undefined>;
  }
  [Symbol.iterator](): this {
    return this;
  }
}

/** How many steps are prepared at once; so many are in vain if a change ends the stretch. */
const MOST_STEPS = 128;

/**
 * Iterates rows for a set; the row depends on nothing but required classes. Where the set and the storages contain the same
 * entities in the same order, no slot is looked up.
 * @internal
 */
export class StretchRows<R> implements IterableIterator<R> {
  #row: RowState | undefined;
  #place: Place;
  #source: Iteration | undefined;
  readonly #pool: RowPool;
  readonly #result = { value: undefined as R | undefined, done: false };
  /** Whether the slots of all steps so far were at the same distance from their positions. */
  #agrees = true;
  /** Those of the row at the first step. */
  #versions = 0;
  constructor(source: Iteration | undefined, pool: RowPool) {
    this.#source = source;
    this.#pool = pool;
    this.#place = pool.noPlace;
  }
  // Short, so that V8 inlines it into loops: one step of a stretch. The result is always the same object, so that its type
  // is known in the loop.
  next(): IteratorResult<R, undefined> {
    const place = this.#place;
    const index = place.index + 1;
    if (index < place.end) place.index = index;
    else this.#advance();
    return this.#result as IteratorResult<R, undefined>;
  }
  // Finds the next entity and the slots of its components, and how many entities follow in a stretch. Not divided into
  // functions: V8 must not inline it into loops, and it inlines no function with more than 460 bytes of bytecode.
  #advance(): void {
    const source = this.#source;
    if (source === undefined) return;
    const first = this.#row === undefined;
    const row = this.#row ?? this.#start(source);
    const { cursors, place, classes } = row;
    place.leaveStretch();
    const { $set } = source;
    const before = place.index;
    search: for (;;) {
      const e = classes.world.disposed ? -1 : source.$step();
      if (e < 0) {
        if (this.#agrees && !classes.world.disposed) row.agreed($set, this.#versions);
        this.return();
        return;
      }
      const { u32 } = heap;
      const position = u32[source.$position] - 1;
      const size = u32[$set.words + SetControl.size];
      place.index = position;
      const known = this.#agrees && row.agrees($set);
      if (known && !first) {
        place.enterStretch($set.words, source.$position, size);
        return;
      }
      let length = size - position;
      for (let k = 0; k < cursors.length; ++k) {
        const cursor = cursors[k];
        const { table, delta, dense } = cursor;
        // Storages often contain the same entities in the same order: the slot after the last one is tried first.
        let slot = before + delta + 1;
        if (!dense || slot < 0 || u32[table.dense + slot] !== e || slot >= u32[table.control + StorageControl.count]) {
          slot = table.slot(e);
          if (slot < 0) {
            this.#agrees = false;
            continue search;
          }
        }
        cursor.moveTo(slot);
        if (delta !== cursor.delta && !first) this.#agrees = false;
        const list = u32[$set.words + SetControl.dense] >> 2;
        if (length > 1 && !known && table.dense !== list) {
          // How far do this storage and the set have the same entities?
          const others = list + position;
          let most = Math.min(length, MOST_STEPS);
          length = 1;
          if (dense) {
            most = Math.min(most, u32[table.control + StorageControl.count] - slot);
            while (length < most && u32[table.dense + slot + length] === u32[others + length]) ++length;
          } else {
            while (length < most && table.slot(u32[others + length]) === slot + length) ++length;
          }
        }
      }
      place.entity = e;
      if (length > 1) place.enterStretch($set.words, source.$position, position + length);
      return;
    }
  }
  #start(source: Iteration): RowState {
    const row = this.#pool.take(this);
    source.$start();
    this.#result.value = row.row as R;
    this.#place = row.place;
    this.#versions = row.versions();
    return (this.#row = row);
  }
  return(): IteratorResult<never, undefined> {
    if (this.#row !== undefined) this.#pool.give(this.#row, this);
    this.#row = undefined;
    this.#source?.$end();
    this.#source = undefined;
    this.#place = this.#pool.noPlace;
    return this.#ended();
  }
  #ended(): IteratorResult<never, undefined> {
    this.#result.value = undefined;
    this.#result.done = true;
    return this.#result as IteratorResult<never, undefined>;
  }
  [Symbol.iterator](): this {
    return this;
  }
}
