import type { Component, ComponentClass } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { heap } from "../module/heap.js";
import type { World } from "../world/world.js";

/** A range of slots in which the storages of some classes hold the same entities in the same order. */
interface Run {
  count: number;
  readonly starts: number[];
}

/**
 * The entities that have a component of each of some classes, as ranges of slots: for loops over columns without a
 * look-up per entity.
 *
 *     const moving = ecs.runs(Position, Velocity); // once
 *     const { x } = ecs.storage(Position).columns, { x: vx } = ecs.storage(Velocity).columns; // each frame
 *     for (const { count, starts: [p, v] } of moving.list)
 *       for (let i = 0; i < count; i++) x[p + i] += vx[v + i] * delta;
 */
export class Runs {
  readonly #world: World;
  readonly #tables: readonly ComponentTable[];
  readonly #versions: number[];
  readonly #list: Run[] = [];

  /** @internal */
  constructor(world: World, classes: readonly ComponentClass<Component>[]) {
    this.#world = world;
    this.#tables = classes.map((cls) => world.table(cls));
    this.#versions = this.#tables.map(() => -1);
  }

  /**
   * The current runs. The list and the runs are used again: they are valid until a component of one of the classes is
   * added or removed. O(classes) if nothing was added or removed since the last call, otherwise O(entities).
   */
  get list(): readonly {
    /** How many entities. */
    readonly count: number;
    /** For each class the slot at which the range begins. */
    readonly starts: readonly number[];
  }[] {
    this.#world.live();
    let fresh = true;
    for (let i = 0; i < this.#tables.length; ++i) {
      const { version } = this.#tables[i];
      if (version === this.#versions[i]) continue;
      this.#versions[i] = version;
      fresh = false;
    }
    if (!fresh) search(this.#tables, this.#list);
    return this.#list;
  }
}

/**
 * Finds the runs. O(entities): what was compared once is not compared again, and of classes under `linear` only the masks are read. The
 * objects in `runs` are used again, so that a search in each frame allocates nothing.
 */
function search(tables: readonly ComponentTable[], runs: Run[]): void {
  // Every entity that has all components is also in the smallest table.
  const smallest = tables.reduce((a, b) => (b.count < a.count ? b : a));
  const { dense: list, extent } = smallest;
  const ends = tables.map(() => 0); // up to this position, a table is known to have the same entities as the list
  let found = 0;
  next: for (let i = first(smallest, 0, extent); i < extent; i = first(smallest, i, extent)) {
    const e = heap.u32[list + i];
    if (found === runs.length) runs.push({ count: 0, starts: tables.map(() => 0) });
    const run = runs[found];
    let end = extent;
    for (let k = 0; k < tables.length; ++k) {
      const table = tables[k];
      const slot = table.slot(e);
      if (slot < 0) {
        i += 1;
        continue next;
      }
      run.starts[k] = slot;
      if (ends[k] <= i) ends[k] = agreementEnd(smallest, table, slot - i, i + 1, extent);
      if (ends[k] < end) end = ends[k];
    }
    run.count = end - i;
    found += 1;
    i = end;
  }
  runs.length = found;
}

/** The first slot of a table, from `from` on and at most `end`, that has an entity. */
function first(table: ComponentTable, from: number, end: number): number {
  return table.info.linear ? findBit(table.mask, 0, from, end) : from;
}

/** The first position of the list of a table, from `from` on and at most `end`, whose entity another one does not have in slot `position + distance`. */
function agreementEnd(of: ComponentTable, table: ComponentTable, distance: number, from: number, end: number): number {
  if (of.info.linear && table.info.linear) return findBit(table.mask, -1, from, Math.min(end, table.extent)); // its mask may be shorter
  const { u32 } = heap;
  const list = of.dense;
  let i = from;
  if (of.info.linear || table.info.linear) {
    while (i < end && table.slot(u32[list + i]) === i + distance) ++i;
    return i;
  }
  const own = table.dense + distance;
  const most = Math.min(end, table.count - distance);
  while (i < most && u32[own + i] === u32[list + i]) ++i;
  return i;
}

/** The first position, from `from` on and at most `end`, of a bit that is set in a mask, or, if `flip` is -1, that is not. */
function findBit(mask: number, flip: 0 | -1, from: number, end: number): number {
  const { u32 } = heap;
  for (let i = from; i < end; i = (i | 31) + 1) {
    const bits = (u32[mask + (i >> 5)] ^ flip) & (-1 << (i & 31));
    if (bits !== 0) return Math.min((i & ~31) + 31 - Math.clz32(bits & -bits), end);
  }
  return end;
}
