// Adding components to many entities in one crossing (rule E7).
import { isList } from "../core/core_world.js";
import type { Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import { beginTurn, heap, keep, requireTurn, type AnyColumn } from "../module/heap.js";
import { core } from "../module/instance.js";
import { ColumnWords, SlotFlag } from "../module/layout.js";
import type { ClassInfo, Component } from "./component.js";
import type { ComponentTable } from "./component_table.js";
import { checked, elementsOf, requireLength, type FieldInfo } from "./fields.js";
import type { ArrayOf, FieldInputs, FieldSpec, Schema, TypeOf } from "./schema.js";
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

type BulkColumns<S extends Schema> = {
  readonly [K in keyof S]?: BulkColumn<Required<FieldInputs<S>>[K], S[K]>;
};
/** A column of an enum is any typed array, without its elements, so that messages for a list of names do not name numbers. */
type BulkColumn<V, F extends FieldSpec> =
  | V
  | ArrayLike<V>
  | (TypeOf<F> extends readonly string[]
      ? { readonly BYTES_PER_ELEMENT: number; readonly length: number }
      : ArrayOf<TypeOf<F>>);

/** Gives each entity of the list a component. @internal */
export function addMany(table: ComponentTable, entities: ArrayLike<Entity>, values: unknown): void {
  if (table.info.kind === "object") addObjects(table, entities, values);
  else addColumns(table, entities, (values ?? {}) as Record<string, unknown>);
}

/** Names the call and the class in errors for an entity. */
const callFor = ({ name }: ClassInfo): string => `addComponents of ${name}`;

function addColumns(
  { world, info, fields }: ComponentTable,
  entities: ArrayLike<Entity>,
  values: Record<string, unknown>,
): void {
  const n = entities.length;
  const given = columnValues("addComponents", info, values, n);
  const size = columnBytes(fields, given, n);
  const call = callFor(info);
  const list = world.listAddress(call, entities, size);
  const columns = world.scratch(call, size); // in front of the list
  writeColumns("addComponents", fields, given, info.initial, columns, columns + descriptionBytes(fields), n);
  world.checkList(call, entities, core._crateful_add_components(world.self, list, n, info.id, columns, 0));
}

/** How many bytes the descriptions of the columns take, which are in front of the values. @internal */
export const descriptionBytes = (fields: readonly FieldInfo[]): number => 4 * ColumnWords.size * fields.length;

/** Whether what was given is one value for all components. What was given for a vector is a list of numbers. */
const isOne = ({ length }: FieldInfo, value: unknown): boolean =>
  !isList(value) || (length > 1 && value.length === length);
const bytesOf = (field: FieldInfo, value: unknown, n: number): number =>
  ((isOne(field, value) ? 1 : n) * (field.length << field.kind.shift) + 7) & ~7;

/** How many bytes the values for `n` components take, with their descriptions. @internal */
export function columnBytes(fields: readonly FieldInfo[], given: readonly unknown[], n: number): number {
  return fields.reduce((sum, field, k) => sum + bytesOf(field, given[k], n), descriptionBytes(fields));
}

const wrongCount = (call: string, { name }: FieldInfo, given: number, n: number) =>
  badArgument(`${call}: field ${name} has ${given} values for ${n} entities`);

/** What was given for each field; for a vector, a list of numbers. Lists that are views of the module's memory are copied. @internal */
export function columnValues(
  call: string,
  { name, fields, names }: ClassInfo,
  values: Record<string, unknown>,
  n: number,
): unknown[] {
  if (typeof values !== "object")
    throw badArgument(`${call}: the values of ${name} must be an object with its fields, not ${show(values)}`);
  const keys = values instanceof StoredComponent ? [] : Object.keys(values);
  const unknown = keys.find((key) => !names.has(key));
  if (unknown !== undefined) throw badArgument(`${call}: ${name} has no field ${unknown}`);
  return fields.map((field) => {
    const value = field.length > 0 ? values[field.name] : undefined;
    if (field.length > 1 && value !== undefined) return numbers(call, field, value, n);
    return isList(value) ? keep(value) : value;
  });
}

/** The numbers of one vector, of all vectors of a list, or of a column: a list that no getter of the program changes. */
function numbers(call: string, field: FieldInfo, value: unknown, n: number): unknown[] {
  if (ArrayBuffer.isView(value)) return keep(value as unknown as unknown[]);
  const one = elementsOf(value);
  if (one !== undefined || !isList(value)) return requireLength(field, one ?? value) as unknown[];
  const list = Array.from(value);
  if (typeof list[0] === "number") return list;
  if (list.length !== n) throw wrongCount(call, field, list.length, n);
  return list.flatMap((vector) => Array.from(requireLength(field, vector)));
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
    let value = given[k];
    const step = isOne(field, value) ? 0 : length << kind.shift;
    const end = at + bytesOf(field, value, n);
    requireTurn(call, turn);
    for (let i = 0; i < length; ++i) {
      const column = (columns >> 2) + ColumnWords.size * (k + i);
      heap.u32[column + ColumnWords.values] = at + (i << kind.shift);
      heap.u32[column + ColumnWords.step] = step;
    }
    if (value === undefined) value = length > 1 ? initial.slice(k, k + length) : initial[k];
    if (length > 0) writeColumn(call, fields, k, at, step === 0 ? 1 : n, value, turn);
    at = end;
  });
  return at;
}

/** `n` is 1 for one value that all components get. */
function writeColumn(
  call: string,
  fields: readonly FieldInfo[],
  k: number,
  address: number,
  n: number,
  value: unknown,
  turn: number,
): void {
  const field = fields[k];
  const { kind } = field;
  const { array, toNumber } = kind;
  const from = address >> kind.shift;
  if (!isList(value)) {
    const number = numberOf(kind, checked(field, value)); // memory may grow
    kind.memory()[from] = number;
    return;
  }
  const { length } = value;
  if (length !== n * field.length) throw wrongCount(call, field, length, n);
  requireTurn(call, turn);
  const memory = kind.memory();
  if (n > 0 && value instanceof array && kind.name !== "bool" && !toNumber) {
    memory.set(value, from);
    return;
  }
  const numbers: number[] | AnyColumn = toNumber ? [] : memory; // memory may grow
  const to = toNumber ? 0 : from;
  for (let i = 0; i < length; ++i) {
    let given = value[i];
    requireTurn(call, turn);
    if (toNumber && value instanceof array) given = kind.fromNumber!(given as number); // from a column
    numbers[to + i] = numberOf(kind, checked(fields[k + (i % field.length)], given));
  }
  if (toNumber) kind.memory().set(numbers, from);
}

function addObjects(table: ComponentTable, entities: ArrayLike<Entity>, values: unknown): void {
  const { world, info } = table;
  const { id } = info;
  const n = entities.length;
  const components = objectList("addComponents", info, values, n);
  // If an entity is in the list twice, it gets its last component, as if they were added one by one.
  const last = new Map(components.map((component, i) => [entities[i], component]));
  const list = world.listAddress(callFor(info), [...last.keys()]);
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
