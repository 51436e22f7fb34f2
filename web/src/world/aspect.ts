import type { Component, ComponentClass } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { NONE, type Entity } from "../module/entity.js";
import { EcsError } from "../module/errors.js";
import { Handle } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import type { ComponentLookup, Components } from "./entity_components.js";

/** Where the aspects of a system find components. @internal */
export interface AspectSource {
  /** Undefined before `makeAspect` has returned the aspect. */
  readonly world: ComponentLookup | undefined;
  /** The required classes and their tables: the objects that these contain are found without a look-up by class. */
  readonly classes: readonly ComponentClass[];
  readonly tables: readonly ComponentTable[];
  /** The first of each. */
  readonly firstClass: ComponentClass | undefined;
  readonly firstTable: ComponentTable | undefined;
  /** Whether parked components are found. */
  readonly includesParked: boolean;
}

/** What `classes` and `tables` mean to an aspect. @internal */
export const requiredBy = (classes: readonly ComponentClass[], tables: readonly ComponentTable[]) => ({
  classes,
  tables,
  firstClass: classes[0],
  firstTable: tables[0],
});
const UNBOUND: AspectSource = { world: undefined, ...requiredBy([], []), includesParked: false };

/**
 * The object that one system keeps for one entity that it tracks (rule A1). Derive from it to add state of the system,
 * and return an instance in `makeAspect()`. In `onRemove`, every component can still be read through it, including the
 * one that was removed (rule A2).
 */
export class Aspect implements Components {
  /** @internal */
  declare $source: AspectSource;
  /** @internal */
  declare $index: number;
  /** The entity it belongs to. */
  declare readonly entity: Entity;

  // As that of Component.
  /** @internal */
  constructor() {
    this.$source = UNBOUND;
    this.$index = 0;
    this.entity = NONE;
  }

  get<C extends Component>(cls: ComponentClass<C>): C {
    const { firstClass, firstTable, classes, tables } = this.$source;
    if (firstClass === cls) {
      const found = firstTable!.objects[this.$index];
      if (found !== undefined) return found as C;
    }
    for (let k = 1; k < classes.length; ++k) {
      if (classes[k] !== cls) continue;
      const found = tables[k].objects[this.$index];
      if (found !== undefined) return found as C;
    }
    return getSlowly(this, cls);
  }
  tryGet<C extends Component>(cls: ComponentClass<C>): C | undefined {
    const { classes, tables } = this.$source;
    for (let k = 0; k < classes.length; ++k) {
      if (classes[k] !== cls) continue;
      const found = tables[k].objects[this.$index];
      if (found !== undefined) return found as C;
    }
    return tryGetSlowly(this, cls);
  }
  has(...classes: ComponentClass[]): boolean {
    for (let i = 0; i < classes.length; ++i) if (!this.#hasOne(classes[i])) return false;
    return true;
  }
  #hasOne(cls: ComponentClass): boolean {
    const { includesParked } = this.$source;
    return includesParked ? this.tryGet(cls) !== undefined : worldOf(this).has(this.entity, cls);
  }
}

const getSlowly = noInline(
  <C extends Component>(aspect: Aspect, cls: ComponentClass<C>): C =>
    worldOf(aspect).get(aspect.entity, cls, aspect.$source.includesParked),
);
const tryGetSlowly = noInline(<C extends Component>(aspect: Aspect, cls: ComponentClass<C>): C | undefined =>
  worldOf(aspect).tryGet(aspect.entity, cls, aspect.$source.includesParked),
);

function worldOf(aspect: Aspect): ComponentLookup {
  const { world } = aspect.$source;
  if (world !== undefined) return world;
  const message = `${aspect.constructor.name}: an aspect has no entity before makeAspect returned it`;
  throw new EcsError("BAD_SYSTEM", message);
}

/** Whether the aspect belongs to no entity yet. @internal */
export const isUnbound = (aspect: Aspect): boolean => aspect.$source === UNBOUND;

/** Assigns a new aspect to an entity. @internal */
export function bindAspect(aspect: Aspect, source: AspectSource, e: Entity): void {
  aspect.$source = source;
  aspect.$index = e & Handle.indexMask;
  (aspect as { entity: Entity }).entity = e;
}
/** The system stops tracking the entity. For its `onRemove`, the aspect also reads parked components (rule A2). @internal */
export function unbindAspect(aspect: Aspect, ended: AspectSource): void {
  aspect.$source = ended;
}
/** The source of aspects whose tracking has ended. @internal */
export const endedSource = (world: ComponentLookup, includesParked: boolean): AspectSource => ({
  world,
  ...requiredBy([], []),
  includesParked,
});
