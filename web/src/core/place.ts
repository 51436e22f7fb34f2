import { NONE, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { Handle } from "../module/layout.js";

/** The iteration over a list, as the place of its rows uses it; implemented by Iteration. @internal */
interface Steps {
  readonly $dense: number;
  readonly $end: number;
  $index: number;
  $place: Place | undefined;
}

/** In place of an index: cursors look their components up by the entity. @internal */
export const NOWHERE = -1;

/** An object with an index, which may be NOWHERE. Accessors read only this index, so V8 sees objects of one shape. @internal */
export class Indexed {
  index = NOWHERE;
}

/**
 * The entity at which the cursors of one row are, and its index. It can count the steps of an iteration over a list in memory, until a change
 * of which the iteration must know: then the iteration makes it stop.
 * @internal
 */
export class Place extends Indexed {
  /** While it counts: the word at which the list begins, the position of the entity in it, and that behind the last one. */
  list = 0;
  position = 0;
  end = 0;
  /** The same end, if a step is nothing but the next index. */
  simpleEnd = 0;
  /** Whether all its cursors are notified of the next removal. */
  ready = false;
  /** The iteration whose steps it counts. */
  #iteration: Steps | undefined;
  #entity: Entity = NONE;

  get entity(): Entity {
    return this.list === 0 ? this.#entity : heap.u32[this.list + this.position];
  }
  /** It is at this entity, which is alive, and counts no steps. */
  moveTo(e: Entity): void {
    this.#entity = e;
    this.index = e & Handle.indexMask;
  }
  /** The iteration has made a step to the entity of the place, and from now on its steps are counted there. */
  count(iteration: Steps, simple: boolean): void {
    this.#iteration = iteration;
    iteration.$place = this;
    this.list = iteration.$dense;
    this.position = iteration.$index - 1;
    this.end = iteration.$end;
    this.simpleEnd = simple ? this.end : 0;
  }
  /** From now on the iteration counts its steps itself. Until the next one, the place stays at its entity. */
  stop(): void {
    const iteration = this.#iteration;
    if (iteration === undefined) return;
    this.#entity = this.entity;
    this.list = this.end = this.simpleEnd = 0;
    this.#iteration = undefined;
    iteration.$place = undefined;
    iteration.$index = this.position + 1;
  }
  /** One of its classes loses components: cursors look theirs up, until it moves. */
  lose(): void {
    this.ready = false;
    this.leave();
  }
  /** The iteration has ended: cursors that are used nevertheless look their components up. */
  leave(): void {
    this.stop();
    this.index = NOWHERE;
  }
}
