// Iterating the entities of a query as rows (rules Q2 to Q5).
import { Iteration } from "../core/iteration.js";
import type { Place } from "../core/place.js";
import { slotIn } from "../core/sparse_set.js";
import { heap } from "../module/heap.js";
import { Handle, Page, StorageControl } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import { lookAhead } from "./look_ahead.js";
import { selects } from "./query_classes.js";
import type { Source } from "./row_sources.js";
import type { RowPool, RowState } from "./row_state.js";

/** Up to this number of entities, a stretch is not worth its beginning. */
const SHORT = 4;
/** The most rows without an attempt to begin a stretch. */
const MOST_SKIPPED = 64;
/** How many entities are compared first when a stretch begins, so that a loop that is left soon does not compare all. */
const FIRST_COMPARED = 64;

/**
 * Iterates rows. Where the iterated set and the storages contain the same entities in the same order, in a *stretch*, a step
 * only increments the index of the place; elsewhere it looks the slots of the entity up.
 * @internal
 */
export class Rows<R> implements IterableIterator<R> {
  #row: RowState | undefined;
  // Those that `next()` uses are not private: each access to a private field takes about a nanosecond in Firefox.
  /** @internal */
  $place: Place;
  #source: Source | undefined;
  /** The same, if there can be stretches. */
  readonly #set: Iteration | undefined;
  /** Whether its entities are alive, so that their generations need not be compared. */
  readonly #live: boolean;
  readonly #pool: RowPool;
  readonly #filters: boolean;
  /** @internal */
  readonly $result = { value: undefined as R | undefined, done: false };
  /** How many rows are looked up before the next attempt to begin a stretch, and after it if it is short. */
  #skip = 0;
  #nextSkip = 1;
  /** How many entities are compared at once. */
  #compared = FIRST_COMPARED;
  /** The position at which the last stretch began, or the first one whose slots were looked up ahead. */
  #from = -1;
  /** The position behind the last one whose slots were looked up ahead, or 0. */
  #found = 0;
  /** The versions of the storages at the first step. */
  #versions = 0;

  /** `filters`: whether having all required components is not enough for an entity of the source. */
  constructor(source: Source | undefined, pool: RowPool, filters: boolean) {
    this.#source = source;
    this.#pool = pool;
    this.$place = pool.noPlace;
    this.#filters = filters;
    this.#live = source instanceof Iteration;
    const stretches = pool.classes.stretches && !filters && source instanceof Iteration && source.$stretches;
    this.#set = stretches ? source : undefined;
  }

  // Short, so that V8 inlines it into loops: one step of a stretch. The result is always the same object, so that its type
  // is known in the loop.
  next(): IteratorResult<R, undefined> {
    const place = this.$place;
    const index = place.index + 1;
    if (index < place.end) place.index = index;
    else this.#advance();
    return this.$result as IteratorResult<R, undefined>;
  }
  // Finds the next entity and the slots of its components. Not divided into functions that are called for each row.
  #advance(): void {
    const source = this.#source;
    if (source === undefined) return;
    const row = this.#row ?? this.#start();
    const { cursors, place, classes } = row;
    if (place.counts) {
      const index = place.index + 1;
      if (index < this.#found) {
        const { u32 } = heap;
        const first = row.slots + (index - this.#from) * cursors.length;
        for (let k = 0; k < cursors.length; ++k) cursors[k].delta = u32[first + k] - index;
        place.index = index;
        return;
      }
      if (place.end !== 0 && this.#continueStretch(row)) return;
      place.stop();
    }
    const live = this.#live;
    place.index = 0; // so that the deltas of cursors are slots
    search: for (;;) {
      const e = source.$step();
      if (e < 0 || (!live && classes.world.disposed)) {
        this.$finish();
        return;
      }
      const { u32 } = heap;
      const index = e & Handle.indexMask;
      const page = index >>> Page.bits;
      for (let k = 0; k < cursors.length; ++k) {
        const cursor = cursors[k];
        const { table } = cursor;
        let slot = -1;
        if (cursor.dense) {
          // As in ComponentTable.slot().
          if (page < table.pageCount) slot = slotIn(u32[(u32[table.pages + page] >> 2) + (index & Page.mask)], e);
        } else if (index < u32[table.control + StorageControl.extent]) {
          const bits = u32[table.mask + (index >> 5)];
          if (((bits >>> (index & 31)) & 1) !== 0 && u32[table.dense + index] === e) slot = index;
        }
        if (slot >= 0) {
          cursor.delta = slot;
          if (!cursor.placed) table.place(cursor);
        } else if (k < classes.required) continue search;
        else cursor.detach();
      }
      if (this.#filters && !selects(classes, e)) continue;
      place.entity = e;
      if (this.#set !== undefined && --this.#skip < 0) this.#beginStretch(row, this.#set);
      return;
    }
  }

  /** The row is at the entity that the source has returned last: tries to begin a stretch. */
  #beginStretch(row: RowState, set: Iteration): void {
    const position = set.$index - 1;
    const size = set.$end;
    const known = row.agrees(set.$set);
    for (const cursor of row.cursors) cursor.delta -= position;
    row.place.index = position;
    const end = known ? size : agreementEnd(row, set.$dense, position + 1, Math.min(position + this.#compared, size));
    this.#found = 0;
    this.#from = position;
    if (end - position >= Math.min(SHORT, size - position)) {
      this.#skip = 0;
      this.#nextSkip = 1;
      if (end > position + 1) row.place.count(set, end);
      return;
    }
    this.#compared = FIRST_COMPARED;
    const found = lookAhead(row, set.$dense + position, size - position);
    if (found >= SHORT) {
      this.#nextSkip = 1;
      this.#found = position + found;
      row.place.count(set, 0);
    } else {
      // Plain look-ups are faster.
      this.#skip = this.#nextSkip;
      this.#nextSkip = Math.min(2 * this.#nextSkip, MOST_SKIPPED);
    }
  }
  /** The stretch has reached its end: steps on if it can be extended. */
  #continueStretch(row: RowState): boolean {
    const { place } = row;
    const set = this.#set!;
    const { end } = place;
    const size = set.$end;
    if (end < size) {
      this.#compared *= 4;
      place.end = agreementEnd(row, set.$dense, end, Math.min(end + this.#compared, size));
      if (place.end > end) {
        place.index = end;
        return true;
      }
    } else if (this.#from === 0) {
      row.agreed(set.$set, this.#versions);
    }
    return false;
  }

  #start(): RowState {
    const row = this.#pool.take(this);
    this.#set?.$start();
    this.$result.value = row.row as R;
    this.$place = row.place;
    this.#versions = row.versions();
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

const finish = noInline((rows: Rows<unknown>): void => rows.$finish());

/**
 * Up to which position, at most `end`, the storages contain the entities of the list in the slots that the cursors have
 * there; from position `from` on.
 */
function agreementEnd({ cursors }: RowState, list: number, from: number, end: number): number {
  let most = end;
  for (const { table, delta } of cursors) most = table.agreementEnd(delta, list, from, most);
  return most;
}
