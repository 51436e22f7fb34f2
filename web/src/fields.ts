// Field types of stored components: their names, their values, and how they lie in memory.
import { badArgument } from "./errors.js";
import type { Entity } from "./entity.js";
import * as heap from "./heap.js";

/** The type of a field, as in `{ x: "f32", target: "entity" }`. */
export type FieldType = "f32" | "f64" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "bool" | "entity";

/** The fields of a stored component and their types. */
export type Schema = Readonly<Record<string, FieldType>>;

/** What a field of that type holds. */
export type FieldValue<T extends FieldType> = T extends "bool" ? boolean : T extends "entity" ? Entity : number;

/** The fields of a stored component as properties. */
export type Fields<S extends Schema> = { -readonly [K in keyof S]: FieldValue<S[K]> };

/** The typed array that a column of that type is. A bool is a byte, an entity a u32. */
export type ColumnArray<T extends FieldType> = T extends "f32"
  ? Float32Array
  : T extends "f64"
    ? Float64Array
    : T extends "i8"
      ? Int8Array
      : T extends "u8" | "bool"
        ? Uint8Array
        : T extends "i16"
          ? Int16Array
          : T extends "u16"
            ? Uint16Array
            : T extends "i32"
              ? Int32Array
              : Uint32Array;

/** @internal */
export type AnyColumn =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** @internal */
export type Plain = number | boolean;
type ArrayMaker = new (buffer: ArrayBuffer, byteOffset: number, length: number) => AnyColumn;

/** @internal */
export interface FieldKind {
  name: FieldType;
  /** Binary logarithm of its bytes. */
  shift: number;
  array: ArrayMaker;
  initial: Plain;
  /** Whether a field of this type takes the value. */
  takes: (value: unknown) => boolean;
  /** The stored value: rounded to the type. */
  round: (value: number) => number;
  /** All of memory as values of this type; never keep it. */
  memory: () => AnyColumn;
  /** Reads the value at an index of `memory()`. */
  read: (at: number) => Plain;
  /** Writes it, rounding; returns whether the stored value has changed (rule D2: NaN over NaN has not). */
  write: (at: number, value: Plain) => boolean;
}

const isNumber = (value: unknown): boolean => typeof value === "number";
const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isEntity = (value: unknown): boolean => typeof value === "number" && value >>> 0 === value;
const same = (value: number): number => value;

// `read` and `write` are written out for each type: one function that took the typed array would see all
// eight kinds of it, and the compiler would then look elements up by a generic way several times slower.
/** By the core's number of the type (`FieldType` in core/include/crateful/component.hpp). @internal */
export const KINDS: readonly FieldKind[] = [
  {
    name: "f32",
    shift: 2,
    array: Float32Array,
    initial: 0,
    takes: isNumber,
    round: Math.fround,
    memory: () => heap.f32,
    read: (at) => heap.f32[at],
    write: (at, value) => {
      const memory = heap.f32;
      const before = memory[at];
      const after = (memory[at] = Math.fround(value as number));
      return before !== after && (before === before || after === after);
    },
  },
  {
    name: "f64",
    shift: 3,
    array: Float64Array,
    initial: 0,
    takes: isNumber,
    round: same,
    memory: () => heap.f64,
    read: (at) => heap.f64[at],
    write: (at, value) => {
      const memory = heap.f64;
      const before = memory[at];
      memory[at] = value as number;
      return before !== value && (before === before || value === value);
    },
  },
  {
    name: "i8",
    shift: 0,
    array: Int8Array,
    initial: 0,
    takes: isNumber,
    round: (v) => (v << 24) >> 24,
    memory: () => heap.i8,
    read: (at) => heap.i8[at],
    write: (at, value) => {
      const memory = heap.i8;
      return memory[at] !== (memory[at] = ((value as number) << 24) >> 24);
    },
  },
  {
    name: "u8",
    shift: 0,
    array: Uint8Array,
    initial: 0,
    takes: isNumber,
    round: (v) => v & 0xff,
    memory: () => heap.u8,
    read: (at) => heap.u8[at],
    write: (at, value) => {
      const memory = heap.u8;
      return memory[at] !== (memory[at] = (value as number) & 0xff);
    },
  },
  {
    name: "i16",
    shift: 1,
    array: Int16Array,
    initial: 0,
    takes: isNumber,
    round: (v) => (v << 16) >> 16,
    memory: () => heap.i16,
    read: (at) => heap.i16[at],
    write: (at, value) => {
      const memory = heap.i16;
      return memory[at] !== (memory[at] = ((value as number) << 16) >> 16);
    },
  },
  {
    name: "u16",
    shift: 1,
    array: Uint16Array,
    initial: 0,
    takes: isNumber,
    round: (v) => v & 0xffff,
    memory: () => heap.u16,
    read: (at) => heap.u16[at],
    write: (at, value) => {
      const memory = heap.u16;
      return memory[at] !== (memory[at] = (value as number) & 0xffff);
    },
  },
  {
    name: "i32",
    shift: 2,
    array: Int32Array,
    initial: 0,
    takes: isNumber,
    round: (v) => v | 0,
    memory: () => heap.i32,
    read: (at) => heap.i32[at],
    write: (at, value) => {
      const memory = heap.i32;
      return memory[at] !== (memory[at] = (value as number) | 0);
    },
  },
  {
    name: "u32",
    shift: 2,
    array: Uint32Array,
    initial: 0,
    takes: isNumber,
    round: (v) => v >>> 0,
    memory: () => heap.u32,
    read: (at) => heap.u32[at],
    write: (at, value) => {
      const memory = heap.u32;
      return memory[at] !== (memory[at] = (value as number) >>> 0);
    },
  },
  {
    name: "bool",
    shift: 0,
    array: Uint8Array,
    initial: false,
    takes: isBoolean,
    round: same,
    memory: () => heap.u8,
    read: (at) => heap.u8[at] !== 0,
    write: (at, value) => {
      const memory = heap.u8;
      return memory[at] !== (memory[at] = value ? 1 : 0);
    },
  },
  {
    name: "entity",
    shift: 2,
    array: Uint32Array,
    initial: 0xffffffff,
    takes: isEntity,
    round: same,
    memory: () => heap.u32,
    read: (at) => heap.u32[at],
    write: (at, value) => {
      const memory = heap.u32;
      return memory[at] !== (memory[at] = value as number);
    },
  },
];

/** @internal */
export interface FieldInfo {
  name: string;
  /** Index into KINDS. */
  type: number;
  kind: FieldKind;
  /** Values of this type from one component to the next; 1 unless the component is a C++ struct. */
  stride: number;
}

/** @internal */
export function fieldInfo(name: string, type: number, valueBytes?: number): FieldInfo {
  const kind = KINDS[type];
  return { name, type, kind, stride: valueBytes === undefined ? 1 : valueBytes >> kind.shift };
}

/** Refuses what a field of that type can't hold; else what it will hold. @internal */
export function checked(field: FieldInfo, value: unknown): Plain {
  const { name, takes, round } = field.kind;
  if (takes(value)) return typeof value === "number" ? round(value) : (value as boolean);
  const wanted = name === "bool" ? "a boolean" : name === "entity" ? "an entity" : "a number";
  throw badArgument(`field ${field.name} (${name}) takes ${wanted}, not ${String(value)}`);
}
