// The fields of stored components as programs declare them, and the types that follow from a declaration.
import type { Entity } from "../module/entity.js";

/** The type of a field, as in `{ x: "f32", target: "entity" }`. */
export type FieldType = "f32" | "f64" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "bool" | "entity";

/** A field: its type, or its type and its default value (rule C7). Without one it is 0, false or NONE. */
export type FieldSpec =
  | FieldType
  | { readonly type: "bool"; readonly default?: boolean }
  | { readonly type: Exclude<FieldType, "bool">; readonly default?: number };

/** The fields of a stored component and their types. */
export type Schema = Readonly<Record<string, FieldSpec>>;

/** The type of a field. */
export type TypeOf<F extends FieldSpec> = F extends FieldType ? F : F extends { readonly type: infer T } ? T : never;

/** The TypeScript type of a field. */
export type FieldValue<F extends FieldSpec> =
  TypeOf<F> extends "bool" ? boolean : TypeOf<F> extends "entity" ? Entity : number;

/** The fields of a stored component as properties. */
export type Fields<S extends Schema> = { -readonly [K in keyof S]: FieldValue<S[K]> };

/** The typed array of a column of that type. A bool is one byte, an entity a u32. */
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
                : Uint32Array;
