import { Component } from "../component/component.js";
import { ComponentTable } from "../component/component_table.js";
import type { DefinedObject } from "../component/object_class.js";
import { ECS } from "../ecs/ecs.js";
import { Storage } from "../ecs/storage.js";
import type { AnySystem } from "../ecs/system.js";
import type { Entity } from "../module/entity.js";
import { heap, keep } from "../module/heap.js";
import { Handle } from "../module/layout.js";
import type { World } from "../world/world.js";
import { replace, warnOnce } from "./replace.js";

/** How many components of a class are compared in a frame. */
const COMPARED = 50;

/** How many elements of a list or object are compared. */
const ELEMENTS = 100;

interface Snapshot {
  /** For each field that is compared its value or, of a list or object, what is compared of it. */
  readonly contents: Record<string, unknown>;
  /** A field had changed when it was compared last. It is reported the next time, if there was no signal meanwhile. */
  changed: boolean;
}
/** What the fields of a component were when it was compared last, and has not signalled since. */
const snapshots = new WeakMap<Component, Snapshot>();
/** For each class the number of the component that is compared next. */
const next = new WeakMap<ComponentTable, number>();
/** Of each storage that was asked for. */
export const tables = new WeakMap<Storage, ComponentTable>();

/** Objects with more properties than are compared: to list them takes too long to repeat it. */
const large = new WeakSet<object>();

const isPrimitive = (value: unknown) => (typeof value !== "object" && typeof value !== "function") || value === null;
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const ELEMENT = /^_?[xyzw]$/;
/** What a vector has besides: `isQuaternion`, the `_order` of angles, a callback, whether it is dirty itself. */
const NO_ELEMENT = /^(is[A-Z]|_)/;
/**
 * The elements of a vector of three.js, Babylon.js, PixiJS and others, and the order of angles. The class is not known, but its instances
 * contain no other numbers. Undefined for other objects.
 */
function vectorContent(value: object): readonly unknown[] | undefined {
  if (!("x" in value && "y" in value)) return undefined; // before its properties are listed: it can be a large typed array
  const content: unknown[] = [];
  for (const [name, { value: own }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    const isElement = ELEMENT.test(name);
    if (
      isElement ? typeof own !== "number" : !NO_ELEMENT.test(name) || typeof own === "number" || typeof own === "object"
    )
      return undefined;
    if (isElement || typeof own === "string") content.push(own);
  }
  return content.length > 1 ? content : undefined;
}

/**
 * What is compared of a list or plain object: its number of elements, and those that are plain values; and of a vector of a library.
 * Undefined for what is not compared: functions and instances of other classes, and lists and objects that contain some.
 */
function contentOf(value: object): readonly unknown[] | undefined {
  const content: unknown[] = [];
  /** Whether a list or object with the element is compared. */
  const add = (element: unknown): boolean => {
    const primitive = isPrimitive(element);
    content.push(primitive ? element : undefined);
    return primitive || Array.isArray(element) || isPlain(element) || vectorContent(element as object) !== undefined;
  };
  if (Array.isArray(value)) {
    content.push(value.length);
    for (let i = 0; i < value.length && i < ELEMENTS; ++i) if (!add(value[i])) return undefined;
    return content;
  }
  if (!isPlain(value)) return vectorContent(value);
  if (large.has(value)) return undefined;
  const names = Object.keys(value);
  if (names.length > ELEMENTS) return void large.add(value);
  for (const name of names) {
    content.push(name);
    if (!add((value as Record<string, unknown>)[name])) return undefined;
  }
  return content;
}
function sameContent(a: readonly unknown[], b: unknown): boolean {
  return Array.isArray(b) && a.length === b.length && a.every((element, i) => Object.is(element, b[i]));
}

/** The fields that systems can read, without own getters, and those that are private by their name. */
function fieldsOf(component: Component): string[] {
  const { $fields } = component.constructor as Partial<typeof DefinedObject>;
  const isField = (name: string) =>
    name[0] !== "$" && name[0] !== "_" && Object.getOwnPropertyDescriptor(component, name)!.get === undefined;
  const own = Object.keys(component).filter(isField);
  return $fields === undefined ? own : [...own, ...$fields.filter((name) => name[0] !== "_")];
}

/** The first field that has changed; writes all to the snapshot if it is a new one. */
function compareFields(component: Component, contents: Snapshot["contents"], isNew: boolean): string | undefined {
  for (const name of fieldsOf(component)) {
    const value = (component as unknown as Record<string, unknown>)[name];
    const content = isPrimitive(value) ? value : contentOf(value as object);
    if (isNew) contents[name] = content;
    else if (
      isPrimitive(value) ? !Object.is(value, contents[name]) : content && !sameContent(content as [], contents[name])
    )
      return name;
  }
  return undefined;
}

function compare(component: Component, { info }: ComponentTable): void {
  const snapshot = snapshots.get(component);
  if (snapshot === undefined) {
    const contents = {};
    compareFields(component, contents, true);
    snapshots.set(component, { contents, changed: false });
    return;
  }
  const field = compareFields(component, snapshot.contents, false);
  if (field === undefined) {
    snapshot.changed = false;
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
    ECS.prototype,
    "storage",
    (storage) =>
      function (cls) {
        const found = storage.call(this, cls) as Storage;
        if (!tables.has(found)) tables.set(found, this.$world.table(cls));
        return found;
      },
  );
  replace(
    Storage.prototype,
    "markDirty",
    (markDirty) =>
      function (entities: Entity | ArrayLike<Entity>) {
        const { info, objects } = tables.get(this)!;
        if (info.kind !== "object") return markDirty.call(this, entities);
        const list = typeof entities === "number" ? [entities] : keep(entities);
        markDirty.call(this, entities);
        for (const e of Array.from(list)) snapshots.delete(objects[e & Handle.indexMask]!);
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
