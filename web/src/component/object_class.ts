// Object components whose fields signal.
import { badArgument, requireObject, show } from "../module/errors.js";
import { Component } from "./component.js";
import { makeVisible } from "./inspection.js";
import type { Inspectable } from "./stored_class.js";

/** The types of the fields that have these defaults: of a function, what it returns. */
export type ObjectFields<D> = { -readonly [K in keyof D]: D[K] extends () => infer R ? R : D[K] };

/** The class of an object component whose fields signal; derive from it: `class Health extends defineObject(...) {}`. */
export type ObjectClass<D> = new (
  values?: Readonly<Partial<ObjectFields<D>>>,
) => Component & ObjectFields<D> & Inspectable<ObjectFields<D>>;

type Values = Record<string, unknown>;
/** Of a default that is an object: whether `structuredClone` copies it as it is. */
const isPlain = (value: object): boolean =>
  [Object.prototype, Array.prototype, Map.prototype, Set.prototype, Date.prototype, null].includes(
    Object.getPrototypeOf(value) as object | null,
  );

/** Returns a function that makes the value of a field in a new component. */
function makerOf(field: string, value: unknown): () => unknown {
  if (typeof value === "function") return value as () => unknown;
  if (typeof value !== "object" || value === null) return () => value;
  if (!isPlain(value))
    throw badArgument(
      `defineObject: ${field}: the default ${show(value)} can't be copied for each component; pass a function that creates one`,
    );
  return () => structuredClone(value);
}

/**
 * Creates the class of an object component whose fields signal when another value is assigned, compared by `Object.is` (rule C16).
 * `defaults` are the values of its fields in a new component. One that is an object is copied for each component; one that is a
 * function is called for each. A change inside of such an object is no assignment: call `dirty()` after it. Throws `BAD_ARGUMENT`
 * for an invalid name or field, and for a default that can't be copied.
 *
 *     class Health extends defineObject("Health", { points: 3, effects: [] as string[] }) {}
 */
export function defineObject<D extends Readonly<Record<string, unknown>>>(name: string, defaults: D): ObjectClass<D> {
  if (typeof name !== "string" || name === "")
    throw badArgument(`defineObject: the name must be a string that is not empty, not ${show(name)}`);
  requireObject(`defineObject: ${name}: the fields`, defaults);
  const fields = Object.keys(defaults);
  for (const field of fields)
    if (field in Component.prototype || /^(\$|constructor$|toJSON$)/.test(field))
      throw badArgument(`defineObject: ${name}: the field name ${field} is reserved`);
  const makers = fields.map((field) => makerOf(`${name}.${field}`, defaults[field]));
  const copy = (component: object): Values => {
    const others = Object.keys(component).filter((key) => key !== "$values" && !fields.includes(key));
    return Object.fromEntries([
      ...others.map((key) => [key, (component as Values)[key]]),
      ...fields.map((field, k) => [field, (component as Defined).$values[k]]),
    ]) as Values;
  };
  /** The class of which an instance was added last, and no field was hidden. */
  let checked: unknown;
  class Defined extends Component {
    static readonly $name = name;
    static readonly $fields = fields;
    /** @internal */
    readonly $values = makers.map((make) => make());
    constructor(values?: Values) {
      super();
      if (values === undefined) return;
      requireObject(`new ${name}: the values`, values);
      for (const field of Object.keys(values instanceof Defined ? copy(values) : values)) {
        const k = fields.indexOf(field);
        if (k < 0 && !(values instanceof Defined)) throw badArgument(`new ${name}: there is no field ${field}`);
        if (k >= 0 && values[field] !== undefined) this.$values[k] = values[field];
      }
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
  makeVisible(Defined.prototype, copy);
  fields.forEach((field, k) => Object.defineProperty(Defined.prototype, field, accessor(k)));
  return Object.defineProperty(Defined, "name", { value: name }) as unknown as ObjectClass<D>;
}

const accessor = (k: number): PropertyDescriptor & ThisType<Component & { $values: unknown[] }> => ({
  enumerable: true,
  configurable: true,
  get() {
    return this.$values[k];
  },
  set(value: unknown) {
    if (Object.is(this.$values[k], value)) return;
    this.$values[k] = value;
    this.dirty();
  },
});
