// Adding components to many entities in one crossing (rule E7).
import type { Component, ComponentClass } from "./component.js";
import type { Entity } from "./entity.js";
import { badArgument } from "./errors.js";
import { checked, type FieldInfo, type FieldValue, type Schema } from "./fields.js";
import * as heap from "./heap.js";
import { OBJECT, type ClassStore } from "./store.js";
import type { IsStored, SchemaOf } from "./stored.js";
import type { World } from "./world.js";

/**
 * Values for many components. Of a stored or native class: for each field one value for all, or a list
 * with one for each entity; fields left out get their defaults. Of an object class: the components
 * themselves, or what makes the i-th.
 */
export type BulkValues<C extends Component> =
  IsStored<C> extends true ? BulkColumns<SchemaOf<C>> : ArrayLike<C> | ((i: number) => C);

/** For each field one value for all, or a list of them. */
export type BulkColumns<S extends Schema> = {
  readonly [K in keyof S]?: FieldValue<S[K]> | ArrayLike<FieldValue<S[K]>>;
};

const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as ArrayLike<unknown>).length === "number";

/** Refuses what is no list of entities. @internal */
export function requireList(call: string, list: ArrayLike<Entity>): void {
  if (!isList(list)) throw badArgument(`${call} takes a list of entities`);
}

/** @internal */
export function addMany(world: World, entities: ArrayLike<Entity>, cls: ComponentClass, values: unknown): void {
  requireList("addComponents", entities);
  const store = world.store(cls);
  if (store.info.kind === "object") addObjects(world, entities, store, values);
  else addColumns(world, entities, store, (values ?? {}) as Record<string, unknown>);
}

function addColumns(
  world: World,
  entities: ArrayLike<Entity>,
  store: ClassStore,
  values: Record<string, unknown>,
): void {
  const { id, name, fields } = store.info;
  const n = entities.length;
  if (typeof values !== "object") throw badArgument(`addComponents: values of ${name} are given by field`);
  const unknown = Object.keys(values).find((key) => !fields.some((field) => field.name === key));
  if (unknown !== undefined) throw badArgument(`${name} has no field ${unknown}`);
  const given = fields.map((field) =>
    isList(values[field.name]) ? heap.keep(values[field.name] as ArrayLike<unknown>) : values[field.name],
  );
  const bytes = (field: FieldInfo): number => ((n << field.kind.shift) + 7) & ~7;
  const size = fields.reduce((sum, field) => sum + bytes(field), 0);
  const list = world.listAddress("addComponents", entities, size);
  const columns = world.scratch("addComponents", size); // in front of the list
  let at = columns;
  fields.forEach((field, k) => {
    writeColumn(field, at, n, given[k]);
    at += bytes(field);
  });
  world.checkList("addComponents", entities, world.raw.addComponents(list, n, id, columns, 0));
}

function writeColumn(field: FieldInfo, address: number, n: number, value: unknown): void {
  const memory = field.kind.memory();
  const from = address >> field.kind.shift;
  if (!isList(value)) {
    memory.fill(Number(value === undefined ? field.kind.initial : checked(field, value)), from, from + n);
    return;
  }
  if (value.length !== n)
    throw badArgument(`addComponents: ${field.name} has ${value.length} values for ${n} entities`);
  if (value instanceof field.kind.array && field.kind.name !== "bool") memory.set(value, from);
  else for (let i = 0; i < n; ++i) memory[from + i] = Number(checked(field, value[i]));
}

function addObjects(world: World, entities: ArrayLike<Entity>, store: ClassStore, values: unknown): void {
  const { id, name, cls } = store.info;
  const n = entities.length;
  if (typeof values !== "function" && !(isList(values) && values.length === n)) {
    throw badArgument(`addComponents: values of ${name} are a list of ${n}, or a function that makes the i-th`);
  }
  const components = Array.from(
    { length: n },
    (_, i) => (typeof values === "function" ? values(i) : values[i]) as Component,
  );
  for (const component of components) {
    if (component?.constructor !== cls) throw badArgument(`addComponents: that is no ${name}`);
    if (component.$store !== undefined)
      throw badArgument(`addComponents: this ${name} belongs to entity ${component.$entity}`);
  }
  if (new Set(components).size !== n) throw badArgument(`addComponents: a ${name} can't belong to two entities`);
  // Of an entity named twice the last component stays, as it would if they were added one by one.
  const last = new Map(components.map((component, i) => [entities[i], component]));
  const list = world.listAddress("addComponents", [...last.keys()]);
  const replaced = [...last].map(([e, component]) => ({ e, component, old: store.replace(e, component) }));
  const result = world.raw.addComponents(list, last.size, id, 0, OBJECT);
  if (result < 0) for (const { e, component, old } of replaced.reverse()) store.undoReplace(e, component, old, null);
  world.check(result);
}
