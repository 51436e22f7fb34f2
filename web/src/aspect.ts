import type { Component, ComponentClass } from "./component.js";
import type { Components } from "./components.js";
import { NONE, type Entity } from "./entity.js";
import { EcsError } from "./errors.js";
import type { World } from "./world.js";

/**
 * A system's view of one entity that it tracks, and the place for what that system alone wants to
 * remember of it: derive from it and return your own in `makeAspect()`. In `onRemove` every component
 * can still be read through it, also the one whose removal caused it.
 */
export class Aspect implements Components {
  /** @internal */
  $world: World | undefined = undefined;
  /** What looks its components up, once it was asked. @internal */
  $components: Components | undefined = undefined;
  /** Its `onRemove` is running. @internal */
  $leaving = false;
  /** The entity it belongs to. */
  readonly entity: Entity = NONE;

  get<C extends Component>(cls: ComponentClass<C>): C {
    if (this.$leaving) return this.#world().get(this.entity, cls, true);
    return (this.$components ?? this.#find()).get(cls);
  }
  tryGet<C extends Component>(cls: ComponentClass<C>): C | undefined {
    if (this.$leaving) return this.#world().tryGet(this.entity, cls, true);
    return (this.$components ?? this.#find()).tryGet(cls);
  }
  has(...classes: ComponentClass[]): boolean {
    if (this.$leaving) return classes.every((cls) => this.tryGet(cls) !== undefined);
    return (this.$components ?? this.#find()).has(...classes);
  }
  #find(): Components {
    return (this.$components = this.#world().componentsOf(this.entity));
  }
  #world(): World {
    if (this.$world === undefined)
      throw new EcsError("BAD_SYSTEM", "an aspect belongs to an entity once its system tracks it");
    return this.$world;
  }
}

/** Gives a new aspect its entity. @internal */
export function bindAspect(aspect: Aspect, world: World, e: Entity): void {
  aspect.$world = world;
  (aspect as { entity: Entity }).entity = e;
}
