// Adding components to many entities in one crossing (rule E7).
import { isList } from "../core/core_world.js";
import type { Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import { keep } from "../module/heap.js";
import { core } from "../module/instance.js";
import { SlotFlag } from "../module/layout.js";
import type { Component } from "./component.js";
import type { ComponentTable } from "./component_table.js";
import { checked, type FieldInfo, type FieldValue, type Schema } from "./fields.js";
import type { IsStored, SchemaOf } from "./stored_component.js";

/**
 * Values for many components. For a stored or native class: for each field one value for all entities, or a list with one
 * value per entity; omitted fields get their defaults. For an object class: a list of the components, or a function that
 * creates the i-th.
 */
export type BulkValues<C extends Component> =
  IsStored<C> extends true ? BulkColumns<SchemaOf<C>> : ArrayLike<C> | ((i: number) => C);

/** For each field one value for all entities, or a list with one value per entity. */
export type BulkColumns<S extends Schema> = {
  readonly [K in keyof S]?: FieldValue<S[K]> | ArrayLike<FieldValue<S[K]>>;
};

/** Gives each entity of the list a component. @internal */
export function addMany(table: ComponentTable, entities: ArrayLike<Entity>, values: unknown): void {
  if (table.info.kind === "object") addObjects(table, entities, values);
  else addColumns(table, entities, (values ?? {}) as Record<string, unknown>);
}

function addColumns(
  { world, info }: ComponentTable,
  entities: ArrayLike<Entity>,
  values: Record<string, unknown>,
): void {
  const { id, name, fields } = info;
  const n = entities.length;
  if (typeof values !== "object")
    throw badArgument(`addComponents: the values of ${name} must be an object with its fields, not ${show(values)}`);
  const unknown = Object.keys(values).find((key) => !fields.some((field) => field.name === key));
  if (unknown !== undefined) throw badArgument(`addComponents: ${name} has no field ${unknown}`);
  const given = fields.map((field) =>
    isList(values[field.name]) ? keep(values[field.name] as ArrayLike<unknown>) : values[field.name],
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
  world.checkList("addComponents", entities, core._crateful_add_components(world.self, list, n, id, columns, 0));
}

function writeColumn(field: FieldInfo, address: number, n: number, value: unknown): void {
  const memory = field.kind.memory();
  const from = address >> field.kind.shift;
  if (!isList(value)) {
    memory.fill(Number(value === undefined ? field.kind.initial : checked(field, value)), from, from + n);
    return;
  }
  if (value.length !== n)
    throw badArgument(`addComponents: field ${field.name} has ${value.length} values for ${n} entities`);
  if (value instanceof field.kind.array && field.kind.name !== "bool") memory.set(value, from);
  else for (let i = 0; i < n; ++i) memory[from + i] = Number(checked(field, value[i]));
}

function addObjects(table: ComponentTable, entities: ArrayLike<Entity>, values: unknown): void {
  const { world, info } = table;
  const { id, name, cls } = info;
  const n = entities.length;
  if (typeof values !== "function" && !(isList(values) && values.length === n)) {
    throw badArgument(
      `addComponents: the values of ${name} must be a list of ${n} components, or a function that creates the i-th`,
    );
  }
  const components = Array.from(
    { length: n },
    (_, i) => (typeof values === "function" ? values(i) : values[i]) as Component,
  );
  for (const component of components) {
    if (component?.constructor !== cls) throw badArgument(`addComponents: each value must be a ${name}`);
    if (component.$table !== undefined)
      throw badArgument(`addComponents: this ${name} belongs to entity ${component.$entity} already`);
  }
  if (new Set(components).size !== n)
    throw badArgument(`addComponents: a ${name} is in the list twice; each entity needs a component of its own`);
  // If an entity is in the list twice, it gets its last component, as if they were added one by one.
  const last = new Map(components.map((component, i) => [entities[i], component]));
  const list = world.listAddress("addComponents", [...last.keys()]);
  const replaced = [...last].map(([e, component]) => ({ e, component, old: table.replace(e, component) }));
  const result = core._crateful_add_components(world.self, list, last.size, id, 0, SlotFlag.hasObject);
  if (result < 0) for (const { e, component, old } of replaced.reverse()) table.undoReplace(e, component, old, null);
  world.check(result);
}
