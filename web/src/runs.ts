import type { Component, ComponentClass } from "./component.js";
import * as heap from "./heap.js";
import type { ClassStore } from "./store.js";
import type { World } from "./world.js";

/** A stretch in which the storages of some classes hold the same entities in the same order. */
export interface Run {
  /** How many entities. */
  readonly count: number;
  /** For each class the place in its columns where the stretch begins. */
  readonly starts: readonly number[];
}

/**
 * The entities that have a component of each of some classes, as stretches of their columns: for loops
 * over raw memory that need no look-up.
 *
 *     const moving = ecs.runs(Position, Velocity); // once
 *     const { x } = ecs.storage(Position).columns, { x: vx } = ecs.storage(Velocity).columns; // each frame
 *     for (const { count, starts: [p, v] } of moving.list)
 *       for (let i = 0; i < count; i++) x[p + i] += vx[v + i] * delta;
 */
export class Runs {
  readonly #world: World;
  readonly #stores: readonly ClassStore[];
  readonly #versions: number[];
  #list: Run[] = [];

  /** @internal */
  constructor(world: World, classes: readonly ComponentClass<Component>[]) {
    this.#world = world;
    this.#stores = classes.map((cls) => world.store(cls));
    this.#versions = this.#stores.map(() => -1);
  }

  /**
   * The stretches as they are now. Good until a component of one of the classes comes or goes. Costs
   * O(classes), and O(entities) when one has come or gone since.
   */
  get list(): readonly Run[] {
    this.#world.live();
    let fresh = true;
    for (let i = 0; i < this.#stores.length; ++i) {
      const { version } = this.#stores[i];
      if (version === this.#versions[i]) continue;
      this.#versions[i] = version;
      fresh = false;
    }
    return fresh ? this.#list : (this.#list = find(this.#stores));
  }
}

function find(stores: readonly ClassStore[]): Run[] {
  // Whoever has all of them is among those that have the rarest.
  const rarest = stores.reduce((a, b) => (b.count < a.count ? b : a));
  const entities = rarest.entitiesAddress >> 2;
  const runs: Run[] = [];
  let run: { count: number; starts: number[] } | undefined;
  for (let i = 0; i < rarest.extent; ++i) {
    const e = heap.u32[entities + i];
    const slots = stores.map((store) => store.slot(e));
    if (slots.includes(-1)) continue;
    const { count, starts } = run ?? { count: 0, starts: [] };
    if (run !== undefined && slots.every((slot, j) => slot === starts[j] + count)) ++run.count;
    else runs.push((run = { count: 1, starts: slots }));
  }
  return runs;
}
