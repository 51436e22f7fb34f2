// The component classes of a world by name, and the values of their components.
import type { Json } from "../state/codec.js";
import {
  Component,
  ComponentTable,
  DefinedObject,
  NONE,
  Parent,
  badArgument,
  checked,
  core,
  infos,
  isField,
  memoryReport,
  nativeComponent,
  requireLength,
  show,
  writeField,
  EcsError,
  describe,
  type ComponentClass,
  type ECS,
  type Entity,
  type FieldInfo,
  type World,
} from "./internals.js";
import { FieldNumber } from "../module/layout.js";
import { nameOf, numberFromJson, numberToJson, toJson } from "./json.js";
import type { FieldAnswer, ValueAnswer } from "./protocol.js";

/** A component class. */
export interface KnownClass {
  /** Different for each class: other classes of the same name have a number behind it. */
  readonly name: string;
  readonly id: number;
  readonly kind: "stored" | "native" | "object";
  readonly cls: ComponentClass;
  readonly fields: readonly FieldInfo[];
  /** By name, the position of the first element. */
  readonly names: ReadonlyMap<string, number>;
  /** The components in one world; undefined if it has not used the class. */
  table(): ComponentTable | undefined;
}

interface Definition {
  complete?: (() => void) | undefined;
  id: number;
  linear: boolean;
  fields: readonly FieldInfo[];
}

/** The classes of one world, also those that only C++ uses. */
export class Classes {
  readonly #world: World;
  readonly #byName = new Map<string, KnownClass>();
  readonly #byId = new Map<number, KnownClass>();
  /** The classes of C++ that JavaScript has not used. */
  readonly #native = new Map<number, KnownClass>();
  #counted = -1;
  #reported = -1;

  constructor(readonly ecs: ECS) {
    this.#world = ecs.$world;
    this.#world.table(Parent); // which only the core may have used
  }

  /** All classes, by their ids; those that JavaScript has not used are the last ones. */
  get all(): readonly KnownClass[] {
    this.update();
    return [...this.#byId.values()];
  }
  /** How many there are. */
  get count(): number {
    this.update();
    return this.#byName.size;
  }
  find(name: string): KnownClass | undefined {
    this.update();
    return this.#byName.get(name);
  }
  /** The class with this name. Throws `BAD_ARGUMENT`. */
  require(call: string, name: string): KnownClass {
    const found = this.find(name);
    if (found === undefined) throw badArgument(`${call}: ${nearestName(name, this.#byName.keys())}`);
    return found;
  }
  nameOf(id: number): string {
    this.update();
    return this.#byId.get(id)?.name ?? `class ${id}`;
  }

  /** Reads which classes there are, if there are more than before. */
  update(): void {
    const native = core.World !== undefined; // a module of the user: it can have classes that JavaScript has not used
    const reported = native ? core._crateful_memory_report(this.#world.live()) : 0;
    if (infos.length === this.#counted && reported === this.#reported) return;
    this.#counted = infos.length;
    this.#reported = reported;
    this.#byName.clear();
    this.#byId.clear();
    for (const { name, id, kind, cls, fields, names } of [...infos].sort((a, b) => a.id - b.id))
      if (!this.#byId.has(id)) this.#add({ name, id, kind, cls, fields, names, table: () => this.#world.tables[id] });
    if (native) this.#addNative();
  }
  #add(known: KnownClass): void {
    let { name } = known;
    for (let i = 2; this.#byName.has(name); ++i) name = `${known.name} (${i})`;
    const named = { ...known, name };
    this.#byName.set(name, named);
    this.#byId.set(known.id, named);
  }
  #addNative(): void {
    for (const { name } of memoryReport(this.#world.live())) {
      if (this.#byName.has(name)) continue;
      const known = this.#describe(name);
      if (known !== undefined && !this.#byId.has(known.id)) this.#add(known);
    }
  }
  /** A class that C++ describes. It is not registered, because the program may still derive its own class from it. */
  #describe(name: string): KnownClass | undefined {
    for (const known of this.#native.values()) if (known.name === name) return known;
    const cls = nativeComponent(name) as unknown as ComponentClass;
    const { $definition: definition } = cls as unknown as { $definition: Definition };
    try {
      definition.complete?.();
    } catch {
      return undefined; // C++ does not describe it
    }
    const { id, linear, fields } = definition;
    const names = new Map(fields.flatMap((field, k) => (isField(field) ? [[field.name, k] as const] : [])));
    const world = this.#world;
    let table: ComponentTable | undefined;
    const known: KnownClass = {
      name,
      id,
      cls,
      fields,
      names,
      kind: "native",
      table() {
        if (table === undefined) {
          const info = { cls, id, name, kind: "native" as const, linear, fields, names, checked: true };
          const rest = { initial: [], packed: new Float64Array(0), solo: undefined };
          table = new ComponentTable(world, { ...info, ...rest }, core._crateful_storage(world.live(), id));
        }
        table.readControl(); // the core does not report to it
        return table;
      },
    };
    this.#native.set(id, known);
    return known;
  }
}

/** Whether an entity has a component of a class. */
export const has = (known: KnownClass | undefined, e: Entity): boolean => (known?.table()?.slot(e) ?? -1) >= 0;
/** Throws `MISSING_COMPONENT` unless it has. */
export function requireComponent(call: string, known: KnownClass, e: Entity): void {
  if (!has(known, e)) throw new EcsError("MISSING_COMPONENT", `${call}: ${describe(e)} has no ${known.name}`);
}

/** The message for an unknown class, with the name that begins like it. */
export function nearestName(name: string, names: Iterable<string>): string {
  let near = "";
  let most = Math.max(0.3 * name.length, 1);
  for (const each of names) {
    let same = 0;
    while (same < name.length && each[same]?.toLowerCase() === name[same].toLowerCase()) ++same;
    if (same > most) [near, most] = [each, same];
  }
  return `there is no component class ${show(name)}${near && `; is it ${near}?`}`;
}

// --- stored and native classes ------------------------------------------------------------------------

/** Whether its values are entities. */
export const isEntity = ({ kind: { number } }: FieldInfo): boolean =>
  number === FieldNumber.entity || number === FieldNumber.link;

/** How a field is declared. */
export function describeField(known: KnownClass, k: number): FieldAnswer {
  const { name, kind, type } = known.fields[k];
  return { name, type: kind.names ? "enum" : String(type), ...(kind.names && { names: kind.names }) };
}

/** The value in a slot, of a vector only the element. */
export function readElement(table: ComponentTable, k: number, slot: number): unknown {
  const { kind, stride } = table.fields[k];
  return kind.read(table.columns[k].base + slot * stride);
}
/** The value in a slot, as JSON. */
function readField(table: ComponentTable, k: number, slot: number): Json {
  const { length } = table.fields[k];
  return length === 1 ? readJson(table, k, slot) : Array.from({ length }, (_, i) => readJson(table, k + i, slot));
}
/** The same of a vector's element. */
function readJson(table: ComponentTable, k: number, slot: number): Json {
  const value = readElement(table, k, slot);
  if (typeof value !== "number") return value as Json;
  return value === NONE && isEntity(table.fields[k]) ? null : numberToJson(value);
}
/** What reads a field in a slot, or an element of it. Throws `BAD_ARGUMENT`. */
export function fieldReader(
  known: KnownClass,
  table: ComponentTable,
  path: readonly unknown[],
): (slot: number) => Json {
  const [name, at] = path;
  const k = known.names.get(name as string);
  if (k === undefined) throw noField("column", known.name, name, known.names.keys());
  if (path.length === 1) return (slot) => readField(table, k, slot);
  const { length } = known.fields[k];
  if (path.length > 2 || !Number.isInteger(at) || (at as number) < 0 || (at as number) >= length)
    throw badArgument(`column: ${known.name}.${name as string} has no element ${show(path.at(-1))}`);
  return (slot) => readJson(table, k + (at as number), slot);
}

/** The values of a component. */
export function readComponent(known: KnownClass, table: ComponentTable, e: Entity): ValueAnswer[] {
  if (known.kind === "object") return readObject(table.find(e));
  const slot = table.slot(e);
  return [...known.names.values()].map((k) => ({ ...describeField(known, k), value: readField(table, k, slot) }));
}

/** The value that a field will store. Throws `BAD_ARGUMENT`. */
function valueFor(call: string, known: KnownClass, field: FieldInfo, value: Json): unknown {
  const { name, initial, array } = field.kind;
  if (isEntity(field)) return checked(field, value === null ? NONE : value);
  if (typeof initial !== "number") return checked(field, value);
  const given = numberFromJson(value);
  if (typeof given === "number") {
    const memory = new array(new ArrayBuffer(8), 0, 1);
    memory[0] = given; // a game's setter stores 44 for 300 in a u8, and Infinity for 1e39 in an f32
    const fits = name === "f32" ? Number.isFinite(memory[0]) === Number.isFinite(given) : memory[0] === given;
    if (!fits && !Object.is(memory[0], given))
      throw badArgument(`${call}: ${known.name}.${field.name} is ${name}, which can't store ${show(value)}`);
  }
  return checked(field, given);
}
/** The values for the elements of a vector. Throws `BAD_ARGUMENT`. */
function elementsFor(call: string, known: KnownClass, field: FieldInfo, value: Json): unknown[] {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value); // one with a length is no list
  const list = requireLength(field, isObject ? {} : value) as ArrayLike<Json>;
  return Array.from(list, (each) => valueFor(call, known, field, each));
}

/** The values for `addComponent`. */
export function valuesFor(known: KnownClass, values: { readonly [field: string]: Json }): Record<string, unknown> {
  if (known.kind === "object") return values;
  const made: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const k = known.names.get(name);
    if (k === undefined) throw noField("add", known.name, name, known.names.keys());
    const field = known.fields[k];
    made[name] = field.length === 1 ? valueFor("add", known, field, value) : elementsFor("add", known, field, value);
  }
  return made;
}

/** Assigns a field of a living entity, as a setter does; returns the value that is stored then. Throws `BAD_ARGUMENT`, `MISSING_COMPONENT`. */
export function assign(known: KnownClass, e: Entity, name: unknown, element: number | undefined, value: Json): Json {
  requireComponent("set", known, e);
  const table = known.table()!;
  if (known.kind === "object") return assignProperty(known, table.find(e) as Component, name, value);
  const k = typeof name === "string" ? known.names.get(name) : undefined;
  if (k === undefined) throw noField("set", known.name, name, known.names.keys());
  const field = table.fields[k];
  const put = (at: number, each: unknown): void => {
    writeField(table, at, table.slot(e), each as never);
  };
  if (element !== undefined) {
    if (!Number.isInteger(element) || element < 0 || element >= field.length)
      throw badArgument(`set: ${known.name}.${field.name} has no element ${show(element)}`);
    put(k + element, valueFor("set", known, field, value));
  } else if (field.length === 1) put(k, valueFor("set", known, field, value));
  else elementsFor("set", known, field, value).forEach((each, i) => put(k + i, each));
  return readField(table, k, table.slot(e));
}

export const noField = (call: string, component: string, name: unknown, names: Iterable<string>) =>
  badArgument(`${call}: ${component} has no field ${show(name)}; it has ${[...names].join(", ") || "none"}`);

// --- object classes -----------------------------------------------------------------------------------

interface Property {
  readonly name: string;
  readonly readOnly: boolean;
  /** Whether it is an own property, which does not signal when it is assigned. */
  readonly own: boolean;
}

/** The fields of an object: its own properties, and the accessors of its classes. */
function propertiesOf(object: object): Property[] {
  const found = new Map<string, Property>();
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(object)))
    if (descriptor.enumerable && !name.startsWith("$") && typeof descriptor.value !== "function")
      found.set(name, { name, readOnly: descriptor.writable === false, own: true });
  const classes: object[] = [];
  let at: object = Object.getPrototypeOf(object) as object;
  for (; at !== Component.prototype && at !== null; at = Object.getPrototypeOf(at) as object) classes.unshift(at);
  for (const prototype of classes)
    for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (get !== undefined && !name.startsWith("$") && name !== "asymmetricMatch")
        found.set(name, { name, readOnly: set === undefined, own: false });
  return [...found.values()];
}
function readProperty(object: object, name: string): unknown {
  try {
    return (object as Record<string, unknown>)[name];
  } catch (error) {
    return `[${String((error as Error)?.message ?? error)}]`;
  }
}

function readObject(object: object | undefined): ValueAnswer[] {
  if (object === undefined) return [];
  return propertiesOf(object).map(({ name, readOnly }) => {
    const value = readProperty(object, name);
    if (typeof value === "number")
      return { name, type: "number", value: numberToJson(value), ...(readOnly && { readOnly }) };
    let whole = true;
    const json = toJson(value, () => (whole = false));
    const type = typeof value === "boolean" || typeof value === "string" ? typeof value : whole ? "json" : "object";
    return { name, type, value: json, ...((readOnly || !whole) && { readOnly: true }) };
  });
}

function assignProperty(known: KnownClass, object: Component, name: unknown, value: Json): Json {
  const names = new Map(propertiesOf(object).map((each) => [each.name, each]));
  const property = names.get(name as string);
  if (property === undefined) throw noField("set", known.name, name, names.keys());
  const before = readProperty(object, property.name);
  const after = typeof before === "number" ? numberFromJson(value) : value;
  const kind = (each: unknown): string => (each === null ? "null" : Array.isArray(each) ? "array" : typeof each);
  if (property.readOnly) throw badArgument(`set: ${known.name}.${property.name} can't be assigned`);
  if (before !== undefined && before !== null && after !== null && kind(before) !== kind(after))
    throw badArgument(`set: ${known.name}.${property.name} is a ${kind(before)}, not ${show(value)}`);
  if (typeof before === "object" && before !== null && !Array.isArray(before) && nameOf(before) !== "Object")
    throw badArgument(`set: ${known.name}.${property.name} is a ${nameOf(before)}, which the inspector can't make`);
  (object as unknown as Record<string, unknown>)[property.name] = after;
  if (property.own || !(object instanceof DefinedObject)) object.dirty(); // those of `defineObject` signal
  return readObject(object).find((each) => each.name === property.name)?.value ?? null;
}
