// What hooks subscribe to, and how they compare what they show.
import { defineSystem, type AnySystem, type ECS, type Entity, type Shape, type SystemOptions } from "../api.js";

/** Listeners by entity. While there are any, the ECS has a system with these methods, which runs last. */
export class Listeners extends Map<Entity, Set<() => void>> {
  /** Undefined also while it is being added or removed. */
  system: AnySystem | undefined;
  readonly #add: () => AnySystem;

  constructor(ecs: ECS, shape: Shape, options: SystemOptions, methods: Partial<AnySystem>) {
    super();
    const Base = defineSystem(shape, { ...options, observer: true }) as unknown as new () => AnySystem;
    this.#add = () => ecs.addSystem(Number.MAX_VALUE, Object.assign(new Base(), methods));
  }
  /** The entities that the system tracks: not one that is being removed, which still is alive and has its components. */
  get tracked() {
    return this.system?.$record?.entities;
  }
  readonly notify = (e: Entity): void => this.get(e)?.forEach((listener) => listener());
  readonly notifyAll = (): void => [...this.keys()].forEach(this.notify);
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

const made = new WeakMap<ECS, Map<unknown, WeakMap<object, Listeners>>>();
/** What `make` has returned for this ECS and class or query; it is called at the first use. */
export function listenersOf<K extends object>(make: (ecs: ECS, key: K) => Listeners, ecs: ECS, key: K): Listeners {
  const ofEcs = made.get(ecs) ?? new Map<unknown, WeakMap<object, Listeners>>();
  const ofKind = ofEcs.get(make) ?? new WeakMap<object, Listeners>();
  const listeners = ofKind.get(key) ?? make(ecs, key);
  made.set(ecs, ofEcs.set(make, ofKind.set(key, listeners)));
  return listeners;
}

/** An object with what is compared of this one as properties. */
function contentOf(value: object): object {
  if (value instanceof Date) return [value.getTime()];
  return value instanceof Map || value instanceof Set ? [...value] : value;
}
/** Whether two lists or results of `toJSON` have the same content. `compared` are pairs that may contain themselves. */
export function same(a: unknown, b: unknown, compared = new Map<object, object>()): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (compared.get(a) === b) return true;
  compared.set(a, b);
  const [left, right] = [a, b].map(contentOf) as Record<string, unknown>[];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => same(left[key], right[key], compared));
}
