import { classInfo, type Component, type ComponentClass } from "../component/component.js";
import { ComponentTable } from "../component/component_table.js";
import { Parent } from "../component/parent.js";
import { CoreWorld } from "../core/core_world.js";
import { forgetIterators } from "../core/iteration.js";
import { closeSet } from "../core/sparse_set.js";
import { NONE, describe, stale, type Entity } from "../module/entity.js";
import { EcsError, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Handle } from "../module/layout.js";
import { noInline, withRoom } from "../module/v8.js";
import { Aspect, bindAspect, isUnbound, unbindAspect } from "./aspect.js";
import { EntityComponents, type ComponentLookup } from "./entity_components.js";
import { Hierarchy } from "./hierarchy.js";
import { PrefabTree } from "./prefab_tree.js";
import { RemovedComponents } from "./removed_components.js";
import type { SystemRecord } from "./system_record.js";

/** The part of EventsManager that calls from the core use. @internal */
export interface DelayedEvents {
  $advance(gameTime: number): void;
  $clear(): void;
}

const makeComponents = noInline((world: World, call: string, e: Entity) => world.makeComponents(call, e));

/** Worlds by token, for the calls that come from the core. @internal */
export const worlds: (World | undefined)[] = [];

/**
 * The JavaScript state of one world: the objects of its components, its systems and their aspects.
 * @internal
 */
export class World extends CoreWorld implements ComponentLookup {
  /** By component id. */
  readonly tables: (ComponentTable | undefined)[] = [];
  /** By entity index. The core reports when an entity in this list is destroyed. */
  components: (EntityComponents | undefined)[] = [];
  /** By token; a token is never used again. */
  readonly systems: (SystemRecord | undefined)[] = [];
  /** Set by the ECS. */
  events!: DelayedEvents;
  readonly hierarchy: Hierarchy;
  readonly #removed = new RemovedComponents(this);
  /** Those of the lists of parts with which `addEntity` was called. */
  readonly prefabs = new PrefabTree();

  constructor() {
    super(worlds.length);
    worlds.push(this);
    this.hierarchy = new Hierarchy(this);
  }

  /**
   * Ends the calls of the core that were abandoned because JavaScript's stack was exhausted, of which the core is not notified. False if
   * calls are in progress, or may be: functions of a user's module can have called JavaScript.
   */
  recover(): boolean {
    if (core._crateful_recover === undefined || worlds.some((world) => world !== undefined && world.depth > 0))
      return false;
    core._crateful_recover(this.self);
    return true;
  }
  override dispose(): void {
    for (const table of this.tables) table?.hide();
    super.dispose();
  }
  protected override detachAll(): void {
    worlds[this.token] = undefined; // further calls from the core have no effect
    forgetIterators(this);
    for (const table of this.tables) table?.close();
    this.components = [];
    for (const record of this.systems) if (record) this.systemDestroyed(record);
  }

  // --- components -------------------------------------------------------------------------------

  override idOf(cls: ComponentClass): number {
    return this.table(cls).info.id;
  }
  /** The table of a class, created on first use. */
  table(cls: ComponentClass): ComponentTable {
    const info = classInfo(cls);
    return this.tables[info.id] ?? this.#makeTable(cls);
  }
  #makeTable(cls: ComponentClass): ComponentTable {
    const info = classInfo(cls);
    const control = core._crateful_storage(this.live(), info.id);
    if (control === 0) throw new EcsError("OUT_OF_MEMORY", `no memory for components of class ${info.name}`);
    return (this.tables[info.id] = new ComponentTable(this, info, control));
  }

  /** The components of an entity, always the same object; undefined if it is not alive. */
  componentsOf(call: string, e: Entity): EntityComponents | undefined {
    const known = typeof e === "number" ? this.components[e & Handle.indexMask] : undefined;
    return known !== undefined && known.entity === e ? known : makeComponents(this, call, e);
  }
  /** Creates what `componentsOf` returns. */
  makeComponents(call: string, e: Entity): EntityComponents | undefined {
    this.live();
    if (!this.alive(e)) return this.noEntity(call, e);
    const index = e & Handle.indexMask;
    if (index >= this.components.length) this.components = withRoom(this.components, index);
    this.notifyOfRemoval(e);
    return (this.components[index] = new EntityComponents(this, e));
  }
  /** The core has destroyed an entity that `components` contains. */
  entityDestroyed(e: Entity): void {
    this.components[e & Handle.indexMask]?.close();
    this.components[e & Handle.indexMask] = undefined;
  }

  tablesOf(e: Entity): readonly (ComponentTable | undefined)[] {
    if (this.disposed || !this.alive(e)) return [];
    if (this.hierarchy.parent(e) !== NONE) this.table(Parent); // only the core may have used the class
    return this.tables;
  }
  has(e: Entity, cls: ComponentClass): boolean {
    this.live();
    const table = this.#knownTable(cls);
    return table !== undefined && table.slot(e) >= 0;
  }
  // A native class that only C++ has used so far has no table yet.
  #knownTable(cls: ComponentClass): ComponentTable | undefined {
    const { id, kind } = classInfo(cls);
    return this.tables[id] ?? (kind === "native" ? this.table(cls) : undefined);
  }
  tryGet<C extends Component>(e: Entity, cls: ComponentClass<C>, includeParked = false): C | undefined {
    this.live();
    const table = this.alive(e) || includeParked ? this.#knownTable(cls) : undefined;
    const found = this.alive(e) ? table?.find(e) : undefined;
    return (found === undefined && includeParked ? this.#removed.read(e, cls, table?.fields ?? []) : found) as
      | C
      | undefined;
  }
  get<C extends Component>(e: Entity, cls: ComponentClass<C>, includeParked = false): C {
    const found = this.tryGet(e, cls, includeParked);
    if (found !== undefined) return found;
    if (!includeParked && !this.alive(e)) throw stale("get", e);
    const names = this.tablesOf(e).flatMap((table) => (table && table.slot(e) >= 0 ? [table.info.name] : []));
    const others = names.length > 0 ? `; it has ${names.join(", ")}` : "";
    throw new EcsError("MISSING_COMPONENT", `get: ${describe(e)} has no ${classInfo(cls).name}${others}`);
  }

  /** Removes a component, if the entity has one; returns whether it had. */
  removeComponent(e: Entity, id: number): boolean {
    return this.check(core._crateful_remove_component(this.self, e, id)) === 1;
  }
  /** The same for several; returns whether it had one. */
  removeAll(e: Entity, ids: readonly number[]): boolean {
    const list = this.scratch("removeComponent", 4 * ids.length);
    heap.u32.set(ids, list >> 2);
    return this.check(core._crateful_remove_all(this.self, e, list, ids.length)) === 1;
  }

  /**
   * The core is about to remove a component that has an object here. If `final`, nothing reads it any more; otherwise it
   * stays readable until `componentDestroyed`.
   */
  componentDetached(e: Entity, id: number, final: boolean): void {
    const table = this.tables[id];
    const component = table?.objects[e & Handle.indexMask];
    if (table === undefined || component === undefined) return;
    if (final) {
      table.detach(component, e);
    } else {
      table.park(component, e);
      this.#removed.add(e, id, component);
    }
  }
  /** The call that removed the component is complete. */
  componentDestroyed(e: Entity, id: number): void {
    this.#removed.end(e, id);
  }

  // --- systems ----------------------------------------------------------------------------------

  /** The aspect of a tracked entity, always the same object (rule A1). */
  aspect(record: SystemRecord, e: Entity): Aspect {
    const index = e & Handle.indexMask;
    const known = index < record.aspects.length ? record.aspects[index] : undefined;
    if (known !== undefined && known.entity === e) return known;
    return this.#makeAspect(record, e);
  }
  #makeAspect(record: SystemRecord, e: Entity): Aspect {
    heap.u32[record.notifiesRemove] = 1; // from now on, the core calls `removeAspect`
    if (!record.overridesMakeAspect) return this.#keepAspect(record, e, this.#newAspect(record));
    const { making } = record;
    making[record.makingCount++] = e;
    let aspect: Aspect;
    let tracked = true;
    try {
      aspect = this.#newAspect(record);
    } finally {
      tracked = making[--record.makingCount] === e;
    }
    if (tracked) {
      const index = e & Handle.indexMask;
      const known = index < record.aspects.length ? record.aspects[index] : undefined;
      if (known !== undefined && known.entity === e) return known; // makeAspect has asked for it
      return this.#keepAspect(record, e, aspect);
    }
    bindAspect(aspect, record.ended, e);
    return aspect;
  }
  #keepAspect(record: SystemRecord, e: Entity, aspect: Aspect): Aspect {
    const index = e & Handle.indexMask;
    bindAspect(aspect, record, e);
    if (index >= record.aspects.length) record.aspects = withRoom(record.aspects, index);
    return (record.aspects[index] = aspect);
  }
  /** What `makeAspect` returns. */
  #newAspect(record: SystemRecord): Aspect {
    const aspect = record.overridesMakeAspect
      ? this.callback("makeAspect", () => record.system.makeAspect())
      : new Aspect();
    if (aspect instanceof Aspect && isUnbound(aspect)) return (record.lastAspect = aspect);
    const { name } = record.system.constructor;
    throw new EcsError("BAD_SYSTEM", `${name}.makeAspect() must return a new aspect, not ${show(aspect)}`);
  }
  /** The system tracks an entity: creates its aspect and calls `onAdd`, unless `makeAspect` has ended the tracking. */
  addAspect(record: SystemRecord, e: Entity): void {
    const aspect = this.aspect(record, e);
    if (aspect.$source === record) record.system.onAdd(aspect);
  }

  /** The system has stopped tracking an entity: discards its aspect and calls `onRemove`, unless `makeAspect` made none. */
  removeAspect(record: SystemRecord, e: Entity): void {
    const index = e & Handle.indexMask;
    let aspect = index < record.aspects.length ? record.aspects[index] : undefined;
    if (aspect !== undefined) {
      record.aspects[index] = undefined;
      unbindAspect(aspect, record.ended);
    }
    for (let i = 0; i < record.makingCount; ++i) if (record.making[i] === e) record.making[i] = NONE;
    if (!record.overridesOnRemove) return;
    const before = this.#removed.count;
    try {
      if (aspect === undefined || aspect.entity !== e) {
        if (record.notifiesAdd) return;
        bindAspect((aspect = this.#newAspect(record)), record.ended, e);
      }
      record.system.onRemove(aspect);
    } finally {
      this.#removed.detachFrom(before);
    }
  }

  /** The core has freed a system and its sets. */
  systemDestroyed(record: SystemRecord): void {
    for (const set of [record.entities.$set, record.dirty.$set]) closeSet(set);
    record.aspects = [];
    record.system.$removed();
    if (record.system.$record === record) record.system.$detached();
    this.systems[this.systems.indexOf(record)] = undefined;
  }
}
