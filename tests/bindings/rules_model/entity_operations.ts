// Random operations that create and remove entities, or change the hierarchy.
import { NONE, type Component, type Entity, type ErrorCode } from "crateful";
import { act } from "./calls.js";
import { randomEntities, randomEntity } from "./choices.js";
import { OWN_CLASSES, allKinds, classOf, complete, isObject, kinds, randomValues } from "./components.js";
import { addSeveral, createEntity, isAncestor, mark, setParent, type Given } from "./effects.js";
import { expectHandle, inOrderOfCreation } from "./handles.js";
import type { World } from "./state.js";

export const MOST_ENTITIES = 14;

export const randomClasses = (w: World): number[] => w.random.take(allKinds.slice(0, OWN_CLASSES), w.random.below(4));

/** Adds entities to the model that a call has created; the call may have thrown, so its result is not known. */
export function created(
  w: World,
  result: ArrayLike<Entity> | undefined,
  n: number,
  given: (e: Entity, i: number) => Given[],
): void {
  const list = result === undefined ? findNew(w) : Array.from(result);
  if (list.length !== n) w.fail(`E7 ${list.length} entities were created, expected ${n}`);
  list.forEach((e, i) => {
    expectHandle(w, e);
    createEntity(w, e, given(e, i));
  });
}
function findNew(w: World): Entity[] {
  const list = Array.from(w.ecs.query({}).ids()).filter((e) => !w.entities.has(e));
  return inOrderOfCreation(w, list);
}

/** A part of `addEntity`, and what it gives. */
function randomPart(w: World, k: number): { part: unknown; given: Given } {
  const { random } = w;
  const cls = classOf(k);
  if (isObject(k)) {
    const component: Component = new cls();
    return { part: random.chance(500) ? component : [cls, () => component], given: [k, component] };
  }
  const values = randomValues(random, k);
  if (kinds[k]!.fields.length === 0) return { part: random.chance(500) ? cls : new cls(), given: [k, {}] };
  switch (random.below(3)) {
    case 0:
      return { part: cls, given: [k, complete(k, {})] };
    case 1:
      return { part: [cls, values], given: [k, complete(k, values)] };
    default:
      return { part: new cls(values), given: [k, complete(k, values)] };
  }
}

export function addEntity(w: World): void {
  if (w.alive.length > MOST_ENTITIES) {
    removeEntity(w, randomEntity(w));
    return;
  }
  const list = randomClasses(w);
  const parts = list.map((k) => randomPart(w, k));
  const call = () => w.ecs.addEntity(...(parts.map(({ part }) => part) as []));
  act(w, ["addEntity", list], call, (e) =>
    created(w, e === undefined ? undefined : [e], 1, () => parts.map(({ given }) => given)),
  );
}
/** Adds several components to an entity, some of which may replace its own (E14). */
export function addTo(w: World, e: Entity): void {
  const list = randomClasses(w);
  const parts = list.map((k) => randomPart(w, k));
  const call = () => w.ecs.add(e, ...(parts.map(({ part }) => part) as []));
  const model = () =>
    addSeveral(
      w,
      e,
      parts.map(({ given }) => given),
    );
  act(w, ["add", e, list], call, model, w.entities.has(e) ? undefined : "STALE_ENTITY");
}
export function addEntities(w: World): void {
  if (w.alive.length > MOST_ENTITIES) return;
  const n = w.random.below(4);
  act(
    w,
    ["addEntities", n],
    () => w.ecs.addEntities(n),
    (result) => created(w, result, n, () => []),
  );
}
export function removeEntity(w: World, e: Entity): void {
  const code: ErrorCode | undefined = e === 0 ? "BAD_ARGUMENT" : w.entities.has(e) ? undefined : "STALE_ENTITY";
  act(
    w,
    ["removeEntity", e],
    () => w.ecs.removeEntity(e),
    (result) => {
      if (mark(w, e) !== result) w.fail(`E3 removeEntity returned ${result}`);
    },
    code,
  );
}
export function removeEntities(w: World): void {
  const list = randomEntities(w);
  const copy = [...list];
  const call = () => w.ecs.removeEntities(list);
  act(
    w,
    ["removeEntities", copy],
    call,
    (result) => {
      const marked = copy.filter((e) => mark(w, e)).length;
      if (marked !== result) w.fail(`E3 removeEntities returned ${result}, expected ${marked}`);
    },
    copy.includes(0) ? "BAD_ARGUMENT" : undefined,
  );
}

/** Gives a parent, another place among its siblings, or no parent (H1). */
export function changeParent(w: World, child: Entity): void {
  const { random } = w;
  const parent = random.chance(250) ? NONE : randomEntity(w);
  const siblings = w.entities.get(parent)?.children ?? [];
  const before = siblings.length > 0 && random.chance(400) ? random.pick(siblings) : NONE;
  if (child === 0 && parent === NONE) return;
  let code: ErrorCode | undefined;
  if (!w.chaos) {
    if (!w.entities.has(child) || (parent !== NONE && !w.entities.has(parent))) code = "STALE_ENTITY";
    else if (child === 0 || before === child || (parent !== NONE && isAncestor(w, child, parent)))
      code = "BAD_ARGUMENT";
    if (child === 0 && code === "STALE_ENTITY") return; // two errors
  }
  const call = () => w.ecs.setParent(child, parent, before === NONE && random.chance(500) ? undefined : before);
  act(w, ["setParent", child, parent, before], call, () => setParent(w, child, parent, before), code);
}
