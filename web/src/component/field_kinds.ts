// The types of fields: their values, and how these are stored in memory.
import { type AnyColumn, type Heap, heap } from "../module/heap.js";
import { FieldNumber, Handle } from "../module/layout.js";
import type { Strings } from "../core/strings.js";
import type { FieldType } from "./schema.js";

/** @internal */
export type Plain = number | boolean | string;
interface ArrayMaker {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): AnyColumn;
  readonly BYTES_PER_ELEMENT: number;
}

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
  /** All of memory as values of this type. Do not keep it: growth of the memory detaches it. */
  memory: () => AnyColumn;
  /** The value that is stored for one. */
  round: (value: Plain) => Plain;
  /** Reads the value at an index of `memory()`. */
  read: (at: number) => Plain;
  /** Writes the rounded value. */
  put: (at: number, value: Plain) => void;
}

/**
 * How a setter writes a value: what `unwatched` returns or, for a class that was ever watched, what `signalling` returns. Setters
 * are replaced when their class is watched for the first time. They are not one function that decides, because V8 would
 * inline what follows for a watched class into every loop that writes to any component.
 * @internal
 */
export type Store = (at: number, value: Plain, slot: number) => void;

/** Writes a value that differs from the one before, and calls `signal` with the slot. @internal */
export const signalling =
  ({ read, round, put }: Access, signal: (slot: number) => void): Store =>
  (at, value, slot) => {
    const before = read(at);
    const after = round(value);
    if (!differ(before, after)) return;
    put(at, after);
    try {
      signal(slot);
    } catch (error) {
      put(at, before); // the signal was refused, or there is no memory for it
      throw error;
    }
  };
/** @internal */
export type Access = Pick<FieldKind, "read" | "round" | "put">;

/**
 * The same for a class that was never watched. Only -0 and 0 are equal and have different bytes; the setters of integers need not compare.
 * @internal
 */
export const unwatched = ({ read, put }: Access, hasNegativeZero: boolean): Store =>
  hasNegativeZero
    ? (at, value) => {
        if (read(at) !== value) put(at, value);
      }
    : put;

/** Whether a field of this type can contain -0. @internal */
export const isFloat = ({ number }: FieldKind): boolean => number === FieldNumber.f32 || number === FieldNumber.f64;

/** Whether two values of a field differ: -0 and 0 do not, and neither does NaN from NaN (rule D2). @internal */
export function differ(before: Plain, after: Plain): boolean {
  return before !== after && (before === before || after === after);
}

/** Whether a value and what is stored of it differ by no more than the precision of the type. @internal */
export const canStore = ({ name }: FieldKind, value: unknown, stored: Plain): boolean =>
  name === "f32" ? Number.isFinite(stored) || !Number.isFinite(value) : stored === value || Object.is(stored, value);

const same = (value: Plain): Plain => value;
export const isNumber = (value: unknown): boolean => typeof value === "number";
const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isEntity = (value: unknown): boolean => typeof value === "number" && value >>> 0 === value;

// `read` and `put` are written out for each type. A shared function with the typed array as a parameter would be called
// with eight kinds of array, so that V8 would compile element accesses to generic code, which is several times slower.
// `heap` is a parameter, because V8 reads an imported constant from memory at each use.
type Own = Pick<FieldKind, "name" | "array" | "memory" | "read" | "put"> &
  Partial<Pick<FieldKind, "initial" | "takes" | "round">>;
const makeKinds = (heap: Heap): readonly Own[] => [
  {
    name: "f32",
    array: Float32Array,
    round: (value) => Math.fround(value as number),
    memory: () => heap.f32,
    read: (at) => heap.f32[at],
    put: (at, value) => {
      heap.f32[at] = value as number;
    },
  },
  {
    name: "f64",
    array: Float64Array,
    memory: () => heap.f64,
    read: (at) => heap.f64[at],
    put: (at, value) => {
      heap.f64[at] = value as number;
    },
  },
  {
    name: "i8",
    array: Int8Array,
    round: (value) => ((value as number) << 24) >> 24,
    memory: () => heap.i8,
    read: (at) => heap.i8[at],
    put: (at, value) => {
      heap.i8[at] = value as number;
    },
  },
  {
    name: "u8",
    array: Uint8Array,
    round: (value) => (value as number) & 0xff,
    memory: () => heap.u8,
    read: (at) => heap.u8[at],
    put: (at, value) => {
      heap.u8[at] = value as number;
    },
  },
  {
    name: "i16",
    array: Int16Array,
    round: (value) => ((value as number) << 16) >> 16,
    memory: () => heap.i16,
    read: (at) => heap.i16[at],
    put: (at, value) => {
      heap.i16[at] = value as number;
    },
  },
  {
    name: "u16",
    array: Uint16Array,
    round: (value) => (value as number) & 0xffff,
    memory: () => heap.u16,
    read: (at) => heap.u16[at],
    put: (at, value) => {
      heap.u16[at] = value as number;
    },
  },
  {
    name: "i32",
    array: Int32Array,
    round: (value) => (value as number) | 0,
    memory: () => heap.i32,
    read: (at) => heap.i32[at],
    put: (at, value) => {
      heap.i32[at] = value as number;
    },
  },
  {
    name: "u32",
    array: Uint32Array,
    round: (value) => (value as number) >>> 0,
    memory: () => heap.u32,
    read: (at) => heap.u32[at],
    put: (at, value) => {
      heap.u32[at] = value as number;
    },
  },
  {
    name: "bool",
    array: Uint8Array,
    initial: false,
    takes: isBoolean,
    memory: () => heap.u8,
    read: (at) => heap.u8[at] !== 0,
    put: (at, value) => {
      heap.u8[at] = value ? 1 : 0;
    },
  },
  {
    name: "entity",
    array: Uint32Array,
    initial: Handle.none,
    takes: isEntity,
    memory: () => heap.u32,
    read: (at) => heap.u32[at],
    put: (at, value) => {
      heap.u32[at] = value as number;
    },
  },
];
/** In the order of `FieldNumber`. */
const kinds: readonly FieldKind[] = makeKinds(heap).map((own, number) => ({
  initial: 0,
  takes: isNumber,
  round: same,
  ...own,
  number,
  shift: Math.log2(own.array.BYTES_PER_ELEMENT),
}));
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
    round: same,
    read: () => "", // the default in C++
    toNumber: () => 0, // that of a world is another one
  },
];

/** A field of an integer type whose values have names (rule C11). @internal */
export function enumKind(names: readonly string[], integer: FieldKind): FieldKind {
  const numbers = new Map<unknown, number>(names.map((name, number) => [name, number]));
  const { read, put } = integer;
  return {
    ...integer,
    initial: names[0],
    names,
    toNumber: (value) => numbers.get(value)!,
    fromNumber: (number) => names[number],
    takes: (value) => numbers.has(value),
    round: same,
    read: (at) => names[read(at) as number],
    put: (at, value) => put(at, numbers.get(value)!),
  };
}

/** The kind of a string field in one world. @internal */
export function stringKind(kind: FieldKind, strings: Strings): FieldKind {
  const { texts } = strings;
  return {
    ...kind,
    toNumber: (value) => strings.number(value, false),
    fromNumber: (number) => strings.read(number),
    round: (value) => strings.read(strings.number(value, true)),
    read: reader(heap, texts, (at) => strings.read(heap.u32[at])),
    put: (at, value) => {
      const number = strings.number(value, true); // memory may grow
      heap.u32[at] = number;
    },
  };
}
const reader =
  (heap: Heap, texts: Strings["texts"], slowly: FieldKind["read"]): FieldKind["read"] =>
  (at) =>
    texts[heap.u32[at]] ?? slowly(at);

/** The number that is stored for a value. @internal */
export const numberOf = ({ toNumber }: FieldKind, value: Plain): number => toNumber?.(value) ?? Number(value);
