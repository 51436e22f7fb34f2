import { Component } from "../component/component.js";
import { ComponentTable } from "../component/component_table.js";
import type { DefinedObject } from "../component/object_class.js";
import { ECS } from "../ecs/ecs.js";
import { Storage } from "../ecs/storage.js";
import type { AnySystem } from "../ecs/system.js";
import { heap } from "../module/heap.js";
import { Handle } from "../module/layout.js";
import type { World } from "../world/world.js";
import { replace, warnOnce } from "./replace.js";

/** How many components of a class are compared in a frame. */
const COMPARED = 50;

/** How many elements of a list or object are compared. */
const ELEMENTS = 100;

/** For each field what is compared of its value. */
type Values = Record<string, readonly unknown[]>;
interface Snapshot {
  values: Values;
  /** A field had changed when it was compared last. It is reported the next time, if there was no signal meanwhile. */
  changed: boolean;
}
/** What the fields of a component were when it was compared last, and has not signalled since. */
let snapshots = new WeakMap<Component, Snapshot>();
/** For each class the number of the component that is compared next. */
const next = new WeakMap<ComponentTable, number>();

/** Objects with more properties than are compared: to list them takes too long to repeat it. */
const large = new WeakSet<object>();

const isPrimitive = (value: unknown) => (typeof value !== "object" && typeof value !== "function") || value === null;
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * What is compared of a value: of a list or plain object its number of elements, and those that are plain values. Undefined for
 * what is not compared: functions and instances of classes, and lists and objects that contain some.
 */
function contentOf(value: unknown): readonly unknown[] | undefined {
  if (isPrimitive(value)) return [value];
  let elements: unknown[];
  if (Array.isArray(value)) {
    elements = [value.length, ...(value.slice(0, ELEMENTS) as unknown[])];
  } else {
    if (!isPlain(value) || large.has(value)) return undefined;
    const entries = Object.entries(value);
    if (entries.length > ELEMENTS) return void large.add(value);
    elements = entries.flat();
  }
  if (!elements.every((element) => isPrimitive(element) || Array.isArray(element) || isPlain(element)))
    return undefined;
  return elements.map((element) => (isPrimitive(element) ? element : undefined));
}
const sameContent = (a: readonly unknown[], b: readonly unknown[] | undefined): boolean =>
  a.length === b?.length && a.every((element, i) => Object.is(element, b[i]));

/** The fields that systems can read, without those that are private by their name. */
function fieldsOf(component: Component): Values {
  const { $fields = [] } = component.constructor as Partial<typeof DefinedObject>;
  const values: Values = {};
  for (const name of [...Object.keys(component), ...$fields]) {
    const content = /^[$_]/.test(name) ? undefined : contentOf((component as unknown as Record<string, unknown>)[name]);
    if (content !== undefined) values[name] = content;
  }
  return values;
}

function compare(component: Component, { info }: ComponentTable): void {
  const values = fieldsOf(component);
  const snapshot = snapshots.get(component);
  const field = snapshot && Object.keys(values).find((name) => !sameContent(values[name]!, snapshot.values[name]));
  if (snapshot === undefined || field === undefined) {
    snapshots.set(component, { values, changed: false });
  } else if (!snapshot.changed) {
    snapshot.changed = true;
  } else {
    warnOnce(
      info.cls,
      "dirty",
      `${info.name}.${field} has changed without a signal, so that systems that watch ${info.name} do not notice it. Call ` +
        `dirty() after the change, for example in a setter. If no such system reads the field, name it _${field} or #${field}`,
    );
  }
}

/** The classes that systems watch, except those of which they only want to know the presence. */
function watchedClasses(world: World): Set<unknown> {
  const systems = world.systems.flatMap((record) => (record === undefined ? [] : [record.system as AnySystem]));
  return new Set(
    systems.flatMap(({ dirtyComponents, dirtyFromAncestors, $presence }) =>
      [...dirtyComponents, ...dirtyFromAncestors].filter((cls) => !$presence.includes(cls)),
    ),
  );
}

function compareSome(world: World): void {
  const objects = world.tables.filter((table) => table?.info.kind === "object" && table.watchers > 0);
  const watched = objects.length > 0 ? watchedClasses(world) : undefined;
  for (const table of objects) {
    if (table === undefined || !watched!.has(table.info.cls)) continue;
    const { count } = table;
    let at = next.get(table) ?? 0;
    for (let i = Math.min(count, COMPARED); i > 0; --i, ++at) {
      const e = heap.u32[(table.entitiesAddress >> 2) + (at %= count)];
      const component = table.objects[e & Handle.indexMask];
      if (component !== undefined) compare(component, table);
    }
    next.set(table, at);
  }
}

/** Detects fields of object components that change without a signal, and deltas in milliseconds. */
export function checkSignals(): void {
  replace(
    Component.prototype,
    "dirty",
    (dirty) =>
      function () {
        snapshots.delete(this);
        dirty.call(this);
      },
  );
  replace(
    ComponentTable.prototype,
    "attach",
    (attach) =>
      function (component, e) {
        snapshots.delete(component); // adding signals
        attach.call(this, component, e);
      },
  );
  replace(
    Storage.prototype,
    "markDirty",
    (markDirty) =>
      function (entities) {
        snapshots = new WeakMap();
        markDirty.call(this, entities);
      },
  );
  replace(
    ECS.prototype,
    "update",
    (update) =>
      function (...args) {
        const result = update.apply(this, args) as number;
        const [delta] = args as number[];
        if (delta > 1)
          warnOnce(
            this,
            "delta",
            `update: the delta is in seconds, and ${delta} is more than one. Are these milliseconds?`,
          );
        if (!this.$world.disposed) compareSome(this.$world);
        return result;
      },
  );
}
