import type { ComponentClass } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { isList } from "../core/core_world.js";
import { entitiesOf } from "../core/iteration.js";
import { LiveSet } from "../core/live_sets.js";
import type { Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import type { World } from "../world/world.js";
import {
  IndexSource,
  IterableSource,
  ListSource,
  RowPool,
  RowState,
  Rows,
  selects,
  type QueryClasses,
  type Source,
} from "./rows.js";

/** Names for component classes: `{ position: Position, velocity: Velocity }`. */
export type Shape = Readonly<Record<string, ComponentClass>>;

type Instance<C> = C extends abstract new (...args: never[]) => infer I ? I : never;

/**
 * One entity that a query selects, and its components. A row and its components are used again: they are valid until the
 * iteration advances (rule Q3).
 */
export type Row<S extends Shape, O extends Shape = {}> = { readonly entity: Entity } & {
  readonly [K in keyof S]: Instance<S[K]>;
} & { readonly [K in keyof O]: Instance<O[K]> | undefined };

/** What a query selects besides the required classes. */
export interface Filters<O extends Shape = {}> {
  /** Entities with a component of any of these are omitted. */
  readonly without?: readonly ComponentClass[];
  /** Entities need a component of at least one of these. */
  readonly any?: readonly ComponentClass[];
  /** Components that an entity may have; in a row they can be undefined. */
  readonly optional?: O;
}

/**
 * The entities that have certain components, as rows (rules Q1 to Q8):
 *
 *     for (const { entity, position, velocity } of ecs.query({ position: Position, velocity: Velocity }))
 *       position.x += velocity.x * delta;
 *
 * It is always up to date and needs no disposal. During an iteration every change is allowed; an entity that is selected
 * throughout is visited exactly once. An iteration visits the entities of the rarest required class, in the order of its
 * storage.
 */
export class Query<S extends Shape = Shape, O extends Shape = {}> implements Iterable<Row<S, O>> {
  readonly #classes: QueryClasses;
  readonly #pool: RowPool;
  #at: RowState | undefined;

  /** @internal */
  constructor(classes: QueryClasses) {
    this.#classes = classes;
    this.#pool = new RowPool(classes);
  }

  [Symbol.iterator](): IterableIterator<Row<S, O>> {
    return new Rows(this.#source(), this.#pool, this.#classes.stretches);
  }
  #source(): Source {
    const { world, tables, required } = this.#classes;
    world.live();
    if (required === 0) return new IndexSource(world, world);
    let rarest = tables[0];
    for (let k = 1; k < required; ++k) if (tables[k].count < rarest.count) rarest = tables[k];
    return rarest.info.linear ? new IndexSource(world, rarest) : entitiesOf(rarest.set);
  }
  /**
   * Rows for these entities only, in their order. Entities that the query does not select are skipped. Iterating
   * `query.of(dirty)` counts as iterating `dirty` (rule D7).
   */
  of(entities: Iterable<Entity> | ArrayLike<Entity> | ReadonlyMap<Entity, unknown>): Iterable<Row<S, O>> {
    const pool = this.#pool;
    const { world } = this.#classes;
    world.live();
    const source = (): Source => {
      if (entities instanceof LiveSet) return entitiesOf(entities.$set);
      if (isList(entities)) return new ListSource(world, entities as ArrayLike<Entity>);
      if (entities instanceof Map) return new IterableSource(world, entities.keys() as Iterable<Entity>);
      return new IterableSource(world, entities as Iterable<Entity>);
    };
    if (!isList(entities) && typeof (entities as Iterable<Entity>)?.[Symbol.iterator] !== "function")
      throw badArgument(`of: pass a list of entities, not ${show(entities)}`);
    return { [Symbol.iterator]: () => new Rows<Row<S, O>>(source(), pool, false) };
  }
  /**
   * The row of one entity, or undefined if the query does not select it. It is valid until the next call of `at` or
   * `first` on this query (rule Q6).
   */
  at(e: Entity): Row<S, O> | undefined {
    this.#classes.world.live();
    const row = (this.#at ??= new RowState(this.#classes).start());
    return row.moveTo(e) ? (row.row as Row<S, O>) : undefined;
  }
  /** The row of the first entity, or undefined if there is none; valid as that of `at`. */
  first(): Row<S, O> | undefined {
    for (const { entity } of this) return this.at(entity);
    return undefined;
  }
  /** Whether the query selects the entity. O(classes). */
  has(e: Entity): boolean {
    this.#classes.world.live();
    return selects(this.#classes, e);
  }
  /** How many entities the query selects. O(1) for one required class without filters, otherwise O(entities). */
  get count(): number {
    const { tables, required, filters } = this.#classes;
    this.#classes.world.live();
    return required === 1 && !filters ? tables[0].count : this.#list().length;
  }
  /** A copy of the list of entities. O(entities). */
  ids(): Uint32Array {
    return Uint32Array.from(this.#list());
  }
  #list(): Entity[] {
    const list: Entity[] = [];
    for (const { entity } of this) list.push(entity);
    return list;
  }
}

/** The queries of one world, by what they select: a query that is created again is the same object. @internal */
export class Queries {
  readonly #world: World;
  readonly #known = new Map<string, Query>();
  constructor(world: World) {
    this.#world = world;
  }
  get(shape: Shape, filters: Filters<Shape> = {}): Query {
    const world = this.#world;
    const { without = [], any = [], optional = {} } = requireObject("the filters", filters);
    requireObject("the shape", shape);
    requireObject("optional", optional);
    if (!Array.isArray(without)) throw badArgument(`query: without must be a list of classes, not ${show(without)}`);
    if (!Array.isArray(any)) throw badArgument(`query: any must be a list of classes, not ${show(any)}`);
    const required = Object.entries(shape);
    const all = [...required, ...Object.entries(optional)];
    const names = all.map(([name]) => name);
    const twice = names.find((name, i) => name === "entity" || names.indexOf(name) !== i);
    if (twice !== undefined) throw badArgument(`query: the name ${twice} is used already`);
    const tables = all.map(([, cls]) => world.table(cls));
    const without_ = without.map((cls) => world.table(cls));
    const any_ = any.map((cls) => world.table(cls));
    const ids = (list: readonly ComponentTable[]) => list.map(({ info }) => info.id).join();
    const key = JSON.stringify([names, required.length, ids(tables), ids(without_), ids(any_)]);
    let query = this.#known.get(key);
    if (query === undefined) {
      const selective = required.length === 0 || without_.length > 0 || any_.length > 0;
      const stretches = !selective && all.length === required.length && tables.every(({ info }) => !info.linear);
      const classes = { world, names, tables, required: required.length, without: without_, any: any_ };
      query = new Query({ ...classes, filters: selective, stretches });
      this.#known.set(key, query);
    }
    return query;
  }
}

function requireObject<T>(what: string, value: T): T {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw badArgument(`query: ${what} must be an object, not ${show(value)}`);
}
