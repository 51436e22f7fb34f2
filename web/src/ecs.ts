/// <reference lib="esnext.disposable" preserve="true" />
import type { Aspect } from "./aspect.js";
import { addMany, requireList, type BulkValues } from "./bulk.js";
import { Component, classInfo, type ComponentClass } from "./component.js";
import { NONE, stale, type Entity } from "./entity.js";
import type { Components } from "./components.js";
import { EcsError, badArgument } from "./errors.js";
import { EventsManager } from "./events.js";
import * as heap from "./heap.js";
import { LiveDirtySet, LiveEntityMap, setMemory } from "./live_sets.js";
import { Profiler } from "./profiler.js";
import type { RawWorld } from "./raw.js";
import { memoryReport, systems } from "./reports.js";
import { Runs } from "./runs.js";
import { SlowMotion } from "./slow_motion.js";
import { Storage, type MemoryReport } from "./storage.js";
import { OBJECT } from "./store.js";
import { StoredComponent, isDetached, type Stored, type StoredValues } from "./stored.js";
import { System, type AnySystem, type SystemClass, type SystemInfo, type SystemRecord } from "./system.js";
import { World } from "./world.js";

/** More than there are handles; numbers cross as 32 bits, and much more would come out as few. */
const MAX_ENTITIES = 1 << 22;

// ForeignSystem::Flags, in bindings/include/crateful/foreign_system.hpp.
const DISABLED = 1,
  DEBUG = 2,
  WHEN_DIRTY = 4,
  HEARS_ENTERED = 8,
  HEARS_LEFT = 16;

/**
 * A world: entities, their components, and the systems that run over them. The cost of a frame follows
 * what changed, not what exists.
 *
 * Worlds share nothing and may live side by side. Every call is allowed inside every callback and takes
 * effect at once, except that entities leave at the end of the update, and `update()` may not be
 * re-entered. Misuse throws an `EcsError` and changes nothing; if callbacks throw, the call is completed
 * for everybody else and the first error surfaces.
 */
export class ECS {
  readonly #world: World;
  readonly #storages = new Map<ComponentClass, Storage>();
  #updating = false;

  /** Typed events of this world. */
  readonly events: EventsManager;
  /** Slows game time down. */
  readonly slowMotion: SlowMotion;
  /** Where the time of a frame goes. */
  readonly profiler: Profiler;

  /** Throws `NOT_INITIALISED` before `init()` has resolved. */
  constructor() {
    this.#world = new World();
    this.#world.events = this.events = new EventsManager(this.#world);
    this.slowMotion = new SlowMotion(this.#world);
    this.profiler = new Profiler(this.#world);
  }

  /** The core's side of this world, for functions of your own C++ module that take a `crateful::World&`. */
  get raw(): RawWorld {
    return this.#world.live();
  }

  // --- entities -----------------------------------------------------------------------------------

  /** A new entity, at once. Throws `OUT_OF_MEMORY`. */
  addEntity(): Entity {
    const e = this.#world.live().addEntity();
    if (e === NONE) this.#world.check(-1 - this.#world.raw.errorCode());
    return e;
  }
  /** `n` new entities, in one crossing. */
  addEntities(n: number): Uint32Array {
    const raw = this.#world.live();
    if (!Number.isInteger(n) || n < 0) throw badArgument(`addEntities takes a whole number, not ${String(n)}`);
    const list = this.#world.scratch("addEntities", n < MAX_ENTITIES ? 4 * n : 0);
    if (n >= MAX_ENTITIES) throw new EcsError("OUT_OF_MEMORY", `addEntities: no memory for ${n} entities`);
    this.#world.check(raw.addEntities(list, n));
    return heap.u32.slice(list >> 2, (list >> 2) + n);
  }
  /** Marks the entity; it goes at the end of the current or next update. Marking twice counts once. */
  removeEntity(e: Entity): void {
    this.#requireAlive("removeEntity", e);
    this.#world.check(this.#world.raw.removeEntity(e));
  }
  /** Marks many, in one crossing. */
  removeEntities(entities: ArrayLike<Entity>): void {
    const raw = this.#world.live();
    requireList("removeEntities", entities);
    const list = this.#world.listAddress("removeEntities", entities);
    this.#world.checkList("removeEntities", entities, raw.removeEntities(list, entities.length));
  }
  /** True until the entity is really gone; false for anything that is no entity. */
  alive(e: Entity): boolean {
    this.#world.live();
    return this.#world.alive(e);
  }
  /** How many entities are alive. */
  get count(): number {
    this.#world.live();
    return this.#world.count;
  }
  #requireAlive(call: string, e: Entity): void {
    this.#world.live();
    if (!this.#world.alive(e)) throw stale(call, e);
  }

  // --- components ---------------------------------------------------------------------------------

  /**
   * Gives the entity a component, replacing one of the same class; signals it dirty. A component
   * belongs to one entity. O(systems that require or watch the class). Returns the component.
   */
  addComponent<C extends Component>(e: Entity, component: C): C;
  /**
   * The same for a stored or native class, from plain values: nothing is allocated, for where components
   * come and go by the hundred. Constructors of your own do not run.
   */
  addComponent<C extends Stored>(e: Entity, cls: ComponentClass<C>, values?: StoredValues<C>): void;
  addComponent(
    e: Entity,
    what: Component | ComponentClass,
    values?: Readonly<Record<string, unknown>>,
    // biome-ignore lint/suspicious/noConfusingVoidType: the overloads say which
  ): Component | void {
    if (typeof what !== "function") return this.#addObject(e, what);
    this.#requireAlive("addComponent", e);
    const world = this.#world;
    const store = world.store(what);
    const { id, fields } = store.info;
    const row = fields.length === 0 ? 0 : world.scratch("addComponent", 8 * fields.length);
    store.writeValues(values, row);
    world.check(world.raw.addComponent(e, id, row, 0));
  }
  #addObject(e: Entity, component: Component): Component {
    if (!(component instanceof Component)) throw badArgument("addComponent takes a component");
    this.#requireAlive("addComponent", e);
    const world = this.#world;
    const store = world.store(component.constructor as ComponentClass);
    const { id, name, fields } = store.info;
    if (component.$store !== undefined) {
      if (component.$store !== store || component.$entity !== e) {
        throw badArgument(`addComponent: this ${name} belongs to entity ${component.$entity} already`);
      }
      component.dirty();
      return component;
    }
    let row = 0;
    if (component instanceof StoredComponent) {
      if (isDetached(component))
        throw new EcsError("MISSING_COMPONENT", `addComponent: this ${name} was removed from its entity`);
      row = world.scratch("addComponent", 8 * fields.length);
      store.writeRow(component, row);
    }
    const plain = component instanceof StoredComponent ? component.$row : null;
    const old = store.replace(e, component);
    const result = world.raw.addComponent(e, id, row, OBJECT);
    if (result < 0) store.undoReplace(e, component, old, plain);
    world.check(result);
    return component;
  }
  /** Gives many entities a component each, in one crossing, replacing those of the same class. */
  addComponents<C extends Component>(
    entities: ArrayLike<Entity>,
    cls: ComponentClass<C>,
    values?: BulkValues<C>,
  ): void {
    this.#world.live();
    addMany(this.#world, entities, cls, values);
  }
  /** Takes the component away; returns whether there was one. */
  removeComponent(e: Entity, cls: ComponentClass): boolean {
    this.#requireAlive("removeComponent", e);
    return this.#world.check(this.#world.raw.removeComponent(e, classInfo(cls).id)) === 1;
  }
  /** Takes it from many, in one crossing; returns from how many. */
  removeComponents(entities: ArrayLike<Entity>, cls: ComponentClass): number {
    const raw = this.#world.live();
    const { id } = classInfo(cls);
    requireList("removeComponents", entities);
    const list = this.#world.listAddress("removeComponents", entities);
    return this.#world.checkList("removeComponents", entities, raw.removeComponents(list, entities.length, id));
  }
  /** The entity's components, to look at; always the same object. */
  getComponents(e: Entity): Components {
    return this.#world.componentsOf(e);
  }
  /** All components of a class, as raw memory. */
  storage<C extends Component>(cls: ComponentClass<C>): Storage<C> {
    this.#world.live();
    let storage = this.#storages.get(cls);
    if (storage === undefined) this.#storages.set(cls, (storage = new Storage(this.#world.store(cls))));
    return storage as unknown as Storage<C>;
  }
  /** The entities that have all of these, as stretches of columns. Make it once and keep it. */
  runs(...classes: [ComponentClass, ...ComponentClass[]]): Runs {
    this.#world.live();
    if (classes.length === 0) throw badArgument("runs takes component classes");
    return new Runs(this.#world, classes);
  }
  /** What each class's storage costs, and whether the other policy would cost less. */
  memoryReport(): MemoryReport[] {
    return memoryReport(this.#world.live());
  }

  // --- systems ------------------------------------------------------------------------------------

  /**
   * Adds a system: lower priorities run first, equal ones in order of addition. Calls `init()`, then
   * `onAdd` for what already matches. During an update it first runs in the next one. Throws `BAD_SYSTEM`.
   */
  addSystem<S extends AnySystem>(priority: number, system: S): S {
    const raw = this.#world.live();
    if (!(system instanceof System)) throw new EcsError("BAD_SYSTEM", "addSystem takes a priority and a system");
    const name = system.constructor.name;
    const fail = (why: string): never => {
      throw new EcsError("BAD_SYSTEM", `addSystem: ${name} ${why}`);
    };
    if (typeof priority !== "number" || !Number.isFinite(priority))
      fail(`needs a finite priority, not ${String(priority)}`);
    if (system.$record !== undefined) fail("was added already");
    if (!(system.componentsRequired?.size > 0)) fail("requires no component");
    if (typeof system.dirtyComponents?.[Symbol.iterator] !== "function") fail("has no set of dirtyComponents");
    const required = [...system.componentsRequired].map((cls) => this.#world.store(cls).info.id);
    const watched = [...system.dirtyComponents].map((cls) => this.#world.store(cls).info.id);

    const hearsEntered = system.makeAspect !== System.prototype.makeAspect || system.onAdd !== System.prototype.onAdd;
    const hearsLeft = system.onRemove !== System.prototype.onRemove;
    const flags =
      (system.disabled ? DISABLED : 0) |
      (system.debug ? DEBUG : 0) |
      (system.onlyWhenDirty ? WHEN_DIRTY : 0) |
      (hearsEntered ? HEARS_ENTERED : 0) |
      (hearsLeft ? HEARS_LEFT : 0);
    const token = this.#world.systems.length;
    const address = raw.makeSystem(token, name, flags);
    for (const id of required) raw.require(address, id);
    for (const id of watched) raw.watch(address, id);
    const record = this.#record(system as System, address, priority, hearsLeft);
    this.#world.systems.push(record);
    system.$record = record;
    this.#world.check(raw.addSystem(priority, address));
    return system;
  }
  #record(system: System, address: number, priority: number, hearsLeft: boolean): SystemRecord {
    const world = this.#world;
    const memory = world.raw.systemMemory(address) >> 2;
    const tracked = setMemory(world, heap.u32[memory]);
    const dirty = setMemory(world, heap.u32[memory + 1], heap.u32[memory + 2]);
    const held: Pick<SystemRecord, "aspects"> = { aspects: [] };
    const record: SystemRecord = Object.assign(held, {
      ecs: this,
      system,
      address,
      priority,
      hearsLeft,
      removed: false,
      hears: heap.u32[memory + 3] >> 2,
      entities: new LiveEntityMap<Aspect>(tracked, held, (e) => world.aspect(record, e)),
      dirty: new LiveDirtySet(dirty),
    });
    return record;
  }
  /** Calls `onRemove` for all it tracks and lets it go. During an update: when that ends. */
  removeSystem(system: SystemClass | AnySystem): void {
    const record = this.#find("removeSystem", system);
    const deferred = this.#updating;
    try {
      this.#world.check(this.#world.raw.removeSystem(record.address));
    } finally {
      if (!deferred) {
        record.removed = true;
        record.system.$record = undefined;
      }
    }
  }
  /** The first added of that class. Throws `BAD_SYSTEM` if there is none. */
  getSystem<S extends AnySystem>(cls: abstract new (...args: never[]) => S): S {
    return this.#find("getSystem", cls as unknown as SystemClass).system as unknown as S;
  }
  /** Starts updating it again; the first added of a class, or an instance. */
  enableSystem(system: SystemClass | AnySystem): void {
    this.#setEnabled("enableSystem", system, () => true);
  }
  /** Stops updating it. It goes on tracking, and accumulates what gets dirty. */
  disableSystem(system: SystemClass | AnySystem): void {
    this.#setEnabled("disableSystem", system, () => false);
  }
  /** Enables a disabled system and disables an enabled one. */
  toggleSystem(system: SystemClass | AnySystem): void {
    this.#setEnabled("toggleSystem", system, (disabled) => disabled);
  }
  /** All systems, C++ ones included, in the order in which they run. */
  get systems(): SystemInfo[] {
    return systems(this.#world.live());
  }
  #setEnabled(call: string, system: SystemClass | AnySystem, on: (disabled: boolean) => boolean): void {
    const record = this.#find(call, system);
    this.#world.check(this.#world.raw.setEnabled(record.address, on(record.system.disabled)));
  }
  #find(call: string, system: SystemClass | AnySystem): SystemRecord {
    this.#world.live();
    const found = this.#world.systems.find(
      (record) =>
        record !== undefined &&
        !record.removed &&
        (typeof system === "function" ? record.system instanceof system : (record.system as unknown) === system),
    );
    if (found === undefined) {
      const name = typeof system === "function" ? system.name : system?.constructor?.name;
      throw new EcsError("BAD_SYSTEM", `${call}: ${String(name)} was not added to this ECS`);
    }
    return found;
  }

  // --- time ---------------------------------------------------------------------------------------

  /**
   * Runs one frame: delayed events, then each enabled system, then removals. `wallDelta` is in seconds;
   * returns the effective delta. A frame in which nothing changed costs O(systems).
   */
  update(wallDelta = 1 / 60): number {
    const raw = this.#world.live();
    if (typeof wallDelta !== "number") throw badArgument("update takes a number of seconds");
    const outer = this.#updating;
    this.#updating = true;
    try {
      const delta = this.#world.check(raw.update(wallDelta));
      if (!this.#world.disposed) this.profiler.$frameEnded();
      return delta;
    } finally {
      this.#updating = outer;
    }
  }
  /**
   * Removes every entity at once, drops pending removals, lets each system start afresh (`onClear`),
   * then clears events. Systems stay; old handles stay stale for ever.
   */
  clear(): void {
    this.#world.check(this.#world.live().clear());
  }
  /** While true, game time stands still and only debug systems run, with delta 0. */
  get paused(): boolean {
    return this.#world.live().paused;
  }
  set paused(on: boolean) {
    if (typeof on !== "boolean") throw badArgument("paused is true or false");
    this.#world.live().paused = on;
  }
  /** Seconds of game time so far. */
  get gameTime(): number {
    return this.#world.live().gameTime;
  }
  /** Seconds of wall time so far, as told to `update`. */
  get wallTime(): number {
    return this.#world.live().wallTime;
  }

  /**
   * Frees the world's memory; using it afterwards is an error. Inside a callback no further callback
   * runs, and the memory goes once the outermost call has returned. Doing it twice is fine.
   */
  dispose(): void {
    if (this.#world.disposed) return;
    this.events.$dispose();
    this.#world.dispose();
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
}
