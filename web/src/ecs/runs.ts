import type { Component, ComponentClass } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { heap } from "../module/heap.js";
import type { World } from "../world/world.js";

/** A range of slots in which the storages of some classes hold the same entities in the same order. */
export interface Run {
  /** How many entities. */
  readonly count: number;
  /** For each class the slot at which the range begins. */
  readonly starts: readonly number[];
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
  #list: Run[] = [];

  /** @internal */
  constructor(world: World, classes: readonly ComponentClass<Component>[]) {
    this.#world = world;
    this.#tables = classes.map((cls) => world.table(cls));
    this.#versions = this.#tables.map(() => -1);
  }

  /**
   * The current runs. Valid until a component of one of the classes is added or removed. O(classes) if nothing was added
   * or removed since the last call, otherwise O(entities).
   */
  get list(): readonly Run[] {
    this.#world.live();
    let fresh = true;
    for (let i = 0; i < this.#tables.length; ++i) {
      const { version } = this.#tables[i];
      if (version === this.#versions[i]) continue;
      this.#versions[i] = version;
      fresh = false;
    }
    return fresh ? this.#list : (this.#list = find(this.#tables));
  }
}

function find(tables: readonly ComponentTable[]): Run[] {
  // Every entity that has all components is also in the smallest table.
  const smallest = tables.reduce((a, b) => (b.count < a.count ? b : a));
  const entities = smallest.entitiesAddress >> 2;
  const runs: Run[] = [];
  let run: { count: number; starts: number[] } | undefined;
  for (let i = 0; i < smallest.extent; ++i) {
    const e = heap.u32[entities + i];
    const slots = tables.map((table) => table.slot(e));
    if (slots.includes(-1)) continue;
    const { count, starts } = run ?? { count: 0, starts: [] };
    if (run !== undefined && slots.every((slot, j) => slot === starts[j] + count)) ++run.count;
    else runs.push((run = { count: 1, starts: slots }));
  }
  return runs;
}
