import { isList } from "../core/core_world.js";
import { badArgument, show, storedText } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { FieldNumber, FieldShift } from "../module/layout.js";
import { isNumber, numberOf, type FieldKind, type Plain } from "./field_kinds.js";
import type { FieldType } from "./schema.js";

/** A field that is no vector, or an element of a vector: these are fields that are one behind the other. @internal */
export interface FieldInfo {
  /** That of an element behind the first is for messages. */
  name: string;
  /** As it is declared. */
  type: FieldType | readonly string[];
  kind: FieldKind;
  /** Its default value. */
  initial: Plain;
  /** Values of this type from one component to the next; 1 unless it is in a vector or a C++ struct. */
  stride: number;
  /** Of the first element of a vector, how many there are, and 0 of others; 1 of a field that is no vector. */
  length: number;
}

/** The field `name` or, for a type with a length, its elements. `stride` is that in a C++ struct. @internal */
export function makeFields(name: string, kind: FieldKind, length = 1, stride = length): FieldInfo[] {
  return Array.from({ length }, (_, i) => ({
    name: i > 0 ? `${name}[${i}]` : name,
    type: kind.names ?? ((length > 1 ? `${kind.name}x${length}` : kind.name) as FieldType),
    kind,
    initial: kind.initial,
    stride,
    length: i > 0 ? 0 : length,
  }));
}

/** Whether programs see it: it is no element behind the first of a vector. @internal */
export const isField = ({ length }: FieldInfo): boolean => length > 0;

/**
 * Writes a value of the field to an address, packed. Throws `BAD_ARGUMENT` for a value that the field can't store. A switch,
 * because calls of the functions of many kinds are slow.
 * @internal
 */
export function writePacked(field: FieldInfo, address: number, value: unknown): void {
  const { kind } = field;
  if (typeof value !== "number" || kind.takes !== isNumber) {
    const plain = checked(field, value);
    if (kind.number === FieldNumber.string) {
      const number = numberOf(kind, plain); // memory may grow
      heap.u32[address >> FieldShift.u32] = number;
    } else kind.put(address >> kind.shift, plain);
    return;
  }
  switch (kind.shift) {
    case FieldShift.f64:
      heap.f64[address >> FieldShift.f64] = value;
      break;
    case FieldShift.u8:
      heap.u8[address] = value;
      break;
    case FieldShift.u16:
      heap.u16[address >> FieldShift.u16] = value;
      break;
    default:
      if (kind.number === FieldNumber.f32) heap.f32[address >> FieldShift.f32] = value;
      else heap.u32[address >> FieldShift.u32] = value;
  }
}

const wrong = (field: FieldInfo, wanted: string, value: unknown) =>
  badArgument(`field ${field.name} (${field.type}) takes ${wanted}, not ${show(value)}`);

/** The value that the field will store. Throws `BAD_ARGUMENT` for a value that the field can't store. @internal */
export function checked(field: FieldInfo, value: unknown): Plain {
  const { number, names, takes } = field.kind;
  if (takes(value)) return typeof value === "number" ? field.kind.round(value) : (value as Plain);
  if (names)
    throw badArgument(`field ${field.name} takes ${names.map((each) => show(each)).join(", ")}, not ${show(value)}`);
  const wanted =
    number < FieldNumber.bool
      ? "a number"
      : number === FieldNumber.bool
        ? "a boolean"
        : number === FieldNumber.string
          ? "a string"
          : "an entity";
  throw wrong(field, wanted, value);
}

/** The same, for a component that has no memory yet. @internal */
export function plain(field: FieldInfo, value: unknown): Plain {
  const found = checked(field, value);
  return typeof found === "string" ? storedText(found) : found;
}

/** A vector of a library: an object with elements of these names, which can be accessors of its class. @internal */
export type Point = Partial<Record<"x" | "y" | "z" | "w", unknown>>;

/** The elements of such an object, each read once, because an accessor can run code of the program. Undefined for other values. @internal */
export function elementsOf(value: unknown): unknown[] | undefined {
  const x = (value as Point | null | undefined)?.x;
  if (x === undefined) return undefined;
  const { y, z, w } = value as Point;
  return w !== undefined ? [x, y, z, w] : z !== undefined ? [x, y, z] : [x, y];
}

/**
 * The elements for the vector that begins with the field. Throws `BAD_ARGUMENT` unless the value has as many: a list, or an object with x and
 * y, which comes first, because its `length` can be that of the vector in space. @internal
 */
export function requireLength(field: FieldInfo, value: unknown): ArrayLike<unknown> {
  const list = elementsOf(value) ?? (isList(value) ? value : undefined);
  if (list?.length === field.length) return list;
  throw wrong(field, `a list of ${field.length} numbers`, list ? list.length : value);
}

/** Calls `put` with the position and the value of each element of the vector that begins with field number `k`. @internal */
export function requireEach(
  fields: readonly FieldInfo[],
  k: number,
  value: unknown,
  put: (i: number, element: unknown) => void,
): void {
  const list = requireLength(fields[k], value);
  for (let i = 0; i < list.length; ++i) put(k + i, list[i]);
}
