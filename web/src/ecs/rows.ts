// Iterating the entities of a query as rows (rules Q2 to Q5).
import { Cursor } from "../component/cursor.js";
import type { ComponentTable } from "../component/component_table.js";
import { makeVisible } from "../component/inspection.js";
import { Iteration, type AspectSet } from "../core/iteration.js";
import { Place } from "../core/place.js";
import { contains, slotIn, type SetMemory } from "../core/sparse_set.js";
import { NONE, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Handle, Page, SetControl, SlotBuffer, StorageControl } from "../module/layout.js";
import type { RawModule } from "../module/raw.js";
import { noInline } from "../module/v8.js";
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
  /** The classes of the parent, whose names are the last ones. */
  parents: readonly ComponentTable[];
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
  readonly #parentCursors: readonly Cursor[];
  /** The only cursor, if nothing else decides whether the query selects an entity. */
  readonly #only: Cursor | undefined;
  /** Whether it is given back when its iterator is collected. */
  watched = false;
  /** The word at which the buffer for slots begins; 0 if it has none. */
  slots = 0;
  // What an iteration has found: as long as the set and the versions of the storages are these, they contain the same
  // entities in the same order from end to end.
  #set: SetMemory | undefined;
  #size = 0;
  #versions = 0;

  constructor(readonly classes: QueryClasses) {
    const place = (this.place = new Place());
    const { names, tables, required } = classes;
    this.cursors = tables.map((table) => new Cursor(table, place));
    const selective = classes.filters || classes.tracked !== undefined;
    this.#only = tables.length === 1 && !selective ? this.cursors[0] : undefined;
    // Accessors instead of values, so that an iteration never writes to objects of different shapes; on a prototype,
    // because V8 treats functions of a prototype as constants.
    const prototype = {};
    makeVisible(prototype);
    const define = (name: string, get: () => unknown) =>
      Object.defineProperty(prototype, name, { enumerable: true, get });
    define("entity", () => place.entity);
    this.cursors.forEach((cursor, k) => {
      const { table, view } = cursor;
      if (table.info.kind === "object")
        define(names[k], () => (cursor.present ? table.objects[place.entity & Handle.indexMask] : undefined));
      else if (k < required) define(names[k], () => view);
      else define(names[k], () => (cursor.present ? view : undefined));
    });
    this.#parentCursors = classes.parents.map((table, k) => {
      const parentPlace = new Place();
      parentPlace.index = 0;
      const cursor = new Cursor(table, parentPlace);
      define(names[tables.length + k], ofParent(cursor, place));
      return cursor;
    });
    const { aspects } = classes;
    if (aspects !== undefined) define("aspect", () => aspects.get(place.entity));
    this.row = Object.create(prototype) as object;
  }

  /** Moves to an entity, while the index of the place is 0; false if the query does not select it. */
  moveTo(e: Entity): boolean {
    return this.#only !== undefined ? this.#only.moveToEntity(e) : this.#moveAll(e);
  }
  #moveAll(e: Entity): boolean {
    const { cursors, classes, place } = this;
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

  /**
   * Looks up the slots of the next entities of a list, which must be alive, up to the first that lacks a component. Returns
   * the number of the others. The slots of each are side by side in the buffer.
   */
  findSlots(list: number, most: number): number {
    const { cursors, classes } = this;
    const { world } = classes;
    if (this.slots === 0) this.slots = world.idleSlots.pop() ?? core._crateful_new_slots(world.self) >> 2;
    if (this.slots === 0) return 0; // there is no memory for it
    const n = cursors.length;
    let found = Math.min(most, AHEAD, (SlotBuffer.words / n) | 0);
    for (let k = 0; k < n; ++k) {
      found = findSlots(world.self, cursors[k].table.info.id, list << 2, found, (this.slots + k) << 2, n);
    }
    return found;
  }
  /** It will not be used again, or rarely: its tables do not refer to it any more. */
  release(): void {
    for (const cursor of [...this.cursors, ...this.#parentCursors]) cursor.table.release(cursor);
  }
  giveSlots(): void {
    if (this.slots !== 0) this.classes.world.idleSlots.push(this.slots);
    this.slots = 0;
  }

  /** Changes whenever a component of one of the classes is added or removed. */
  versions(): number {
    let sum = 0;
    for (const { table } of this.cursors) sum = (sum + table.version) | 0;
    for (const table of this.classes.without) sum = (sum + table.version) | 0;
    for (const table of this.classes.any) sum = (sum + table.version) | 0;
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

/** Finds the component that the parent of an entity has. The cursor is moved when it is read. */
function ofParent(cursor: Cursor, of: Place): () => unknown {
  const { table } = cursor;
  const world = table.world as World;
  const parentOf = (e: Entity) => (world.alive(e) ? world.hierarchy.parent(e) : NONE);
  if (table.info.kind === "object")
    return () => {
      const parent = parentOf(of.entity);
      return table.slot(parent) < 0 ? undefined : table.find(parent);
    };
  return () => (cursor.moveToEntity(parentOf(of.entity)) ? cursor.view : undefined);
}

/** Whether a query selects the entity. @internal */
export function selects({ world, tables, required, without, any, tracked }: QueryClasses, e: Entity): boolean {
  if (tracked !== undefined) return contains(tracked, e);
  if (required === 0 && (!world.alive(e) || (e === 0 && any.length === 0))) return false; // without the world (rule E10)
  for (let k = 0; k < required; ++k) if (tables[k].slot(e) < 0) return false;
  for (const table of without) if (table.slot(e) >= 0) return false;
  return any.length === 0 || any.some((table) => table.slot(e) >= 0);
}

/** Rows for iterations. Those of ended iterations are used again. @internal */
export class RowPool {
  readonly #idle: RowState[] = [];
  readonly #all: RowState[] = [];
  /** The place of iterations that have not started or have ended. */
  readonly noPlace: Place;
  /** The last iterator; it keeps the hidden class of iterators alive, as in core/iteration.ts. */
  last: unknown;
  constructor(readonly classes: QueryClasses) {
    this.noPlace = new Place();
  }
  take(owner: object): RowState {
    this.last = owner;
    const row = this.#idle.pop() ?? this.#make();
    row.watched = this.#all.length - this.#idle.length > UNWATCHED_ROWS;
    if (row.watched) abandoned.register(owner, { pool: this, row }, owner);
    return row;
  }
  #make(): RowState {
    const row = new RowState(this.classes);
    this.#all.push(row);
    return row;
  }
  release(): void {
    for (const row of this.#all) row.release();
  }
  give(row: RowState, owner?: object): void {
    if (owner !== undefined && row.watched) abandoned.unregister(owner);
    row.place.stop();
    for (const cursor of row.cursors) cursor.detach(); // their slots are relative to where the iteration was
    row.giveSlots();
    this.#idle.push(row);
  }
}
/** Up to this number of rows of a query that are in use are not given back when their iterators are abandoned. */
const UNWATCHED_ROWS = 8;
const abandoned = new FinalizationRegistry<{ pool: RowPool; row: RowState }>(({ pool, row }) => pool.give(row));

/** Up to this number of entities, a stretch is not worth its beginning. */
const SHORT = 4;
/** The most rows without an attempt to begin a stretch. */
const MOST_SKIPPED = 64;
/** For how many entities slots are looked up at once. */
const AHEAD = 32;
/** How many entities are compared first when a stretch begins, so that a loop that is left soon does not compare all. */
const FIRST_COMPARED = 64;

/**
 * Iterates rows. Where the iterated set and the storages contain the same entities in the same order, in a *stretch*, a step
 * only increments the index of the place; elsewhere it looks the slots of the entity up.
 * @internal
 */
export class Rows<R> implements IterableIterator<R> {
  #row: RowState | undefined;
  // Those that `next()` uses are not private: each access to a private field takes about a nanosecond in Firefox.
  /** @internal */
  $place: Place;
  #source: Source | undefined;
  /** The same, if there can be stretches. */
  readonly #set: Iteration | undefined;
  /** Whether its entities are alive, so that their generations need not be compared. */
  readonly #live: boolean;
  readonly #pool: RowPool;
  readonly #filters: boolean;
  /** @internal */
  readonly $result = { value: undefined as R | undefined, done: false };
  /** How many rows are looked up before the next attempt to begin a stretch, and after it if it is short. */
  #skip = 0;
  #nextSkip = 1;
  /** How many entities are compared at once. */
  #compared = FIRST_COMPARED;
  /** The position at which the last stretch began, or the first one whose slots were looked up ahead. */
  #from = -1;
  /** The position behind the last one whose slots were looked up ahead, or 0. */
  #found = 0;
  /** The versions of the storages at the first step. */
  #versions = 0;

  /** `filters`: whether having all required components is not enough for an entity of the source. */
  constructor(source: Source | undefined, pool: RowPool, filters: boolean) {
    this.#source = source;
    this.#pool = pool;
    this.$place = pool.noPlace;
    this.#filters = filters;
    this.#live = source instanceof Iteration;
    this.#set = source instanceof Iteration && pool.classes.stretches && !filters ? source : undefined;
  }

  // Short, so that V8 inlines it into loops: one step of a stretch. The result is always the same object, so that its type
  // is known in the loop.
  next(): IteratorResult<R, undefined> {
    const place = this.$place;
    const index = place.index + 1;
    if (index < place.end) place.index = index;
    else this.#advance();
    return this.$result as IteratorResult<R, undefined>;
  }
  // Finds the next entity and the slots of its components. Not divided into functions that are called for each row.
  #advance(): void {
    const source = this.#source;
    if (source === undefined) return;
    const row = this.#row ?? this.#start();
    const { cursors, place, classes } = row;
    if (place.counts) {
      const index = place.index + 1;
      if (index < this.#found) {
        const { u32 } = heap;
        const first = row.slots + (index - this.#from) * cursors.length;
        for (let k = 0; k < cursors.length; ++k) cursors[k].delta = u32[first + k] - index;
        place.index = index;
        return;
      }
      if (place.end !== 0 && this.#continueStretch(row)) return;
      place.stop();
    }
    const live = this.#live;
    place.index = 0; // so that the deltas of cursors are slots
    search: for (;;) {
      const e = source.$step();
      if (e < 0 || (!live && classes.world.disposed)) {
        this.$finish();
        return;
      }
      const { u32 } = heap;
      const index = e & Handle.indexMask;
      const page = index >>> Page.bits;
      for (let k = 0; k < cursors.length; ++k) {
        const cursor = cursors[k];
        const { table } = cursor;
        let slot = -1;
        if (cursor.dense) {
          // As in ComponentTable.slot().
          if (page < table.pageCount) slot = slotIn(u32[(u32[table.pages + page] >> 2) + (index & Page.mask)], e);
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
      if (this.#set !== undefined && --this.#skip < 0) this.#beginStretch(row, this.#set);
      return;
    }
  }

  /** The row is at the entity that the source has returned last: tries to begin a stretch. */
  #beginStretch(row: RowState, set: Iteration): void {
    const position = set.$index - 1;
    const size = set.$end;
    const known = row.agrees(set.$set);
    for (const cursor of row.cursors) cursor.delta -= position;
    row.place.index = position;
    const end = known ? size : agreementEnd(row, set.$dense, position + 1, Math.min(position + this.#compared, size));
    this.#found = 0;
    this.#from = position;
    if (end - position >= Math.min(SHORT, size - position)) {
      this.#skip = 0;
      this.#nextSkip = 1;
      if (end > position + 1) row.place.count(set, end);
      return;
    }
    this.#compared = FIRST_COMPARED;
    const found = row.findSlots(set.$dense + position, size - position);
    if (found >= SHORT) {
      this.#nextSkip = 1;
      this.#found = position + found;
      row.place.count(set, 0);
    } else {
      // Plain look-ups are faster.
      this.#skip = this.#nextSkip;
      this.#nextSkip = Math.min(2 * this.#nextSkip, MOST_SKIPPED);
    }
  }
  /** The stretch has reached its end: steps on if it can be extended. */
  #continueStretch(row: RowState): boolean {
    const { place } = row;
    const set = this.#set!;
    const { end } = place;
    const size = set.$end;
    if (end < size) {
      this.#compared *= 4;
      place.end = agreementEnd(row, set.$dense, end, Math.min(end + this.#compared, size));
      if (place.end > end) {
        place.index = end;
        return true;
      }
    } else if (this.#from === 0) {
      row.agreed(set.$set, this.#versions);
    }
    return false;
  }

  #start(): RowState {
    const row = this.#pool.take(this);
    this.#set?.$start();
    this.$result.value = row.row as R;
    this.$place = row.place;
    this.#versions = row.versions();
    return (this.#row = row);
  }
  return(): IteratorResult<never, undefined> {
    finish(this);
    return this.$result as IteratorResult<never, undefined>;
  }
  /** @internal */
  $finish(): void {
    if (this.#row !== undefined) this.#pool.give(this.#row, this);
    this.#row = undefined;
    this.#source?.$finish();
    this.#source = undefined;
    this.$place = this.#pool.noPlace;
    this.$result.value = undefined;
    this.$result.done = true;
  }
  [Symbol.iterator](): this {
    return this;
  }
}

const findSlots: RawModule["_crateful_find_slots"] = (...args) => core._crateful_find_slots(...args);
const finish = noInline((rows: Rows<unknown>): void => rows.$finish());

/**
 * Up to which position, at most `end`, the storages contain the entities of the list in the slots that the cursors have
 * there; from position `from` on.
 */
function agreementEnd({ cursors }: RowState, list: number, from: number, end: number): number {
  const { u32 } = heap;
  let most = end;
  for (const { table, delta, dense } of cursors) {
    let i = from;
    if (dense) {
      const own = table.dense + delta;
      if (own === list) continue;
      most = Math.min(most, u32[table.control + StorageControl.count] - delta);
      while (i < most && u32[own + i] === u32[list + i]) ++i;
    } else {
      while (i < most && table.slot(u32[list + i]) === i + delta) ++i;
    }
    most = i;
  }
  return most;
}
