// Iterating the entities of a query as rows (rules Q2 to Q5).
import { Iteration } from "../core/iteration.js";
import type { Place } from "../core/place.js";
import { slotIn } from "../core/sparse_set.js";
import { heap } from "../module/heap.js";
import { Handle, Page, SetControl, StorageControl } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import { lookAhead } from "./look_ahead.js";
import { passes } from "./query_classes.js";
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
  // The size of the set, and its changes and those of the storages (RowState.changes), at the first step.
  #size = 0;
  #changes = 0;

  /** `filters`: whether having all required components is not enough for an entity of the source. */
  constructor(source: Source | undefined, pool: RowPool, filters: boolean) {
    this.#source = source;
    this.#pool = pool;
    this.$place = pool.noPlace;
    this.#filters = filters;
    const { world, stretches } = pool.classes;
    const iteration = source instanceof Iteration && source.$set.world === world ? source : undefined;
    this.#live = iteration !== undefined;
    this.#set = stretches && !filters && iteration?.$stretches === true ? iteration : undefined;
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
        const { slotted } = row;
        const first = row.slots + (index - this.#from) * slotted.length;
        for (let k = 0; k < slotted.length; ++k) slotted[k].delta = u32[first + k] - index;
        place.index = index;
        return;
      }
      if (place.end !== 0 && this.#continueStretch(row)) return;
      place.stop();
      this.#from = -1;
    } else if (this.#from >= 0) {
      this.#interrupted(place.index + 1);
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
        } else if (cursor.object) {
          if (live ? table.hasObject(e) : table.slot(e) >= 0) slot = 0;
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
      if (this.#filters && !passes(classes, e)) continue;
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
    this.#skip = 0;
    if (end - position >= Math.min(SHORT, size - position) || row.slotted.length === 0) {
      if (size > position + 1) this.#count(row, set, position, end);
      return;
    }
    this.#compared = FIRST_COMPARED;
    const found = lookAhead(row, set.$dense + position, size - position);
    if (found >= SHORT) {
      this.#found = position + found;
      this.#count(row, set, position, 0);
    } else {
      // Plain look-ups are faster.
      this.#skip = this.#nextSkip;
      this.#nextSkip = Math.min(2 * this.#nextSkip, MOST_SKIPPED);
    }
  }
  #count(row: RowState, set: Iteration, position: number, end: number): void {
    this.#from = position;
    this.#nextSkip = 1;
    // Optional components are objects, which are found without a slot.
    for (let k = row.classes.required; k < row.cursors.length; ++k) row.cursors[k].detach();
    row.place.count(set, end);
  }
  /** A change has stopped the place. */
  #interrupted(index: number): void {
    this.#compared = FIRST_COMPARED;
    if (index - this.#from < SHORT) this.#skip = MOST_SKIPPED;
    this.#from = -1;
  }
  /** The stretch has reached its end: steps on if it can be extended. */
  #continueStretch(row: RowState): boolean {
    const { place } = row;
    const set = this.#set!;
    const { end } = place;
    const size = set.$end;
    if (end < size) {
      let begin = end;
      if (row.slotted.length === 0) {
        // Without slots, entities that lack an object can be passed over.
        while (begin < size && agreementEnd(row, set.$dense, begin, begin + 1) === begin) ++begin;
      }
      if (begin > end) this.#from = begin;
      else this.#compared *= 4;
      place.end = agreementEnd(row, set.$dense, begin, Math.min(begin + this.#compared, size));
      place.index = begin - 1;
      if (place.end > begin) {
        place.index = begin;
        return true;
      }
    } else if (this.#from === 0) {
      row.agreed(set.$set, this.#size, this.#changes);
    }
    return false;
  }

  #start(): RowState {
    const row = this.#pool.take(this);
    const set = this.#set;
    if (set !== undefined) {
      set.$start();
      this.#size = heap.u32[set.$set.words + SetControl.size];
      this.#changes = row.changes(set.$set);
    }
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

const finish = noInline((rows: Rows<unknown>): void => rows.$finish());

/**
 * Up to which position, at most `end`, the storages contain the entities of the list in the slots that the cursors have
 * there; from position `from` on.
 */
function agreementEnd({ slotted, objects }: RowState, list: number, from: number, end: number): number {
  let most = end;
  for (const { table, delta } of slotted) most = table.agreementEnd(delta, list, from, most);
  for (let k = 0; k < objects.length; ++k) most = objects[k].table.objectsEnd(list, from, most);
  return most;
}
