import { Aspect } from "./aspect.js";
import type { ComponentClass } from "./component.js";
import type { Entity } from "./entity.js";
import type { ECS } from "./ecs.js";
import { EcsError } from "./errors.js";
import type { EntityMap, LiveDirtySet, LiveEntityMap } from "./live_sets.js";

/** A system as a list of all of them shows it, C++ ones included. */
export interface SystemInfo {
  name: string;
  priority: number;
  enabled: boolean;
  debug: boolean;
  /** Entities it tracks. */
  tracked: number;
  /** Entities in the dirty set of its last run. */
  dirty: number;
}

/** A system with aspects of whatever class. `any`: their class is taken in some places and given in others. */
// biome-ignore lint/suspicious/noExplicitAny: a type parameter that is used in both directions accepts nothing else
export type AnySystem = System<any>;

/** A system class, as `getSystem(Mover)` takes it. */
export type SystemClass<S extends AnySystem = AnySystem> = abstract new (...args: never[]) => S;

/**
 * Code that runs over all entities with certain components. Name those in `componentsRequired`; name
 * in `dirtyComponents` those whose changes it wants to hear of. `A` is the class of its aspects.
 */
export abstract class System<A extends Aspect = Aspect> {
  /** An entity with all of these is tracked. Read once, when the system is added; not empty. */
  abstract readonly componentsRequired: ReadonlySet<ComponentClass>;
  /** A change of any of these puts a tracked entity in the dirty set. They need not be required. */
  readonly dirtyComponents: ReadonlySet<ComponentClass> = new Set();
  /** `update` is then not even called while nothing is dirty. Read when the system is added. */
  readonly onlyWhenDirty: boolean = false;

  /** @internal */
  $record: SystemRecord | undefined = undefined;
  #disabled: boolean;

  /**
   * @param disabled starts disabled: not updated until enabled, yet tracking and accumulating dirt
   * @param debug is updated also while the game is paused
   */
  constructor(
    disabled = false,
    readonly debug: boolean = false,
  ) {
    this.#disabled = disabled;
  }

  /** The ECS it was added to. */
  get ecs(): ECS {
    if (this.$record === undefined)
      throw new EcsError("BAD_SYSTEM", `ecs: ${this.constructor.name} was not added to an ECS`);
    return this.$record.ecs;
  }
  /** Changed by `enableSystem`, `disableSystem` and `toggleSystem`. */
  get disabled(): boolean {
    return this.#disabled;
  }
  /** @internal */
  $setDisabled(disabled: boolean): void {
    this.#disabled = disabled;
  }

  /**
   * Called once a frame.
   * @param delta effective game time of the frame in seconds; 0 while paused (debug systems only)
   * @param entities what it tracks, each with its aspect
   * @param dirty those with a watched component that changed since the last call
   */
  abstract update(
    delta: number,
    entities: EntityMap<A>,
    dirty: ReadonlySet<Entity> & { readonly ids: Uint32Array },
  ): void;

  /** Called once, when the system was added; `this.ecs` is there. */
  init(): void {}
  /** Makes the aspect of a newly tracked entity. Override it for aspects of your own. */
  makeAspect(): A {
    return new Aspect() as A;
  }
  /** The entity is tracked now, and in `entities`. */
  onAdd(_aspect: A): void {}
  /** The entity is tracked no more; its components can still be read through the aspect. */
  onRemove(_aspect: A): void {}
  onEnabled(_entities: EntityMap<A>): void {}
  onDisabled(_entities: EntityMap<A>): void {}
  /** `ecs.clear()` has removed every entity; may create new ones. */
  onClear(): void {}
}

/** What an ECS keeps of a system. @internal */
export interface SystemRecord {
  ecs: ECS;
  system: System;
  /** Address in the core. */
  address: number;
  priority: number;
  entities: LiveEntityMap<Aspect>;
  dirty: LiveDirtySet;
  /** By entity index. */
  aspects: (Aspect | undefined)[];
  /** Overrides `onRemove`. */
  hearsLeft: boolean;
  /** No longer one of the ECS's, though perhaps still on the stack. */
  removed: boolean;
  /** The word that asks the core to tell of every entity that leaves. */
  hears: number;
}
