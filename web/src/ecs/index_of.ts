// Entities that are found by the value of a field (rule Q11).
import type { ComponentTable } from "../component/component_table.js";
import { canStore, differ, type Plain } from "../component/field_kinds.js";
import { checked, type FieldInfo } from "../component/fields.js";
import { NONE, type Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { FieldNumber, Packed } from "../module/layout.js";

/** The value as the field stores it. A number that it can't store is an error, and no reason for a warning: nothing gets it. */
function searched(field: FieldInfo, value: unknown): Plain {
  const { kind, name } = field;
  if (typeof value !== "number" || kind.number >= FieldNumber.bool || kind.names) return checked(field, value);
  const stored = kind.round(value);
  if (!canStore(kind, value, stored))
    throw badArgument(`index: ${name} has the type ${kind.name}, which can't store ${show(value)}`);
  return stored;
}

/**
 * Finds entities by the value of a field, as `ecs.index` returns it (rule Q11). It is brought up to date when it is asked, at the cost of
 * the components that changed since then. A value is rounded to the type of the field; NaN equals itself, -0 equals 0.
 */
export class Index<V = number | boolean | string> {
  readonly #table: ComponentTable;
  readonly #k: number;
  /** The address of the core's object. */
  readonly #order: number;

  /** @internal */
  constructor(table: ComponentTable, k: number) {
    this.#table = table;
    this.#k = k;
    this.#order = core._crateful_order(table.world.self, table.info.id, k, 0);
    if (this.#order === 0) table.world.throwLast();
  }
  /**
   * Iterates the entities whose field has this value, in the order of their indices. During an iteration every change is allowed; what
   * did not have the value when it began, or does not when it is its turn, is not visited. Throws `BAD_ARGUMENT` for what the field
   * cannot store. O(changes * log(entities) + result).
   */
  get(value: V): IterableIterator<Entity> {
    return this.#matching(...this.#find(value));
  }
  /** The first of them, or NONE. Throws likewise. */
  first(value: V): Entity {
    const { value: first } = this.get(value).next() as { value: Entity | undefined };
    return first ?? NONE;
  }
  *#matching(list: Uint32Array, value: Plain): Generator<Entity, void> {
    const { fields, columns } = this.#table;
    const { kind, stride } = fields[this.#k];
    for (const e of list) {
      const slot = this.#table.slot(e);
      if (slot >= 0 && !differ(kind.read(columns[this.#k].base + slot * stride), value)) yield e;
    }
  }
  /** A copy of the core's list, and the value as the field stores it. */
  #find(value: V): [Uint32Array, Plain] {
    const { world, fields } = this.#table;
    world.live();
    const { kind } = fields[this.#k];
    const wanted = searched(fields[this.#k], value);
    const isText = kind.number === FieldNumber.string;
    const number = world.strings.find(isText ? (wanted as string) : "");
    if (number === undefined) return [new Uint32Array(0), wanted];
    const at = world.scratch("index", Packed.fieldBytes);
    if (isText) heap.u32[at >> 2] = number;
    else kind.put(at >> kind.shift, wanted);
    const stored = kind.read(at >> kind.shift);
    const list = core._crateful_find(world.self, this.#order, at) >> 2;
    if (list === 0) world.throwLast();
    const first = heap.u32[list] >> 2;
    return [heap.u32.slice(first, first + heap.u32[list + 1]), stored];
  }
}
