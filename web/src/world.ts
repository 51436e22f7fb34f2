import { Aspect, bindAspect } from "./aspect.js";
import { classInfo, type Component, type ComponentClass } from "./component.js";
import { INDEX_MASK, describe, stale, type Entity } from "./entity.js";
import { CODES, EcsError, FOREIGN_EXCEPTION } from "./errors.js";
import type { EventsManager } from "./events.js";
import * as heap from "./heap.js";
import { rawModule } from "./module.js";
import type { RawWorld } from "./raw.js";
import { ClassStore } from "./store.js";
import { StoredComponent, detach, makeView, type Row } from "./stored.js";
import type { SystemRecord } from "./system.js";

/** Worlds by token, for the calls that come from the core. @internal */
export const worlds = new Map<number, World>();
let nextToken = 1;

// Words of EntityPool::Control and MarkQueue::Control.
const HANDLES = 0, SLOTS = 1, COUNT = 2;
const QUEUE_SIZE = 1;

/**
 * One world in the core, and what JavaScript keeps beside it: the objects of its components and its
 * systems. The ECS is the face of it.
 * @internal
 */
export class World {
  readonly token = nextToken++;
  /** The core's side; use `live()` unless it is certain that the world is not disposed. */
  readonly raw: RawWorld;
  /** By component id. */
  readonly stores: (ClassStore | undefined)[] = [];
  /** By token; tokens are never used again. */
  readonly systems: (SystemRecord | undefined)[] = [];
  /** Set by the ECS. */
  events!: EventsManager;
  disposed = false;
  /** Calls from the core under way. */
  depth = 0;
  /** What callbacks threw, until it is rethrown. A token is an index + 1. */
  readonly #thrown: unknown[] = [];
  /** Components that have left but may still be read by `onRemove`. */
  readonly #leaving: { e: Entity; id: number; nth: number; component: Component }[] = [];
  readonly #pool: number;
  readonly #marks: number;

  constructor() {
    this.raw = new (rawModule().World)(this.token);
    worlds.set(this.token, this);
    this.#pool = this.raw.poolControl() >> 2;
    this.#marks = this.raw.marksControl() >> 2;
  }

  // --- calling the core -------------------------------------------------------------------------

  /** The core's side; an error after `dispose()`. */
  live(): RawWorld {
    if (this.disposed) throw new EcsError("DISPOSED", "this ECS was disposed");
    return this.raw;
  }

  /** Passes on what the core returned, or throws what it says went wrong. */
  check(result: number): number {
    const error = result < 0 ? this.#error(-1 - result) : undefined;
    if (this.depth === 0 && this.#thrown.length > 0) this.#thrown.length = 0;
    if (this.disposed) this.#free();
    if (result < 0) throw error;
    return result;
  }
  #error(code: number): unknown {
    if (code === FOREIGN_EXCEPTION) return this.#thrown[this.raw.errorToken() - 1];
    const known = CODES[code];
    return known ? new EcsError(known, this.raw.errorMessage()) : new Error(this.raw.errorMessage());
  }

  /** Runs a callback for the core: 0, or the token of what it threw. */
  guard(call: () => void): number {
    if (this.disposed) return 0;
    ++this.depth;
    try {
      call();
      return 0;
    } catch (error) {
      return this.thrown(error);
    } finally {
      --this.depth;
    }
  }

  /** Keeps what a callback threw; returns its token. */
  thrown(error: unknown): number {
    return this.#thrown.push(error);
  }

  /** Frees the memory, at once or, inside a callback, as soon as the core is left. */
  dispose(): void {
    this.disposed = true;
    this.#free();
  }
  #free(): void {
    if (this.depth > 0 || !worlds.delete(this.token)) return;
    for (const store of this.stores) store?.end();
    for (const record of this.systems) if (record) this.systemDestroyed(record);
    this.raw.delete();
  }

  /** Brings queued marks into the dirty sets. */
  drain(): void {
    if (heap.u32[this.#marks + QUEUE_SIZE] !== 0) this.check(this.raw.drain());
  }

  /** Copies a list of entities to where the core can read it. */
  writeList(call: string, list: ArrayLike<Entity>, extraBytes = 0): number {
    const n = list.length;
    const address = this.live().scratch(8 * ((n + 1) >> 1) + extraBytes);
    if (address === 0) throw new EcsError("OUT_OF_MEMORY", `${call}: no memory for ${n} entities`);
    for (let i = 0; i < n; ++i) {
      if (!this.alive(list[i])) throw stale(call, list[i]);
      heap.u32[(address >> 2) + i] = list[i];
    }
    return address;
  }

  // --- looking ----------------------------------------------------------------------------------

  alive(e: Entity): boolean {
    if (typeof e !== "number") return false;
    const index = e & INDEX_MASK;
    return index < heap.u32[this.#pool + SLOTS] && heap.u32[(heap.u32[this.#pool + HANDLES] >> 2) + index] === e;
  }
  get count(): number {
    return heap.u32[this.#pool + COUNT];
  }

  /** The storage of a class, made on first use. */
  store(cls: ComponentClass): ClassStore {
    const info = classInfo(cls);
    return this.stores[info.id] ?? this.#makeStore(cls);
  }
  #makeStore(cls: ComponentClass): ClassStore {
    const info = classInfo(cls);
    const control = this.live().storageControl(info.id);
    if (control === 0) throw new EcsError("OUT_OF_MEMORY", `no memory for components of class ${info.name}`);
    return (this.stores[info.id] = new ClassStore(this, info, control));
  }

  tryGet<C extends Component>(e: Entity, cls: ComponentClass<C>, leaving = false): C | undefined {
    this.live();
    const info = classInfo(cls);
    let found = this.stores[info.id]?.find(e);
    // A class that only C++ has used so far has no store here yet.
    if (found === undefined && info.kind === "native") found = this.store(cls).find(e);
    if (found === undefined && leaving) found = this.#readLeaving(e, cls);
    if (found === undefined && !leaving && !this.alive(e)) throw stale("get", e);
    return found as C | undefined;
  }
  get<C extends Component>(e: Entity, cls: ComponentClass<C>, leaving = false): C {
    const found = this.tryGet(e, cls, leaving);
    if (found === undefined) {
      throw new EcsError("MISSING_COMPONENT", `get: ${describe(e)} has no ${classInfo(cls).name}`);
    }
    return found;
  }

  // --- components that leave --------------------------------------------------------------------

  #readLeaving(e: Entity, cls: ComponentClass): Component | undefined {
    const { id, fields, kind } = classInfo(cls);
    // Callbacks may add it again and remove it again meanwhile: the latest removal is the one to read.
    const nth = this.raw.readParked(e, id, 0);
    const known = this.#leaving.findLast((entry) => entry.e === e && entry.id === id && entry.nth === nth);
    if (known !== undefined) return known.component;
    if (nth === 0 || kind === "object") return undefined;
    // Nobody held an object of it; the core still has the value.
    const row = this.raw.scratch(8 * fields.length);
    this.raw.readParked(e, id, row);
    const view = makeView(cls);
    view.$entity = e;
    view.$row = fields.map(({ kind: k }, i): Row[number] => {
      const value = k.memory()[(row + 8 * i) >> k.shift];
      return k.name === "bool" ? value !== 0 : value;
    });
    this.#leaving.push({ e, id, nth, component: view });
    return view;
  }

  /** The aspect of a tracked entity, always the same one (rule A1). */
  aspect(record: SystemRecord, e: Entity): Aspect {
    const index = e & INDEX_MASK;
    const known = record.aspects[index];
    return known !== undefined && known.entity === e ? known : (record.aspects[index] = this.#makeAspect(record, e));
  }
  #makeAspect(record: SystemRecord, e: Entity): Aspect {
    const aspect = record.system.makeAspect();
    if (!(aspect instanceof Aspect) || aspect.$world !== undefined) {
      throw new EcsError("BAD_SYSTEM", `${record.system.constructor.name}.makeAspect() has to return a new aspect`);
    }
    bindAspect(aspect, this, e);
    heap.u32[record.hasAspects >> 2] = 1; // from now on leaving has to be told
    return aspect;
  }

  /** Calls `onRemove`; what it got to read of components that are gone is void afterwards. */
  leave(record: SystemRecord, e: Entity): void {
    const index = e & INDEX_MASK;
    let aspect = record.aspects[index];
    record.aspects[index] = undefined;
    if (!record.hearsLeft) return;
    const before = this.#leaving.length;
    try {
      if (aspect === undefined || aspect.entity !== e) aspect = this.#makeAspect(record, e);
      aspect.$leaving = true;
      record.system.onRemove(aspect);
    } finally {
      for (const { component } of this.#leaving.splice(before)) detach(component as StoredComponent);
    }
  }

  /** The core is about to take a component that an object of ours shows. */
  componentLeaves(e: Entity, id: number, final: boolean): void {
    const store = this.stores[id];
    const component = store?.objects[e & INDEX_MASK];
    if (store === undefined || component === undefined) return;
    if (final) {
      store.drop(component);
    } else {
      store.release(component);
      this.#leaving.push({ e, id, nth: this.raw.readParked(e, id, 0) + 1, component }); // its removal begins
    }
  }
  /** The operation that took it is over. */
  componentGone(e: Entity, id: number): void {
    const at = this.#leaving.findLastIndex((entry) => entry.e === e && entry.id === id);
    if (at < 0) return;
    const [{ component }] = this.#leaving.splice(at, 1);
    if (component instanceof StoredComponent) detach(component);
  }

  /** The core has freed a system: its sets are no more. */
  systemDestroyed(record: SystemRecord): void {
    record.entities.$set.address = record.dirty.$set.address = record.dirty.$set.seen = 0;
    if (record.system.$record === record) record.system.$record = undefined;
    this.systems[this.systems.indexOf(record)] = undefined;
  }
}
