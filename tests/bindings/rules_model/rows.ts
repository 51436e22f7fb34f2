// Reads and writes rows of queries and systems (Q2, Q4, H5).
import { EcsError, NONE, type Component, type Entity } from "crateful";
import {
  isObject,
  kinds,
  randomValue,
  same,
  stored,
  writableKinds,
  type AnyRow,
  type Values,
  read,
  assign,
} from "./components.js";
import { writeField } from "./effects.js";
import { has, type ModelEntity, type Selection, type World } from "./state.js";

/** Compares what the row shows with the model. */
export function readRow(w: World, selection: Selection, row: AnyRow, e: Entity): void {
  if (row.entity !== e) w.fail(`Q2 row.entity is ${row.entity}, expected ${e}`);
  const entity = w.entities.get(e);
  for (const k of selection.required) readPart(w, row, `required${k}`, k, entity, false);
  for (const k of selection.optional) readPart(w, row, `optional${k}`, k, entity, true);
  if (entity === undefined) return;
  const parent = entity.parent === NONE ? undefined : w.entities.get(entity.parent);
  for (const k of selection.ofParent) readPart(w, row, `parent${k}`, k, parent, true);
}
function readPart(
  w: World,
  row: AnyRow,
  name: string,
  k: number,
  entity: ModelEntity | undefined,
  optional: boolean,
): void {
  const where = `row.${name} of ${row.entity}`;
  if (!has(entity, k)) {
    if (optional && entity !== undefined) {
      if (row[name] !== undefined) w.fail(`Q4 ${where} is not undefined`);
    } else readMissing(w, row, name, k, where);
    return;
  }
  const component = row[name];
  if (component === undefined) w.fail(`Q4 ${where} is undefined`);
  compareValues(w, k, component, entity!.values[k]!, `Q4 ${where}`);
}
/** The entity has lost the component, in whatever way. */
function readMissing(w: World, row: AnyRow, name: string, k: number, where: string): void {
  try {
    const component = row[name];
    if (component === undefined || kinds[k]!.fields.length === 0) return;
    for (const field of kinds[k]!.fields) read(component, field);
  } catch (error) {
    if (error instanceof EcsError && (error.code === "MISSING_COMPONENT" || error.code === "STALE_ENTITY")) return;
    w.fail(`Q4 ${where} threw ${(error as Error).stack}`);
  }
  w.fail(`Q4 ${where} can be read, and was removed`);
}
/** Compares the fields of a component, or which object it is. */
export function compareValues(w: World, k: number, real: Component, expected: Values | Component, where: string): void {
  if (isObject(k)) {
    if (real !== expected) w.fail(`${where} is another object`);
    return;
  }
  for (const field of kinds[k]!.fields) {
    const value = read(real, field);
    const other = (expected as Values)[field];
    if (!same(value, other)) w.fail(`${where}.${field} is ${value}, expected ${other}`);
  }
}
/** Writes a field of a row. */
export function writeRow(w: World, selection: Selection, row: AnyRow, e: Entity): void {
  const entity = w.entities.get(e);
  const writable = (k: number) => has(entity, k) && writableKinds.includes(k);
  const parts = [
    ...selection.required.filter(writable).map((k) => ({ k, name: `required${k}` })),
    ...selection.optional.filter(writable).map((k) => ({ k, name: `optional${k}` })),
  ];
  if (parts.length === 0) return;
  const { k, name } = w.random.pick(parts);
  const field = w.random.pick(kinds[k]!.fields);
  const value = randomValue(w.random, field);
  w.replay.note("row", e, `${name}.${field} =`, value);
  assign(row[name]!, field, value, w.random.below(4));
  writeField(w, e, k, field, stored(field, value));
}
