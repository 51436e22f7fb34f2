import { NONE, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";

/** The iteration over a set, as the place of its rows uses it; implemented by Iteration. @internal */
interface Steps {
  readonly $dense: number;
  $index: number;
  $place: Place | undefined;
}

/**
 * The entity at which the cursors of one row are. It can count the steps of the iteration; then nothing changes that an
 * iteration must know of, or the iteration makes it stop. In a *stretch*, the storages contain the same entities in the same
 * order as the iterated set, and a step only increments `index`, up to `end`.
 * @internal
 */
export class Place {
  /** A position to which the slots of the cursors are relative; while it counts, that of the entity in the set. */
  index = -1;
  /** In a stretch: the position behind its last entity. Otherwise 0. */
  end = 0;
  /** The iteration whose steps it counts. */
  #iteration: Steps | undefined;
  #entity: Entity = NONE;

  get counts(): boolean {
    return this.#iteration !== undefined;
  }
  get entity(): Entity {
    const iteration = this.#iteration;
    return iteration === undefined ? this.#entity : heap.u32[iteration.$dense + this.index];
  }
  /** While it does not count. */
  set entity(e: Entity) {
    this.#entity = e;
  }
  /** The iteration is at `index`, and from now on its steps are counted there. `end`: see the field. */
  count(iteration: Steps, end: number): void {
    this.#iteration = iteration;
    iteration.$place = this;
    this.end = end;
  }
  /** From now on the iteration counts its steps itself. Until the next one, the place stays at its entity. */
  stop(): void {
    const iteration = this.#iteration;
    if (iteration === undefined) return;
    this.#entity = this.entity;
    this.#iteration = undefined;
    this.end = 0;
    iteration.$place = undefined;
    iteration.$index = this.index + 1;
  }
}
