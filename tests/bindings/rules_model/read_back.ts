// In chaos, the rules leave open what the calls in callbacks do. The model gets the state of the ECS, which must be
// consistent: handles, the hierarchy, tracked entities, and the pairs of onAdd and onRemove.
import { NONE, entityIndex, type Component, type Entity } from "crateful";
import { PARENT, allKinds, classOf, isObject, kinds, type Values, read } from "./components.js";
import { generation } from "./handles.js";
import { has, matches, newEntity, type ModelSystem, type World } from "./state.js";

export function readBack(w: World): void {
  const { ecs } = w;
  w.replay.comparing = true;
  const systems = ecs.systems;
  w.systems = w.systems.filter((s) => systems.some(({ system }) => system === s.real));
  w.entities.clear();
  w.alive.length = 0;
  for (const e of [0, ...ecs.query({}).ids()]) readEntity(w, e);
  for (const e of w.alive) checkHierarchy(w, e);
  for (const k of allKinds) w.order[k] = w.alive.filter((e) => has(w.entities.get(e), k));
  for (const s of w.systems) {
    s.tracked = w.alive.filter((e) => matches(w, s.filter, e));
    checkPairs(w, s);
  }
  w.replay.comparing = false;
}
function readEntity(w: World, e: Entity): void {
  const entity = newEntity(w, e);
  const index = entityIndex(e);
  const before = w.generations[index] ?? -1;
  // The entity is the same as before, or its generation is newer than all known ones.
  if (generation(e) < before) w.fail(`E2 the generation of ${e} was ${before} before`);
  w.generations[index] = generation(e);
  for (const k of allKinds) {
    const component = w.ecs.tryGet(e, classOf(k));
    if (component === undefined) continue;
    entity.mask |= 1 << k;
    entity.values[k] = isObject(k) ? component : copy(component, k);
  }
  entity.parent = w.ecs.parent(e);
  entity.children = [...w.ecs.children(e)];
}
const copy = (component: Component & Values, k: number): Values =>
  Object.fromEntries(kinds[k]!.fields.map((field) => [field, read(component, field)]));

function checkHierarchy(w: World, e: Entity): void {
  const entity = w.entities.get(e)!;
  const { parent, children } = entity;
  if ((parent !== NONE) !== has(entity, PARENT)) w.fail(`H3 the parent of ${e} is ${parent}`);
  if (parent !== NONE && !w.entities.get(parent)?.children.includes(e)) w.fail(`H1 ${parent} has no child ${e}`);
  if (parent !== NONE && (entity.values[PARENT] as Values)["entity"] !== parent) w.fail(`H3 the Parent of ${e}`);
  for (const child of children)
    if (w.entities.get(child)?.parent !== e) w.fail(`H1 ${e} is not the parent of ${child}`);
}
/** onAdd was called for exactly the tracked entities, except those whose `makeAspect` threw (A3). */
function checkPairs(w: World, s: ModelSystem): void {
  if (s.adds && s.removes) {
    for (const e of s.added) if (!s.tracked.includes(e)) w.fail(`A3 ${s.name}: no onRemove for ${e}`);
    for (const e of s.tracked) {
      if (s.added.has(e) || s.unmade.has(e) || s.madeLater.has(e)) continue;
      if (s.throws-- <= 0) w.fail(`A3 ${s.name}: no onAdd for ${e}`);
      s.unmade.add(e);
    }
  }
  s.throws = 0;
  for (const set of [s.unmade, s.madeLater]) for (const e of set) if (!s.tracked.includes(e)) set.delete(e);
}
