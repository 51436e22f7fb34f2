// The classes of stored components.
import { badArgument, requireName, requireNone, requireObject, show } from "../module/errors.js";
import type { Component, Definition, Solo } from "./component.js";
import type { Plain } from "./field_kinds.js";
import { isField, plain, requireEach, type FieldInfo } from "./fields.js";
import { parseField } from "./parse_field.js";
import type { CheckedSchema, FieldCopies, FieldInputs, Fields, NamedSchema, Schema, TypeOf } from "./schema.js";
import { accessor, componentVectors } from "./stored_accessors.js";
import { NO_VALUES, StoredComponent, type Values } from "./stored_component.js";

/** Creates a component class. If the definition is not complete yet, this happens when the class is first used. @internal */
export function makeClass(definition: Definition): unknown {
  const { name } = definition;
  const names = new Map<string, number>();
  const initial: Plain[] = [];
  const made = class extends StoredComponent {
    static readonly $definition = definition;
    static get schema(): object {
      definition.complete?.();
      const { fields } = definition;
      const of = (k: number) => (fields[k].length > 1 ? initial.slice(k, k + fields[k].length) : initial[k]);
      return Object.fromEntries([...names].map(([name, k]) => [name, { type: fields[k].type, default: of(k) }]));
    }
    constructor(values?: Readonly<Record<string, unknown>>) {
      definition.complete?.();
      super(initial.length === 0 ? NO_VALUES : initial.slice());
      for (const key in values) {
        const k = names.get(key);
        if (k === undefined) {
          if (values instanceof StoredComponent) continue; // its internal properties
          throw badArgument(`new ${name}: there is no field ${key}`);
        }
        if (values[key] !== undefined) setValue(definition.fields, this.$values!, k, values[key]);
      }
    }
  };
  const addFields = () => {
    const { fields } = definition;
    StoredComponent.$defined(definition);
    const vectors = fields.map(({ length }, k) =>
      length > 1 ? componentVectors(fields.slice(k, k + length)) : undefined,
    );
    const define = (watched: boolean) => {
      const accessors = fields.map((_, k) => accessor(definition, k, watched));
      for (const [name, k] of names) {
        vectors[k]?.define(accessors.slice(k, k + fields[k].length));
        Object.defineProperty(made.prototype, name, vectors[k] ?? accessors[k]);
      }
    };
    fields.forEach((field, k) => {
      if (isField(field)) names.set(field.name, k);
      initial.push(field.initial);
    });
    const solo: Solo = {
      owner: undefined,
      columns: fields.map(() => ({ base: -1 })),
      shared: false,
      watch: () => {
        solo.watch = () => {};
        define(true);
      },
    };
    definition.solo = solo;
    define(false);
  };
  const find = definition.complete;
  if (find === undefined) addFields();
  else
    definition.complete = () => {
      find();
      addFields();
      definition.complete = undefined;
    };
  Object.defineProperty(made, "name", { value: name });
  // For views of existing values, which are created without running a subclass's constructor and field initialisers.
  Object.defineProperty(made, "$base", { value: made });
  return made;
}

function setValue(fields: readonly FieldInfo[], values: Values, k: number, value: unknown): void {
  const put = (i: number, element: unknown) => (values[i] = plain(fields[i], element));
  if (fields[k].length === 1) put(k, value);
  else requireEach(fields, k, value, put);
}

/** Creates a component of that class for a value that is in memory already. @internal */
export function makeView(cls: unknown): StoredComponent {
  const base = (cls as { $base: new () => StoredComponent }).$base;
  return Reflect.construct(base, [], cls as new () => unknown) as StoredComponent;
}

/**
 * The class of a stored component; derive from it: `class Position extends defineComponent(...) {}`. Classes with different
 * names are different types, also if they have the same fields.
 */
export interface StoredClass<S extends Schema, N extends string = string> {
  new (
    values?: [keyof S] extends [never] ? Readonly<Record<string, never>> : FieldInputs<S>,
  ): Component & Fields<S> & Inspectable<FieldCopies<S>> & { readonly [SCHEMA]: S; readonly [NAME]: N };
  /** The type and the default value of each field, for tools: a new object at each access. */
  readonly schema: { readonly [K in keyof S]: { readonly type: TypeOf<S[K]>; readonly default: FieldCopies<S>[K] } };
}
/** What stored components have besides their fields. */
export interface Inspectable<F> {
  /** A copy of the fields as an ordinary object. Throws `MISSING_COMPONENT` after the component's removal (rules C5, C8). */
  toJSON(): F;
}
/** The keys under which the type carries its schema and name; the properties do not exist at run time. */
declare const SCHEMA: unique symbol;
declare const NAME: unique symbol;

/** The schema of a stored component, from its instance type. */
export type SchemaOf<C> = C extends { readonly [SCHEMA]: infer S } ? (S extends Schema ? S : {}) : {};

/** An instance of a class with a schema. */
export type Stored = Component & { readonly [SCHEMA]: Schema };

/** Values for the fields of a stored or native component. Omitted fields get their defaults. */
export type StoredValues<C> = FieldInputs<SchemaOf<C>>;

/** Whether the class has a schema, as stored and native classes do. */
export type IsStored<C> = C extends { readonly [SCHEMA]: Schema } ? true : false;

/**
 * Creates the class of a stored component (rule C3). Each field is a column in WebAssembly memory; a setter signals if
 * the stored value changes (rule D2). Without fields, the class is a tag and needs no storage. Throws `BAD_ARGUMENT` for
 * an invalid name, field name, field type or policy.
 *
 *     class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
 */
export function defineComponent<const S extends NamedSchema<S> = {}, const N extends string = string>(
  name: N,
  schema?: S & CheckedSchema<S>,
  options: {
    /**
     * `linear` (default): each value is at the index of its entity. `sparse`: values without gaps, for classes of which few entities have
     * one in a large world, and for columns that a GPU takes as they are; a row looks its slot up (rule T2).
     */
    readonly policy?: "sparse" | "linear";
  } = {},
): StoredClass<S, N> {
  requireName("defineComponent: the name", name);
  requireObject(`defineComponent: ${name}: the options`, options);
  if (schema !== undefined) requireObject(`defineComponent: ${name}: the schema`, schema);
  const { policy = "linear", ...others } = options;
  requireNone(`defineComponent: ${name}`, others);
  if (policy !== "sparse" && policy !== "linear")
    throw badArgument(`defineComponent: ${name}: the policy must be "sparse" or "linear", not ${show(policy)}`);
  const fields = Object.entries(schema ?? {}).flatMap(([field, spec]) =>
    parseField(`defineComponent: ${name}`, field, spec),
  );
  return makeClass({ kind: "stored", name, linear: policy === "linear", fields }) as StoredClass<S, N>;
}
