import type { Component, ComponentClass } from "./component.js";
import { NONE, type Entity } from "./entity.js";
import { EcsError } from "./errors.js";
import type { World } from "./world.js";

/** The components of one entity, to look at. */
export interface Components {
  /** The component; an error if the entity has none of that class. O(1). */
  get<C extends Component>(cls: ComponentClass<C>): C;
  /** The component, or undefined. */
  tryGet<C extends Component>(cls: ComponentClass<C>): C | undefined;
  /** Whether the entity has a component of each of the classes. */
  has(...classes: ComponentClass[]): boolean;
}

/**
 * A system's view of one entity that it tracks, and the place for what that system alone wants to
 * remember of it: derive from it and return your own in `makeAspect()`. In `onRemove` every component
 * can still be read through it, also the one whose removal caused it.
 */
export class Aspect implements Components {
  /** @internal */
  $world: World | undefined = undefined;
  /** @internal */
  $leaving = false;
  /** The entity it belongs to. */
  readonly entity: Entity = NONE;

  get<C extends Component>(cls: ComponentClass<C>): C {
    return this.#world().get(this.entity, cls, this.$leaving);
  }
  tryGet<C extends Component>(cls: ComponentClass<C>): C | undefined {
    return this.#world().tryGet(this.entity, cls, this.$leaving);
  }
  has(...classes: ComponentClass[]): boolean {
    return classes.every((cls) => this.tryGet(cls) !== undefined);
  }
  #world(): World {
    if (this.$world === undefined) throw new EcsError("BAD_SYSTEM", "an aspect belongs to an entity once its system tracks it");
    return this.$world;
  }
}

/** Gives a new aspect its entity. @internal */
export function bindAspect(aspect: Aspect, world: World, e: Entity): void {
  aspect.$world = world;
  (aspect as { entity: Entity }).entity = e;
}
