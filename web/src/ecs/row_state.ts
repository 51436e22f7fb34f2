// The rows of queries (rules Q2 to Q4).
import { Cursor } from "../component/cursor.js";
import type { ComponentTable } from "../component/component_table.js";
import { makeVisible } from "../component/inspection.js";
import { Place } from "../core/place.js";
import type { SetMemory } from "../core/sparse_set.js";
import type { Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { Handle, SetControl } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import type { World } from "../world/world.js";
import { endLookAhead } from "./look_ahead.js";
import { passes, versionsOf, type QueryClasses } from "./query_classes.js";

/** One row of a query, with the cursors for its components. Each iteration in progress has its own. @internal */
export class RowState {
  readonly place: Place;
  /** In the order of the classes. */
  readonly cursors: readonly Cursor[];
  /** Those of the required classes: whose components have slots, and whose components are objects. */
  readonly slotted: readonly Cursor[];
  readonly objects: readonly Cursor[];
  readonly row: object;
  readonly #parentCursors: readonly Cursor[];
  /** The only cursor, if nothing else decides whether the query selects an entity. */
  readonly #only: Cursor | undefined;
  /** Whether it is given back when its iterator is collected. */
  watched = false;
  /** The word at which the buffer for slots begins; 0 if it has none. */
  slots = 0;
  // What an iteration has found: the storages contain the entities of this set in the same order from end to end, as long as
  // the size of the set and the changes are these.
  #set: SetMemory | undefined;
  #size = 0;
  #changes = 0;

  constructor(readonly classes: QueryClasses) {
    const place = (this.place = new Place());
    const { names, tables, required } = classes;
    this.cursors = tables.map((table) => new Cursor(table, place));
    this.slotted = this.cursors.filter(({ object }, k) => k < required && !object);
    this.objects = this.cursors.filter(({ object }, k) => k < required && object);
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
      if (cursor.object) define(names[k], objectGetter(place, cursor, table));
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
    return (!classes.filters && classes.tracked === undefined) || passes(classes, e) || this.#leave();
  }
  #leave(): false {
    for (const cursor of this.cursors) cursor.detach();
    return false;
  }

  /** It will not be used again, or rarely: its tables do not refer to it any more. */
  release(): void {
    for (const cursor of [...this.cursors, ...this.#parentCursors]) cursor.table.release(cursor);
  }

  /**
   * How often the set was changed, except by appending, and the storages. It is a sum of counters that only grow, so an equal one
   * and an equal size of the set say that all of them have the same entities in the same order as before.
   */
  changes(set: SetMemory): number {
    return (heap.u32[set.words + SetControl.moves] + versionsOf(this.classes)) | 0;
  }
  /** Whether the set and the storages are known to be in the same order. */
  agrees(set: SetMemory): boolean {
    return (
      this.#set === set && this.#size === heap.u32[set.words + SetControl.size] && this.#changes === this.changes(set)
    );
  }
  /**
   * An iteration over the whole set, which had this size and these changes at the first step, has found them in the same order. For
   * other sets than these, `changes` would not show every change.
   */
  agreed(set: SetMemory, size: number, changes: number): void {
    const { tracked, tables, required } = this.classes;
    if (set !== tracked && !tables.some((table, k) => k < required && table.set === set)) return;
    this.#set = set;
    this.#size = size;
    this.#changes = changes;
  }
}

/**
 * Finds the object of the component at which a row is. Unless it is certain that the entity is alive, the object can be that of
 * another one, which has its index now.
 */
function objectGetter(place: Place, cursor: Cursor, table: ComponentTable): () => unknown {
  const check = noInline((object: unknown) => (cursor.present ? object : undefined));
  return () => {
    const object = table.objects[place.entity & Handle.indexMask];
    return object === undefined || place.index + cursor.delta >= 0 || place.counts ? object : check(object);
  };
}

/** Finds the component that the parent of an entity has. The cursor is moved when it is read. */
function ofParent(cursor: Cursor, of: Place): () => unknown {
  const { table } = cursor;
  const { hierarchy } = table.world as World;
  if (table.info.kind === "object")
    return () => {
      const parent = hierarchy.parent(of.entity);
      return table.slot(parent) < 0 ? undefined : table.find(parent);
    };
  return () => (cursor.moveToEntity(hierarchy.parent(of.entity)) ? cursor.view : undefined);
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
    // Their slots are relative to where the iteration was. (It runs for empty iterations too: `for … of` takes 10 ns.)
    for (let k = 0; k < row.cursors.length; ++k) row.cursors[k]!.detach();
    endLookAhead(row);
    this.#idle.push(row);
  }
}
/** Up to this number of rows of a query that are in use are not given back when their iterators are abandoned. */
const UNWATCHED_ROWS = 8;
const abandoned = new FinalizationRegistry<{ pool: RowPool; row: RowState }>(({ pool, row }) => pool.give(row));
