import { Component, type ClassInfo, type ComponentClass, classInfo } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { isField } from "../component/fields.js";
import { StoredComponent, requireFields } from "../component/stored_component.js";
import { VectorObject } from "../component/vector.js";
import { ECS } from "../ecs/ecs.js";
import { badArgument } from "../module/errors.js";
import { World } from "../world/world.js";
import { replace, warnOnce } from "./replace.js";

const known = ({ fields }: ClassInfo): string =>
  fields.length === 0
    ? "it has none"
    : `its fields are ${fields
        .filter(isField)
        .map((f) => f.name)
        .join(", ")}`;

/**
 * Assigning a field that the class has not declared is an error while a component belongs to an entity, and for cursors
 * (rule C9). The trap is behind the accessors in the chain of prototypes, so it is called only for what they do not define.
 */
export function checkFields(): void {
  const guard = new Proxy(Object.create(Component.prototype) as object, {
    set(target, field, value, component: Component) {
      if (typeof field === "symbol" || field.startsWith("$") || component.$table === undefined)
        return Reflect.set(target, field, value, component);
      const info = classInfo(component.constructor as ComponentClass);
      throw badArgument(`${info.name}: there is no field ${field}; ${known(info)}. Declare it in defineComponent`);
    },
  });
  Object.setPrototypeOf(StoredComponent.prototype, guard);
  const guardOfVectors = new Proxy(Object.create(Object.prototype) as object, {
    set(target, name, value, vector: VectorObject) {
      if (typeof name === "symbol" || name.startsWith("$")) return Reflect.set(target, name, value, vector);
      const [{ name: field, type }] = vector.$fields;
      throw badArgument(`${field} (${type}): there is no element ${name}`);
    },
  });
  Object.setPrototypeOf(VectorObject.prototype, guardOfVectors);
}

/** The calls that use a class for the first time. */
const CALLS = [
  "addEntity",
  "add",
  "addComponent",
  "addComponents",
  "prefab",
  "query",
  "storage",
  "runs",
  "addSystem",
] as const;
const correct = new WeakSet<object>();

/** Creates an instance of the class. Throws if it has fields of its own: rows and columns do not have them (rule C9). */
function checkClass(call: string, cls: ComponentClass): void {
  if (correct.has(cls)) return;
  correct.add(cls); // the constructor may use the class
  let instance: unknown;
  try {
    instance = Reflect.construct(cls as new () => unknown, []);
  } catch {
    return; // it needs arguments
  }
  if (!(instance instanceof StoredComponent)) return;
  try {
    const info = classInfo(cls);
    requireFields(call, instance, info);
    const own = Object.keys(instance).find((name) => !name.startsWith("$"));
    if (own !== undefined)
      throw badArgument(
        `${call}: the class field ${own} of ${cls.name} is not stored, so that rows do not have it; ${known(info)}. ` +
          "Declare it in defineComponent, or put it into an object component",
      );
  } catch (error) {
    correct.delete(cls);
    throw error;
  }
}

/** The classes that a world uses, by name. */
const named = new WeakMap<World, Map<string, ComponentClass>>();

/** Warns if another class of this world has the name: a module that is evaluated twice defines its classes twice. */
function checkName(world: World, { name, cls }: ClassInfo): void {
  let classes = named.get(world);
  if (classes === undefined) named.set(world, (classes = new Map()));
  const first = classes.get(name);
  if (first === undefined) classes.set(name, cls);
  else if (first !== cls)
    warnOnce(
      cls,
      "name",
      `this ECS uses two component classes named ${name}; neither finds the components of the other. If hot reload has evaluated ` +
        "a module again, reload the page; otherwise rename one of them",
    );
}

/** Class fields of stored components are an error when the class is first used; two classes of one name are a warning. */
export function checkClasses(): void {
  let call: string | undefined;
  for (const name of CALLS)
    replace(
      ECS.prototype,
      name,
      (original) =>
        function (...args) {
          const before = call;
          call = name;
          try {
            return original.apply(this, args);
          } finally {
            call = before;
          }
        },
    );
  replace(
    World.prototype,
    "table",
    (table) =>
      function (cls) {
        if (call !== undefined && (cls as ComponentClass)?.prototype instanceof StoredComponent)
          checkClass(call, cls as ComponentClass);
        const found = table.call(this, cls) as ComponentTable;
        checkName(this as World, found.info);
        return found;
      },
  );
}
