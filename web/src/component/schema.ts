// The fields of stored components as programs declare them, and the types that follow from a declaration.
import type { Entity } from "../module/entity.js";

/** The type of a field, as in `{ x: "f32", target: "entity" }`. */
export type FieldType =
  | "f32"
  | "f64"
  | "i8"
  | "u8"
  | "i16"
  | "u16"
  | "i32"
  | "u32"
  | "bool"
  | "entity"
  | "link"
  | "string";

type NumberType = Exclude<FieldType, "bool" | "entity" | "link" | "string">;
/** The type of a vector field (rule C12): a numeric type and how many elements it has, from 2 to 64, as in `{ at: "f32x3" }`. */
export type VectorType = `${NumberType}x${Exclude<Partial<Numbers<64>>["length"], 0 | 1>}`;

/**
 * A field: its type, or its type and its default value (rule C7). Without one it is 0, false, NONE, "" or the first name. A `link` is
 * NONE at first. Messages of the compiler show the parameter, the name of the field.
 */
export type FieldSpec<_Field = unknown> =
  | FieldType
  | VectorType
  | readonly string[] // the names of an enum (rule C11), as in `{ state: ["idle", "walk"] }`
  | { readonly type: "bool"; readonly default?: boolean }
  | { readonly type: "link"; readonly default?: undefined }
  | { readonly type: "string"; readonly default?: string }
  | { readonly type: Exclude<FieldType, "bool" | "link" | "string">; readonly default?: number }
  | { readonly type: VectorType; readonly default?: readonly number[] | Readonly<XY | XYZ | XYZW> }
  | { readonly type: readonly string[]; readonly default?: string };

/** The fields of a stored component and their types. */
export type Schema = Readonly<Record<string, FieldSpec>>;

/** A schema. Messages of the compiler name the field, and some types. */
export type NamedSchema<S> = { readonly [K in keyof S]: FieldSpec<`${K & string}: f32, bool, string, ...`> };

/** The same schema if the defaults of its enums are names of them. */
export type CheckedSchema<S> = {
  readonly [K in keyof S]: S[K] extends { readonly type: infer T extends readonly string[]; readonly default: string }
    ? { readonly type: T; readonly default: T[number] }
    : S[K];
};

/** The type of a field. */
export type TypeOf<F extends FieldSpec> = F extends FieldType | VectorType | readonly string[]
  ? F
  : F extends { readonly type: infer T }
    ? T
    : never;

/** A list of N numbers. */
export type Numbers<N extends number, L extends number[] = []> = L["length"] extends N ? L : Numbers<N, [...L, number]>;

type Letters<N extends number> = N extends 2
  ? "x" | "y"
  : N extends 3
    ? "x" | "y" | "z"
    : N extends 4
      ? "x" | "y" | "z" | "w"
      : never;

/**
 * The value of a vector field (rule C12), as long as its component or cursor can be used. Its elements can be indexed, iterated
 * and destructured; up to four elements are also `x`, `y`, `z` and `w`. An element that is assigned signals if the stored value
 * changes (rule D2).
 */
export type Vector<N extends number> = VectorMethods<N> & {
  [I in Extract<keyof Numbers<N>, `${number}`> | Letters<N>]: number;
};
/** What vectors of all lengths have. */
export interface VectorMethods<N extends number> extends Iterable<number> {
  [index: number]: number;
  readonly length: N;
  /** Sets all elements, and signals at most once. Throws `BAD_ARGUMENT` for another number of elements; nothing is changed then. */
  set(...elements: Numbers<N>): void;
  set(elements: ArrayLike<number> | Point<N>): void;
  /** Up to four elements: writes them to `x`, `y` and so on of an object, such as a `Vector3` of three.js, and returns it. */
  copyTo<T extends Target<N>>(target: T): T;
  /** A copy of the elements. */
  toJSON(): Numbers<N>;
}

// Vectors as other libraries have them. Interfaces and no mapped types, with which programs compile slower.
interface XY {
  x: number;
  y: number;
}
interface XYZ extends XY {
  z: number;
}
interface XYZW extends XYZ {
  w: number;
}
interface OnlyXY extends Readonly<XY> {
  readonly z?: undefined;
  readonly w?: undefined;
}
interface OnlyXYZ extends Readonly<XYZ> {
  readonly w?: undefined;
}
/** What `copyTo` writes to. */
type Target<N extends number> = N extends 2 ? XY : N extends 3 ? XYZ : N extends 4 ? XYZW : never;
/** An object with the elements, such as a `Vector3` of three.js for three of them. */
type Point<N extends number> = N extends 2 ? OnlyXY : N extends 3 ? OnlyXYZ : N extends 4 ? Readonly<XYZW> : Vector<N>;

/** Any typed array of numbers. With few members, so that the compiler compares other lists with a list of N numbers. */
interface TypedArray extends ArrayLike<number> {
  readonly BYTES_PER_ELEMENT: number;
}

/**
 * What all elements of a vector can get: a typed array, another vector, a list of N numbers or, up to four, an object with `x`, `y` and so on.
 * Messages of the compiler show the second parameter, the name of the field and its type.
 */
export type VectorInput<N extends number, _Field = unknown> = TypedArray | Readonly<Numbers<N>> | Point<N>;

type LengthOf<T> = T extends `${string}x${infer N extends number}` ? N : never;

/** The TypeScript type of a field. */
type ValueOf<T> = T extends VectorType ? Vector<LengthOf<T>> : PlainOf<T>;
type PlainOf<T> = T extends "bool"
  ? boolean
  : T extends "entity" | "link"
    ? Entity
    : T extends "string"
      ? string
      : T extends readonly string[]
        ? T[number]
        : number;

/** The fields of a stored component as properties. */
export type Fields<S extends Schema> = { -readonly [K in keyof S]: ValueOf<TypeOf<S[K]>> };

/** The names of the fields of type `link`. */
type LinkFields<S> = { [K in keyof S]: S[K] extends "link" | { readonly type: "link" } ? K : never }[keyof S];

/** The argument that names a link field: it can be omitted if there is only one. */
export type LinkField<S, K = LinkFields<S>> = [K] extends [never]
  ? string extends keyof S // of any class, nothing is known
    ? [field?: string]
    : [field: never]
  : true extends (K extends unknown ? ([LinkFields<S>] extends [K] ? false : true) : never)
    ? [field: LinkFields<S> & string]
    : [field?: LinkFields<S> & string];

/** Values for the fields of a stored component. */
export type FieldInputs<S extends Schema> = {
  readonly [K in keyof S]?: TypeOf<S[K]> extends VectorType
    ? VectorInput<LengthOf<TypeOf<S[K]>>, `${K & string}: ${TypeOf<S[K]>}`>
    : ValueOf<TypeOf<S[K]>>;
};

/** A copy of the fields of a stored component: of a vector a list. */
export type FieldCopies<S extends Schema> = {
  -readonly [K in keyof S]: TypeOf<S[K]> extends VectorType ? Numbers<LengthOf<TypeOf<S[K]>>> : ValueOf<TypeOf<S[K]>>;
};

/**
 * The typed array of a column of that type. A bool is one byte, an entity a u32, and a string the u32 of which `ecs.text` returns the text. An enum is the number of its name, as a u8, with
 * more than 256 names as a u16, and in C++ as the integer of the enum. The elements of a vector are one behind the other.
 */
export type ArrayOf<T> = T extends `${infer E extends NumberType}x${number}`
  ? ArrayOf<E>
  : T extends "f32"
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
                : T extends readonly string[]
                  ? IntegerArray
                  : T extends "link"
                    ? // only to be read, because the core keeps the reverse (rule C15)
                      Omit<Uint32Array, "set" | "fill" | "sort" | "reverse" | "copyWithin" | number> & {
                        readonly [index: number]: Entity;
                      }
                    : Uint32Array;
type IntegerArray = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array;
