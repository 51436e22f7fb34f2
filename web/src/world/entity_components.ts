import { knownInfo, type Component, type ComponentClass } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { makeVisible } from "../component/inspection.js";
import type { Entity } from "../module/entity.js";
import { Handle } from "../module/layout.js";
import { noInline } from "../module/v8.js";

/** The components of one entity, read-only. */
export interface Components {
  /** The component. Throws `MISSING_COMPONENT` if the entity has none of that class. O(1). */
  get<C extends Component>(cls: ComponentClass<C>): C;
  /** The component, or undefined. O(1). */
  tryGet<C extends Component>(cls: ComponentClass<C>): C | undefined;
  /** Whether the entity has a component of each of the classes. */
  has(...classes: ComponentClass[]): boolean;
}

/** Finds components by entity; implemented by World. @internal */
export interface ComponentLookup {
  /** By component id. */
  readonly tables: (ComponentTable | undefined)[];
  alive(e: Entity): boolean;
  has(e: Entity, cls: ComponentClass): boolean;
  get<C extends Component>(e: Entity, cls: ComponentClass<C>, includeParked?: boolean): C;
  tryGet<C extends Component>(e: Entity, cls: ComponentClass<C>, includeParked?: boolean): C | undefined;
  /** The tables that can contain components of an entity; none if it is not alive. */
  tablesOf(e: Entity): readonly (ComponentTable | undefined)[];
}

/**
 * What `getComponents` returns. While it is in `World.components`, its entity is alive, and the objects that the tables
 * have under its index belong to that entity. So a look-up needs no further check.
 * @internal
 */
export class EntityComponents implements Components {
  readonly $index: number;
  $tables: (ComponentTable | undefined)[];
  constructor(
    readonly $world: ComponentLookup,
    readonly entity: Entity,
  ) {
    this.$index = entity & Handle.indexMask;
    this.$tables = $world.tables;
  }
  get<C extends Component>(cls: ComponentClass<C>): C {
    const info = knownInfo(cls);
    const found = info !== undefined ? this.$tables[info.id]?.objects[this.$index] : undefined;
    return found !== undefined ? (found as C) : getSlowly(this, cls);
  }
  tryGet<C extends Component>(cls: ComponentClass<C>): C | undefined {
    const info = knownInfo(cls);
    const found = info !== undefined ? this.$tables[info.id]?.objects[this.$index] : undefined;
    return found !== undefined ? (found as C) : tryGetSlowly(this, cls);
  }
  has(...classes: ComponentClass[]): boolean {
    for (let i = 0; i < classes.length; ++i) {
      const info = knownInfo(classes[i]);
      const found = info !== undefined ? this.$tables[info.id]?.objects[this.$index] : undefined;
      if (found === undefined && !this.$world.has(this.entity, classes[i])) return false;
    }
    return classes.length > 0 || this.$world.alive(this.entity);
  }
  /** Call it when the entity is destroyed: every further look-up is an error. */
  close(): void {
    this.$tables = [];
  }
}

// Tools see the entity, and its components by the names of their classes.
makeVisible(EntityComponents.prototype, (object) => {
  const { $world, entity } = object as EntityComponents;
  const fields: Record<string, unknown> = { entity };
  for (const table of $world.tablesOf(entity))
    if (table && table.slot(entity) >= 0) fields[table.info.name] = table.find(entity);
  return fields;
});

const getSlowly = noInline(
  <C extends Component>({ $world, entity }: EntityComponents, cls: ComponentClass<C>): C => $world.get(entity, cls),
);
const tryGetSlowly = noInline(
  <C extends Component>({ $world, entity }: EntityComponents, cls: ComponentClass<C>): C | undefined =>
    $world.tryGet(entity, cls),
);
