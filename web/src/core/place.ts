import { NONE, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { IterationPosition, SetControl } from "../module/layout.js";
import type { CoreWorld, Stretch } from "./core_world.js";

/**
 * The entity at which the cursors of one row are. In a *stretch*, the storages contain the same entities in the same order
 * as the iterated set, and a step only increments `index`, up to `end`. The core ends it before elements move.
 * @internal
 */
export class Place implements Stretch {
  /** A position to which the slots of the cursors are relative; in a stretch, that of the entity in the set. */
  index = -1;
  /** In a stretch: the position behind its last entity. Otherwise 0. */
  end = 0;
  /** In a stretch: the word at which the IterationPosition begins. */
  position = 0;
  /** In a stretch: the word at which the control block of the set begins. */
  words = 0;
  #entity: Entity = NONE;
  readonly #world: CoreWorld;
  constructor(world: CoreWorld) {
    this.#world = world;
  }

  get entity(): Entity {
    if (this.end === 0) return this.#entity;
    const { u32 } = heap;
    return u32[(u32[this.words + SetControl.dense] >> 2) + this.index];
  }
  /** Outside of stretches. */
  set entity(e: Entity) {
    this.#entity = e;
  }
  /** Starts a stretch at `index`. */
  enterStretch(words: number, position: number, end: number): void {
    this.words = words;
    this.position = position;
    this.end = end;
    heap.u32[position + IterationPosition.inStretch] = 1;
    this.#world.stretches.push(this);
  }
  leaveStretch(): void {
    if (this.end === 0) return;
    this.#entity = this.entity;
    this.end = 0;
    heap.u32[this.position] = this.index + 1;
    heap.u32[this.position + IterationPosition.inStretch] = 0;
    const { stretches } = this.#world;
    stretches.splice(stretches.lastIndexOf(this), 1);
  }
}
