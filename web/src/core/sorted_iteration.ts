// Iterating entities in the order of a field (rule Q10).
import { EcsError } from "../module/errors.js";
import type { Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { noInline } from "../module/v8.js";
import type { CoreWorld } from "./core_world.js";
import { Iteration } from "./iteration.js";
import { setMemory, type SetMemory } from "./sparse_set.js";

/** The storage of the class with the field. @internal */
interface SortedTable {
  readonly world: CoreWorld;
  readonly version: number;
  readonly info: { readonly id: number };
  slot(e: Entity): number;
}

/** The entities with a component of one class in the order of a field, in one world. @internal */
export interface Order {
  readonly table: SortedTable;
  /** The address of the core's object. */
  readonly self: number;
  /** In place of a set. */
  readonly set: SetMemory;
  /** The iterations that read the core's list. */
  readonly open: SortedIteration[];
}
const orders = new WeakMap<CoreWorld, Map<number, Order>>();

/** The order by field number `k` of a class; always the same object. @internal */
export function orderOf(table: SortedTable, k: number, descending: boolean): Order {
  const { world } = table;
  const self = core._crateful_order(world.self, table.info.id, k, Number(descending));
  if (self === 0) world.throwLast();
  let known = orders.get(world);
  if (known === undefined) orders.set(world, (known = new Map<number, Order>()));
  let order = known.get(self);
  if (order === undefined) known.set(self, (order = { table, self, set: setMemory(world, 0), open: [] }));
  return order;
}

/**
 * An iteration in the order. The core's list is brought up to date when one begins; those that are in progress keep a copy of the
 * list before.
 * @internal
 */
export class SortedIteration extends Iteration {
  readonly #order: Order;
  #size = -1;
  #version = 0;
  #begin = 0;
  /** A copy of the list, as soon as the core's is another one. */
  #copy: Uint32Array | undefined;

  constructor(order: Order) {
    super(order.set);
    this.#order = order;
  }
  override get $isList(): boolean {
    return this.#copy === undefined && this.#order.table.version === this.#version;
  }
  override $start(): void {
    const { table, self, open } = this.#order;
    const { world } = table;
    for (const iteration of open.splice(0)) iteration.#keepList();
    const list = core._crateful_sort(world.self, self) >> 2;
    if (list === 0) throw new EcsError("OUT_OF_MEMORY", "query: no memory for the order");
    this.#version = table.version;
    this.#begin = core._crateful_order_time(self);
    this.$dense = heap.u32[list] >> 2;
    this.$end = this.#size = heap.u32[list + 1];
    open.push(this);
  }
  #keepList(): void {
    this.$place?.stop();
    this.#copy = heap.u32.slice(this.$dense, this.$dense + this.#size);
  }
  override $step(): Entity {
    const { table, self } = this.#order;
    if (this.#size < 0) start(this);
    while (this.$index < this.#size && !table.world.disposed) {
      const index = this.$index++;
      const e = this.#copy === undefined ? heap.u32[this.$dense + index] : this.#copy[index];
      if (this.$isList) return e;
      if (table.slot(e) >= 0 && !core._crateful_added_since(self, e, this.#begin)) return e;
    }
    this.$finish();
    return -1;
  }
  override $giveBack(): void {}
  override $finish(): void {
    const { open } = this.#order;
    const at = open.indexOf(this);
    if (at >= 0) open.splice(at, 1);
    this.#size = this.$end = 0;
    super.$finish();
  }
}
// Not inlined into loops, as in iteration.ts.
const start = noInline((iteration: Iteration): void => iteration.$start());
