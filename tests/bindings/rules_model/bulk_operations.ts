// Random operations on many components (E7), and prefabs (E9).
import type { Component, Entity } from "crateful";
import { act } from "./calls.js";
import { randomEntities } from "./choices.js";
import {
  OWN_CLASSES,
  SPARSE,
  classOf,
  complete,
  isObject,
  kinds,
  randomValue,
  randomValues,
  stored,
  type Values,
  type Value,
} from "./components.js";
import { addComponent, removeComponent, type Given } from "./effects.js";
import { MOST_ENTITIES, created, randomClasses } from "./entity_operations.js";
import { orderIsOpen } from "./handles.js";
import type { World } from "./state.js";

type Columns = Record<string, unknown>;
/** A prefab of any classes. */
type AnyPrefab = { spawn(...args: unknown[]): unknown };

/** Values of some fields for many entities: one for all, one for each, or memory of the ECS (X3); changes `expected`. */
function randomColumns(w: World, k: number, expected: Values[]): Columns {
  const { random } = w;
  const columns: Columns = {};
  for (const field of kinds[k]!.fields) {
    if (random.chance(500)) continue;
    let each: ArrayLike<Value>;
    const length = field === "at" ? 3 : 1;
    const memory =
      ["x", "at", "text"].includes(field) && random.chance(400)
        ? ((w.ecs.storage(classOf(SPARSE)).columns as Columns)[field] as Float32Array)
        : undefined;
    if (memory !== undefined && memory.length >= length * expected.length) {
      const numbers = memory.subarray(0, length * expected.length);
      columns[field] = numbers;
      const vectors = expected.map((_, i) => [...numbers.subarray(3 * i, 3 * i + 3)]);
      each = field === "at" ? vectors : field === "text" ? Array.from(numbers, (n) => w.ecs.text(n)) : [...numbers];
    } else if (random.chance(400)) {
      const value = randomValue(random, field);
      columns[field] = value;
      each = expected.map(() => value);
    } else columns[field] = each = expected.map(() => randomValue(random, field));
    expected.forEach((values, i) => (values[field] = stored(field, each[i]!)));
  }
  return columns;
}

export function addSome(w: World): void {
  const { ecs, random } = w;
  const k = random.below(OWN_CLASSES);
  const list = randomEntities(w);
  const copy = [...list];
  let values: unknown;
  let given: (Values | Component)[];
  if (isObject(k)) {
    const objects = copy.map(() => new (classOf(k))());
    given = objects;
    values = random.chance(500) ? objects : (i: number) => objects[i];
  } else {
    const expected = copy.map(() => complete(k, {}));
    values = randomColumns(w, k, expected);
    given = expected;
  }
  const call = () => ecs.addComponents(list, classOf(k), values as never);
  act(w, ["addComponents", copy, k], call, () => {
    copy.forEach((e, i) => addComponent(w, e, k, given[i]!));
    openDirtyOrder(w);
  });
}

/** In a call for many, the order of the signals is open. */
function openDirtyOrder(w: World): void {
  for (const s of w.systems) s.dirtyOpen = true;
}

export function removeSome(w: World): void {
  const k = w.random.below(OWN_CLASSES);
  const list = randomEntities(w);
  const copy = [...list];
  const model = (result: number | undefined) => {
    const n = copy.filter((e) => removeComponent(w, e, k)).length;
    if (result !== undefined && result !== n) w.fail(`C2 removeComponents returned ${result}, expected ${n}`);
  };
  act(w, ["removeComponents", copy, k], () => w.ecs.removeComponents(list, classOf(k)), model);
}

/** Makes a prefab, and spawns one entity with overrides or several with columns. */
export function spawn(w: World): void {
  const { ecs, random } = w;
  const list = randomClasses(w);
  if (w.alive.length > MOST_ENTITIES || list.length === 0) return;
  const objects: Given[] = [];
  const values = new Map<number, Values>();
  const parts: Record<string, unknown> = {};
  for (const k of list) {
    if (isObject(k)) {
      const make = () => {
        const component: Component = new (classOf(k))();
        objects.push([k, component]);
        return component;
      };
      parts[`part${k}`] = [classOf(k), make];
    } else {
      const some = randomValues(random, k);
      parts[`part${k}`] = Object.keys(some).length > 0 ? [classOf(k), some] : classOf(k);
      values.set(k, complete(k, some));
    }
  }
  const prefab = ecs.prefab(parts as never) as unknown as AnyPrefab;
  if (random.chance(500)) spawnOne(w, list, prefab, values, objects);
  else spawnSome(w, list, prefab, values);
}

function spawnOne(w: World, list: number[], prefab: AnyPrefab, values: Map<number, Values>, objects: Given[]): void {
  const { random } = w;
  const overrides: Record<string, unknown> = {};
  const given = new Map<number, Values | Component>(values);
  for (const k of list) {
    if (random.chance(500)) continue;
    if (isObject(k)) {
      const component: Component = new (classOf(k))();
      overrides[`part${k}`] = component;
      given.set(k, component);
    } else {
      const some = randomValues(random, k);
      overrides[`part${k}`] = some;
      given.set(k, complete(k, some, values.get(k)));
    }
  }
  const model = (e: Entity | undefined) => {
    for (const [k, component] of objects) if (!given.has(k)) given.set(k, component);
    created(w, e === undefined ? undefined : [e], 1, () => list.map((k) => [k, given.get(k)!]));
  };
  act(w, ["spawn", list], () => prefab.spawn(overrides) as Entity, model);
}
function spawnSome(w: World, list: number[], prefab: AnyPrefab, values: Map<number, Values>): void {
  const { random } = w;
  let n = random.below(4);
  // If the call throws, it is not known which entity has which values.
  if (w.replay.throwing > 0 && orderIsOpen(w, n)) n = 1;
  const columns: Record<string, unknown> = {};
  const given = new Map<number, Values[]>();
  for (const k of list) {
    if (isObject(k)) continue;
    const expected = Array.from({ length: n }, () => ({ ...values.get(k)! }));
    if (random.chance(500)) columns[`part${k}`] = randomColumns(w, k, expected);
    given.set(k, expected);
  }
  // Each entity has an object of its own, which the ECS knows.
  const value = (e: Entity, k: number, i: number) => (isObject(k) ? w.ecs.get(e, classOf(k)) : given.get(k)![i]!);
  const model = (result: Uint32Array | undefined) =>
    created(w, result, n, (e, i) => list.map((k) => [k, value(e, k, i)]));
  act(w, ["spawn", n, list], () => prefab.spawn(n, columns) as Uint32Array, model);
}
