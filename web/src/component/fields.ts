import { badArgument, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { FieldNumber, FieldShift } from "../module/layout.js";
import type { FieldKind, Plain } from "./field_kinds.js";

/** @internal */
export interface FieldInfo {
  name: string;
  kind: FieldKind;
  /** Its default value. */
  initial: Plain;
  /** Values of this type from one component to the next; 1 unless the component is a C++ struct. */
  stride: number;
}

/** `valueBytes` is the size of the C++ struct that contains the field. @internal */
export function fieldInfo(name: string, kind: FieldKind, initial: unknown, valueBytes?: number): FieldInfo {
  const field = { name, kind, initial: kind.initial, stride: valueBytes === undefined ? 1 : valueBytes >> kind.shift };
  if (initial !== undefined) field.initial = checked(field, initial);
  return field;
}

/**
 * Writes a value of the field to an address, packed. Throws `BAD_ARGUMENT` for a value that the field can't store. A switch,
 * because calls of the functions of many kinds are slow.
 * @internal
 */
export function writePacked(field: FieldInfo, address: number, value: unknown): void {
  const { kind } = field;
  if (typeof value !== "number" || kind.number >= FieldNumber.bool) {
    kind.put(address >> kind.shift, checked(field, value));
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

/** The value that the field will store. Throws `BAD_ARGUMENT` for a value that the field can't store. @internal */
export function checked(field: FieldInfo, value: unknown): Plain {
  const { name, number, takes, round } = field.kind;
  if (takes(value)) return typeof value === "number" ? round(value) : (value as boolean);
  const wanted = number < FieldNumber.bool ? "a number" : number === FieldNumber.bool ? "a boolean" : "an entity";
  throw badArgument(`field ${field.name} (${name}) takes ${wanted}, not ${show(value)}`);
}
