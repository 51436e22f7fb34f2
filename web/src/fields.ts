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
export type ColumnArray<T extends FieldType> = T extends "f32" ? Float32Array
  : T extends "f64" ? Float64Array
  : T extends "i8" ? Int8Array
  : T extends "u8" | "bool" ? Uint8Array
  : T extends "i16" ? Int16Array
  : T extends "u16" ? Uint16Array
  : T extends "i32" ? Int32Array
  : Uint32Array;

/** @internal */
export type AnyColumn = Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

type Plain = number | boolean;
type ArrayMaker = new (buffer: ArrayBuffer, byteOffset: number, length: number) => AnyColumn;

/** @internal */
export interface FieldKind {
  name: FieldType;
  /** Binary logarithm of its bytes. */
  shift: number;
  /** All of memory as values of this type; never keep it. */
  memory: () => AnyColumn;
  array: ArrayMaker;
  initial: Plain;
  /** The stored value: rounded to the type. */
  round: (value: number) => number;
}

const same = (value: number): number => value;

/** By the core's number of the type (`FieldType` in core/include/crateful/component.hpp). @internal */
export const KINDS: readonly FieldKind[] = [
  { name: "f32", shift: 2, memory: () => heap.f32, array: Float32Array, initial: 0, round: Math.fround },
  { name: "f64", shift: 3, memory: () => heap.f64, array: Float64Array, initial: 0, round: same },
  { name: "i8", shift: 0, memory: () => heap.i8, array: Int8Array, initial: 0, round: (v) => (v << 24) >> 24 },
  { name: "u8", shift: 0, memory: () => heap.u8, array: Uint8Array, initial: 0, round: (v) => v & 0xff },
  { name: "i16", shift: 1, memory: () => heap.i16, array: Int16Array, initial: 0, round: (v) => (v << 16) >> 16 },
  { name: "u16", shift: 1, memory: () => heap.u16, array: Uint16Array, initial: 0, round: (v) => v & 0xffff },
  { name: "i32", shift: 2, memory: () => heap.i32, array: Int32Array, initial: 0, round: (v) => v | 0 },
  { name: "u32", shift: 2, memory: () => heap.u32, array: Uint32Array, initial: 0, round: (v) => v >>> 0 },
  { name: "bool", shift: 0, memory: () => heap.u8, array: Uint8Array, initial: false, round: same },
  { name: "entity", shift: 2, memory: () => heap.u32, array: Uint32Array, initial: 0xffffffff, round: same },
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
  const { name } = field.kind;
  if (name === "bool") {
    if (typeof value === "boolean") return value;
  } else if (typeof value === "number") {
    if (name !== "entity") return field.kind.round(value);
    if (value >>> 0 === value) return value;
  }
  const wanted = name === "bool" ? "a boolean" : name === "entity" ? "an entity" : "a number";
  throw badArgument(`field ${field.name} (${name}) takes ${wanted}, not ${String(value)}`);
}
