// The fields of stored components as programs declare them, and the types that follow from a declaration.
import type { Entity } from "../module/entity.js";

/** The type of a field, as in `{ x: "f32", target: "entity" }`. */
export type FieldType = "f32" | "f64" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "bool" | "entity";

/** The names of the values of an enum field (rule C11), as in `{ state: ["idle", "walk"] }`. */
export type EnumType = readonly string[];

/** A field: its type, or its type and its default value (rule C7). Without one it is 0, false, NONE or the first name. */
export type FieldSpec =
  | FieldType
  | EnumType
  | { readonly type: "bool"; readonly default?: boolean }
  | { readonly type: Exclude<FieldType, "bool">; readonly default?: number }
  | { readonly type: EnumType; readonly default?: string };

/** The fields of a stored component and their types. */
export type Schema = Readonly<Record<string, FieldSpec>>;

/** The type of a field. */
export type TypeOf<F extends FieldSpec> = F extends FieldType | EnumType
  ? F
  : F extends { readonly type: infer T }
    ? T
    : never;

/** The TypeScript type of a field. */
export type FieldValue<F extends FieldSpec> =
  TypeOf<F> extends "bool"
    ? boolean
    : TypeOf<F> extends "entity"
      ? Entity
      : TypeOf<F> extends EnumType
        ? TypeOf<F>[number]
        : number;

/** The fields of a stored component as properties. */
export type Fields<S extends Schema> = { -readonly [K in keyof S]: FieldValue<S[K]> };

/**
 * The typed array of a column of that type. A bool is one byte, an entity a u32. An enum is the number of its name, as a u8, with
 * more than 256 names as a u16, and in C++ as the integer of the enum.
 */
export type ColumnArray<F extends FieldSpec> =
  TypeOf<F> extends "f32"
    ? Float32Array
    : TypeOf<F> extends "f64"
      ? Float64Array
      : TypeOf<F> extends "i8"
        ? Int8Array
        : TypeOf<F> extends "u8" | "bool"
          ? Uint8Array
          : TypeOf<F> extends "i16"
            ? Int16Array
            : TypeOf<F> extends "u16"
              ? Uint16Array
              : TypeOf<F> extends "i32"
                ? Int32Array
                : TypeOf<F> extends EnumType
                  ? EnumColumn
                  : Uint32Array;
type EnumColumn = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array;
