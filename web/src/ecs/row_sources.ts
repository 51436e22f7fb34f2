import { isHandle, type Entity } from "../module/entity.js";
import { keep } from "../module/heap.js";

/** Where an iteration over rows gets its entities from. @internal */
export interface Source {
  /** The next entity, or -1 at the end. */
  $step(): Entity;
  /** The iteration has ended. */
  $finish(): void;
}

/** @internal */
export class ListSource implements Source {
  #next = 0;
  readonly #list: ArrayLike<Entity>;
  constructor(list: ArrayLike<Entity>) {
    this.#list = keep(list);
  }
  $step(): Entity {
    while (this.#next < this.#list.length) {
      const e = this.#list[this.#next++];
      if (isHandle(e)) return e;
    }
    return -1;
  }
  $finish(): void {}
}

/** @internal */
export class IterableSource implements Source {
  readonly #iterator: Iterator<Entity>;
  constructor(iterator: Iterator<Entity>) {
    this.#iterator = iterator;
  }
  $step(): Entity {
    for (;;) {
      const { done, value } = this.#iterator.next();
      if (done === true) return -1;
      if (isHandle(value)) return value;
    }
  }
  $finish(): void {
    this.#iterator.return?.();
  }
}
