// Compares the ECS with the model.
import { NONE, entityIndex, type Component, type Entity } from "crateful";
import { allKinds, classOf, kinds, same, type Values, numbersOf, read, isText, LINEAR, SPARSE } from "./components.js";
import { compareValues } from "./rows.js";
import { dirtyOf, has, matches, trackedIds, type ModelSystem, type World } from "./state.js";

/** Whether both have the same elements; the model's are in the same order, or get it if it is open. */
function compareList(w: World, what: string, real: ArrayLike<Entity>, expected: Entity[], open: boolean): void {
  let equal = real.length === expected.length;
  for (let i = 0; equal && i < expected.length; ++i) equal = real[i] === expected[i];
  if (equal) return;
  const list = Array.from(real);
  const sorted = (entities: Entity[]) => [...entities].sort((a, b) => a - b).join();
  if (!open || sorted(list) !== sorted(expected)) w.fail(`${what}: ${list}, expected ${expected}`);
  expected.splice(0, expected.length, ...list);
}

export function compareSystem(w: World, s: ModelSystem): void {
  const ids = trackedIds(s);
  if (ids !== undefined) {
    compareList(w, `S14 ${s.name} tracks`, ids, s.tracked, s.trackedOpen || w.chaos);
    s.trackedOpen = false;
  }
  const dirty = s.watching ? dirtyOf(s) : undefined;
  if (dirty === undefined) return;
  const list = dirty.ids;
  if (dirty.size !== list.length) w.fail(`D9 ${s.name}: the size of dirty is ${dirty.size}, not ${list.length}`);
  if (w.chaos) compareDirtyInChaos(w, s, list);
  else compareDirty(w, s, list);
}
function compareDirty(w: World, s: ModelSystem, list: ArrayLike<Entity>): void {
  const expected = [...s.dirty.keys()];
  const { dirtyOpen } = s;
  s.dirtyOpen = false;
  compareList(w, `D3 D9 ${s.name} has dirty`, list, expected, dirtyOpen);
  if (dirtyOpen) s.dirty = new Map(expected.map((e) => [e, s.dirty.get(e)!]));
}
function compareDirtyInChaos(w: World, s: ModelSystem, list: ArrayLike<Entity>): void {
  const dirty = new Set(Array.from(list));
  if (dirty.size !== list.length) w.fail(`D9 ${s.name} has dirty ${list}`);
  for (const e of dirty) if (!s.tracked.includes(e)) w.fail(`D6 ${s.name} has dirty ${e}, which it does not track`);
}

/** There is one aspect for each tracked entity (A1). */
function compareAspects(w: World, s: ModelSystem): void {
  const { entities } = s;
  if (entities === undefined) return;
  if (entities.size !== s.tracked.length) w.fail(`S14 ${s.name} has ${entities.size} entities`);
  for (const e of s.tracked) {
    const aspect = entities.get(e);
    if (aspect?.entity !== e || entities.get(e) !== aspect) w.fail(`A1 ${s.name}: the aspect of ${e} is ${aspect}`);
    const known = s.aspects.get(e);
    if (known !== undefined && known !== aspect && !w.chaos) w.fail(`A1 ${s.name}: the aspect of ${e} is another one`);
    s.aspects.set(e, aspect);
    if (s.unmade.delete(e)) s.madeLater.add(e);
  }
}

function compareSystems(w: World): void {
  const list = w.ecs.systems;
  w.systems.forEach((s, i) => {
    const info = w.chaos ? list.find(({ system }) => system === s.real) : list[i];
    if (info?.system !== s.real)
      w.fail(`S1 the systems are ${list.map(({ name }) => name)}, not ${w.systems.map(({ name }) => name)}`);
    const { name, priority, interval, debug } = info;
    if (name !== s.name || priority !== s.priority || interval !== s.interval || debug !== s.debug)
      w.fail(`S10 systems has ${JSON.stringify({ ...info, system: undefined })}`);
    if (info.tracked !== s.tracked.length) w.fail(`S10 ${s.name}: tracked is ${info.tracked}, not ${s.tracked.length}`);
    if (!w.chaos && info.enabled === s.disabled) w.fail(`S4 ${s.name}: enabled is ${info.enabled}`);
    compareAspects(w, s);
  });
  if (list.length !== w.systems.length) w.fail(`S1 there are ${list.length} systems`);
}

function compareStorage(w: World, k: number): void {
  const storage = w.ecs.storage(classOf(k));
  const order = w.order[k]!;
  const ids = [...storage];
  if (storage.count !== ids.length) w.fail(`T1 the count of class ${k} is ${storage.count}, not ${ids.length}`);
  const sparse = storage.policy === "sparse";
  compareList(w, `T1 entities of class ${k}`, ids, order, w.orderOpen[k]! || !sparse || w.chaos);
  w.orderOpen[k] = false;
  if (sparse) compareList(w, `T1 order of class ${k}`, storage.entities, order, false);
  const columns = storage.columns as Record<string, ArrayLike<number>>;
  const strides = storage.strides as Record<string, number>;
  for (const field of kinds[k]!.fields) {
    const column = columns[field]!;
    for (const e of ids) {
      const stored = (w.entities.get(e)!.values[k] as Values)[field]!;
      const from = storage.slot(e) * strides[field]!;
      if (isText(field)) {
        if (w.ecs.text(column[from]!) !== stored) w.fail(`C13 column ${k}.${field} of ${e} is not ${stored}`);
        continue;
      }
      const expected = numbersOf(stored);
      const value = Array.from(expected, (_, i) => column[from + i]);
      if (!same(value, expected)) w.fail(`T1 column ${k}.${field} of ${e} is ${value}, expected ${expected}`);
    }
  }
}

function compareEntity(w: World, e: Entity): void {
  const { ecs } = w;
  const entity = w.entities.get(e)!;
  if (!ecs.alive(e)) w.fail(`E4 ${e} is not alive`);
  for (const k of allKinds) {
    const expected = has(entity, k);
    if (ecs.has(e, classOf(k)) !== expected) w.fail(`C6 has(${e}) of class ${k} is ${!expected}`);
    const component = ecs.tryGet(e, classOf(k));
    if ((component !== undefined) !== expected) w.fail(`C6 tryGet(${e}) of class ${k} is ${component}`);
    if (component !== undefined) compareValues(w, k, component, entity.values[k]!, `C6 class ${k} of ${e}`);
  }
  if (ecs.parent(e) !== entity.parent) w.fail(`H1 the parent of ${e} is ${ecs.parent(e)}, expected ${entity.parent}`);
  compareList(w, `H1 children of ${e}`, [...ecs.children(e)], entity.children, false);
}

function compareQueries(w: World): void {
  for (const { real, filter } of w.queries) {
    const expected = w.alive.filter((e) => matches(w, filter, e));
    const first = real.first()?.entity;
    compareList(w, "Q1 a query has", real.ids(), expected, true);
    if (real.count !== expected.length) w.fail(`Q6 the count of a query is ${real.count}, not ${expected.length}`);
    if (first !== expected[0]) w.fail(`Q6 the first row of a query is ${first}, expected ${expected[0]}`);
  }
}

const encoder = new TextEncoder();
/** Sorts as the bytes of UTF-8. */
const bytesOf = (text: unknown): string => String.fromCharCode(...encoder.encode(text as string));

/** Queries in the order of strings, numbers and enums (Q10). */
function compareSorted(w: World): void {
  const orders: [number, string, (value: unknown) => unknown][] = [
    [SPARSE, "text", bytesOf],
    [LINEAR, "name", bytesOf],
    [SPARSE, "y", (value) => value],
    [LINEAR, "state", (value) => numbersOf(value as string)[0]],
  ];
  for (const [k, field, keyOf] of orders)
    for (const direction of [1, -1]) {
      const cls = classOf(k);
      const keys = new Map(w.order[k]!.map((e) => [e, keyOf((w.entities.get(e)!.values[k] as Values)[field])]));
      const expected = [...keys.keys()].sort((a, b) => {
        const [x, y] = [keys.get(a), keys.get(b)] as [number, number];
        return x === y ? entityIndex(a) - entityIndex(b) : (x < y ? -1 : 1) * direction;
      });
      const orderBy = direction === 1 ? [cls, field] : [cls, field, "descending"];
      const real = [...w.ecs.query({ part: cls }, { orderBy } as never).ids()];
      if (real.join() !== expected.join()) w.fail(`Q10 ${k}.${field} ${direction}: ${real}, expected ${expected}`);
    }
  w.replay.count("sorted");
}

/** What refers to an entity by a link (C15). */
function compareLinks(w: World): void {
  for (const target of w.alive) {
    const refers = (e: Entity) => (w.entities.get(e)!.values[SPARSE] as Values | undefined)?.["aim"] === target;
    const expected = w.alive.filter(refers).sort((a, b) => entityIndex(a) - entityIndex(b));
    const real = [...w.ecs.linked(classOf(SPARSE) as never, target)];
    if (real.join() !== expected.join()) w.fail(`C15 linked(${target}): ${real}, expected ${expected}`);
    if (real.length > 0) w.replay.count("links");
  }
}

/** Component objects are views until the component is removed; then using them is an error (C5). */
function compareKept(w: World): void {
  w.kept = w.kept.filter(({ dead }) => !dead || w.random.chance(300)); // each error is slow
  for (const { e, k, component, dead } of w.kept) {
    if (!dead) {
      compareValues(w, k, component as Component, w.entities.get(e)!.values[k]!, `C5 a kept component ${k} of ${e}`);
      continue;
    }
    let error: unknown;
    try {
      for (const field of kinds[k]!.fields) read(component, field);
    } catch (thrown) {
      error = thrown;
    }
    if (error === undefined && kinds[k]!.fields.length > 0) w.fail(`C5 a removed component ${k} of ${e} can be read`);
  }
}

/** A handle that is not alive any more: look-ups find nothing (E4, E5). */
function compareStale(w: World, e: Entity): void {
  const { ecs } = w;
  if (ecs.alive(e)) w.fail(`E4 ${e} is alive`);
  for (const k of allKinds) if (ecs.has(e, classOf(k)) || ecs.tryGet(e, classOf(k))) w.fail(`E5 ${e} has ${k}`);
  if (ecs.parent(e) !== NONE || !ecs.children(e).next().done) w.fail(`E5 ${e} is in a hierarchy`);
}

/** Compares little, which is fast. */
export function compareBriefly(w: World): void {
  if (w.ecs.count !== w.alive.length - 1) w.fail(`E4 count is ${w.ecs.count}, expected ${w.alive.length - 1}`);
}
export function compareAll(w: World): void {
  w.replay.comparing = true;
  compareBriefly(w);
  for (const s of w.systems) compareSystem(w, s);
  compareSystems(w);
  for (const e of w.alive) compareEntity(w, e);
  for (const k of allKinds) compareStorage(w, k);
  compareQueries(w);
  compareSorted(w);
  compareLinks(w);
  if (!w.chaos) {
    for (const e of w.stale) compareStale(w, e);
    compareKept(w);
    if (w.ecs.gameTime !== w.gameTime) w.fail(`M1 gameTime is ${w.ecs.gameTime}, expected ${w.gameTime}`);
  }
  w.replay.comparing = false;
}
