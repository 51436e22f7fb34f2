// The values of object components, and events, as bytes (docs/format.md): a byte that says what follows, then bytes or JSON.
import { Component } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { requireUnused } from "../component/stored_component.js";
import { decode, encode } from "../core/strings.js";
import type { Entity } from "../module/entity.js";
import { EcsError, badArgument, requireName, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { jsonOf, parsed } from "./plain.js";

/** What `static encode` of an object component or an event can return beside a `Uint8Array`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What a class of object components or events has for snapshots. */
interface Statics {
  readonly name: string;
  readonly prototype: object;
  readonly typeName?: unknown;
  encode?(value: object): unknown;
  decode?(data: unknown): unknown;
  assign?(value: object, data: unknown): void;
  mapEntities?(data: unknown, map: EntityMap): unknown;
  /** The name and the fields of one of `defineObject`. */
  readonly $name?: string;
  readonly $fields?: readonly string[];
}

/** The handle that an entity gets instead of another one; NONE for one that is not alive. @internal */
export type EntityMap = (e: Entity) => Entity;

const enum Kind {
  bytes,
  json,
}

/** The name under which an object class is saved, or undefined: minified names differ from build to build. @internal */
export function explicitName(cls: object): string | undefined {
  const { typeName, $name } = cls as Statics;
  if (!Object.hasOwn(cls, "typeName")) return $name;
  return typeof typeName === "string" && typeName !== "" ? typeName : undefined;
}

/** The statics of the class. Throws unless its values can be encoded and decoded. @internal */
export function requireCodec(call: string, cls: object, name: string): Statics {
  const statics = cls as Statics;
  if (Object.hasOwn(cls, "typeName")) requireName(`${name}.typeName`, statics.typeName);
  const both = typeof statics.encode === "function" && typeof statics.decode === "function";
  const none = statics.encode === undefined && statics.decode === undefined;
  for (const member of ["assign", "mapEntities"] as const)
    if (statics[member] !== undefined && typeof statics[member] !== "function")
      throw badArgument(`${call}: ${name}.${member} must be a function, not ${show(statics[member])}`);
  if (explicitName(cls) !== undefined && (both || (none && statics.$fields !== undefined))) return statics;
  throw badArgument(
    `${call}: ${name} needs static typeName, static encode and static decode; add them, ` +
      (statics.prototype instanceof Component ? "use defineObject, " : "") +
      "or name the class in " +
      (call === "restore" || call === "merge" ? "`ignore`" : "`without`"),
  );
}

/** Encoded values, one behind the other. @internal */
export class Encoded {
  readonly lengths: number[] = [];
  bytes = new Uint8Array(1024);
  size = 0;

  add(kind: Kind, data: Uint8Array): void {
    const end = this.size + 1 + data.length;
    if (end > this.bytes.length) {
      const { bytes } = this;
      this.bytes = new Uint8Array(2 * end);
      this.bytes.set(bytes);
    }
    this.bytes[this.size] = kind;
    this.bytes.set(data, this.size + 1);
    this.lengths.push(1 + data.length);
    this.size = end;
  }
  /** Bytes, or a text in JSON. */
  addData(data: Uint8Array | string): void {
    if (typeof data === "string") this.add(Kind.json, encode(data));
    else this.add(Kind.bytes, data);
  }
  addJson(value: unknown): void {
    this.add(Kind.json, encode(JSON.stringify(value)));
  }
  clear(): void {
    this.lengths.length = this.size = 0;
  }
}

const isBytes = (data: unknown): data is Uint8Array =>
  Object.prototype.toString.call(data) === "[object Uint8Array]" && ArrayBuffer.isView(data);

/** With a `map`, `static mapEntities` replaces handles in the encoded data, if the class has it. @internal */
export function encodeValue(
  call: string,
  statics: Statics,
  value: object,
  name: string,
  to: Encoded,
  map?: EntityMap,
): void {
  const maps = map !== undefined && statics.mapEntities !== undefined;
  let text: string;
  if (statics.encode !== undefined) {
    const data = statics.encode(value);
    if (isBytes(data)) {
      const bytes = data.length === 0 ? new Uint8Array(0) : data; // detached, perhaps
      if (maps) to.addData(mapped(call, statics, name, bytes.slice(), map));
      else to.add(Kind.bytes, bytes);
      return;
    }
    text = jsonOf(`${call}: ${name}.encode: the result`, data, "return a Uint8Array or data that JSON can contain");
  } else {
    text = jsonOfFields(call, statics, name, value);
  }
  to.addData(maps ? mapped(call, statics, name, parserOf(statics)(text), map) : text);
}

/** Reads JSON of the class: only fields of `defineObject` contain built-in objects. */
const parserOf = (statics: Statics): ((json: string) => unknown) =>
  statics.encode === undefined ? parsed : JSON.parse;

/** Of an instance of a class of `defineObject`, or of an object with its fields. */
function jsonOfFields(call: string, statics: Statics, name: string, value: object): string {
  const members = statics.$fields!.map((field) => {
    let found = (value as Record<string, unknown>)[field];
    if (isVector(found) && vectorsOf(statics).has(field)) found = Array.from(found.toArray() as Iterable<unknown>);
    const advice = "add static encode and static decode to the class";
    return `${JSON.stringify(field)}:${jsonOf(`${call}: ${name}.${field}`, found, advice, true)}`;
  });
  return `{${members.join()}}`;
}

/** What a field contains that has the two functions of a vector of three.js. */
interface Vector {
  toArray(): unknown;
  fromArray(list: unknown): unknown;
}
const isVector = (value: unknown): value is Vector =>
  typeof (value as Vector | undefined)?.toArray === "function" && typeof (value as Vector).fromArray === "function";
/** The fields of classes of `defineObject` whose default is such a vector, quaternion or colour: they are saved as lists. */
const vectors = new WeakMap<Statics, ReadonlySet<string>>();
function vectorsOf(statics: Statics): ReadonlySet<string> {
  let found = vectors.get(statics);
  if (found === undefined) {
    const defaults = defaultsOf(statics);
    vectors.set(statics, (found = new Set(statics.$fields!.filter((field) => isVector(defaults[field])))));
  }
  return found;
}
const defaultsOf = (cls: object): Record<string, unknown> => new (cls as new () => Record<string, unknown>)();

/** Encoded data with other handles: bytes, or JSON of what `static mapEntities` returns, or else of the data, which it has changed. */
function mapped(call: string, statics: Statics, name: string, data: unknown, map: EntityMap): Uint8Array | string {
  let result = statics.mapEntities!(data, map);
  if (result === undefined) result = data;
  if (isBytes(result)) return result.length === 0 ? new Uint8Array(0) : result;
  const of = `${name}.mapEntities`;
  return statics.encode === undefined && typeof result === "object" && result !== null
    ? jsonOfFields(call, statics, of, result)
    : jsonOf(`${call}: ${of}: the result`, result, "return the data");
}

/** Encodes all components of an object class, in the order of its storage. Throws what `encode` throws. @internal */
export function encodeAll(call: string, table: ComponentTable, map?: EntityMap): Encoded {
  const statics = requireCodec(call, table.info.cls, table.info.name);
  const to = new Encoded();
  for (let i = 0; i < table.count; ++i) {
    const component = table.find(heap.u32[table.dense + i])!; // `encode` can make memory grow
    encodeValue(call, statics, component, table.info.name, to, map);
  }
  return to;
}

/** What was encoded: a `Uint8Array`, or what JSON contains. `name` is the class. @internal */
export function dataAt(
  call: string,
  address: number,
  length: number,
  name: string,
  position?: number,
  parse: (json: string) => unknown = JSON.parse,
): unknown {
  if (length > 0 && heap.u8[address] === Kind.bytes) return heap.u8.slice(address + 1, address + length);
  try {
    if (heap.u8[address] === Kind.json) return parse(decode(address + 1, length - 1));
  } catch {}
  throw badValue(call, name, "is neither bytes nor JSON", position);
}
const badValue = (call: string, name: string, what: string, position?: number): EcsError =>
  new EcsError("BAD_DATA", `${call}: a value of ${name} ${what}${position === undefined ? "" : ` (byte ${position})`}`);

/** A component, and the data that are written into it with `static assign`. @internal */
export interface Assigned {
  readonly decoder: Decoder;
  readonly component: Component;
  readonly data: unknown;
}
/** Writes all data. Returns what the first function threw, if one did. @internal */
export function assignAll(all: readonly Assigned[]): { readonly thrown: unknown } | undefined {
  let error: { readonly thrown: unknown } | undefined;
  for (const { decoder, component, data } of all) {
    try {
      decoder.assign(component, data);
    } catch (thrown) {
      error ??= { thrown };
    }
  }
  return error;
}

/** Decodes values of one class, and compares them with those of the world. @internal */
export class Decoder {
  readonly #statics: Statics;
  readonly #made = new Set<unknown>();
  readonly #present = new Encoded();
  constructor(
    readonly call: string,
    readonly table: ComponentTable,
    readonly rename: ReadonlyMap<string, string>,
    readonly map?: EntityMap,
    /** For comparisons: from handles here to those in the bytes. */
    readonly mapBack?: EntityMap,
  ) {
    this.#statics = requireCodec(call, table.info.cls, table.info.name);
  }

  /** Whether a component has the value that is at an address. */
  has(component: Component, address: number, length: number): boolean {
    const present = this.#present;
    present.clear();
    try {
      encodeValue(this.call, this.#statics, component, this.table.info.name, present, this.mapBack);
    } catch {
      return false; // it is replaced
    }
    const { bytes, size } = present;
    if (size !== length) return false;
    const { u8 } = heap;
    for (let i = 0; i < size; ++i) if (bytes[i] !== u8[address + i]) return false;
    return true;
  }

  /**
   * The value at an address, which is at `position` of the bytes: a new component, or if there is a `present` one and the class has
   * `static assign`, what is written into it when nothing can fail any more.
   */
  read(address: number, length: number, position: number, present?: Component): Component | Assigned {
    const statics = this.#statics;
    const isDefined = statics.decode === undefined;
    const encoded = dataAt(this.call, address, length, this.table.info.name, position, parserOf(statics));
    const stored = isDefined ? this.#fields(encoded, position) : encoded;
    const data = this.map === undefined || statics.mapEntities === undefined ? stored : this.#mapped(stored, this.map);
    if (present === undefined || statics.assign === undefined) return this.#decode(data);
    if (!isDefined) return { decoder: this, component: present, data };
    const made = this.#decode(data) as Component & Record<string, unknown>; // with the defaults of fields that the bytes do not contain
    const fields = Object.fromEntries(statics.$fields!.map((field) => [field, made[field]]));
    return { decoder: this, component: present, data: fields };
  }
  /** `mapEntities` gets all fields, also those that the bytes do not contain. */
  #mapped(stored: unknown, map: EntityMap): unknown {
    const [call, statics, { name }] = [this.call, this.#statics, this.table.info];
    const parse = parserOf(statics);
    const given =
      statics.encode === undefined ? parse(jsonOfFields(call, statics, name, this.#decode(stored))) : stored;
    const result = mapped(call, statics, name, given, map);
    return typeof result === "string" ? parse(result) : result;
  }
  assign(component: Component, data: unknown): void {
    this.#statics.assign!(component, data);
  }

  #decode(data: unknown): Component {
    const { cls, name } = this.table.info;
    const made: unknown =
      this.#statics.decode === undefined
        ? this.#withVectors(new (cls as unknown as new (values: unknown) => Component)(data))
        : this.#statics.decode(data);
    if (!(made instanceof Component) || made.constructor !== cls || this.#made.has(made))
      throw badArgument(`${this.call}: ${name}.decode must return a new ${name}, not ${show(made)}`);
    requireUnused(this.call, made, name);
    this.#made.add(made);
    return made;
  }
  /** Lists of fields whose default is a vector become one. */
  #withVectors(made: Component): Component {
    const fields = made as Component & Record<string, unknown>;
    for (const field of vectorsOf(this.#statics)) {
      if (!Array.isArray(fields[field])) continue;
      const vector = defaultsOf(this.#statics)[field];
      if (isVector(vector)) vector.fromArray(fields[field]);
      fields[field] = vector;
    }
    return made;
  }
  /** Those that a class of `defineObject` has now. */
  #fields(data: unknown, position: number): Record<string, unknown> {
    if (typeof data !== "object" || data === null || Array.isArray(data) || isBytes(data))
      throw badValue(this.call, this.table.info.name, "is no object with its fields", position);
    const known = this.#statics.$fields!;
    const renamed = Object.entries(data).map(([field, value]) => [this.rename.get(field) ?? field, value] as const);
    return Object.fromEntries(renamed.filter(([field]) => known.includes(field)));
  }
}
