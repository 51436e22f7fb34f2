// Entities that are created together with their components (rules E8, E9).
import {
  columnBytes,
  columnValues,
  descriptionBytes,
  objectList,
  writeColumns,
  type BulkValues,
} from "../component/bulk_values.js";
import { Component, type ClassInfo, type ComponentClass } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import type { Plain } from "../component/field_kinds.js";
import type { Defined, ObjectValues } from "../component/object_class.js";
import { PARENT_ID, isParent } from "../component/parent.js";
import type { IsStored, SchemaOf, StoredValues } from "../component/stored_class.js";
import { requireCount, stale, type Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import { heap, requireTurn } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Packed } from "../module/layout.js";
import { CorePrefab, type NewObjects } from "../world/core_prefab.js";
import { classOf } from "../world/prefab_tree.js";
import type { World } from "../world/world.js";

/**
 * What an entity is created with: a component, a class (with default values), or a class with values. Of a class of object
 * components a new instance is created: with `new`, by the given function or, of `defineObject`, with the given values.
 */
export type Part = Component | ComponentClass | readonly [ComponentClass, object];
export type PartValues<C> = IsStored<C> extends true ? StoredValues<C> : ObjectValues<C> | (() => C);
/** The kind of values that was given, so that a message names the field. */
type CheckedValues<C, V> =
  IsStored<C> extends true
    ? StoredValues<C> & NoOthers<V, keyof SchemaOf<C>>
    : C extends Defined
      ? V extends () => unknown
        ? () => C
        : ObjectValues<C> & NoOthers<V, keyof ObjectValues<C>>
      : () => C;
/**
 * Makes values that do not belong to their class, and a class whose constructor needs arguments, compile-time errors. Of parts in a
 * `Part[]` nothing is known, so that they are checked when they are added.
 */
export type CheckedPart<P> = readonly [ComponentClass, object] extends P
  ? P
  : P extends readonly [ComponentClass<infer C>, infer V]
    ? readonly [ComponentClass<C>, CheckedValues<C, V>]
    : P extends ComponentClass<infer C>
      ? ComponentClass extends P
        ? P
        : BareClass<C> | readonly [P, () => C]
      : P;
type NoOthers<V, K> = { readonly [N in Exclude<keyof V, K>]: `${N & string} is no field` };
/** A class without values: of object components only if its constructor needs no arguments. */
export type BareClass<C extends Component> = IsStored<C> extends true ? ComponentClass<C> : abstract new () => C;

/** The components of a prefab, as a list or by name. */
export type Parts = readonly Component[] | Readonly<Record<string, Component>>;
type FieldValues = Readonly<Record<string, unknown>> | undefined;

// --- addEntity and add ----------------------------------------------------------------------------

type Objects = (Component | undefined)[] | undefined;

/** Creates an entity with components (rule E8). @internal */
export function addWith(world: World, parts: readonly unknown[]): Entity {
  const prefab = prefabOf("addEntity", world, parts);
  return prefab.spawn("addEntity", prepare("addEntity", prefab, parts));
}

/** Adds components to a living entity (rule E14). @internal */
export function addTo(world: World, e: Entity, parts: readonly unknown[]): void {
  if (parts.length === 0) return;
  // A component of the entity itself only signals, as for addComponent.
  const isOwn = (part: unknown): boolean =>
    part instanceof Component &&
    part.$table !== undefined &&
    part.$entity === e &&
    part.$table === world.table(part.constructor as ComponentClass);
  const own = parts.filter(isOwn) as Component[];
  const prefab = prefabOf("add", world, parts); // which also finds a class that is there twice
  if (own.length === 0) {
    const objects = prepare("add", prefab, parts);
    world.live(); // reading the values calls functions of the program, which can also remove the entity
    if (!world.alive(e)) throw stale("add", e);
    prefab.add("add", e, objects);
  } else {
    addTo(
      world,
      e,
      parts.filter((part) => !isOwn(part)),
    );
    for (const component of own) component.dirty();
  }
}

/** The prefab of such a list of parts. @internal */
export function prefabOf(call: string, world: World, parts: readonly unknown[]): CorePrefab {
  world.live();
  return world.prefabs.find(parts) ?? world.prefabs.add(parts, makePrefab(call, world, parts));
}

/** Writes the values of the parts to the row of the prefab; returns the objects, by class. @internal */
export function prepare(call: string, prefab: CorePrefab, parts: readonly unknown[]): Objects {
  const { world, tables, hasObject } = prefab;
  let objects: Objects;
  for (let k = 0; k < parts.length; ++k) {
    if (!hasObject[k]) continue;
    const part = parts[k];
    const object = part instanceof Component ? part : makeObject(call, tables[k], (part as unknown[])[1]);
    (objects ??= new Array<undefined>(parts.length))[k] = object;
  }
  world.live(); // making objects calls functions of the program
  let { turn } = heap;
  for (let k = 0; k < parts.length; ++k) {
    if (hasObject[k]) continue;
    const values = Array.isArray(parts[k]) ? (parts[k] as [unknown, FieldValues])[1] : undefined;
    requireTurn(call, turn);
    tables[k].writeValues(call, values, prefab.rowOf(k));
    ({ turn } = heap);
  }
  return objects;
}

function makePrefab(call: string, world: World, parts: readonly unknown[]): CorePrefab {
  const tables = Array.from(parts, (part) => tableOf(call, world, classOf(part), part)); // also of holes
  requireDifferent(call, tables);
  return new CorePrefab(
    world,
    tables,
    tables.map(({ info }, k) => parts[k] instanceof Component || info.kind === "object"),
  );
}

function tableOf(call: string, world: World, cls: unknown, part: unknown): ComponentTable {
  if (typeof cls !== "function")
    throw badArgument(`${call}: pass component classes, or pairs of a class and its values, not ${show(part)}`);
  const table = world.table(cls as ComponentClass);
  if (table.info.id === PARENT_ID) throw isParent(call);
  return table;
}

function requireDifferent(call: string, tables: readonly ComponentTable[]): void {
  tables.forEach((table, k) => {
    if (tables.indexOf(table) < k)
      throw badArgument(`${call}: there are two components of class ${table.info.name}; an entity can have one`);
  });
}

type ObjectMaker = new (values?: unknown) => unknown;
/** Whether the constructor of an object class takes values: it is one of `defineObject`. @internal */
export const takesValues = ({ cls }: ClassInfo): boolean => "$fields" in cls;

/** A new component of an object class: what the given function returns, or one with the given values. @internal */
export function makeObject(call: string, { info }: ComponentTable, make: unknown): Component {
  if (typeof make === "function" && make.prototype instanceof Component) throw wrongMaker(call, info, make);
  const made: unknown =
    make === undefined || (takesValues(info) && typeof make === "object" && !(make instanceof Component))
      ? new (info.cls as ObjectMaker)(make)
      : typeof make === "function"
        ? make()
        : make;
  if (!(made instanceof Component) || made.constructor !== info.cls) throw wrongMaker(call, info, make);
  return made;
}
const wrongMaker = (call: string, { name }: ClassInfo, make: unknown) =>
  badArgument(`${call}: ${name} takes a function that creates a component of it, not ${show(make)}`);

// --- prefabs --------------------------------------------------------------------------------------

/** Components from which many entities can be created; `ecs.prefab` makes it. It lasts as long as its ECS. */
export class Prefab<P extends Parts = Parts> {
  readonly #core: CorePrefab;
  readonly #keys: readonly string[];
  /** The values of all fields, packed, and by class. */
  readonly #packed: Float64Array;
  readonly #values: readonly (readonly Plain[])[];
  /** Of object classes: what was given to create a component. */
  readonly #make: readonly unknown[];
  readonly #hasObjects: boolean;

  /** @internal */
  constructor(world: World, parts: unknown) {
    if (typeof parts !== "object" || parts === null)
      throw badArgument(`prefab: pass a list or an object with component classes, not ${show(parts)}`);
    const entries: [string, unknown][] = Object.entries(Array.isArray(parts) ? Array.from(parts) : parts); // with holes
    if (entries.length === 0) throw badArgument("prefab: pass at least one component class");
    this.#keys = entries.map(([key]) => key);
    const given = entries.map(([, part]) => (Array.isArray(part) ? (part as unknown[]) : [part]));
    const tables = given.map(([cls], k) => tableOf("prefab", world, cls, entries[k][1]));
    requireDifferent("prefab", tables);
    const hasObject = tables.map(({ info }) => info.kind === "object");
    this.#hasObjects = hasObject.includes(true);
    this.#make = given.map(([, make], k) => {
      if (!hasObject[k] || make === undefined || typeof make === "function") return make;
      const { info } = tables[k];
      if (!takesValues(info)) throw wrongMaker("prefab", info, make);
      const values = new (info.cls as ObjectMaker)(make);
      return () => new (info.cls as ObjectMaker)(values); // copies them
    });
    const prefab = (this.#core = new CorePrefab(world, tables, hasObject));
    this.#values = tables.map((table, k) => {
      if (hasObject[k]) return [];
      table.writeValues("prefab", given[k][1] as FieldValues, prefab.rowOf(k));
      return table.fields.map(({ kind }, f) => kind.read((prefab.rowOf(k) + Packed.fieldBytes * f) >> kind.shift));
    });
    const fields = tables.reduce((sum, { info }) => sum + info.fields.length, 0);
    this.#packed = heap.f64.slice(prefab.row >> 3, (prefab.row >> 3) + fields);
  }

  // The form with an object is the first: TypeScript's message for a mistake begins with it.
  /**
   * Creates an entity. `overrides` contains values in place of those of the prefab and, for object classes, components.
   * Throws `BAD_ARGUMENT` and `OUT_OF_MEMORY`; then nothing was created. O(components + systems that track it).
   */
  spawn(
    overrides?: {
      readonly [K in keyof P]?: IsStored<P[K]> extends true
        ? StoredValues<P[K]> | undefined
        : ObjectValues<P[K]> | P[K] | undefined;
    },
  ): Entity;
  /** Creates `n` entities in one step. For each field one value for all, or a list with one value per entity. */
  spawn(
    n: number,
    columns?: { readonly [K in keyof P]?: P[K] extends Component ? BulkValues<P[K]> | undefined : never },
  ): Uint32Array;
  spawn(first?: number | object, columns?: object): Entity | Uint32Array {
    const prefab = this.#core;
    prefab.world.live();
    if (typeof first === "number") return this.#spawnMany(first, this.#given(columns));
    const given = this.#given(first);
    const objects = this.#hasObjects ? this.#newObjects(given) : undefined;
    const { tables } = prefab;
    prefab.world.live(); // making objects calls functions of the program
    let { turn } = heap;
    for (let k = 0; k < tables.length; ++k) {
      if (prefab.hasObject[k]) continue;
      const values = given === undefined ? undefined : (given[this.#keys[k]] as FieldValues);
      requireTurn("spawn", turn);
      tables[k].writeValues("spawn", values, prefab.rowOf(k), this.#values[k], this.#packed, prefab.first[k]);
      ({ turn } = heap);
    }
    return prefab.spawn("spawn", objects);
  }
  #newObjects(given: FieldValues): (Component | undefined)[] {
    const { tables, hasObject } = this.#core;
    return tables.map((table, k) => {
      if (!hasObject[k]) return undefined;
      const values = given?.[this.#keys[k]];
      const object = makeObject("spawn", table, values ?? this.#make[k]);
      if (!values || typeof values !== "object" || object === values || this.#make[k] === undefined) return object;
      const changed = Object.entries(values).filter(([, value]) => value !== undefined);
      return Object.assign(makeObject("spawn", table, this.#make[k]), Object.fromEntries(changed));
    });
  }
  #spawnMany(n: number, given: FieldValues): Uint32Array {
    const prefab = this.#core;
    const { world, tables, hasObject } = prefab;
    requireCount("spawn", n);
    const of = (k: number): unknown => given?.[this.#keys[k]];
    const objects = tables.flatMap((table, k): NewObjects[] => {
      if (!hasObject[k]) return [];
      const values = of(k) ?? (() => makeObject("spawn", table, this.#make[k]));
      return [[table, objectList("spawn", table.info, values, n)]];
    });
    const lists = tables.map(({ info }, k) =>
      hasObject[k] ? [] : columnValues("spawn", info, (of(k) ?? {}) as Record<string, unknown>, n),
    );
    const listBytes = (4 * n + 7) & ~7;
    const bytes = tables.reduce((sum, { fields }, k) => sum + columnBytes(fields, lists[k], n), listBytes);
    world.live(); // reading the values calls functions of the program
    const list = world.scratch("spawn", bytes);
    const columns = list + listBytes;
    let description = columns;
    let at = columns + tables.reduce((sum, { fields }) => sum + descriptionBytes(fields), 0);
    tables.forEach(({ fields }, k) => {
      at = writeColumns("spawn", fields, lists[k], this.#values[k], description, at, n);
      description += descriptionBytes(fields);
    });
    world.check(core._crateful_add_entities(world.self, list, n));
    const entities = heap.u32.slice(list >> 2, (list >> 2) + n);
    prefab.compose(entities, list, columns, objects);
    return entities;
  }
  #given(overrides: unknown): FieldValues {
    if (overrides === undefined) return undefined;
    if (typeof overrides !== "object" || overrides === null)
      throw badArgument(`spawn: the values must be an object or a list, not ${show(overrides)}`);
    for (const key in overrides)
      if (!this.#keys.includes(key)) throw badArgument(`spawn: the prefab has no component ${key}`);
    return overrides as FieldValues;
  }
}
