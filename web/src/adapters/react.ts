// React: hooks that render a component when what it shows has changed. While components are mounted, the ECS has systems
// that run last and notify React. Their cost follows what changed. See docs/react.md.
import { createContext, createElement, useContext, useMemo, useSyncExternalStore, type ReactNode } from "react";
import type { AnySystem, Component, ComponentClass, ECS, Inspectable, RegisteredECS, SystemOptions } from "../api.js";
import { deepCopy } from "../component/deep_copy.js";
import { EcsError, NONE, defineSystem, type Entity, type Query, type Shape } from "../api.js";

const badArgument = (message: string) => new EcsError("BAD_ARGUMENT", message);
const Provided = createContext<ECS | undefined>(undefined);

/** Provides an ECS to the components below it. */
export function World({ ecs, children }: { readonly ecs: ECS; readonly children?: ReactNode }): ReactNode {
  return createElement(Provided.Provider, { value: ecs }, children);
}

/** The ECS of the nearest `World` above. Throws `BAD_ARGUMENT` if there is none. */
export function useECS(): RegisteredECS {
  return useProvided("useECS") as RegisteredECS;
}
function useProvided(hook: string): ECS {
  const ecs = useContext(Provided);
  if (ecs === undefined) throw badArgument(`${hook}: there is no <World ecs={ecs}> with an ECS above this component`);
  return ecs;
}

/** Listeners by entity. While there are any, the ECS has a system with these methods, which runs last. */
class Listeners extends Map<Entity, Set<() => void>> {
  /** Undefined also while it is being added or removed. */
  system: AnySystem | undefined;
  readonly #add: () => AnySystem;

  constructor(ecs: ECS, shape: Shape, options: SystemOptions, methods: Partial<AnySystem>) {
    super();
    const Base = defineSystem(shape, { ...options, observer: true }) as unknown as new () => AnySystem;
    this.#add = () => ecs.addSystem(Number.MAX_VALUE, Object.assign(new Base(), methods));
  }
  readonly notify = (e: Entity): void => this.get(e)?.forEach((listener) => listener());
  subscribe(e: Entity, listener: () => void): () => void {
    const listeners = this.get(e) ?? new Set();
    this.set(e, listeners.add(listener));
    this.system ??= this.#add();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.delete(e);
      if (this.size > 0) return;
      const added = this.system?.$record; // undefined if the ECS was disposed
      this.system = undefined;
      added?.ecs.removeSystem(added.system);
    };
  }
}

/** The listeners of all `useComponent` of one class. */
function componentListeners(ecs: ECS, cls: ComponentClass): Listeners {
  const name = `useComponent(${cls.name})`;
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
const listenersOf = new WeakMap<ECS, Map<ComponentClass, Listeners>>();

/** An object with what is compared of this one as properties. */
function contentOf(value: object): object {
  if (value instanceof Date) return [value.getTime()];
  return value instanceof Map || value instanceof Set ? [...value] : value;
}
/** Whether two lists or results of `toJSON` have the same content. `compared` are pairs that may contain themselves. */
function same(a: unknown, b: unknown, compared = new Map<object, object>()): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (compared.get(a) === b) return true;
  compared.set(a, b);
  const [left, right] = [a, b].map(contentOf) as Record<string, unknown>[];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => same(left[key], right[key], compared));
}

/** What one `useComponent` reads and subscribes to. */
function componentStore<F>(ecs: ECS, e: Entity, cls: ComponentClass<Component & Inspectable<F>>) {
  const ofEcs = listenersOf.get(ecs) ?? new Map<ComponentClass, Listeners>();
  const listeners = ofEcs.get(cls) ?? componentListeners(ecs, cls);
  listenersOf.set(ecs, ofEcs.set(cls, listeners));
  let last: Readonly<F> | undefined;
  const read = () => {
    const exists = listeners.system?.$record?.entities.has(e) ?? ecs.alive(e); // it is alive while it is being removed
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
  const ecs = useProvided("useComponent");
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

/** What all `useRows` of one query share. */
function queryStore(ecs: ECS, query: Query, { names, tables, required, without, any, order }: Query["$classes"]) {
  let list: readonly Entity[] = Object.freeze([]);
  let version = 0; // of the list, which is made when it is rendered: once for all changes until then
  let outdated = false;
  let notified = false; // since the last rendering
  const classes = (list: typeof tables) => list.map(({ info }) => info.cls);
  const shape = Object.fromEntries(classes(tables.slice(0, required)).map((cls, k) => [names[k], cls]));
  const name = `useRows(${Object.keys(shape).join()})`;
  // It tracks and, unless the order follows values, never runs.
  const watch = classes(tables.filter(({ info }) => info.id === order?.table.info.id));
  const sorted = order && { watch, onlyWhenDirty: true, whilePaused: true };
  const options = { without: classes(without), any: classes(any), disabled: order === undefined, ...sorted, name };
  const changed = () => {
    if (listeners.system === undefined) return; // it is being added
    outdated = true;
    if (notified) return;
    notified = true;
    version += 1;
    listeners.notify(NONE);
  };
  const listeners = new Listeners(ecs, shape, options, {
    update: () => void (order && !same(list, [...query.ids()]) && changed()),
    onAdd: changed,
    onRemove: changed,
  });
  const renew = () => {
    outdated = false;
    const known = order ? [] : list.filter((e) => query.has(e)); // which keep their order
    const next = [...new Set([...known, ...query.ids()])];
    if (same(list, next)) return;
    list = Object.freeze(next);
    if (listeners.system === undefined) version += 1; // otherwise `changed` has done it
  };
  const read = () => (listeners.system === undefined && renew(), version);
  const subscribe = (listener: () => void) => (read(), listeners.subscribe(NONE, listener));
  const rendered = <R>(result: R): R => ((notified = false), result);
  return {
    read,
    subscribe,
    list: () => rendered((outdated && renew(), list)),
    count: () => rendered(query.count),
  };
}
const queryStores = new WeakMap<object, ReturnType<typeof queryStore>>();

/**
 * The entities that a query selects: a frozen array, and the same object until it selects others. Renders the calling
 * component again when entities were added or removed, at once, and not when values change: rows show these with
 * `useComponent`. Of a query with `orderBy`, the entities are in its order, and it also renders at the end of an update that has changed the
 * order. Throws `BAD_ARGUMENT` for a query of another ECS, without required classes, or of the rows of a system.
 * Costs O(entities) for each rendering that follows an addition or removal and, with `orderBy`, for each update in which a component of
 * that class has signalled.
 */
export function useRows<S extends Shape, O extends Shape, A>(query: Query<S, O, A>): readonly Entity[] {
  return useQuery("useRows", query).list();
}

/**
 * How many entities a query selects. Renders the calling component again, and throws, as `useRows` does. Costs what `query.count`
 * costs.
 */
export function useCount<S extends Shape, O extends Shape, A>(query: Query<S, O, A>): number {
  return useQuery("useCount", query).count();
}

function useQuery<S extends Shape, O extends Shape, A>(hook: string, query: Query<S, O, A>) {
  const ecs = useProvided(hook);
  const classes = (query as typeof query | undefined)?.$classes;
  if (classes?.world !== ecs.$world || classes.required === 0 || classes.tracked !== undefined)
    throw badArgument(`${hook}: pass a query of the ECS of <World>, made by ecs.query with a class that is required`);
  const store = queryStores.get(query) ?? queryStore(ecs, query as unknown as Query, classes);
  queryStores.set(query, store);
  useSyncExternalStore(store.subscribe, store.read, store.read);
  return store;
}
