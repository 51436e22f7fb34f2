// Loops with operations in their bodies (T4), over queries, rows, entities and dirty sets.
import type { Entity } from "crateful";
import type { AnyRow } from "./components.js";
import { randomEntities, randomSystem } from "./choices.js";
import { readRow, writeRow } from "./rows.js";
import {
  matches,
  type Loop,
  type ModelQuery,
  type ModelSystem,
  type Rows,
  type Selection,
  type World,
} from "./state.js";

export interface Options {
  /** Whether an entity is selected, according to the model, and in chaos according to the ECS. */
  contains(e: Entity): boolean;
  /** How likely the body applies another operation. */
  operations: number;
  visit?(e: Entity): void;
  /** What the loop reaches also if it was added meanwhile (D7). */
  reached?(): Iterable<Entity>;
  /** Whether everything that it visits was selected since its start: not if an entity can get the last of several classes (Q4). */
  strict?: boolean;
}

/** Loops over rows or entities. The body applies operations; chance ends the loop early. */
export function loop(
  w: World,
  label: string,
  selection: Selection,
  list: Rows | Iterable<Entity>,
  options: Options,
): void {
  const { replay, random } = w;
  const current: Loop = {
    contains: options.contains,
    throughout: new Set(),
    visited: new Set(),
    strict: options.strict === true,
    existed: options.reached === undefined && !w.chaos ? new Set(w.alive) : undefined,
  };
  if (!w.chaos) for (const e of w.alive) if (options.contains(e)) current.throughout.add(e);
  w.loops.push(current);
  replay.depth++;
  replay.count("loops");
  try {
    let steps = 0;
    for (const element of list) {
      const e = typeof element === "number" ? element : element.entity;
      replay.note(label, "visits", e);
      compareVisit(w, label, current, e);
      options.visit?.(e);
      if (++steps > 200) return;
      const row = typeof element === "number" || w.chaos ? undefined : element;
      if (row !== undefined) readRow(w, selection, row, e);
      while (random.chance(options.operations)) {
        if (row !== undefined && random.chance(300)) writeRow(w, selection, row, e);
        else w.operate(w, random.chance(600) ? e : undefined);
        if (row !== undefined) readRow(w, selection, row, e);
      }
      if (random.chance(40)) return;
    }
    if (!w.chaos)
      for (const e of options.reached?.() ?? []) if (!current.visited.has(e)) w.fail(`D7 ${label} did not reach ${e}`);
    for (const e of current.throughout) if (!current.visited.has(e)) w.fail(`T4 ${label} did not visit ${e}`);
  } finally {
    w.loops = w.loops.filter((other) => other !== current);
    replay.depth--;
  }
}
function compareVisit(w: World, label: string, current: Loop, e: Entity): void {
  if (!current.contains(e)) w.fail(`T4 ${label} visits ${e}, which is not selected`);
  if (w.chaos) return;
  if (current.visited.has(e)) w.fail(`T4 ${label} visits ${e} twice`);
  if (current.strict && !current.throughout.has(e)) w.fail(`T4 ${label} visits ${e}, which was added meanwhile`);
  if (current.existed?.has(e) === false) w.fail(`T4 ${label} visits ${e}, which was created meanwhile`);
  current.visited.add(e);
}

export function loopOverQuery(w: World): void {
  const { random } = w;
  const s = random.chance(300) ? randomSystem(w) : undefined;
  const q = random.pick(w.queries);
  const how = random.below(100);
  if (s?.hasRows) loopOverRows(w, s, 500);
  else if (how < 20) loopOverSome(w, q);
  else if (how < 32 && !w.chaos) askForEach(w, q);
  else {
    const contains = w.chaos ? (e: Entity) => q.real.has(e) : (e: Entity) => matches(w, q.filter, e);
    const { required, excluded, accepted } = q;
    const strict = required.length === 1 && excluded.length === 0 && accepted.length === 0;
    loop(w, "query", q, q.real as Rows, { contains, operations: 500, strict });
  }
}
export function loopOverRows(w: World, s: ModelSystem, operations: number): void {
  const rows = s.real.rows!;
  const contains = w.chaos ? (e: Entity) => rows.has(e) : (e: Entity) => s.tracked.includes(e);
  loop(w, `rows of ${s.name}`, s, rows as Rows, { contains, operations, strict: true });
}
export function loopOverEntities(w: World, s: ModelSystem): void {
  const entities = s.entities!;
  const contains = w.chaos ? (e: Entity) => entities.has(e) : (e: Entity) => s.tracked.includes(e);
  loop(w, `entities of ${s.name}`, s, entities.keys(), { contains, operations: 300, strict: true });
}
/** `query.of` skips what does not match, and keeps the order of the list (Q5). */
function loopOverSome(w: World, q: ModelQuery): void {
  const list = randomEntities(w);
  const copy = [...list];
  w.replay.note("query.of", copy);
  w.replay.depth++;
  try {
    const visited: Entity[] = [];
    for (const row of q.real.of(list) as Rows) {
      visited.push(row.entity);
      if (w.chaos) {
        if (w.random.chance(500)) w.operate(w, row.entity);
        continue;
      }
      readRow(w, q, row, row.entity);
      if (w.random.chance(300)) writeRow(w, q, row, row.entity);
      readRow(w, q, row, row.entity);
    }
    if (w.chaos) return;
    const expected = copy.filter((e) => matches(w, q.filter, e));
    if (visited.join() !== expected.join()) w.fail(`Q5 query.of visited ${visited}, expected ${expected}`);
  } finally {
    w.replay.depth--;
  }
}
/** `query.at` returns the row of an entity that matches (Q6). */
function askForEach(w: World, q: ModelQuery): void {
  for (const e of w.alive) {
    const row = q.real.at(e) as AnyRow | undefined;
    if ((row !== undefined) !== matches(w, q.filter, e)) w.fail(`Q6 query.at(${e}) is ${row}`);
    if (row === undefined) continue;
    readRow(w, q, row, e);
    if (!w.random.chance(300)) continue;
    writeRow(w, q, row, e);
    readRow(w, q, row, e);
  }
}
