// The types of fields: their values, and how these are stored in memory.
import { type AnyColumn, type Heap, heap } from "../module/heap.js";
import { FieldNumber, FieldShift, Handle } from "../module/layout.js";
import type { Strings } from "../core/strings.js";
import type { FieldType } from "./schema.js";

/** @internal */
export type Plain = number | boolean | string;
type ArrayMaker = new (buffer: ArrayBuffer, byteOffset: number, length: number) => AnyColumn;

/** @internal */
export interface FieldKind {
  name: FieldType;
  /** The core's number of the type. */
  number: FieldNumber;
  /** Binary logarithm of its size in bytes. */
  shift: number;
  array: ArrayMaker;
  initial: Plain;
  /** Of an enum: the names of the numbers that are stored. */
  names?: readonly string[];
  /** Of an enum or string: the number that is stored for a value, and the value for a number. */
  toNumber?: (value: unknown) => number;
  fromNumber?: (number: number) => Plain;
  /** Whether a field of this type can store the value. */
  takes: (value: unknown) => boolean;
  /** The stored value: rounded to the type. */
  round: (value: number) => number;
  /** All of memory as values of this type. Do not keep it: growth of the memory detaches it. */
  memory: () => AnyColumn;
  /** Reads the value at an index of `memory()`. */
  read: (at: number) => Plain;
  /** Writes the rounded value. */
  put: (at: number, value: Plain) => void;
  /** Writes the rounded value; returns whether the stored value changed (rule D2: NaN over NaN is no change). */
  write: (at: number, value: Plain) => boolean;
}

/**
 * How a setter writes a value: `put` of its type or, for a class that was ever watched, what `signalling` returns. Setters
 * are replaced when their class is watched for the first time. They are not one function that decides, because V8 would
 * inline what follows for a watched class into every loop that writes to any component.
 * @internal
 */
export type Store = (at: number, value: Plain, slot: number) => void;

/** Writes a value and, if it changes, calls `signal` with the slot. @internal */
export const signalling =
  (write: FieldKind["write"], signal: (slot: number) => void): Store =>
  (at, value, slot) => {
    if (write(at, value)) signal(slot);
  };

export const isNumber = (value: unknown): boolean => typeof value === "number";
const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isEntity = (value: unknown): boolean => typeof value === "number" && value >>> 0 === value;
const same = (value: number): number => value;

// `read` and `write` are written out for each type. A shared function with the typed array as a parameter would be called
// with eight kinds of array, so that V8 would compile element accesses to generic code, which is several times slower.
// `heap` is a parameter, because V8 reads an imported constant from memory at each use.
const makeKinds = (heap: Heap): readonly FieldKind[] => [
  {
    name: "f32",
    number: FieldNumber.f32,
    shift: FieldShift.f32,
    array: Float32Array,
    initial: 0,
    takes: isNumber,
    round: Math.fround,
    memory: () => heap.f32,
    read: (at) => heap.f32[at],
    put: (at, value) => {
      heap.f32[at] = value as number;
    },
    write: (at, value) => {
      const memory = heap.f32;
      const before = memory[at];
      const after = (memory[at] = Math.fround(value as number));
      return before !== after && (before === before || after === after);
    },
  },
  {
    name: "f64",
    number: FieldNumber.f64,
    shift: FieldShift.f64,
    array: Float64Array,
    initial: 0,
    takes: isNumber,
    round: same,
    memory: () => heap.f64,
    read: (at) => heap.f64[at],
    put: (at, value) => {
      heap.f64[at] = value as number;
    },
    write: (at, value) => {
      const memory = heap.f64;
      const before = memory[at];
      memory[at] = value as number;
      return before !== value && (before === before || value === value);
    },
  },
  {
    name: "i8",
    number: FieldNumber.i8,
    shift: FieldShift.i8,
    array: Int8Array,
    initial: 0,
    takes: isNumber,
    round: (v) => (v << 24) >> 24,
    memory: () => heap.i8,
    read: (at) => heap.i8[at],
    put: (at, value) => {
      heap.i8[at] = value as number;
    },
    write: (at, value) => {
      const memory = heap.i8;
      return memory[at] !== (memory[at] = ((value as number) << 24) >> 24);
    },
  },
  {
    name: "u8",
    number: FieldNumber.u8,
    shift: FieldShift.u8,
    array: Uint8Array,
    initial: 0,
    takes: isNumber,
    round: (v) => v & 0xff,
    memory: () => heap.u8,
    read: (at) => heap.u8[at],
    put: (at, value) => {
      heap.u8[at] = value as number;
    },
    write: (at, value) => {
      const memory = heap.u8;
      return memory[at] !== (memory[at] = (value as number) & 0xff);
    },
  },
  {
    name: "i16",
    number: FieldNumber.i16,
    shift: FieldShift.i16,
    array: Int16Array,
    initial: 0,
    takes: isNumber,
    round: (v) => (v << 16) >> 16,
    memory: () => heap.i16,
    read: (at) => heap.i16[at],
    put: (at, value) => {
      heap.i16[at] = value as number;
    },
    write: (at, value) => {
      const memory = heap.i16;
      return memory[at] !== (memory[at] = ((value as number) << 16) >> 16);
    },
  },
  {
    name: "u16",
    number: FieldNumber.u16,
    shift: FieldShift.u16,
    array: Uint16Array,
    initial: 0,
    takes: isNumber,
    round: (v) => v & 0xffff,
    memory: () => heap.u16,
    read: (at) => heap.u16[at],
    put: (at, value) => {
      heap.u16[at] = value as number;
    },
    write: (at, value) => {
      const memory = heap.u16;
      return memory[at] !== (memory[at] = (value as number) & 0xffff);
    },
  },
  {
    name: "i32",
    number: FieldNumber.i32,
    shift: FieldShift.i32,
    array: Int32Array,
    initial: 0,
    takes: isNumber,
    round: (v) => v | 0,
    memory: () => heap.i32,
    read: (at) => heap.i32[at],
    put: (at, value) => {
      heap.i32[at] = value as number;
    },
    write: (at, value) => {
      const memory = heap.i32;
      return memory[at] !== (memory[at] = (value as number) | 0);
    },
  },
  {
    name: "u32",
    number: FieldNumber.u32,
    shift: FieldShift.u32,
    array: Uint32Array,
    initial: 0,
    takes: isNumber,
    round: (v) => v >>> 0,
    memory: () => heap.u32,
    read: (at) => heap.u32[at],
    put: (at, value) => {
      heap.u32[at] = value as number;
    },
    write: (at, value) => {
      const memory = heap.u32;
      return memory[at] !== (memory[at] = (value as number) >>> 0);
    },
  },
  {
    name: "bool",
    number: FieldNumber.bool,
    shift: FieldShift.bool,
    array: Uint8Array,
    initial: false,
    takes: isBoolean,
    round: same,
    memory: () => heap.u8,
    read: (at) => heap.u8[at] !== 0,
    put: (at, value) => {
      heap.u8[at] = value ? 1 : 0;
    },
    write: (at, value) => {
      const memory = heap.u8;
      return memory[at] !== (memory[at] = value ? 1 : 0);
    },
  },
  {
    name: "entity",
    number: FieldNumber.entity,
    shift: FieldShift.entity,
    array: Uint32Array,
    initial: Handle.none,
    takes: isEntity,
    round: same,
    memory: () => heap.u32,
    read: (at) => heap.u32[at],
    put: (at, value) => {
      heap.u32[at] = value as number;
    },
    write: (at, value) => {
      const memory = heap.u32;
      return memory[at] !== (memory[at] = value as number);
    },
  },
];
const kinds = makeKinds(heap);
/** A link is stored as an entity; the core keeps its reverse. A string is the number that it has in a world (`stringKind`). @internal */
export const KINDS: readonly FieldKind[] = [
  ...kinds,
  { ...kinds[FieldNumber.entity], name: "link", number: FieldNumber.link },
  {
    ...kinds[FieldNumber.u32],
    name: "string",
    number: FieldNumber.string,
    initial: "",
    takes: (value) => typeof value === "string",
    read: () => "", // the default in C++
    toNumber: () => 0, // that of a world is another one
  },
];

/** A field of an integer type whose values have names (rule C11). @internal */
export function enumKind(names: readonly string[], integer: FieldKind): FieldKind {
  const numbers = new Map<unknown, number>(names.map((name, number) => [name, number]));
  const { read, put, write } = integer;
  return {
    ...integer,
    initial: names[0],
    names,
    toNumber: (value) => numbers.get(value)!,
    fromNumber: (number) => names[number],
    takes: (value) => numbers.has(value),
    read: (at) => names[read(at) as number],
    put: (at, value) => put(at, numbers.get(value)!),
    write: (at, value) => write(at, numbers.get(value)!),
  };
}

/** The kind of a string field in one world. @internal */
export function stringKind(kind: FieldKind, strings: Strings): FieldKind {
  const { texts } = strings;
  const set = kind.write;
  return {
    ...kind,
    toNumber: (value) => strings.number(value, false),
    fromNumber: (number) => strings.read(number),
    read: reader(heap, texts, (at) => strings.read(heap.u32[at])),
    put: (at, value) => {
      const number = strings.number(value, true); // memory may grow
      heap.u32[at] = number;
    },
    write: (at, value) => set(at, strings.number(value, true)),
  };
}
const reader =
  (heap: Heap, texts: Strings["texts"], slowly: FieldKind["read"]): FieldKind["read"] =>
  (at) =>
    texts[heap.u32[at]] ?? slowly(at);

/** The number that is stored for a value. @internal */
export const numberOf = ({ toNumber }: FieldKind, value: Plain): number => toNumber?.(value) ?? Number(value);
