// What a query selects.
import { useSyncExternalStore } from "react";
import { NONE, type ECS, type Entity, type Query, type Shape } from "../api.js";
import { Listeners, same } from "./react_listeners.js";
import { badArgument, useProvided } from "./react_world.js";

/** What the hooks of one kind return for a query. */
interface QueryHook<T> {
  readonly name: string;
  /** The result for a query that selects nothing. */
  readonly none: T;
  /** The result that follows `last`. The query also contains an entity that is being removed; `selects` is false for it. */
  next(last: T, query: Query, selects: (e: Entity) => boolean): T;
  /** Whether the addition or removal of an entity can change the result. */
  concerns(shown: T, e: Entity): boolean;
  readonly stores: WeakMap<object, QueryStore<T>>;
}
type QueryStore<T> = ReturnType<typeof queryStore<T>>;

const ROWS: QueryHook<readonly Entity[]> = {
  name: "useRows",
  none: [],
  next: (last, query, selects) => Object.freeze([...new Set([...last, ...query.ids()])].filter(selects)),
  concerns: () => true,
  stores: new WeakMap(),
};
const FIRST: QueryHook<Entity> = {
  name: "useFirst",
  none: NONE,
  next(last, query, selects) {
    if (selects(last)) return last;
    for (const { entity } of query) if (selects(entity)) return entity;
    return NONE;
  },
  concerns: (first, e) => first === NONE || first === e,
  stores: new WeakMap(),
};

/** What all hooks of one kind share for one query. */
function queryStore<T>(hook: QueryHook<T>, ecs: ECS, query: Query, classes: Query["$classes"]) {
  const { names, tables, required, without, any, order } = classes;
  let shown = Object.freeze(hook.none);
  let version = 0; // of the result, which is made when it is rendered: once for all changes until then
  let outdated = false;
  let notified = false; // since the last rendering
  const classesOf = (list: typeof tables) => list.map(({ info }) => info.cls);
  const shape = Object.fromEntries(classesOf(tables.slice(0, required)).map((cls, k) => [names[k], cls]));
  const name = `${hook.name}(${Object.keys(shape).join()})`;
  // It tracks and, unless the order follows values, never runs.
  const watch = classesOf(tables.filter(({ info }) => info.id === order?.table.info.id));
  const sorted = order && { watch, onlyWhenDirty: true, whilePaused: true };
  const options = { without: classesOf(without), any: classesOf(any), disabled: order === undefined, ...sorted, name };
  const changed = () => {
    if (listeners.system === undefined) return; // it is being added
    outdated = true;
    if (notified) return;
    notified = true;
    version += 1;
    listeners.notify(NONE);
  };
  const concerns = ({ entity }: { entity: Entity }) => void (hook.concerns(shown, entity) && changed());
  const listeners = new Listeners(ecs, shape, options, {
    update: () => void (order && !same(shown, next()) && changed()),
    onAdd: concerns,
    onRemove: concerns,
  });
  const selects = (e: Entity) => listeners.tracked?.has(e) ?? query.has(e);
  const next = () => hook.next(order ? hook.none : shown, query, selects); // without `orderBy`, entities keep their order
  const renew = () => {
    outdated = false;
    const now = next();
    if (same(shown, now)) return;
    shown = now;
    if (listeners.system === undefined) version += 1; // otherwise `changed` has done it
  };
  const read = () => (listeners.system === undefined && renew(), version);
  const subscribe = (listener: () => void) => (read(), listeners.subscribe(NONE, listener));
  const rendered = <R>(result: R): R => ((notified = false), result);
  return {
    read,
    subscribe,
    shown: () => rendered((outdated && renew(), shown)),
    count: () => rendered(listeners.tracked?.size ?? query.count),
  };
}

/**
 * The entities that a query selects: a frozen array, and the same object until it selects others. Renders the calling
 * component again when entities were added or removed, at once, and not when values change: rows show these with
 * `useComponent`. Of a query with `orderBy`, the entities are in its order, and it also renders at the end of an update that has changed the
 * order. Throws `BAD_ARGUMENT` for a query of another ECS, without required classes, or of the rows of a system.
 * Costs O(entities) for each rendering that follows an addition or removal and, with `orderBy`, for each update in which a component of
 * that class has signalled.
 */
export function useRows<S extends Shape, O extends Shape, A>(query: Query<S, O, A>): readonly Entity[] {
  return useQuery("useRows", ROWS, query).shown();
}

/**
 * How many entities a query selects. Renders the calling component again, and throws, as `useRows` does. O(1), and at the first
 * rendering what `query.count` costs.
 */
export function useCount<S extends Shape, O extends Shape, A>(query: Query<S, O, A>): number {
  return useQuery("useCount", ROWS, query).count();
}

/**
 * The first entity that a query selects, or NONE, for what exists once: the player, the camera. Other hooks accept NONE:
 * `useComponent(useFirst(players), Health)` is undefined without a player. It stays the first one as long as the query selects it; of a
 * query with `orderBy`, it is the first one in its order. Renders the calling component again when it is another one: at once, but with
 * `orderBy` at the end of `ecs.update`, unless the first one was removed. Throws as `useRows`. Costs `query.first()` for each rendering that
 * follows such a change and, with `orderBy`, for each update in which a component of that class has signalled.
 */
export function useFirst<S extends Shape, O extends Shape, A>(query: Query<S, O, A>): Entity {
  return useQuery("useFirst", FIRST, query).shown();
}

function useQuery<T, S extends Shape, O extends Shape, A>(name: string, hook: QueryHook<T>, query: Query<S, O, A>) {
  const ecs = useProvided(name);
  const classes = (query as typeof query | undefined)?.$classes;
  if (classes?.world !== ecs.$world || classes.required === 0 || classes.tracked !== undefined)
    throw badArgument(`${name}: pass a query of the ECS of <World>, made by ecs.query with a class that is required`);
  const store = hook.stores.get(query) ?? queryStore(hook, ecs, query as unknown as Query, classes);
  hook.stores.set(query, store);
  useSyncExternalStore(store.subscribe, store.read, store.read);
  return store;
}
