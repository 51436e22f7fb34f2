// The rows of queries (rules Q2 to Q4).
import { Cursor } from "../component/cursor.js";
import type { ComponentTable } from "../component/component_table.js";
import { makeVisible } from "../component/inspection.js";
import { Place } from "../core/place.js";
import { NONE, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { accessorOf, noInline } from "../module/v8.js";
import type { World } from "../world/world.js";
import { selects, type QueryClasses } from "./query_classes.js";

/** One row of a query, with the cursors for its components. Each iteration in progress has its own. @internal */
export class RowState {
  readonly place = new Place();
  /** In the order of the classes. */
  readonly cursors: readonly Cursor[];
  /** Those of required classes whose slots are looked up in each step. */
  readonly #packed: readonly Cursor[];
  /** Whether a step looks no slots up. */
  readonly simple: boolean;
  readonly row: object;
  readonly #parentCursors: readonly Cursor[];
  /** Whether it is given back when its iterator is collected. */
  watched = false;

  constructor(readonly classes: QueryClasses) {
    const { place } = this;
    const { names, tables, required } = classes;
    this.cursors = tables.map((table, k) => new Cursor(table, place, k >= required));
    this.#packed = this.cursors.filter(({ packed }, k) => k < required && packed);
    this.simple = this.#packed.length === 0;
    // Accessors instead of values, so that an iteration never writes to objects of different shapes; on a prototype,
    // because V8 treats functions of a prototype as constants.
    const prototype = {};
    makeVisible(prototype);
    const define = (name: string, getter: { readonly value: unknown }) =>
      Object.defineProperty(prototype, name, { enumerable: true, ...accessorOf(getter) });
    define("entity", {
      get value() {
        return place.entity;
      },
    });
    this.cursors.forEach((cursor, k) => {
      const { table, view } = cursor;
      if (cursor.object) define(names[k], objectGetter(place, table));
      else define(names[k], k < required ? viewGetter(view) : optionalGetter(cursor));
    });
    this.#parentCursors = classes.parents.map((table, k) => {
      const cursor = new Cursor(table, new Place());
      define(names[tables.length + k], ofParent(cursor, place));
      return cursor;
    });
    const { aspects } = classes;
    if (aspects !== undefined)
      define("aspect", {
        get value() {
          return aspects.get(place.entity);
        },
      });
    this.row = Object.create(prototype) as object;
  }

  /** Moves to an entity; false if the query does not select it. */
  moveTo(e: Entity): boolean {
    if (!selects(this.classes, e)) {
      this.place.moveTo(NONE);
      this.place.leave();
      return false;
    }
    this.enter(e);
    return true;
  }
  /** Moves to an entity that has the required components. */
  enter(e: Entity): void {
    const { place } = this;
    place.moveTo(e);
    if (!place.ready) this.#makeReady();
    if (!this.simple) this.findPacked(place.index);
  }
  #makeReady(): void {
    for (const cursor of this.cursors) cursor.prepare();
    this.place.ready = true;
  }
  /** Finds the slots of the required packed components of the entity of the place, which has this index. */
  findPacked(index: number): void {
    const { u32 } = heap;
    const packed = this.#packed;
    for (let k = 0; k < packed.length; ++k) packed[k].findAt(u32, index);
  }

  /** It will not be used again, or rarely: its tables do not refer to it any more. */
  release(): void {
    for (const cursor of [...this.cursors, ...this.#parentCursors]) cursor.table.release(cursor);
  }
}

/** Finds the object of the component at which a row is. */
function objectGetter(place: Place, table: ComponentTable) {
  const find = noInline(() => (table.slot(place.entity) < 0 ? undefined : table.find(place.entity)));
  return {
    get value() {
      const { index } = place;
      return index >= 0 ? table.objects[index] : find();
    },
  };
}
const viewGetter = (view: object) => ({
  get value() {
    return view;
  },
});
const optionalGetter = (cursor: Cursor) => ({
  get value() {
    return cursor.find() ? cursor.view : undefined;
  },
});

/** Finds the component that the parent of an entity has. The cursor is moved when it is read. */
function ofParent(cursor: Cursor, of: Place): { readonly value: unknown } {
  const { table } = cursor;
  const { hierarchy } = table.world as World;
  if (table.info.kind === "object")
    return {
      get value() {
        const parent = hierarchy.parent(of.entity);
        return table.slot(parent) < 0 ? undefined : table.find(parent);
      },
    };
  return {
    get value() {
      return cursor.moveToEntity(hierarchy.parent(of.entity)) ? cursor.view : undefined;
    },
  };
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
    row.place.leave();
    this.#idle.push(row);
  }
}
/** Up to this number of rows of a query that are in use are not given back when their iterators are abandoned. */
const UNWATCHED_ROWS = 8;
const abandoned = new FinalizationRegistry<{ pool: RowPool; row: RowState }>(({ pool, row }) => pool.give(row));
