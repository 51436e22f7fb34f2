// The fields of stored components as programs declare them, and the types that follow from a declaration.
import type { Entity } from "../module/entity.js";

/** The type of a field, as in `{ x: "f32", target: "entity" }`. */
export type FieldType = "f32" | "f64" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "bool" | "entity" | "link";

/** A field: its type, or its type and its default value (rule C7). Without one it is 0, false or NONE. A `link` is NONE at first. */
export type FieldSpec =
  | FieldType
  | { readonly type: "bool"; readonly default?: boolean }
  | { readonly type: "link"; readonly default?: undefined }
  | { readonly type: Exclude<FieldType, "bool" | "link">; readonly default?: number };

/** The fields of a stored component and their types. */
export type Schema = Readonly<Record<string, FieldSpec>>;

/** The type of a field. */
export type TypeOf<F extends FieldSpec> = F extends FieldType ? F : F extends { readonly type: infer T } ? T : never;

/** The TypeScript type of a field. */
export type FieldValue<F extends FieldSpec> =
  TypeOf<F> extends "bool" ? boolean : TypeOf<F> extends "entity" | "link" ? Entity : number;

/** The fields of a stored component as properties. */
export type Fields<S extends Schema> = { -readonly [K in keyof S]: FieldValue<S[K]> };

/** The column of a field of type `link`: a Uint32Array that is only to be read, because the core keeps the reverse (rule C15). */
export type LinkColumn = Omit<Uint32Array, "set" | "fill" | "sort" | "reverse" | "copyWithin" | number> & {
  readonly [index: number]: Entity;
};

/** The names of the fields of type `link`. */
export type LinkFields<S> = { [K in keyof S]: S[K] extends "link" | { readonly type: "link" } ? K : never }[keyof S];

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
                : TypeOf<F> extends "link"
                  ? LinkColumn
                  : Uint32Array;
