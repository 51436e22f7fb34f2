// How entities are created together with their components (rules E8, E9).
import type { Component } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { StoredComponent, makePlain, requireUnused } from "../component/stored_component.js";
import type { CoreWorld } from "../core/core_world.js";
import { NONE, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Packed } from "../module/layout.js";

/** New components of one class. @internal */
export type NewObjects = readonly [ComponentTable, readonly Component[]];

/** A prefab in the core: classes, in the order in which it creates their components together. @internal */
export class CorePrefab {
  /** The core's prefab. */
  readonly address: number;
  /** The address at which the values of one entity are written, and the number of its fields before those of each class. */
  readonly row: number;
  readonly first: number[] = [];

  /** `hasObject` says which components are JavaScript objects. */
  constructor(
    readonly world: CoreWorld,
    readonly tables: readonly ComponentTable[],
    readonly hasObject: readonly boolean[],
  ) {
    const list = world.scratch("prefab", 4 * tables.length) >> 2;
    let fields = 0;
    tables.forEach(({ info }, k) => {
      heap.u32[list + k] = 2 * info.id + Number(hasObject[k]);
      this.first.push(fields);
      fields += info.fields.length;
    });
    this.address = core._crateful_add_prefab(world.self, list << 2, tables.length);
    if (this.address === 0) world.throwLast();
    this.row = heap.u32[this.address >> 2];
  }
  /** The address for the values of class number `k` of one entity. */
  rowOf(k: number): number {
    return this.row + Packed.fieldBytes * this.first[k];
  }
  /** Creates an entity with the values in the row. `objects` contains its objects, by class. */
  spawn(call: string, objects: readonly (Component | undefined)[] | undefined): Entity {
    const { world, address, tables } = this;
    if (objects === undefined) return world.checkEntity(core._crateful_spawn(world.self, address, NONE));
    this.writeRow(call, objects);
    const e = world.checkEntity(core._crateful_add_entity(world.self));
    // The values of the row are those of the objects, which become views of them.
    try {
      for (let k = 0; k < objects.length; ++k) if (objects[k] !== undefined) tables[k].attach(objects[k]!, e);
    } catch {
      // There is no memory for a view. For the same reason, the next call fails, and destroys the entity.
    }
    const made = core._crateful_spawn(world.self, address, e);
    if (made >>> 0 !== e) tables.forEach((table, k) => giveBack(table, objects[k], e, this.rowOf(k)));
    return world.checkEntity(made);
  }
  /** Adds the components to a living entity, with the values in the row, and replaces those that it has. */
  add(call: string, e: Entity, objects: readonly (Component | undefined)[] | undefined): void {
    const { world, address, tables } = this;
    const undo: (() => void)[] = [];
    const undoAll = (): void => undo.reverse().forEach((each) => each());
    if (objects !== undefined) {
      this.writeRow(call, objects);
      try {
        objects.forEach((object, k) => {
          if (object === undefined) return;
          const values = object instanceof StoredComponent ? object.$values : null;
          const old = tables[k].replace(e, object);
          undo.push(() => tables[k].undoReplace(e, object, old, values));
        });
      } catch (error) {
        undoAll(); // there is no memory for a view
        throw error;
      }
    }
    const result = core._crateful_add_all(world.self, address, e);
    if (result < 0) undoAll();
    world.check(result);
  }
  /** Writes the values of stored objects to the row. Throws if one of the objects cannot be added. */
  writeRow(call: string, objects: readonly (Component | undefined)[]): void {
    const { tables } = this;
    for (let k = 0; k < objects.length; ++k) {
      const object = objects[k];
      if (object === undefined) continue;
      requireUnused(call, object, tables[k].info.name);
      if (object instanceof StoredComponent) tables[k].writePacked(call, object, this.rowOf(k));
    }
  }
  /** Adds the components to new entities, which then have these objects. */
  compose(entities: Uint32Array, list: number, columns: number, objects: readonly NewObjects[]): void {
    const { world } = this;
    for (const [table, all] of objects) all.forEach((component, i) => table.attach(component, entities[i]));
    const result = core._crateful_compose(world.self, this.address, list, entities.length, columns);
    if (result < 0) {
      for (const [table, all] of objects) for (let i = 0; i < all.length; ++i) giveBack(table, all[i], entities[i], 0);
    }
    world.check(result);
  }
}

/** If the core did not add the component to a new entity: it contains plain values again, which are in the row. @internal */
export function giveBack(table: ComponentTable, component: Component | undefined, e: Entity, row: number): void {
  if (component === undefined || table.world.alive(e) || component.$table !== table || component.$entity !== e) return;
  table.detach(component, e);
  if (!(component instanceof StoredComponent)) return;
  component.$entity = NONE;
  const values = table.fields.map(({ kind }, k) => kind.read((row + Packed.fieldBytes * k) >> kind.shift));
  makePlain(component, values);
}
