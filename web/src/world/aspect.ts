import type { Component, ComponentClass } from "../component/component.js";
import { NONE, type Entity } from "../module/entity.js";
import { EcsError } from "../module/errors.js";
import type { ComponentLookup, Components } from "./entity_components.js";

/**
 * The object that one system keeps for one entity that it tracks (rule A1). Derive from it to add state of the system,
 * and return an instance in `makeAspect()`. In `onRemove`, every component can still be read through it, including the
 * one that was removed (rule A2).
 */
export class Aspect implements Components {
  /** @internal */
  $world: ComponentLookup | undefined = undefined;
  /** The components of the entity; set on first use. @internal */
  $components: Components | undefined = undefined;
  /** Whether `onRemove` is running for it, which may read parked components. @internal */
  $removing = false;
  /** The entity it belongs to. */
  readonly entity: Entity = NONE;

  get<C extends Component>(cls: ComponentClass<C>): C {
    if (this.$removing) return this.#world().get(this.entity, cls, true);
    return (this.$components ?? this.#find()).get(cls);
  }
  tryGet<C extends Component>(cls: ComponentClass<C>): C | undefined {
    if (this.$removing) return this.#world().tryGet(this.entity, cls, true);
    return (this.$components ?? this.#find()).tryGet(cls);
  }
  has(...classes: ComponentClass[]): boolean {
    if (this.$removing) return classes.every((cls) => this.tryGet(cls) !== undefined);
    return (this.$components ?? this.#find()).has(...classes);
  }
  #find(): Components {
    return (this.$components = this.#world().componentsOf(this.entity));
  }
  #world(): ComponentLookup {
    if (this.$world === undefined)
      throw new EcsError(
        "BAD_SYSTEM",
        `${this.constructor.name}: an aspect has no entity before makeAspect returned it`,
      );
    return this.$world;
  }
}

/** Assigns a new aspect to an entity. @internal */
export function bindAspect(aspect: Aspect, world: ComponentLookup, e: Entity): void {
  aspect.$world = world;
  (aspect as { entity: Entity }).entity = e;
}
