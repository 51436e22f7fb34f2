// What tools see of components, rows and `getComponents`: their fields, and nothing internal (rule C8).
import type { Definition } from "./component.js";
import { isField } from "./fields.js";

type Values = Record<PropertyKey, unknown>;
type Defined = { $definition: Definition };

/** The name of the method that Node's `console.log` and `util.inspect` call. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** The names of the fields of a component or, of a row, of what it contains. Other properties are first. */
function namesOf(object: object): string[] {
  const { $definition } = object.constructor as Partial<Defined>;
  const names = $definition?.fields.filter(isField).map(({ name }) => name) ?? Object.keys(prototypeOf(object));
  return [...new Set([...Object.keys(object).filter((name) => !isInternal(name)), ...names])];
}
const isInternal = (name: string): boolean => name[0] === "$";
const prototypeOf = (object: object): object => Object.getPrototypeOf(object) as object;

const copyFields = (object: object): Values =>
  Object.fromEntries(namesOf(object).map((name) => [name, copyOf((object as Values)[name])]));
const copyOf = (value: unknown): unknown =>
  (value as { $elements?: unknown } | undefined)?.$elements ? [...(value as Iterable<number>)] : value;

// V8 takes 90 ns to define an accessor of an object. So new objects have internal properties, and their fields are accessors
// of the prototype. The first tool that asks for the kind of an object changes that for this object: what such tools read
// first is a getter.

/** In browsers, the internal properties of the objects that were changed. */
const internals = new WeakMap<object, Values>();
/** For each prototype the one that such objects have instead: it finds the internal properties there. */
const replacements = new WeakMap<object, object>();

/** Node's `assert` compares prototypes, so objects keep theirs in Node. The consoles of browsers show what is not enumerable. */
const keepsPrototypes = "process" in globalThis;

function hideInternals(object: object): void {
  const keys = Object.keys(object).filter(isInternal);
  if (keepsPrototypes || keys.length === 0) {
    for (const key of keys) Object.defineProperty(object, key, { enumerable: false });
    return;
  }
  const before = prototypeOf(object);
  const prototype =
    replacements.get(before) ?? (Object.create(before, { constructor: { value: before.constructor } }) as object);
  replacements.set(before, prototype);
  const values: Values = {};
  internals.set(object, values);
  for (const key of keys) {
    values[key] = (object as Values)[key];
    delete (object as Values)[key];
    Object.defineProperty(prototype, key, {
      configurable: true,
      get(this: object) {
        return internals.get(this)?.[key];
      },
      set(this: object, value) {
        internals.get(this)![key] = value;
      },
    });
  }
  Object.setPrototypeOf(object, prototype);
}

/** An own property that is the property of the prototype or, with `copy`, contained in the copy. */
const ownField = (name: string, copy: (object: object) => object): PropertyDescriptor => ({
  enumerable: true,
  configurable: true,
  get(this: object) {
    return copy === copyFields ? Reflect.get(prototypeOf(this), name, this) : (copy(this) as Values)[name];
  },
  set(this: object, value) {
    Reflect.set(prototypeOf(this), name, value, this);
  },
});

/** Makes the fields of objects with this prototype visible to tools. `copy` returns the fields. @internal */
export function makeVisible(prototype: object, copy: (object: object) => object = copyFields, tag?: string): void {
  const properties = new Map<string, PropertyDescriptor>(); // shared, so that V8 gives the objects of a class one shape
  const hook = (result?: string) => ({
    configurable: true,
    get(this: object) {
      if (Object.hasOwn(this, "constructor") || !Object.isExtensible(this)) return; // it is a prototype, or frozen
      // A removed component has names, but no values.
      const names = copy === copyFields ? namesOf(this) : Object.keys(copy(this));
      hideInternals(this);
      for (const name of names) {
        if (Object.hasOwn(this, name)) continue;
        const property = properties.get(name) ?? ownField(name, copy);
        properties.set(name, property);
        Object.defineProperty(this, name, property);
      }
      return result;
    },
  });
  const method = (value: (this: object) => unknown) => ({ value, writable: true, configurable: true });
  const absent = { value: undefined };
  Object.defineProperties(prototype, {
    toJSON: method(function () {
      return copy(this);
    }),
    [INSPECT]: method(function () {
      try {
        const copied = copy(this);
        if (Array.isArray(copied)) return copied;
        const fields = Object.getOwnPropertyDescriptors(copied);
        // An object of the same class, with values.
        return Object.create(prototypeOf(this), { ...fields, [INSPECT]: absent, [Symbol.toStringTag]: absent });
      } catch (error) {
        return `[${(error as Error).message}]`; // of a removed component
      }
    }),
    [Symbol.toStringTag]: hook(tag), // read by Jest, Vitest, Chai, node:assert and the console of browsers
    asymmetricMatch: hook(), // read by Jest and Vitest before that, as toMatchObject needs it
  });
}
