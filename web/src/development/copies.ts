import { Component, type Definition } from "../component/component.js";
import { definedObject } from "../component/object_class.js";
import { StoredComponent } from "../component/stored_component.js";
import { badArgument } from "../module/errors.js";

/** The first own property of a component, cursor or row, so that what copies the own properties reads it before others. */
const GUARD = "$guard";

/** What test tools and browsers read before they compare or print an object; the fields are own properties afterwards. */
const HOOKS = [Symbol.toStringTag, "asymmetricMatch"] as const;
const hooks = new Set<string | symbol>(HOOKS);
export const isHook = (name: string | symbol): boolean => hooks.has(name);

const throws = (message: (object: object) => string): PropertyDescriptor => ({
  enumerable: true,
  configurable: true,
  get(this: object) {
    throw badArgument(message(this));
  },
});
const componentGuard = throws((component) => {
  const { $name, $definition } = component.constructor as { $name?: string; $definition?: Definition };
  const name = $name ?? $definition?.name;
  return `${name}: spread syntax, Object.assign and structuredClone copy no fields; use toJSON(), as in { ...component.toJSON() }`;
});
const rowGuard = throws((row) => {
  const names = Object.keys(Object.getPrototypeOf(row) as object).join(", ");
  return `row: spread syntax, Object.assign and structuredClone copy no components; name them, as in const { ${names} } = row`;
});

/** Makes copying the own properties of a row or cursor an error, unless a tool has made its fields own properties. */
export function guard(object: object): void {
  if (Object.keys(object).length === 0)
    Object.defineProperty(object, GUARD, object instanceof Component ? componentGuard : rowGuard);
}
/** A property of the object is read: the guard must not be found by tools. */
export function unguard(object: object, name: string | symbol): void {
  if (isHook(name)) Reflect.deleteProperty(object, GUARD);
}

class Guarded extends Component {
  constructor() {
    super();
    Object.defineProperty(this, GUARD, componentGuard);
  }
}

/**
 * Copying the own properties of a stored component is an error: they are internal, and make another component access the data
 * of the same entity (rules C5, C8). So is it for components of `defineObject`, of which it would copy no fields (rule C16). The
 * production build can't detect this: V8 takes too long to define such a property.
 */
export function checkCopies(): void {
  for (const base of [StoredComponent, definedObject()]) {
    Object.setPrototypeOf(base, Guarded); // whose constructor `super()` calls from now on
    for (const name of HOOKS) {
      const { get } = Object.getOwnPropertyDescriptor(base.prototype, name)!;
      Object.defineProperty(base.prototype, name, {
        configurable: true,
        get(this: object): unknown {
          unguard(this, name);
          return get!.call(this);
        },
      });
    }
  }
}
