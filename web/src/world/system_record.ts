import type { LiveDirtySet, LiveEntityMap } from "../core/live_sets.js";
import type { Entity } from "../module/entity.js";
import type { Aspect, AspectSource } from "./aspect.js";

/** A system, as the calls from the core use it; implemented by System. @internal */
export interface SystemCallbacks {
  $record: SystemRecord | undefined;
  $setDisabled(disabled: boolean): void;
  $detached(): void;
  $removed(): void;
  readonly disabled: boolean;
  readonly ecs: unknown;
  when(ecs: unknown): boolean;
  onlyWhenDirty: boolean;
  readonly $inboxes: readonly { readonly size: number; readonly $drops: boolean; clear(): void }[];
  update(delta: number, entities: never, dirty: never): void;
  init(): void;
  makeAspect(): Aspect;
  onAdd(aspect: Aspect): void;
  onRemove(aspect: Aspect): void;
  onEnabled(entities: LiveEntityMap<Aspect>): void;
  onDisabled(entities: LiveEntityMap<Aspect>): void;
  onClear(): void;
}

/** A system that was added to an ECS. @internal */
export interface SystemRecord extends AspectSource {
  /** Its `$record` is this one until it is removed; then, one of its methods can still be running. */
  system: SystemCallbacks;
  /** Its address in the core. */
  address: number;
  entities: LiveEntityMap<Aspect>;
  dirty: LiveDirtySet;
  /** Keeps the hidden class of aspects alive, as `last` in core/iteration.ts. */
  lastAspect: Aspect | undefined;
  /** By entity index. */
  aspects: (Aspect | undefined)[];
  /** The source of its aspects after their tracking has ended. */
  ended: AspectSource;
  /** The entities for which `makeAspect` is running; NONE if the tracking has ended meanwhile. */
  making: Entity[];
  /** How many of them there are. The list keeps its length, because V8 frees the memory of an empty one. */
  makingCount: number;
  /** Whether its aspects are not those of the class Aspect. */
  overridesMakeAspect: boolean;
  /** Whether it overrides `makeAspect` or `onAdd`. If not, aspects are created when they are first used. */
  notifiesAdd: boolean;
  /** Whether it overrides `onRemove`. */
  overridesOnRemove: boolean;
  /** The word that makes the core call `onRemove` for every entity that the system stops tracking. */
  notifiesRemove: number;
}
