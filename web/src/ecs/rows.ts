// Iterating the entities of a query as rows (rules Q2 to Q5).
import { Iteration } from "../core/iteration.js";
import type { Place } from "../core/place.js";
import { heap } from "../module/heap.js";
import { Handle } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import { hasRequired, passes } from "./query_classes.js";
import type { Source } from "./row_sources.js";
import type { RowPool, RowState } from "./row_state.js";

/**
 * What is known of the entities of a source: `certain`, all have what the query requires as long as no component is removed and all
 * systems know of it; `required`, having it is enough; `filters`, it is not.
 * @internal
 */
export type Selection = "certain" | "required" | "filters";

/**
 * Iterates rows. Where it is certain that the query selects the next entities of a list in memory, a step only reads the index of
 * the next one; elsewhere it looks the entity up.
 * @internal
 */
export class Rows<R> implements IterableIterator<R> {
  #row: RowState | undefined;
  // Those that `next()` uses are not private: each access to a private field takes about a nanosecond in Firefox.
  /** @internal */
  $place: Place;
  #source: Source | undefined;
  /** The same, if it is certain that the query selects its entities. */
  readonly #list: Iteration | undefined;
  readonly #pool: RowPool;
  readonly #filters: boolean;
  /** @internal */
  readonly $result = { value: undefined as R | undefined, done: false };

  constructor(source: Source | undefined, pool: RowPool, selection: Selection) {
    this.#source = source;
    this.#pool = pool;
    this.$place = pool.noPlace;
    this.#filters = selection === "filters";
    this.#list = selection === "certain" && source instanceof Iteration ? source : undefined;
  }

  // Short, so that V8 inlines it into loops. The result is always the same object, so that its type is known in the loop.
  next(): IteratorResult<R, undefined> {
    const place = this.$place;
    const position = place.position + 1;
    if (position < place.simpleEnd) {
      place.position = position;
      place.index = heap.u32[place.list + position] & Handle.indexMask;
    } else advance(this);
    return this.$result as IteratorResult<R, undefined>;
  }
  /** @internal */
  $advance(): void {
    const source = this.#source;
    if (source === undefined) return;
    const row = this.#row ?? this.#start();
    const { place, classes } = row;
    const position = place.position + 1;
    if (position < place.end) {
      place.position = position;
      row.findPacked((place.index = heap.u32[place.list + position] & Handle.indexMask));
      return;
    }
    place.stop();
    const { world } = classes;
    for (;;) {
      const e = source.$step();
      if (e < 0 || world.disposed) {
        this.$finish();
        return;
      }
      if (!hasRequired(classes, e) || (this.#filters && !passes(classes, e))) continue;
      row.enter(e);
      if (this.#list?.$isList === true && world.settled) place.count(this.#list, row.simple);
      return;
    }
  }

  #start(): RowState {
    const row = this.#pool.take(this);
    this.#list?.$start();
    this.$result.value = row.row as R;
    this.$place = row.place;
    return (this.#row = row);
  }
  return(): IteratorResult<never, undefined> {
    finish(this);
    return this.$result as IteratorResult<never, undefined>;
  }
  /** @internal */
  $finish(): void {
    if (this.#row !== undefined) this.#pool.give(this.#row, this);
    this.#row = undefined;
    this.#source?.$finish();
    this.#source = undefined;
    this.$place = this.#pool.noPlace;
    this.$result.value = undefined;
    this.$result.done = true;
  }
  [Symbol.iterator](): this {
    return this;
  }
}

// Not inlined into loops, because V8 limits how much it inlines: accessors are more worth it.
const advance = noInline((rows: Rows<unknown>): void => rows.$advance());
const finish = noInline((rows: Rows<unknown>): void => rows.$finish());
