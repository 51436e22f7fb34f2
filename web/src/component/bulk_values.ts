// Adding components to many entities in one crossing (rule E7).
import { isList } from "../core/core_world.js";
import type { Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import { beginTurn, heap, keep, requireTurn } from "../module/heap.js";
import { core } from "../module/instance.js";
import { ColumnWords, SlotFlag } from "../module/layout.js";
import type { ClassInfo, Component } from "./component.js";
import type { ComponentTable } from "./component_table.js";
import { checked, requireEach, type FieldInfo } from "./fields.js";
import type { ColumnArray, FieldInput, Schema } from "./schema.js";
import { numberOf, type Plain } from "./field_kinds.js";
import { StoredComponent, requireUnused } from "./stored_component.js";
import type { IsStored, SchemaOf } from "./stored_class.js";

/**
 * Values for many components. For a stored or native class: for each field one value for all entities, or a list with one
 * value per entity; omitted fields get their defaults. For an object class: a list of the components, or a function that
 * creates the i-th.
 */
export type BulkValues<C extends Component> =
  IsStored<C> extends true ? BulkColumns<SchemaOf<C>> : ArrayLike<C> | ((i: number) => C);

/** For each field one value for all entities, or a list with one value per entity. */
export type BulkColumns<S extends Schema> = {
  readonly [K in keyof S]?: FieldInput<S[K]> | ArrayLike<FieldInput<S[K]>> | ColumnArray<S[K]>;
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
  const n = entities.length;
  const given = columnValues("addComponents", info, values);
  const size = columnBytes(info.fields, given, n);
  const list = world.listAddress("addComponents", entities, size);
  const columns = world.scratch("addComponents", size); // in front of the list
  writeColumns("addComponents", info.fields, given, info.initial, columns, columns + descriptionBytes(info.fields), n);
  world.checkList("addComponents", entities, core._crateful_add_components(world.self, list, n, info.id, columns, 0));
}

/** How many bytes the descriptions of the columns take, which are in front of the values. @internal */
export const descriptionBytes = (fields: readonly FieldInfo[]): number => 4 * ColumnWords.size * fields.length;

/** The value of a vector that all components get. It is no list. */
class OneVector {
  constructor(readonly elements: readonly unknown[]) {}
}
const bytesOf = ({ kind, length }: FieldInfo, value: unknown, n: number): number =>
  ((isList(value) ? n : 1) * (length << kind.shift) + 7) & ~7;

/** How many bytes the values for `n` components take, with their descriptions. @internal */
export function columnBytes(fields: readonly FieldInfo[], given: readonly unknown[], n: number): number {
  return fields.reduce((sum, field, k) => sum + bytesOf(field, given[k], n), descriptionBytes(fields));
}

/** What was given for each field. Lists that are views of the module's memory are copied. @internal */
export function columnValues(
  call: string,
  { name, fields, names }: ClassInfo,
  values: Record<string, unknown>,
): unknown[] {
  if (typeof values !== "object")
    throw badArgument(`${call}: the values of ${name} must be an object with its fields, not ${show(values)}`);
  const keys = values instanceof StoredComponent ? [] : Object.keys(values);
  const unknown = keys.find((key) => !names.has(key));
  if (unknown !== undefined) throw badArgument(`${call}: ${name} has no field ${unknown}`);
  return fields.map(({ name: key, length }) => {
    const value = length > 0 ? values[key] : undefined;
    if (!isList(value)) return value;
    const isOne = length > 1 && value.length === length && typeof value[0] === "number";
    return isOne ? new OneVector(Array.from(value)) : keep(value);
  });
}

/**
 * Writes the values of each field for `n` components to `address`, and a description of each column to `columns`. What was not
 * given is in `initial`. Returns the address behind the values. @internal
 */
export function writeColumns(
  call: string,
  fields: readonly FieldInfo[],
  given: readonly unknown[],
  initial: readonly Plain[],
  columns: number,
  address: number,
  n: number,
): number {
  let at = address;
  const turn = beginTurn();
  fields.forEach((field, k) => {
    const { kind, length } = field;
    const value = given[k];
    const step = isList(value) ? length << kind.shift : 0;
    const end = at + bytesOf(field, value, n);
    requireTurn(call, turn);
    for (let i = 0; i < length; ++i) {
      const column = (columns >> 2) + ColumnWords.size * (k + i);
      heap.u32[column + ColumnWords.values] = at + (i << kind.shift);
      heap.u32[column + ColumnWords.step] = step;
    }
    if (length > 1) writeVectors(call, fields, k, at, n, value ?? new OneVector(initial.slice(k, k + length)), turn);
    else if (length > 0) writeColumn(call, field, at, n, value === undefined ? initial[k] : value, turn);
    at = end;
  });
  return at;
}

function writeColumn(call: string, field: FieldInfo, address: number, n: number, value: unknown, turn: number): void {
  const { kind } = field;
  const { array, names } = kind;
  const memory = kind.memory();
  const from = address >> kind.shift;
  if (!isList(value)) {
    memory[from] = numberOf(kind, checked(field, value));
    return;
  }
  const { length } = value;
  if (length !== n) throw badArgument(`${call}: field ${field.name} has ${length} values for ${n} entities`);
  requireTurn(call, turn);
  if (value instanceof array && kind.name !== "bool" && !names) {
    memory.set(value, from);
    return;
  }
  for (let i = 0; i < n; ++i) {
    let given = value[i];
    requireTurn(call, turn);
    if (names && value instanceof array) given = names[given as number]; // from a column
    memory[from + i] = numberOf(kind, checked(field, given));
  }
}

/** The same for a vector: a list of all numbers, or a list with a vector for each component. */
function writeVectors(
  call: string,
  fields: readonly FieldInfo[],
  k: number,
  address: number,
  n: number,
  value: unknown,
  turn: number,
): void {
  const field = fields[k];
  const { kind, length } = field;
  if (isList(value) && (n === 0 || typeof value[0] === "number")) {
    if (value.length !== n * length)
      throw badArgument(
        `${call}: field ${field.name} has ${value.length} numbers for ${n} entities, which need ${n * length}`,
      );
    writeColumn(call, { ...field, length: 1 }, address, n * length, value, turn);
    return;
  }
  const memory = kind.memory();
  const from = address >> kind.shift;
  const write = (i: number, vector: unknown) =>
    requireEach(fields, k, vector, (position, element) => {
      requireTurn(call, turn);
      memory[from + i * length + position - k] = checked(fields[position], element) as number;
    });
  if (!isList(value)) {
    write(0, value instanceof OneVector ? value.elements : value);
    return;
  }
  if (value.length !== n)
    throw badArgument(`${call}: field ${field.name} has ${value.length} values for ${n} entities`);
  for (let i = 0; i < n; ++i) write(i, value[i]);
}

function addObjects(table: ComponentTable, entities: ArrayLike<Entity>, values: unknown): void {
  const { world, info } = table;
  const { id } = info;
  const n = entities.length;
  const components = objectList("addComponents", info, values, n);
  // If an entity is in the list twice, it gets its last component, as if they were added one by one.
  const last = new Map(components.map((component, i) => [entities[i], component]));
  const list = world.listAddress("addComponents", [...last.keys()]);
  const replaced = [...last].map(([e, component]) => ({ e, component, old: table.replace(e, component) }));
  const result = core._crateful_add_components(world.self, list, last.size, id, 0, SlotFlag.hasObject);
  if (result < 0) for (const { e, component, old } of replaced.reverse()) table.undoReplace(e, component, old, null);
  world.check(result);
}

/** Components of an object class, from a list or a function that creates the i-th. @internal */
export function objectList(call: string, { name, cls }: ClassInfo, values: unknown, n: number): Component[] {
  if (typeof values !== "function" && !(isList(values) && values.length === n)) {
    throw badArgument(
      `${call}: the values of ${name} must be a list of ${n} components, or a function that creates the i-th`,
    );
  }
  const components = Array.from(
    { length: n },
    (_, i) => (typeof values === "function" ? values(i) : values[i]) as Component,
  );
  for (const component of components) {
    if (component?.constructor !== cls)
      throw badArgument(`${call}: each value must be a ${name}, not ${show(component)}`);
    requireUnused(call, component, name);
  }
  if (new Set(components).size !== n)
    throw badArgument(`${call}: a ${name} is in the list twice; each entity needs a component of its own`);
  return components;
}
