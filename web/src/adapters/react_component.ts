// Which components an entity has, and what they contain.
import { useMemo, useSyncExternalStore } from "react";
import type { Component, ComponentClass, ECS, Entity, Inspectable, Query, Shape } from "../api.js";
import { deepCopy } from "../component/deep_copy.js";
import { Listeners, listenersOf, same } from "./react_listeners.js";
import { badArgument, useProvidedFor } from "./react_world.js";

function componentListeners(ecs: ECS, cls: ComponentClass): Listeners {
  const name = `useComponent(${ecs.$world.table(cls).info.name})`;
  const options = { watch: [cls], onlyWhenDirty: true, whilePaused: true, name };
  const listeners = new Listeners(ecs, { component: cls }, options, {
    update(_delta, _entities, dirty) {
      if (dirty.size < listeners.size) for (const e of dirty) listeners.notify(e);
      else for (const e of listeners.keys()) if (dirty.has(e)) listeners.notify(e);
    },
    onRemove: ({ entity }) => listeners.notify(entity),
  });
  return listeners;
}

/** What one `useComponent` reads and subscribes to. */
function componentStore<F>(ecs: ECS, e: Entity, cls: ComponentClass<Component & Inspectable<F>>) {
  const listeners = listenersOf(componentListeners, ecs, cls);
  let last: Readonly<F> | undefined;
  const read = () => {
    const exists = listeners.tracked?.has(e) ?? ecs.alive(e);
    const next = exists ? ecs.tryGet(e, cls)?.toJSON() : undefined;
    if (!same(last, next)) last = deepCopy(next, Object.freeze); // `toJSON` may return what changes later
    return last;
  };
  return { read, subscribe: (listener: () => void) => listeners.subscribe(e, listener) };
}

/**
 * The fields of an entity's component: a copy, and the same object until its content changes. It is frozen, with the arrays and
 * plain objects in it; instances of classes in it are not copied. Undefined if the entity has no such component or was removed.
 * Renders the calling component again when the content has changed: at the end of `ecs.update`, and at once when the component
 * is removed. Of an object component, the fields are what its `toJSON` returns. Costs copies for each change of the component,
 * and nothing while others change.
 *
 * With `select`, what it returns for the fields, and the calling component renders only when that has changed:
 * `useComponent(e, Timer, ({ seconds }) => Math.ceil(seconds))`.
 */
export function useComponent<F>(e: Entity, cls: ComponentClass<Component & Inspectable<F>>): Readonly<F> | undefined;
export function useComponent<F, R>(
  e: Entity,
  cls: ComponentClass<Component & Inspectable<F>>,
  select: (fields: Readonly<F>) => R,
): R | undefined;
export function useComponent<F, R>(
  e: Entity,
  cls: ComponentClass<Component & Inspectable<F>>,
  select?: (fields: Readonly<F>) => R,
): Readonly<F> | R | undefined {
  const ecs = useProvidedFor("useComponent", e);
  if (select !== undefined && typeof select !== "function")
    throw badArgument("useComponent: the third argument must be a function of the fields");
  const store = useMemo(() => ({ ...componentStore(ecs, e, cls), shown: undefined as unknown }), [ecs, e, cls]);
  const read = () => {
    const fields = store.read();
    const next = fields === undefined || select === undefined ? fields : select(fields);
    if (!same(store.shown, next)) store.shown = next;
    return store.shown as R | undefined;
  };
  return useSyncExternalStore(store.subscribe, read, read);
}

function hasListeners(ecs: ECS, { $classes: { tables } }: Query): Listeners {
  const name = `useHas(${tables.map(({ info }) => info.name).join()})`;
  const shape = { ...tables.map(({ info }) => info.cls) } as unknown as Shape;
  const notify = ({ entity }: { entity: Entity }) => listeners.notify(entity);
  const options = { disabled: true, name }; // it tracks and never runs
  const listeners = new Listeners(ecs, shape, options, { onAdd: notify, onRemove: notify });
  return listeners;
}

/**
 * Whether an entity is alive and has a component of each of the classes. Renders the calling component again when that has
 * changed: at once. Throws `BAD_ARGUMENT` without a class. Costs a call from C++ for each entity that gets or loses these components,
 * and nothing while values change.
 */
export function useHas(e: Entity, ...classes: [ComponentClass, ...ComponentClass[]]): boolean {
  const ecs = useProvidedFor("useHas", e);
  if (classes.length === 0) throw badArgument("useHas: pass at least one component class");
  const query = ecs.query({ ...classes } as unknown as Shape); // for the same classes the same
  const store = useMemo(() => {
    const listeners = listenersOf(hasListeners, ecs, query);
    const read = () => listeners.tracked?.has(e) ?? query.has(e);
    return { read, subscribe: (listener: () => void) => listeners.subscribe(e, listener) };
  }, [ecs, query, e]);
  return useSyncExternalStore(store.subscribe, store.read, store.read);
}
