// What a query selects.
import { useSyncExternalStore } from "react";
import { NONE, type ECS, type Entity, type Query, type Shape } from "../api.js";
import { Listeners, same } from "./react_listeners.js";
import { badArgument, useProvided } from "./react_world.js";

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
