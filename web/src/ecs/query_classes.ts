// What a query selects.
import type { ComponentClass } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { entitiesOf, SlotIteration, type AspectSet } from "../core/iteration.js";
import { contains, type SetMemory } from "../core/sparse_set.js";
import type { Schema, TypeOf, VectorType } from "../component/schema.js";
import type { SchemaOf } from "../component/stored_class.js";
import { SortedIteration, orderOf, type Order } from "../core/sorted_iteration.js";
import { NONE, type Entity } from "../module/entity.js";
import { badArgument, requireNone, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { EntityFlag, Handle, PoolControl, SetControl } from "../module/layout.js";
import type { World } from "../world/world.js";
import { ListSource, type Source } from "./row_sources.js";

/** Names for component classes: `{ position: Position, velocity: Velocity }`. */
export type Shape = Readonly<Record<string, ComponentClass>>;

/** The fields by which entities can be sorted. */
type SortField<C> = C extends abstract new (...args: never[]) => infer I ? SingleField<SchemaOf<I>> : never;
/** The names of the fields with one value. */
export type SingleField<S extends Schema> = {
  [K in keyof S & string]: TypeOf<S[K]> extends VectorType ? never : K;
}[keyof S & string];
/** A field of one of the classes, by which entities are sorted (rule Q10): `[Sprite, "depth"]`, `[Sprite, "depth", "descending"]`. */
export type OrderBy<S extends Shape> = {
  [K in keyof S]: readonly [cls: S[K], field: SortField<S[K]>, direction?: "ascending" | "descending"];
}[keyof S];
/** Such a field of any class. @internal */
export type AnyOrder = readonly [cls: ComponentClass, field: string, direction?: "ascending" | "descending"];

/** What a query selects besides the required classes, and in which order. */
export interface Filters<O extends Shape = {}, P extends Shape = {}, B = never> {
  /**
   * The field by which rows are sorted; entities with equal values are in the order of their indices (rule Q10). Bringing the order
   * up to date costs what changed since the last iteration.
   */
  readonly orderBy?: B;
  /** Entities with a component of any of these are omitted. */
  readonly without?: readonly ComponentClass[];
  /** Entities need a component of at least one of these. */
  readonly any?: readonly ComponentClass[];
  /** Components that an entity may have; in a row they can be undefined. */
  readonly optional?: O;
  /** Components of the entity's parent; in a row they are undefined if there is no parent, or the parent lacks them (rule H5). */
  readonly parent?: P;
}

/** Filters of any classes. @internal */
export type AnyFilters = Filters<Shape, Shape, AnyOrder>;

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
  /** The order of the rows. */
  order?: Order | undefined;
  /** In the rows of a system: the entities that it tracks, which are those that it selects. */
  tracked?: SetMemory;
  /** In the rows of a system with an aspect class: its aspects. */
  aspects?: AspectSet<unknown>;
  /** What the words of an entity's signature must contain. */
  signature: readonly number[];
  /** Changes whenever a component of a required class is added or removed. */
  versions(): number;
}

/** Whether an entity is alive and has a component of each required class. O(words of a signature). @internal */
export function hasRequired({ world, signature }: QueryClasses, e: Entity): boolean {
  if (typeof e !== "number" || world.disposed) return false;
  const { u32 } = heap;
  const { pool } = world;
  const index = e & Handle.indexMask;
  if (index >= u32[pool + PoolControl.slots] || u32[(u32[pool + PoolControl.handles] >> 2) + index] !== e) return false;
  const first = (u32[pool + PoolControl.signatures] >> 2) + index * u32[pool + PoolControl.words];
  for (let k = 0; k < signature.length; ++k) if ((u32[first + k] & signature[k]) !== signature[k]) return false;
  return true;
}
/** Whether a query selects the entity. @internal */
export function selects(classes: QueryClasses, e: Entity): boolean {
  return hasRequired(classes, e) && passes(classes, e);
}
/** The same for an entity that has a component of each required class. @internal */
export function passes({ world, required, without, any, tracked }: QueryClasses, e: Entity): boolean {
  if (tracked !== undefined) return contains(tracked, e);
  if (required === 0 && (!world.alive(e) || (e === 0 && any.length === 0))) return false; // without the world (rule E10)
  for (const table of without) if (table.slot(e) >= 0) return false;
  return any.length === 0 || any.some((table) => table.slot(e) >= 0);
}

/** Changes whenever a component is added or removed on which it depends whether a query selects an entity. @internal */
export function versionsOf({ versions, without, any }: QueryClasses): number {
  let sum = versions();
  for (const table of without) sum = (sum + table.version) | 0;
  for (const table of any) sum = (sum + table.version) | 0;
  return sum;
}

/** The entities that a query iterates over: those that a system tracks, those of the rarest required class, or all. @internal */
export function sourceOf(classes: QueryClasses): Source {
  if (classes.order !== undefined) return new SortedIteration(classes.order);
  const from = rarestOf(classes);
  if (from === undefined) return new ListSource(classes.world.entities());
  return "words" in from ? entitiesOf(from) : new SlotIteration(from, classes.required === 1 ? from : classes);
}
/** What contains these entities; undefined if they are all. */
function rarestOf({ tables, required, tracked }: QueryClasses): SetMemory | ComponentTable | undefined {
  if (tracked !== undefined || required === 0) return tracked;
  let rarest = tables[0];
  for (let k = 1; k < required; ++k) if (tables[k].count < rarest.count) rarest = tables[k];
  return rarest.info.linear ? rarest : rarest.set;
}
/** The first entity of its iterations, or NONE. @internal */
export function firstIn(classes: QueryClasses): Entity {
  const from = classes.order === undefined ? rarestOf(classes) : undefined;
  if (from !== undefined && "words" in from) {
    const { u32 } = heap;
    const list = u32[from.words + SetControl.dense] >> 2;
    const end = list + u32[from.words + SetControl.size];
    for (let i = list; i < end; ++i) if (selects(classes, u32[i])) return u32[i];
    return NONE;
  }
  const source = sourceOf(classes);
  let e = source.$step();
  while (e >= 0 && !selects(classes, e)) e = source.$step();
  source.$finish();
  return e < 0 ? NONE : e;
}

/** What a query selects in a world. Throws `BAD_ARGUMENT` for invalid arguments. @internal */
export function queryClasses(world: World, shape: Shape, filters: AnyFilters = {}): QueryClasses {
  const {
    without = [],
    any = [],
    optional = {},
    parent = {},
    orderBy,
    ...others
  } = requireObject("the filters", filters);
  requireNone("query", others);
  requireObject("the shape", shape);
  requireObject("optional", optional);
  requireObject("parent", parent);
  if (!Array.isArray(without)) throw badArgument(`query: without must be a list of classes, not ${show(without)}`);
  if (!Array.isArray(any)) throw badArgument(`query: any must be a list of classes, not ${show(any)}`);
  const required = Object.entries(shape);
  const all = [...required, ...Object.entries(optional)];
  const ofParent = Object.entries(parent);
  const names = [...all, ...ofParent].map(([name]) => name);
  const twice = names.find((name, i) => name === "entity" || name === "aspect" || names.indexOf(name) !== i);
  if (twice !== undefined) throw badArgument(`query: a row has a property ${twice} already; choose another name`);
  const tables = all.map(([, cls]) => world.table(cls));
  const excluded = Array.from(without, (cls) => world.table(cls)); // `map` passes over holes
  const accepted = Array.from(any, (cls) => world.table(cls));
  const both = excluded.find((table) => [...tables.slice(0, required.length), ...accepted].includes(table));
  if (both !== undefined) throw badArgument(`query: ${both.info.name} is in without, and also in the shape or in any`);
  return {
    world,
    order: orderBy === undefined ? orderBy : readOrder(world, Object.values(shape), orderBy),
    names,
    tables,
    required: required.length,
    parents: ofParent.map(([, cls]) => world.table(cls)),
    without: excluded,
    any: accepted,
    filters: required.length === 0 || without.length > 0 || any.length > 0,
    signature: signatureOf(tables.slice(0, required.length)),
    versions() {
      let sum = 0;
      for (let k = 0; k < required.length; ++k) sum = (sum + tables[k].version) | 0;
      return sum;
    },
  };
}

/** The words of a signature with the bits of these classes. */
function signatureOf(tables: readonly ComponentTable[]): number[] {
  const words: number[] = [];
  for (const { info } of tables) {
    const bit = info.id + EntityFlag.bits;
    const word = bit >>> 5;
    while (words.length <= word) words.push(0);
    words[word] |= 1 << (bit & 31);
  }
  return words;
}

/** The number of a field with one value. Throws `BAD_ARGUMENT` if the class has no such field. @internal */
export function singleField(call: string, { info: { fields, name } }: ComponentTable, field: unknown): number {
  const k = fields.findIndex((each) => each.name === field && each.length === 1);
  if (k >= 0) return k;
  const known = fields.flatMap((each) => (each.length === 1 ? [each.name] : [])).join(", ");
  const advice = known ? `it has ${known}` : "put it into a class of defineComponent";
  throw badArgument(`${call}: ${name} has no stored value ${show(field)}; ${advice}`);
}

function readOrder(world: World, required: readonly ComponentClass[], orderBy: AnyOrder): Order {
  const [cls, name, direction = "ascending"] = Array.isArray(orderBy) ? (orderBy as unknown[]) : [];
  if (!required.includes(cls as ComponentClass))
    throw badArgument(`query: orderBy must be [Class, "field"] with a class of the shape, not ${show(orderBy)}`);
  const table = world.table(cls as ComponentClass);
  const k = singleField("query: orderBy", table, name);
  if (direction !== "ascending" && direction !== "descending")
    throw badArgument(`query: orderBy: the direction must be "ascending" or "descending", not ${show(direction)}`);
  return orderOf(table, k, direction === "descending");
}

/** Whether the value is an object and no list. @internal */
export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function requireObject<T>(what: string, value: T): T {
  if (isObject(value)) return value;
  throw badArgument(`query: ${what} must be an object, not ${show(value)}`);
}
