// Object components whose fields signal.
import { accessorOf } from "../module/v8.js";
import { badArgument, requireName, requireObject, requireStorable, show } from "../module/errors.js";
import { Component } from "./component.js";
import { deepCopy } from "./deep_copy.js";
import { makeVisible } from "./inspection.js";
import type { Inspectable } from "./stored_class.js";

/** The types of the fields that have these defaults: of a function, what it returns. */
export type ObjectFields<D> = { -readonly [K in keyof D]: D[K] extends () => infer R ? R : D[K] };

/** The class of an object component whose fields signal; derive from it: `class Health extends defineObject(...) {}`. */
export type ObjectClass<D> = new (
  values?: Readonly<Partial<ObjectFields<D>>>,
) => Component & ObjectFields<D> & Inspectable<ObjectFields<D>> & { readonly [VALUES]: ObjectFields<D> };
/** The key under which the type carries its fields; the property does not exist at run time. */
declare const VALUES: unique symbol;

/** An instance of a class of `defineObject`. */
export type Defined = Component & { readonly [VALUES]: object };

/** Values for the fields of such a component. Omitted fields get their defaults. */
export type ObjectValues<C> = C extends { readonly [VALUES]: infer V } ? Readonly<Partial<V>> : never;

type Values = Record<string, unknown>;

/**
 * What the classes of `defineObject` derive from. The values are private, so that nothing copies them unnoticed: spread syntax and
 * `Object.assign` copy own properties, and two components would share one list of values.
 * @internal
 */
export class DefinedObject extends Component {
  /** The names of the fields. */
  declare static readonly $fields: readonly string[];
  readonly #values: unknown[];
  constructor(values: unknown[]) {
    super();
    this.#values = values;
  }
  /** Its fields and other properties, not copied. */
  static fields(component: object): Values {
    const names = (component.constructor as typeof DefinedObject).$fields;
    const others = Object.keys(component).filter((key) => key[0] !== "$" && !names.includes(key));
    return Object.fromEntries([
      ...others.map((key) => [key, (component as Values)[key]]),
      ...names.map((field, k) => [field, (component as DefinedObject).#values[k]]),
    ]) as Values;
  }
  static accessor(k: number): PropertyDescriptor {
    const field: { value: unknown } & ThisType<DefinedObject> = {
      get value() {
        return this.#values[k];
      },
      set value(value: unknown) {
        const values = this.#values; // once: V8 looks it up slowly where there are many classes
        if (Object.is(values[k], value)) return;
        this.dirty(); // first, because it can fail
        values[k] = value;
      },
    };
    return { enumerable: true, configurable: true, ...accessorOf(field) };
  }
}
let isVisible = false;
/** The class, with fields that tools see: not before it is used, so that bundlers drop it from programs without `defineObject`. @internal */
export function definedObject(): typeof DefinedObject {
  if (isVisible) return DefinedObject;
  isVisible = true;
  const { prototype, fields } = DefinedObject;
  makeVisible(prototype, fields);
  const value = function (this: object) {
    return deepCopy(fields(this));
  };
  Object.defineProperty(prototype, "toJSON", { value, writable: true, configurable: true });
  return DefinedObject;
}

/** Returns a function that makes the value of a field in a new component. */
function makerOf(field: string, value: unknown): () => unknown {
  if (typeof value === "function") return value as () => unknown;
  if (typeof value !== "object" || value === null) return () => value;
  deepCopy(value, undefined, () => {
    throw badArgument(
      `defineObject: ${field}: the default ${show(value)} can't be copied for each component; pass a function that creates one`,
    );
  });
  return () => deepCopy(value);
}

/**
 * Creates the class of an object component whose fields signal when another value is assigned, compared by `Object.is` (rule C16).
 * `defaults` are the values of its fields in a new component. One that is an object is copied for each component, with what is
 * inside; one that is a function is called for each. A change inside of an object is no assignment: call `dirty()` after it, or
 * assign another object. `toJSON()` and `new Health(other)` copy the fields likewise, and contain instances of classes as they are.
 * Throws `BAD_ARGUMENT` for an invalid name or field, and for a default that can't be copied.
 *
 *     class Health extends defineObject("Health", { points: 3, effects: [] as string[] }) {}
 */
export function defineObject<D extends Readonly<Record<string, unknown>>>(name: string, defaults: D): ObjectClass<D> {
  requireName("defineObject: the name", name);
  requireObject(`defineObject: ${name}: the fields`, defaults);
  const fields = Object.keys(defaults);
  for (const field of fields) {
    if (field in Component.prototype || /^(\$|constructor$|toJSON$)/.test(field))
      throw badArgument(`defineObject: ${name}: the field name ${field} is reserved`);
    requireStorable(`defineObject: ${name}: a field name`, field);
  }
  const makers = fields.map((field) => makerOf(`${name}.${field}`, defaults[field]));
  /** The values in a new component. */
  const valuesFor = (from: Values): unknown[] => {
    requireObject(`new ${name}: the values`, from);
    const made = makers.map((make) => make());
    const given = from instanceof DefinedObject ? deepCopy(DefinedObject.fields(from)) : from;
    for (const field of Object.keys(given)) {
      const k = fields.indexOf(field);
      if (k < 0 && !(from instanceof Defined)) throw badArgument(`new ${name}: there is no field ${field}`);
      if (k >= 0 && given[field] !== undefined) made[k] = given[field];
    }
    return made;
  };
  /** The class of which an instance was added last, and no field was hidden. */
  let checked: unknown;
  class Defined extends definedObject() {
    static readonly $name = name;
    static override readonly $fields = fields;
    constructor(values?: Values) {
      super(values === undefined ? makers.map((make) => make()) : valuesFor(values));
    }
    /** Throws if own properties of the component hide its fields, as rule C9 says of stored ones. @internal */
    $requireFields(call: string): void {
      if (this.constructor === checked) return;
      for (const field of fields) {
        const own = Object.getOwnPropertyDescriptor(this, field);
        if (own === undefined || !("value" in own)) continue; // tools have asked for the fields (see inspection.ts)
        throw badArgument(
          `${call}: the class field ${field} of ${this.constructor.name} hides the field of defineObject; remove it, and declare a ` +
            `default there: { ${field}: ${show(own.value)} }`,
        );
      }
      checked = this.constructor;
    }
  }
  fields.forEach((field, k) => Object.defineProperty(Defined.prototype, field, DefinedObject.accessor(k)));
  return Object.defineProperty(Defined, "name", { value: name }) as unknown as ObjectClass<D>;
}
