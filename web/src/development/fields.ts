import { Component, type ComponentClass, classInfo } from "../component/component.js";
import { StoredComponent } from "../component/stored_component.js";
import { badArgument } from "../module/errors.js";

/**
 * Assigning a field that the class has not declared is an error while a component belongs to an entity, and for cursors
 * (rule C9). The trap is behind the accessors in the chain of prototypes, so it is called only for what they do not define.
 */
export function checkFields(): void {
  const guard = new Proxy(Object.create(Component.prototype) as object, {
    set(target, field, value, component: Component) {
      if (typeof field === "symbol" || field.startsWith("$") || component.$table === undefined)
        return Reflect.set(target, field, value, component);
      const { name, fields } = classInfo(component.constructor as ComponentClass);
      const known = fields.length === 0 ? "it has none" : `its fields are ${fields.map((f) => f.name).join(", ")}`;
      throw badArgument(`${name}: there is no field ${field}; ${known}. Declare it in defineComponent`);
    },
  });
  Object.setPrototypeOf(StoredComponent.prototype, guard);
}
