/// <reference lib="esnext.disposable" preserve="true" />
import { addMany, type BulkValues } from "../component/bulk_values.js";
import { Component, classInfo, type ComponentClass } from "../component/component.js";
import type { Defined, ObjectValues } from "../component/object_class.js";
import { PARENT_ID, isParent } from "../component/parent.js";
import { StoredComponent, requireUnused, type Values } from "../component/stored_component.js";
import type { LinkField } from "../component/schema.js";
import type { SchemaOf, Stored, StoredValues } from "../component/stored_class.js";
import { requireList } from "../core/core_world.js";
import { memoryReport } from "../core/reports.js";
import { NONE, isHandle, requireCount, stale, type Entity } from "../module/entity.js";
import { badArgument, requireNone, requireObject, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Packed, SlotFlag, Times, WorldMemory } from "../module/layout.js";
import type { RawWorld } from "../module/raw.js";
import type { Components } from "../world/entity_components.js";
import { linked } from "../world/links.js";
import { World } from "../world/world.js";
import { clone } from "./clone.js";
import { EventsManager } from "./events.js";
import { Index } from "./index_of.js";
import {
  Prefab,
  addTo,
  addWith,
  makeObject,
  type CheckedPart,
  type Part,
  type Parts,
  type BareClass,
  type PartValues,
} from "./prefab.js";
import { Profiler } from "./profiler.js";
import { Queries } from "./queries.js";
import { singleField, type SingleField } from "./query_classes.js";
import type { Query } from "./query.js";
import {
  queryClasses,
  type AnyFilters,
  type Filters,
  type OrderBy,
  type QueryClasses,
  type Shape,
} from "./query_classes.js";
import { Runs } from "./runs.js";
import { SlowMotion } from "./slow_motion.js";
import { Storage } from "./storage.js";
// biome-ignore lint/suspicious/noImportCycles: the only cycle; System and ECS are two parts of one interface
import type { AnySystem, SystemClass } from "./system.js";
// biome-ignore lint/suspicious/noImportCycles: a part of the cycle of System and ECS
import { REENTRANT, SystemList } from "./system_list.js";

/**
 * A world: entities, their components, and the systems that run over them. The cost of a frame is proportional to what
 * changed, not to what exists.
 *
 * Several ECS can exist side by side and share nothing. Every call is allowed inside every callback and takes effect
 * immediately, with two exceptions: entities are removed at the end of the update, and `update()` and `removeMarked()` must not
 * be called inside a callback (rule S6). Misuse throws an `EcsError` and changes nothing (rule X1). If a callback throws, the call
 * is still completed for all other systems, then the first error is rethrown (rule S7).
 */
export class ECS {
  readonly #world: World;
  readonly #storages = new Map<ComponentClass, Storage>();
  readonly #queries: Queries;
  readonly #systems: SystemList;
  #updating = false;

  /**
   * An entity that exists as long as the ECS, for components that exist once: score, settings, clock (rule E10). It is the
   * handle 0, so that no other entity is falsy. `count` does not count it, `clear()` keeps it and its components, and it can't
   * be removed.
   */
  readonly world: Entity = 0;
  /** Typed events of this world. */
  readonly events: EventsManager;
  /** Slows down game time. */
  readonly slowMotion: SlowMotion;
  /** Measures where the time of a frame is spent. */
  readonly profiler: Profiler;

  /** Throws `NOT_INITIALISED` before `init()` has resolved, and `BAD_ARGUMENT` for options. */
  constructor(
    options: {
      /**
       * The seed of a random order, for tests: in the development build, systems of one priority that no constraint orders do not run in
       * the order of addition, but in one that depends on the seed and is the same each time (rules S1, B1). The production build ignores
       * it.
       */
      readonly shuffle?: number;
    } = {},
  ) {
    requireObject("new ECS: the options", options);
    const { shuffle, ...others } = options;
    requireNone("new ECS", others);
    if (shuffle !== undefined && !isHandle(shuffle))
      throw badArgument(`new ECS: shuffle must be a whole number from 0 to 4294967295, not ${show(shuffle)}`);
    this.#world = new World();
    if (shuffle !== undefined) core._crateful_shuffle?.(this.#world.self, shuffle);
    this.#queries = new Queries(this.#world);
    this.#systems = new SystemList(this, this.#world);
    this.#world.events = this.events = new EventsManager(this.#world);
    this.slowMotion = new SlowMotion(this.#world);
    this.profiler = new Profiler(this.#world);
  }

  /**
   * The core's object for this ECS, for functions of your own C++ module that take a `crateful::World&`. Throws `BAD_ARGUMENT`
   * if the module is that of the package, which has no such functions.
   */
  get raw(): RawWorld {
    return this.#world.raw;
  }

  // --- entities -----------------------------------------------------------------------------------

  /**
   * Creates an entity with these components; either with all of them or not at all (rule E8). Each part is a component, a
   * class, or a class and its values. Throws `OUT_OF_MEMORY` if there is no memory or no handle left, and as `addComponent`.
   * O(components + systems that track it). Each different list of classes takes about a kilobyte as long as the ECS exists.
   *
   *     ecs.addEntity(new Position({ x: 1 }), [Velocity, { x: 2 }], Player);
   */
  addEntity<P extends readonly Part[]>(...parts: P & { readonly [K in keyof P]: CheckedPart<P[K]> }): Entity {
    if (parts.length > 0) return addWith(this.#world, parts);
    return this.#world.checkEntity(core._crateful_add_entity(this.#world.live()));
  }
  /**
   * Creates an entity with copies of the components of `e`, with the same parent, as its last child; either with all of them or not at
   * all (rule E13). `overrides` are parts as for `addEntity`, which are used in place of components of the same classes, or added. With
   * `children`, the descendants are cloned, too, and references to cloned entities in `entity` and `link` fields refer to the clones.
   * Components of `defineObject` are copied (rule C16), those of other object classes with their `static encode` and `static decode`.
   * Throws `STALE_ENTITY`, `BAD_ARGUMENT` for the world and for a class that cannot be copied, and as `addEntity`.
   * O(components + systems that track it), for each clone.
   *
   *     const copy = ecs.clone(crate, [[Position, { x: 5 }]]);
   *     const ship = ecs.clone(fighter, [], { children: true });
   */
  clone<P extends readonly Part[] | []>(
    e: Entity,
    overrides?: P & { readonly [K in keyof P]: CheckedPart<P[K]> },
    options: {
      /** Whether the descendants of the entity are cloned, too. */
      readonly children?: boolean;
    } = {},
  ): Entity {
    this.#requireAlive("clone", e);
    return clone(this.#world, e, overrides ?? [], options);
  }
  /**
   * A list of components from which many entities can be created (rule E9). Each part is a class, or a class and its values;
   * parts can have names. Throws `BAD_ARGUMENT` and `OUT_OF_MEMORY`.
   *
   *     const bullets = ecs.prefab({ position: Position, sprite: [Sprite, { size: 4 }] });
   *     bullets.spawn({ position: { x: 1 } });
   */
  prefab<const P extends Parts>(
    parts: {
      readonly [K in keyof P]: P[K] extends Component
        ? BareClass<P[K]> | readonly [ComponentClass<P[K]>, PartValues<P[K]>]
        : never;
    },
  ): Prefab<P> {
    this.#world.live();
    return new Prefab<P>(this.#world, parts);
  }
  /** Creates `n` entities in one crossing (rule E7). Throws `BAD_ARGUMENT` and `OUT_OF_MEMORY`. */
  addEntities(n: number): Uint32Array {
    const self = this.#world.live();
    requireCount("addEntities", n);
    const list = this.#world.scratch("addEntities", 4 * n);
    this.#world.check(core._crateful_add_entities(self, list, n));
    return heap.u32.slice(list >> 2, (list >> 2) + n);
  }
  /**
   * Marks the entity for removal at the end of the current or next update (rule E3). Returns whether this call marked it: false
   * if it was marked already, so that what its end causes is done once. Throws `STALE_ENTITY`. O(1).
   *
   *     if (ecs.removeEntity(enemy)) score.points += 10; // also if two bullets hit it in one frame
   */
  removeEntity(e: Entity): boolean {
    this.#requireAlive("removeEntity", e);
    return this.#world.check(core._crateful_remove_entity(this.#world.self, e)) === 1;
  }
  /**
   * Marks many entities for removal, in one crossing (rule E7), and returns how many this call marked. Throws `STALE_ENTITY`;
   * then none is marked.
   */
  removeEntities(entities: ArrayLike<Entity>): number {
    const self = this.#world.live();
    requireList("removeEntities", entities);
    const list = this.#world.listAddress("removeEntities", entities);
    return this.#world.checkList(
      "removeEntities",
      entities,
      core._crateful_remove_entities(self, list, entities.length),
    );
  }
  /**
   * Removes the entities that are marked for removal now, instead of at the end of the next update (rule E11). Throws
   * `REENTRANT_UPDATE` inside a callback.
   */
  removeMarked(): void {
    const self = this.#world.live();
    let result = core._crateful_remove_marked(self);
    if (result === REENTRANT && this.#world.recover()) result = core._crateful_remove_marked(self);
    this.#world.check(result);
  }
  /** True until the entity is removed; false for a value that is no entity (rule E4). O(1). */
  alive(e: Entity): boolean {
    this.#world.live();
    return this.#world.alive(e);
  }
  /** How many entities are alive, without `world`. */
  get count(): number {
    this.#world.live();
    return this.#world.count;
  }
  #requireAlive(call: string, e: Entity): void {
    this.#world.live();
    if (!this.#world.alive(e)) throw stale(call, e);
  }

  // --- hierarchy ----------------------------------------------------------------------------------

  /**
   * Makes `child` a child of `parent`, the last one or the one in front of `before`; with NONE, it has no parent any more (rule
   * H1). It then has a component `Parent`. Removing the parent removes its descendants too (rule H2). Throws `STALE_ENTITY`,
   * and `BAD_ARGUMENT` if `child` is `parent` or one of its ancestors, or if `before` is no other child of `parent`. O(1 +
   * systems that require or watch `Parent`); O(depth) if `child` has children.
   */
  setParent(child: Entity, parent: Entity, before: Entity = NONE): void {
    this.#requireAlive("setParent", child);
    if (parent !== NONE) this.#requireAlive("setParent", parent);
    if (before !== NONE) this.#requireAlive("setParent", before);
    this.#world.check(core._crateful_set_parent(this.#world.self, child, parent, before));
  }
  /** The parent of an entity, or NONE; also NONE if the entity is not alive. O(1). */
  parent(e: Entity): Entity {
    this.#world.live();
    this.#world.noEntity("parent", e);
    return this.#world.hierarchy.parent(e);
  }
  /**
   * The children of an entity, in their order. During an iteration every change is allowed; children that are added meanwhile
   * are not visited. An entity that is not alive has none. O(children).
   */
  children(e: Entity): IterableIterator<Entity> {
    this.#world.live();
    this.#world.noEntity("children", e);
    return this.#world.hierarchy.children(e);
  }

  /**
   * The entities whose component of this class refers to `e` by its field of type `link`, in the order of their indices (rule
   * C15). If the class has several such fields, name one. During an iteration every change is allowed; what did not refer to
   * `e` when it began, or does not when it is its turn, is not visited. An entity that is not alive has none. Throws
   * `BAD_ARGUMENT` if the class has no such field. O(result + components of the class that changed since the last call).
   *
   *     class Targeting extends defineComponent("Targeting", { target: "link" }) {}
   *     for (const turret of ecs.linked(Targeting, enemy)) ecs.removeComponent(turret, Targeting);
   */
  linked<C extends Stored>(
    cls: ComponentClass<C>,
    e: Entity,
    ...[field]: LinkField<SchemaOf<C>>
  ): IterableIterator<Entity> {
    this.#world.live();
    this.#world.noEntity("linked", e);
    return linked(this.#world, this.#world.table(cls), e, field);
  }

  /**
   * Finds entities by the value of a field, which is a number, string, boolean, enum or entity (rule Q11). Indices of the same field share
   * their memory, which exists as long as the ECS. Throws `BAD_ARGUMENT` if the class has no such field. O(1).
   *
   *     const byName = ecs.index(Unit, "name");
   *     const guard = byName.first("guard");
   *     for (const e of byName.get("guard")) ecs.removeEntity(e);
   */
  index<C extends Stored, K extends SingleField<SchemaOf<C>>>(
    cls: ComponentClass<C>,
    field: K,
  ): Index<NonNullable<StoredValues<C>[K]>> {
    this.#world.live();
    const table = this.#world.table(cls);
    if (table.info.id === PARENT_ID) throw badArgument("index: Parent has none; use ecs.children(parent)");
    return new Index(table, singleField("index", table, field));
  }

  /**
   * The text of a number in a column of a string field (rule C13): `ecs.text(storage.columns.name[i])`. Throws `BAD_ARGUMENT` if no
   * string of this ECS has the number. O(1).
   */
  text(number: number): string {
    this.#world.live();
    return this.#world.strings.read(number);
  }

  // --- components ---------------------------------------------------------------------------------

  /**
   * Adds a component to an entity and returns it. Replaces a component of the same class (rule C1). The component signals.
   * A component can belong to only one entity (rule C5). Throws `STALE_ENTITY`, `BAD_ARGUMENT`, and `MISSING_COMPONENT`
   * for a stored component that was removed from an entity. O(systems that require or watch the class).
   */
  addComponent<C extends Component>(e: Entity, component: C): C;
  /** Adds a component with the default values of its class, which can be one of several: a union. */
  addComponent<T extends ComponentClass<Stored | Defined>>(
    e: Entity,
    cls: T,
  ): T extends ComponentClass<infer C> ? (C extends Stored ? void : C) : never;
  /**
   * Adds a component of a class with these values. Omitted fields get their defaults. Of a stored or native class, no
   * JavaScript object is allocated and no constructor runs, which suits components that are added and removed often; of a class
   * of `defineObject`, a new instance is created and returned.
   */
  addComponent<C extends Stored | Defined>(
    e: Entity,
    cls: ComponentClass<C>,
    values?: C extends Stored ? StoredValues<C> : ObjectValues<C>,
  ): C extends Stored ? void : C;
  addComponent(
    e: Entity,
    what: Component | ComponentClass,
    values?: Readonly<Record<string, unknown>>,
    // biome-ignore lint/suspicious/noConfusingVoidType: the overloads say which
  ): Component | void {
    if (typeof what !== "function") return this.#addObject(e, what);
    this.#requireAlive("addComponent", e);
    const world = this.#world;
    const table = world.table(what);
    const { id, fields, kind } = table.info;
    if (kind === "object") return this.#addObject(e, makeObject("addComponent", table, values ?? {}));
    const packed = fields.length === 0 ? 0 : world.scratch("addComponent", Packed.fieldBytes * fields.length);
    table.writeValues("addComponent", values, packed);
    world.check(core._crateful_add_component(world.self, e, id, packed, 0));
  }
  #addObject(e: Entity, component: Component): Component {
    if (!(component instanceof Component))
      throw badArgument(`addComponent: pass a component or a component class, not ${show(component)}`);
    this.#requireAlive("addComponent", e);
    const world = this.#world;
    const table = world.table(component.constructor as ComponentClass);
    const { id, name, fields } = table.info;
    if (component.$table !== undefined) {
      if (component.$table !== table || component.$entity !== e) requireUnused("addComponent", component, name);
      component.dirty();
      return component;
    }
    let packed = 0;
    let values: Values | null = null;
    requireUnused("addComponent", component, name);
    if (component instanceof StoredComponent) {
      packed = world.scratch("addComponent", Packed.fieldBytes * fields.length);
      table.writePacked("addComponent", component, packed);
      values = component.$values;
    }
    const old = table.replace(e, component);
    const result = core._crateful_add_component(world.self, e, id, packed, SlotFlag.hasObject);
    if (result < 0) table.undoReplace(e, component, old, values);
    world.check(result);
    return component;
  }
  /**
   * Adds several components to an entity, with parts as for `addEntity`; either all or none (rule E14). Replaces components of the
   * same classes. Systems see all of them when they start to track the entity. Throws as `addComponent`.
   * O(components + systems that require or watch their classes).
   *
   *     ecs.add(e, [Burning, { seconds: 2 }], Glowing);
   */
  add<P extends readonly Part[]>(e: Entity, ...parts: P & { readonly [K in keyof P]: CheckedPart<P[K]> }): void {
    this.#requireAlive("add", e);
    addTo(this.#world, e, parts);
  }
  /**
   * Adds a component to each of many entities, in one crossing (rule E7). Replaces components of the same class. Throws as
   * `addComponent`; then no component was added.
   */
  addComponents<C extends Component>(
    entities: ArrayLike<Entity>,
    cls: ComponentClass<C>,
    values?: BulkValues<C>,
  ): void {
    this.#world.live();
    requireList("addComponents", entities);
    const table = this.#world.table(cls);
    if (table.info.id === PARENT_ID) this.#failParent("addComponents", entities);
    addMany(table, entities, values);
  }
  /** Throws the error for an entity that is not alive or, if there is none, that for Parent. */
  #failParent(call: string, entities: ArrayLike<Entity>): never {
    for (let i = 0; i < entities.length; ++i) this.#requireAlive(call, entities[i]);
    throw isParent(call);
  }
  /**
   * Removes the components of these classes, in this order; returns whether there was one (rule C2). Throws `STALE_ENTITY`, and
   * then removes none.
   */
  removeComponent(e: Entity, cls: ComponentClass, ...others: ComponentClass[]): boolean {
    this.#requireAlive("removeComponent", e);
    const id = removableId(cls);
    if (others.length === 0) return this.#world.removeComponent(e, id);
    return this.#world.removeAll(e, [id, ...others.map(removableId)]);
  }
  /** Removes the component from many entities, in one crossing; returns how many had one. Throws `STALE_ENTITY`. */
  removeComponents(entities: ArrayLike<Entity>, cls: ComponentClass): number {
    const self = this.#world.live();
    const { id, name } = classInfo(cls);
    requireList("removeComponents", entities);
    if (id === PARENT_ID) this.#failParent("removeComponents", entities);
    const call = `removeComponents of ${name}`;
    const list = this.#world.listAddress(call, entities);
    return this.#world.checkList(call, entities, core._crateful_remove_components(self, list, entities.length, id));
  }
  /** The entity's components, read-only; always the same object for an entity. Throws `STALE_ENTITY`. O(1). */
  getComponents(e: Entity): Components {
    return this.#componentsOf("getComponents", e);
  }
  #componentsOf(call: string, e: Entity): Components {
    const found = this.#world.componentsOf(call, e);
    if (found === undefined) throw stale(call, e);
    return found;
  }
  /**
   * The entity's component; for as long as it has it, always the same object, which may be kept. Throws
   * `MISSING_COMPONENT` and `STALE_ENTITY`. O(1).
   */
  get<C extends Component>(e: Entity, cls: ComponentClass<C>): C {
    return this.#componentsOf("get", e).get(cls);
  }
  /** The same, but undefined if the entity has no such component, or is not alive (rule E5). O(1). */
  tryGet<C extends Component>(e: Entity, cls: ComponentClass<C>): C | undefined {
    return this.#world.componentsOf("tryGet", e)?.tryGet(cls);
  }
  /** Whether the entity is alive and has a component of each of the classes (rule E5). O(classes). */
  has(e: Entity, ...classes: ComponentClass[]): boolean {
    return this.#world.componentsOf("has", e)?.has(...classes) ?? false;
  }
  /** All components of a class, as columns in memory; always the same object for a class. */
  storage<C extends Component>(cls: ComponentClass<C>): Storage<C> {
    this.#world.live();
    let storage = this.#storages.get(cls);
    if (storage === undefined) this.#storages.set(cls, (storage = new Storage(this.#world.table(cls))));
    return storage as unknown as Storage<C>;
  }
  /**
   * The entities that have all components of `shape` and pass the filters, as rows (rules Q1 to Q8). For the same classes
   * it is always the same object. Throws `BAD_ARGUMENT` for a value that is no component class, for a name that is
   * used twice, for an option that does not exist, and for a class that is excluded and also required or in `any`. O(classes).
   *
   *     for (const { position, velocity } of ecs.query({ position: Position, velocity: Velocity }))
   *       position.x += velocity.x * delta;
   */
  query<S extends Shape, O extends Shape = {}, P extends Shape = {}>(
    shape: S,
    filters?: Filters<O, P, OrderBy<NoInfer<S>>>,
  ): Query<S, O & P> {
    this.#world.live();
    return this.#queries.get(shape, filters as unknown as AnyFilters) as unknown as Query<S, O & P>;
  }
  /** @internal */
  $queryClasses(shape: Shape, filters?: AnyFilters): QueryClasses {
    return queryClasses(this.#world, shape, filters);
  }
  /** The entities that have a component of each class, as ranges of slots. Create it once and keep it. */
  runs(...classes: [ComponentClass, ...ComponentClass[]]): Runs {
    this.#world.live();
    if (classes.length === 0) throw badArgument("runs: pass at least one component class");
    return new Runs(this.#world, classes);
  }
  /** The memory of each class's storage, and what the other policy would need (rule T3). O(classes). */
  memoryReport(): {
    name: string;
    policy: "sparse" | "linear";
    /** How many entities have the component. */
    count: number;
    /** Share of all entities that have the component, 0 to 1. */
    utilisation: number;
    /** Bytes allocated in WebAssembly memory. */
    bytes: number;
    /** Bytes that the other policy would need: linear C·N + ⌈N/8⌉, sparse 8·N + C·N·U. */
    otherBytes: number;
    /** A sentence if switching the policy would save more than 25 %, otherwise empty. */
    advice: string;
  }[] {
    return memoryReport(this.#world.live());
  }

  // --- systems ------------------------------------------------------------------------------------

  /**
   * Adds a system and returns it. Systems run in ascending priority, and in the order of addition within one priority (rule
   * S1) unless `before` and `after` say otherwise (rule S10). Calls `init()`, then `onAdd` for each entity that matches (rule
   * S3). A system that is added during an update first runs in the next one. Throws `BAD_SYSTEM` for a priority that is not a
   * finite number, a system without required components, a system that was added already (rule S2), and constraints that
   * contradict each other or the priorities.
   */
  addSystem<S extends AnySystem>(priority: number, system: S): S {
    return this.#systems.add(priority, system);
  }
  /**
   * Removes a system: an instance, the first one added of a class, or the first one added with a name, which can be a C++
   * system. Calls `onRemove` for each entity that it tracks. During an update, this happens at the end of the update. Throws
   * `BAD_SYSTEM` if there is none.
   */
  removeSystem(system: SystemClass | AnySystem | string): void {
    this.#systems.remove(system, this.#updating);
  }
  /**
   * The first system of that class that was added, or the first one with that name. Throws `BAD_SYSTEM` if there is none, or
   * if the first one with the name is written in C++.
   */
  getSystem<S extends AnySystem>(cls: abstract new (...args: never[]) => S): S;
  getSystem(name: string): AnySystem;
  getSystem(system: SystemClass | string): AnySystem {
    return this.#systems.get(system);
  }
  /** Enables a system, named as for `removeSystem` (rule S4). Throws `BAD_SYSTEM` if there is none. */
  enableSystem(system: SystemClass | AnySystem | string): void {
    this.#systems.setEnabled("enableSystem", system, () => true);
  }
  /** Disables a system: it is not updated, but tracks entities and accumulates its dirty set (rules S4, D4). */
  disableSystem(system: SystemClass | AnySystem | string): void {
    this.#systems.setEnabled("disableSystem", system, () => false);
  }
  /** Enables a disabled system, and disables an enabled one. */
  toggleSystem(system: SystemClass | AnySystem | string): void {
    this.#systems.setEnabled("toggleSystem", system, (enabled) => !enabled);
  }
  /** All systems in the order in which they run, including C++ systems. O(systems). */
  get systems(): {
    /** The instance; undefined for C++ systems. Not enumerable, so that the list can be printed and converted to JSON. */
    readonly system: AnySystem | undefined;
    name: string;
    priority: number;
    enabled: boolean;
    debug: boolean;
    /** The least game time between two runs, in seconds (rule S11). */
    interval: number;
    /** The names of the classes and systems before which it runs (rule S10). */
    before: string[];
    /** The names of those after which it runs. */
    after: string[];
    /** How many entities it tracks. */
    tracked: number;
    /** How many entities were in the dirty set of its last run. */
    dirty: number;
  }[] {
    return this.#systems.infos;
  }

  // --- time ---------------------------------------------------------------------------------------

  /**
   * Runs one frame: delivers delayed events, updates each enabled system, performs pending removals. `wallDelta` is in
   * seconds; in a page, `startLoop` calls it. Returns the effective delta in seconds (rule M1). A frame without changes
   * costs O(systems) (rule D10). Throws `BAD_ARGUMENT` for a delta that is negative or not finite, and `REENTRANT_UPDATE`
   * inside a callback. `timeScale` is in place of `ecs.timeScale`: a loop of your own with fixed steps passes 1, because the scale
   * decides how many steps it makes (rule M5).
   */
  update(wallDelta = 1 / 60, timeScale?: number): number {
    const self = this.#world.live();
    if (!isTime(wallDelta))
      throw badArgument(
        `update: the delta must be a finite, non-negative number of seconds, not ${show(wallDelta)}; ` +
          "startLoop passes valid ones",
      );
    if (timeScale !== undefined) requireScale("update: timeScale", timeScale);
    const scale = timeScale ?? NaN; // that of the ECS
    const outer = this.#updating;
    this.#updating = true;
    try {
      let delta = core._crateful_update(self, wallDelta, scale);
      if (delta === REENTRANT && this.#world.recover()) delta = core._crateful_update(self, wallDelta, scale);
      this.#world.check(delta);
      if (!this.#world.disposed) this.profiler.$frameEnded();
      return delta;
    } finally {
      this.#updating = outer;
    }
  }
  /**
   * Runs systems outside of updates, each once and in this order (rule S19): for tests, and for systems that a program runs at another
   * rate. Each finds its dirty set, which is empty afterwards. No time passes, marked entities stay, and it is not asked whether the systems are enabled
   * or due. If one throws, the others do not run, and its error is rethrown. Throws `BAD_SYSTEM`, `BAD_ARGUMENT` for a delta that is negative or
   * not finite, and `REENTRANT_UPDATE` inside a callback.
   *
   *     ecs.run([Move, Collide], 0.1);
   */
  run(systems: AnySystem | SystemClass | string | readonly (AnySystem | SystemClass | string)[], delta = 1 / 60): void {
    this.#world.live();
    if (!isTime(delta))
      throw badArgument(`run: the delta must be a finite, non-negative number of seconds, not ${show(delta)}`);
    this.#systems.run(Array.isArray(systems) ? Array.from(systems) : [systems], delta);
  }
  /**
   * Calls `f`, which makes frames again, as after `rewind.to` (rule S20). Until it returns, `replaying` is true, and updates skip observers
   * (rule S18), which track entities all the same, and find in the next update after it what has changed. Calls can be nested; what `f` throws is
   * rethrown. `f` must not be asynchronous. Throws `BAD_ARGUMENT` for what is no function.
   *
   *     ecs.replay(() => {
   *       for (rewind.to(frame); ecs.frame < now; ) step(inputs[ecs.frame]);
   *     });
   */
  replay(f: () => void): void {
    if (typeof f !== "function") throw badArgument(`replay: f must be a function, not ${show(f)}`);
    const outer = this.#world.byte(WorldMemory.replaying);
    this.#world.setByte(WorldMemory.replaying, 1);
    try {
      f();
    } finally {
      if (!this.#world.disposed) this.#world.setByte(WorldMemory.replaying, outer);
    }
  }
  /** Whether a call of `replay` is in progress, for what must not happen again: sounds, effects, messages (rule S20). */
  get replaying(): boolean {
    return this.#world.byte(WorldMemory.replaying) === 1;
  }
  /**
   * Removes every entity immediately, discards pending removals, queued events, inboxes and transient subscriptions, then
   * calls `onClear` of each system (rule K1). Systems are kept. Old handles stay stale.
   */
  clear(): void {
    this.#world.check(core._crateful_clear(this.#world.live()));
  }
  /** While true, game time does not advance, and only debug systems run, with delta 0 (rule M2). */
  get paused(): boolean {
    return this.#world.byte(WorldMemory.paused) === 1;
  }
  set paused(on: boolean) {
    if (typeof on !== "boolean") throw badArgument(`paused: the value must be a boolean, not ${show(on)}`);
    this.#world.setByte(WorldMemory.paused, Number(on));
  }
  /**
   * Multiplies deltas, before slow motion (rule M5): 2 is fast forward. With 0, only systems that run while the game is paused are
   * updated. Throws `BAD_ARGUMENT` for a number that is negative or not finite.
   */
  get timeScale(): number {
    this.#world.live();
    return this.#world.time(Times.scale);
  }
  set timeScale(scale: number) {
    requireScale("timeScale", scale);
    this.#world.live();
    heap.f64[(this.#world.word(WorldMemory.times) >> 3) + Times.scale] = scale;
  }
  /** How many updates have ended: during the first one it is 0 (rule M5). */
  get frame(): number {
    this.#world.live();
    return this.#world.time(Times.frame);
  }
  /** Game time so far, in seconds. */
  get gameTime(): number {
    this.#world.live();
    return this.#world.time(Times.game);
  }
  /** Wall time so far, in seconds: the sum of the deltas passed to `update`. */
  get wallTime(): number {
    this.#world.live();
    return this.#world.time(Times.wall);
  }

  /**
   * Frees the memory of the ECS; using it afterwards throws `DISPOSED` (rule M3). Inside a callback, no further callback
   * runs, and the memory is freed when the outermost call returns. Further calls have no effect.
   */
  dispose(): void {
    if (this.#world.disposed) return;
    this.events.$dispose();
    this.#world.dispose();
  }
  /** @internal */
  get $world(): World {
    return this.#world;
  }
  /** For `using`: calls `dispose`. */
  declare readonly [Symbol.dispose]: () => void;
  // Where Symbol.dispose does not exist, as in Safari 26, compilers replace it by the other symbol.
  [(Symbol.dispose ?? Symbol.for("Symbol.dispose")) as symbol](): void {
    this.dispose();
  }
}

/** The id of a class whose components can be removed. */
function removableId(cls: ComponentClass): number {
  const { id } = classInfo(cls);
  if (id === PARENT_ID) throw isParent("removeComponent");
  return id;
}

const isTime = (value: unknown): boolean => typeof value === "number" && value >= 0 && value < Infinity;
function requireScale(what: string, scale: number): void {
  if (!isTime(scale)) throw badArgument(`${what} must be a finite, non-negative number, not ${show(scale)}`);
}
