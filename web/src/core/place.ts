import { NONE, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";

/** The iteration over a set, as the place of its rows uses it; implemented by Iteration. @internal */
interface Steps {
  readonly $dense: number;
  $index: number;
  $place: Place | undefined;
}

/**
 * The entity at which the cursors of one row are. In a *stretch*, the storages contain the same entities in the same order
 * as the iterated set, and a step only increments `index`, up to `end`.
 * @internal
 */
export class Place {
  /** A position to which the slots of the cursors are relative; in a stretch, that of the entity in the set. */
  index = -1;
  /** In a stretch: the position behind its last entity. Otherwise 0. */
  end = 0;
  #iteration: Steps | undefined;
  #entity: Entity = NONE;

  get entity(): Entity {
    return this.end === 0 ? this.#entity : heap.u32[this.#iteration!.$dense + this.index];
  }
  /** Outside of stretches. */
  set entity(e: Entity) {
    this.#entity = e;
  }
  /** The iteration is at `index`: starts a stretch there. */
  enterStretch(iteration: Steps, end: number): void {
    this.#iteration = iteration;
    iteration.$place = this;
    this.end = end;
  }
  /** Until the next step, the place stays at its entity. */
  leaveStretch(): void {
    if (this.end === 0) return;
    this.#entity = this.entity;
    this.end = 0;
    this.#iteration!.$place = undefined;
    this.#iteration!.$index = this.index + 1;
  }
}
