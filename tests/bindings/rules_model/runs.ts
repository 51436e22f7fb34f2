// What a system does when it runs: its turn and dirty set are compared, and operations applied (S5, S11, D7, D11, D12).
import { EcsError, type Entity } from "crateful";
import { randomLiving } from "./choices.js";
import { compareCalls } from "./calls.js";
import { compareSystem } from "./comparison.js";
import { allKinds, classOf } from "./components.js";
import { loop, loopOverEntities, loopOverRows } from "./iterations.js";
import { AT_START, KEPT, VISITED, dirtyOf, type Frame, type ModelSystem, type Rows, type World } from "./state.js";

/** Whether the system runs, when it is its turn. */
export function isDue(s: ModelSystem, frame: Frame): boolean {
  if (s.disabled || (frame.delta === 0 && !s.debug)) return false;
  if (s.interval > 0 && s.elapsed < s.interval) return false;
  return !s.onlyWhenDirty || s.dirty.size > 0;
}
/** The systems between the last one that ran and the next one must not be due. */
export function skipUntil(w: World, frame: Frame, next?: ModelSystem): void {
  for (; frame.over < frame.order.length; ++frame.over) {
    const s = frame.order[frame.over]!;
    if (s === next) return;
    if (isDue(s, frame)) w.fail(`S5 ${s.name} did not run; its dirty set is ${[...s.dirty.keys()]}`);
  }
  if (next !== undefined) w.fail(`S1 ${next.name} runs out of order or twice`);
}

export function runSystem(w: World, s: ModelSystem, delta: number): void {
  const { replay } = w;
  replay.note("run", s.name, delta);
  replay.count("runs");
  if (!w.chaos) begin(w, s, delta);
  try {
    replay.callback(() => {
      for (let n = w.random.below(4); n > 0; --n) {
        operate(w, s);
        if (!w.chaos && w.random.chance(300)) compareSystem(w, s);
      }
      replay.maybeThrow();
    });
  } catch (error) {
    if (w.frame !== undefined) w.frame.threw = true;
    for (const e of s.dirty.keys()) s.dirty.set(e, 0);
    throw error;
  }
  if (!w.chaos) end(s);
}
function begin(w: World, s: ModelSystem, delta: number): void {
  const { frame } = w;
  if (frame === undefined) w.fail(`S5 ${s.name} runs outside of an update`);
  skipUntil(w, frame, s);
  if (!isDue(s, frame)) w.fail(`S5 ${s.name} must not run: ${JSON.stringify({ ...frame, order: undefined })}`);
  frame.over++;
  const expected = s.interval > 0 ? s.elapsed : frame.delta;
  if (delta !== expected) w.fail(`S11 the delta of ${s.name} is ${delta}, expected ${expected}`);
  for (const other of w.systems) compareCalls(w, other);
  for (const e of s.dirty.keys()) s.dirty.set(e, AT_START);
  compareSystem(w, s);
}
/** The dirty set keeps what was added and not visited, and what is kept. */
function end(s: ModelSystem): void {
  for (const [e, flags] of s.dirty) {
    if (flags === 0 || (flags & KEPT) !== 0) s.dirty.set(e, 0);
    else s.dirty.delete(e);
  }
  s.dirtyOpen = true;
  s.elapsed = 0;
}

function operate(w: World, s: ModelSystem): void {
  const choice = w.random.below(11);
  if (choice < 4) w.operate(w);
  else if (choice < 7) loopOverDirty(w, s);
  else if (choice < 8) {
    if (s.hasRows) loopOverRows(w, s, 300);
    else loopOverEntities(w, s);
  } else if (choice < 10) keep(w, s);
  else compareCauses(w, s);
}
/** `dirty.of` yields the entities for which a class signalled, and visits all (D15). */
function compareCauses(w: World, s: ModelSystem): void {
  if (!s.watching) return;
  const dirty = dirtyOf(s)!;
  const k = w.random.pick(allKinds);
  w.replay.note("dirty.of", s.name, k);
  let list: Iterable<Entity | { entity: Entity }>;
  try {
    list = dirty.of(classOf(k)) as typeof list;
  } catch (error) {
    if (!(error instanceof EcsError) || error.code !== "BAD_ARGUMENT") throw error;
    if (((s.watched | s.fromAncestors) >> k) & 1) w.fail(`D15 ${s.name}: of(${k}) threw ${error.message}`);
    return;
  }
  if (!(((s.watched | s.fromAncestors) >> k) & 1)) w.fail(`D15 ${s.name}: of(${k}) is not watched`);
  s.causes ??= new Map([...s.dirty.keys()].map((e) => [e, ~0]));
  const found = Array.from(list, (element) => (typeof element === "number" ? element : element.entity));
  for (const [e, flags] of s.dirty) s.dirty.set(e, flags | VISITED);
  w.replay.count("causes");
  if (w.chaos) return;
  const expected = [...s.dirty.keys()].filter((e) => (s.causes!.get(e)! >> k) & 1);
  if ([...found].sort().join() !== expected.sort().join())
    w.fail(`D15 ${s.name}: of(${k}) yields ${found}, expected ${expected}`);
}
function loopOverDirty(w: World, s: ModelSystem): void {
  if (!s.watching) return;
  const dirty = dirtyOf(s)!;
  const sorted = w.random.chance(250);
  let list: Iterable<unknown> = dirty;
  if (sorted) {
    const iterator = dirty.topDown()[Symbol.iterator](); // sorts when the iteration begins
    list = { [Symbol.iterator]: () => iterator };
    w.replay.count("topDown");
    s.dirtyOpen = true;
    if (!w.chaos && w.loops.length === 0) compareOrder(w, s, dirty.ids);
    for (const [e, flags] of s.dirty) s.dirty.set(e, flags | VISITED);
  }
  const visit = (e: Entity) => {
    const flags = s.dirty.get(e);
    if (flags !== undefined) s.dirty.set(e, flags | VISITED);
  };
  const contains = (e: Entity) => (w.chaos ? dirty.has(e) : s.dirty.has(e));
  loop(w, `dirty of ${s.name}`, s, list as Rows | Iterable<Entity>, {
    contains,
    visit,
    reached: () => s.dirty.keys(),
    operations: sorted ? 200 : 400,
  });
}
/** Ancestors are in front of their descendants (D13). */
function compareOrder(w: World, s: ModelSystem, ids: ArrayLike<Entity>): void {
  const list = Array.from(ids);
  list.forEach((e, i) => {
    for (let at = w.entities.get(e)?.parent; at !== undefined; at = w.entities.get(at)?.parent)
      if (list.indexOf(at) > i) w.fail(`D13 ${s.name}: topDown has ${e} in front of its ancestor ${at}`);
  });
}
/** An entity that is not in the set is an error (D12). */
function keep(w: World, s: ModelSystem): void {
  if (!s.watching) return;
  const e = s.dirty.size > 0 && w.random.chance(700) ? w.random.pick([...s.dirty.keys()]) : randomLiving(w);
  let error: unknown;
  try {
    w.replay.note("keep", s.name, e);
    dirtyOf(s)!.keep(e);
  } catch (thrown) {
    error = thrown;
  }
  if (error !== undefined && !(error instanceof EcsError)) throw error;
  if (w.chaos) return;
  const flags = s.dirty.get(e);
  if ((flags === undefined) !== (error !== undefined)) w.fail(`D12 ${s.name}: keep(${e}) threw ${error}`);
  if (flags !== undefined) s.dirty.set(e, flags | KEPT);
}
