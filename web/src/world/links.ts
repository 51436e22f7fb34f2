import type { ComponentTable } from "../component/component_table.js";
import type { CoreWorld } from "../core/core_world.js";
import type { Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { FieldNumber } from "../module/layout.js";

/**
 * Iterates the entities that refer to `target` by a link field, or by the only one, in the order of their indices; those that
 * do not refer to it when it is their turn are omitted (rule C15).
 * @internal
 */
export function linked(
  world: CoreWorld,
  table: ComponentTable,
  target: Entity,
  field?: string,
): Generator<Entity, void> {
  const { fields, name, id } = table.info;
  const k = fields.findIndex((f) => (field === undefined ? f.kind.number === FieldNumber.link : f.name === field));
  if (field !== undefined && k < 0) throw badArgument(`linked: ${name} has no field ${show(field)}`);
  const list = core._crateful_linked(world.self, id, field === undefined ? -1 : k, target) >> 2;
  if (list === 0) {
    const links = fields.flatMap((f) => (f.kind.number === FieldNumber.link ? [f.name] : []));
    if (!field && links[1]) throw badArgument(`linked: ${name} has several link fields; name one: ${links.join(", ")}`);
    world.throwLast();
  }
  const first = heap.u32[list] >> 2;
  return remaining(table, k, target, heap.u32.slice(first, first + heap.u32[list + 1]));
}

function* remaining(table: ComponentTable, k: number, target: Entity, list: Uint32Array): Generator<Entity, void> {
  for (const e of list) {
    const slot = table.slot(e);
    if (slot >= 0 && heap.u32[table.columns[k].base + slot * table.info.fields[k].stride] === target) yield e;
  }
}
