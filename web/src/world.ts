import { Aspect, bindAspect } from "./aspect.js";
import { EntityComponents } from "./components.js";
import { classInfo, type Component, type ComponentClass } from "./component.js";
import { INDEX_MASK, describe, stale, type Entity } from "./entity.js";
import { CODES, EcsError, FOREIGN_EXCEPTION, STALE_ENTITY } from "./errors.js";
import type { EventsManager } from "./events.js";
import * as heap from "./heap.js";
import { rawModule } from "./module.js";
import type { RawWorld } from "./raw.js";
import { endSet } from "./live_sets.js";
import { ClassStore } from "./store.js";
import { outOfLine } from "./out_of_line.js";
import { StoredComponent, detach, makeView, unshow } from "./stored.js";
import type { SystemRecord } from "./system.js";
import { withRoom } from "./tables.js";

const makeComponents = outOfLine((world: World, e: Entity) => world.makeComponents(e));

/** Worlds by token, for the calls that come from the core. @internal */
export const worlds: (World | undefined)[] = [];

// Words of EntityPool::Control, MarkQueue::Control and World::Scratch; bytes of an EntityPool::Slot.
const enum Pool {
  handles,
  slots,
  count,
  table,
}
const enum Queue {
  first,
  next,
}
const enum Scratch {
  memory,
  bytes,
}
const enum Slot {
  shown = 7,
  size = 8,
}

/**
 * One world in the core, and what JavaScript keeps beside it: the objects of its components and its
 * systems. The ECS is the face of it.
 * @internal
 */
export class World {
  readonly token = worlds.length;
  /** The core's side; use `live()` unless it is certain that the world is not disposed. */
  readonly raw: RawWorld;
  /** By component id. */
  readonly stores: (ClassStore | undefined)[] = [];
  /** By entity index; the core tells when an entity that is in here goes. */
  components: (EntityComponents | undefined)[] = [];
  /** The page that stands in a sparse index for all that hold nothing. */
  readonly emptyPage: number;
  /** The address of a set without elements. */
  readonly emptySet: number;
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
  readonly #scratch: number;

  constructor() {
    this.raw = new (rawModule().World)(this.token);
    worlds.push(this);
    this.emptyPage = this.raw.emptyPage();
    this.emptySet = this.raw.emptySet();
    this.#scratch = this.raw.scratchControl() >> 2;
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
    if (this.depth > 0 || worlds[this.token] === undefined) return;
    worlds[this.token] = undefined;
    for (const store of this.stores) store?.end();
    this.components = [];
    for (const record of this.systems) if (record) this.systemDestroyed(record);
    this.raw.delete();
  }

  /** Brings queued marks into the dirty sets. */
  drain(): void {
    if (heap.u32[this.#marks + Queue.next] !== heap.u32[this.#marks + Queue.first]) this.check(this.raw.drain());
  }

  /** Memory for arguments, good until the next call of this. */
  scratch(call: string, bytes: number): number {
    if (bytes > heap.u32[this.#scratch + Scratch.bytes] && this.raw.reserveScratch(bytes) < 0) {
      throw new EcsError("OUT_OF_MEMORY", `${call}: no memory for ${bytes} bytes of arguments`);
    }
    return heap.u32[this.#scratch + Scratch.memory];
  }
  /**
   * Where the core can read a list of entities: where it is if that is the module's memory, else behind
   * `before` bytes at the start of the scratch memory. Refuses what is not alive; of a Uint32Array the core
   * does so itself, see `checkList`.
   */
  listAddress(call: string, list: ArrayLike<Entity>, before = 0): number {
    this.live();
    const n = list.length;
    const numbers = list instanceof Uint32Array;
    if (numbers && heap.owns(list)) {
      const at = list.byteOffset; // before memory may grow
      this.scratch(call, before);
      return at;
    }
    const address = this.scratch(call, before + 4 * n) + before;
    if (numbers) {
      heap.u32.set(list, address >> 2);
      return address;
    }
    const u32 = heap.u32;
    for (let i = 0; i < n; ++i) {
      if (!this.alive(list[i])) throw stale(call, list[i]);
      u32[(address >> 2) + i] = list[i];
    }
    return address;
  }

  /** As `check`, for a call that took such a list. */
  checkList(call: string, list: ArrayLike<Entity>, result: number): number {
    if (result === -1 - STALE_ENTITY) {
      // The core has refused the list, before anything changed. Else the error is that of a callback.
      for (let i = 0; i < list.length; ++i) if (!this.alive(list[i])) throw stale(call, list[i]);
    }
    return this.check(result);
  }

  // --- looking ----------------------------------------------------------------------------------

  alive(e: Entity): boolean {
    if (typeof e !== "number") return false;
    const index = e & INDEX_MASK;
    return (
      index < heap.u32[this.#pool + Pool.slots] && heap.u32[(heap.u32[this.#pool + Pool.handles] >> 2) + index] === e
    );
  }
  get count(): number {
    return heap.u32[this.#pool + Pool.count];
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

  /** The look-ups of a living entity, always the same object. */
  componentsOf(e: Entity): EntityComponents {
    const known = typeof e === "number" ? this.components[e & INDEX_MASK] : undefined;
    return known !== undefined && known.entity === e ? known : makeComponents(this, e);
  }
  /** @internal */
  makeComponents(e: Entity): EntityComponents {
    this.live();
    if (!this.alive(e)) throw stale("getComponents", e);
    const index = e & INDEX_MASK;
    if (index >= this.components.length) this.components = withRoom(this.components, index);
    heap.u8[heap.u32[this.#pool + Pool.table] + Slot.size * index + Slot.shown] = 1;
    return (this.components[index] = new EntityComponents(this, e));
  }
  /** The core has taken an entity that `components` has. */
  entityGone(e: Entity): void {
    this.components[e & INDEX_MASK]?.end();
    this.components[e & INDEX_MASK] = undefined;
  }

  has(e: Entity, cls: ComponentClass): boolean {
    this.live();
    if (!this.alive(e)) throw stale("has", e);
    const store = this.#knownStore(cls);
    return store !== undefined && store.slot(e) >= 0;
  }
  // A class that only C++ has used so far has no store here yet.
  #knownStore(cls: ComponentClass): ClassStore | undefined {
    const { id, kind } = classInfo(cls);
    return this.stores[id] ?? (kind === "native" ? this.store(cls) : undefined);
  }
  tryGet<C extends Component>(e: Entity, cls: ComponentClass<C>, leaving = false): C | undefined {
    this.live();
    const alive = this.alive(e);
    if (!alive && !leaving) throw stale("get", e);
    const found = alive ? this.#knownStore(cls)?.find(e) : undefined;
    return (found === undefined && leaving ? this.#readLeaving(e, cls) : found) as C | undefined;
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
    const row = this.scratch("get", 8 * fields.length);
    this.raw.readParked(e, id, row);
    const view = makeView(cls);
    view.$entity = e;
    unshow(
      view,
      fields.map(({ kind: k }, i) => k.read((row + 8 * i) >> k.shift)),
    );
    this.#leaving.push({ e, id, nth, component: view });
    return view;
  }

  /** The aspect of a tracked entity, always the same one (rule A1). */
  aspect(record: SystemRecord, e: Entity): Aspect {
    const index = e & INDEX_MASK;
    const known = index < record.aspects.length ? record.aspects[index] : undefined;
    if (known !== undefined && known.entity === e) return known;
    const made = this.#makeAspect(record, e);
    record.aspects = withRoom(record.aspects, index);
    return (record.aspects[index] = made);
  }
  #makeAspect(record: SystemRecord, e: Entity): Aspect {
    const aspect = record.system.makeAspect();
    if (!(aspect instanceof Aspect) || aspect.$world !== undefined) {
      throw new EcsError("BAD_SYSTEM", `${record.system.constructor.name}.makeAspect() has to return a new aspect`);
    }
    bindAspect(aspect, this, e);
    heap.u32[record.hears] = 1; // from now on leaving has to be told
    return aspect;
  }

  /** Calls `onRemove`; what it got to read of components that are gone is void afterwards. */
  leave(record: SystemRecord, e: Entity): void {
    const index = e & INDEX_MASK;
    let aspect = index < record.aspects.length ? record.aspects[index] : undefined;
    if (aspect !== undefined) record.aspects[index] = undefined;
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
    for (const set of [record.entities.$set, record.dirty.$set]) endSet(set);
    if (record.system.$record === record) record.system.$record = undefined;
    this.systems[this.systems.indexOf(record)] = undefined;
  }
}
