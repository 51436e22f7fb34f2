// What an operation does according to the rules: to components, tracked and dirty sets, and the hierarchy.
import { NONE, entityIndex, type Component, type Entity } from "crateful";
import { PARENT, SPARSE, allKinds, type Values, same, type Value } from "./components.js";
import { free } from "./handles.js";
import { has, matches, newEntity, noteOfCall, remove, swapRemove, type ModelSystem, type World } from "./state.js";

/** A component that an operation gives: its class, and its values or the object itself. */
export type Given = readonly [k: number, value: Values | Component];

/** `causes`: a bit for each class; all, if it is newly tracked (D15). */
function markDirty(s: ModelSystem, e: Entity, causes = ~0): void {
  const before = s.dirty.has(e) ? s.causes?.get(e) : 0;
  s.causes?.set(e, before! | causes);
  if (!s.dirty.has(e)) s.dirty.set(e, 0);
}
export function untrack(w: World, s: ModelSystem, e: Entity): void {
  if (s.ordered) remove(s.tracked, e);
  else swapRemove(s.tracked, e);
  if (w.loops.length > 0 && !s.ordered) s.trackedOpen = true;
  if (s.dirty.delete(e)) s.dirtyOpen = true;
  if (s.removes && !s.unmade.has(e)) s.expected.push(noteOfCall(e, false));
  s.unmade.delete(e);
  s.aspects.delete(e);
}
export function track(s: ModelSystem, e: Entity): void {
  s.tracked.push(e);
  if (s.adds) s.expected.push(noteOfCall(e, true));
  if (s.watching) markDirty(s, e); // D5
}
/** Loops reach an entity again that they no longer select for a while. */
function updateLoops(w: World, e: Entity): void {
  for (const loop of w.loops) {
    if (loop.contains(e)) continue;
    loop.throughout.delete(e);
    loop.visited.delete(e);
  }
}
function retrack(w: World, e: Entity): void {
  for (const s of w.systems) {
    const tracked = s.tracked.includes(e);
    if (matches(w, s.filter, e) === tracked) continue;
    if (tracked) untrack(w, s, e);
    else track(s, e);
  }
  updateLoops(w, e);
}
function markDescendants(w: World, s: ModelSystem, e: Entity, causes: number): void {
  if (s.fromAncestors === 0) return;
  for (const child of w.entities.get(e)!.children) {
    markFromAncestor(s, child, causes);
    markDescendants(w, s, child, causes);
  }
}
/** Among the entities that one ancestor marks, the order is open (D13). */
function markFromAncestor(s: ModelSystem, e: Entity, causes: number): void {
  if (!s.tracked.includes(e)) return;
  if (!s.dirty.has(e)) s.dirtyOpen = true;
  markDirty(s, e, causes);
}
export function signal(w: World, e: Entity, k: number): void {
  for (const s of w.systems) {
    if ((s.watched >> k) & 1 && s.tracked.includes(e)) markDirty(s, e, 1 << k);
    if ((s.fromAncestors >> k) & 1) markDescendants(w, s, e, 1 << k);
  }
}
/** The component objects of this component, which is removed or replaced, are detached (C1, C5). */
function detach(w: World, e: Entity, k: number): void {
  for (const kept of w.kept) if (kept.e === e && kept.k === k) kept.dead = true;
}
function put(w: World, e: Entity, k: number, value: Values | Component): void {
  const entity = w.entities.get(e)!;
  entity.values[k] = value;
  if (has(entity, k)) detach(w, e, k);
  else {
    entity.mask |= 1 << k;
    w.order[k]!.push(e);
  }
}
function take(w: World, e: Entity, k: number): void {
  const entity = w.entities.get(e)!;
  entity.mask &= ~(1 << k);
  entity.values[k] = undefined;
  swapRemove(w.order[k]!, e);
  if (w.loops.length > 0) w.orderOpen[k] = true;
  detach(w, e, k);
}
/** The class was added or removed: for systems that name it in `parent`, as if the children got another parent (D13). */
function presenceChanged(w: World, e: Entity, k: number): void {
  for (const s of w.systems) if (s.ofParent.includes(k)) markDescendants(w, s, e, s.fromAncestors);
}
export function addComponent(w: World, e: Entity, k: number, value: Values | Component): void {
  addSeveral(w, e, [[k, value]]);
}
/** Systems see all of the components when they start or stop (E14). */
export function addSeveral(w: World, e: Entity, given: readonly Given[]): void {
  const added = given.filter(([k]) => !has(w.entities.get(e), k));
  for (const [k, value] of given) put(w, e, k, value);
  retrack(w, e);
  for (const [k] of given) signal(w, e, k);
  for (const [k] of added) presenceChanged(w, e, k);
}
export function removeComponent(w: World, e: Entity, k: number): boolean {
  if (!has(w.entities.get(e), k)) return false;
  take(w, e, k);
  retrack(w, e);
  signal(w, e, k);
  presenceChanged(w, e, k);
  return true;
}
export function createEntity(w: World, e: Entity, given: readonly Given[]): void {
  newEntity(w, e);
  for (const [k, value] of given) put(w, e, k, value);
  retrack(w, e);
}
/** Returns whether it was not marked yet. */
export function mark(w: World, e: Entity): boolean {
  if (w.marked.includes(e)) return false;
  w.marked.push(e);
  return true;
}
function destroy(w: World, e: Entity): void {
  const entity = w.entities.get(e)!;
  for (const s of w.systems) if (s.tracked.includes(e)) untrack(w, s, e);
  for (const k of allKinds) if (has(entity, k)) take(w, e, k);
  if (entity.parent !== NONE) remove(w.entities.get(entity.parent)!.children, e);
  for (const child of entity.children) {
    mark(w, child);
    w.entities.get(child)!.parent = NONE;
  }
  forget(w, e);
  unlink(w, e, w.alive);
}
function forget(w: World, e: Entity): void {
  w.entities.delete(e);
  remove(w.alive, e);
  updateLoops(w, e);
  w.stale.push(e);
  if (w.stale.length > 30) w.stale.shift();
  free(w, e);
}
/** The links to an entity that is removed become NONE, and signal (C15). */
function unlink(w: World, target: Entity, sources: readonly Entity[]): void {
  const refers = (e: Entity) => (w.entities.get(e)!.values[SPARSE] as Values | undefined)?.["aim"] === target;
  for (const e of sources.filter(refers).sort((a, b) => entityIndex(a) - entityIndex(b)))
    writeField(w, e, SPARSE, "aim", NONE);
}

/** The removal phase (E3, H2). */
export function removeMarked(w: World): void {
  for (let i = 0; i < w.marked.length; ++i) destroy(w, w.marked[i]!);
  w.marked = [];
}
/** K1; the order in which entities are removed is open. */
export function clear(w: World): void {
  w.marked = [];
  const all = w.alive.filter((e) => e !== 0);
  for (const s of w.systems) {
    s.callsOpen = s.trackedOpen = true;
    for (const e of all) if (s.tracked.includes(e)) untrack(w, s, e);
  }
  w.entities.get(0)!.children = [];
  for (const e of all) {
    for (const k of allKinds) if (has(w.entities.get(e), k)) take(w, e, k);
    forget(w, e);
    unlink(w, e, [0]);
  }
  w.orderOpen.fill(true);
  w.freedInAnyOrder = w.freed.length;
}
export function setParent(w: World, child: Entity, parent: Entity, before: Entity): void {
  const entity = w.entities.get(child)!;
  const old = entity.parent;
  if (old !== NONE) remove(w.entities.get(old)!.children, child);
  entity.parent = parent;
  if (parent !== NONE) {
    const siblings = w.entities.get(parent)!.children;
    siblings.splice(before === NONE ? siblings.length : siblings.indexOf(before), 0, child);
  }
  if (old === parent) return;
  if (parent === NONE) take(w, child, PARENT);
  else put(w, child, PARENT, { entity: parent });
  retrack(w, child);
  for (const s of w.systems) {
    if ((s.watched >> PARENT) & 1 && s.tracked.includes(child)) markDirty(s, child, 1 << PARENT);
    if (s.fromAncestors === 0) continue;
    markFromAncestor(s, child, s.fromAncestors);
    markDescendants(w, s, child, s.fromAncestors);
  }
}
export function isAncestor(w: World, ancestor: Entity, e: Entity): boolean {
  for (let at = e; at !== NONE; at = w.entities.get(at)!.parent) if (at === ancestor) return true;
  return false;
}
/** Writes a field, which signals if the stored value changes (D2). */
export function writeField(w: World, e: Entity, k: number, field: string, value: Value): void {
  const entity = w.entities.get(e)!;
  const values = entity.values[k] as Values;
  if (same(values[field], value)) return;
  entity.values[k] = { ...values, [field]: value };
  signal(w, e, k);
}
