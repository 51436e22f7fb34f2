// Random operations on a component of one entity.
import type { Component, Entity } from "crateful";
import { act } from "./calls.js";
import { randomEntities } from "./choices.js";
import {
  OWN_CLASSES,
  PARENT,
  LINEAR,
  SIGNALLING,
  SPARSE,
  classOf,
  complete,
  isObject,
  kinds,
  randomValue,
  randomValues,
  stored,
  writableKinds,
  type Values,
  assign,
} from "./components.js";
import { addComponent, removeComponent, signal, writeField } from "./effects.js";
import { has, type World } from "./state.js";

const stale = (w: World, e: Entity) => (w.entities.has(e) ? undefined : ("STALE_ENTITY" as const));

function keep(w: World, e: Entity, k: number, component: Component): void {
  w.kept.push({ e, k, component: component as Component & Values, dead: false });
  if (w.kept.length > 12) w.kept.shift();
}

/** Adds or replaces a component (C1). */
export function addOne(w: World, e: Entity): void {
  const { ecs, random } = w;
  const k = random.below(OWN_CLASSES);
  const cls = classOf(k);
  const words = ["addComponent", e, k];
  if (isObject(k)) {
    const component = new cls();
    act(
      w,
      words,
      () => ecs.addComponent(e, component),
      () => addComponent(w, e, k, component),
      stale(w, e),
    );
    return;
  }
  const values = randomValues(random, k);
  if (random.chance(500)) {
    const call = () => ecs.addComponent(e, cls as never, values as never);
    act(w, words, call, () => addComponent(w, e, k, complete(k, values)), stale(w, e));
    return;
  }
  const component = new cls(values);
  const model = () => {
    addComponent(w, e, k, complete(k, values));
    keep(w, e, k, component);
  };
  act(w, words, () => ecs.addComponent(e, component), model, stale(w, e));
}

export function removeOne(w: World, e: Entity): void {
  const own = Array.from({ length: OWN_CLASSES }, (_, k) => k);
  const list = w.random.take(own, w.random.chance(250) ? 1 + w.random.below(3) : 1);
  const [first, ...others] = list.map(classOf);
  const model = (result: boolean | undefined) => {
    const had = list.filter((k) => removeComponent(w, e, k)).length > 0;
    if (result !== undefined && result !== had) w.fail(`C2 removeComponent returned ${result}`);
  };
  act(w, ["removeComponent", e, list], () => w.ecs.removeComponent(e, first!, ...others), model, stale(w, e));
}

/** Writes a field of a component, of one that the program keeps from then on, or of a cursor. */
export function write(w: World, e: Entity): void {
  const { ecs, random } = w;
  const entity = w.entities.get(e);
  if (has(entity, SIGNALLING) && random.chance(300)) {
    const value = w.replay.operation + 1;
    const set = () => {
      const component = ecs.tryGet(e, classOf(SIGNALLING));
      if (component) component["v"] = value;
    };
    act(w, ["v of", e], set, () => signal(w, e, SIGNALLING));
    return;
  }
  const writable = writableKinds.filter((k) => has(entity, k));
  if (writable.length === 0) return;
  const k = random.pick(writable);
  const field = random.pick(kinds[k]!.fields);
  const value = randomValue(random, field);
  const how = random.below(10);
  const set = () => {
    const component = how < 3 ? ecs.storage(classOf(k)).at(e) : ecs.tryGet(e, classOf(k));
    if (component) assign(component, field, value, how);
    if (how === 9 && component && !w.chaos) keep(w, e, k, component);
  };
  act(w, ["set", e, `${k}.${field} =`, value], set, () => writeField(w, e, k, field, stored(field, value)));
}

export function signalOne(w: World, e: Entity): void {
  const k = w.random.below(OWN_CLASSES);
  const call = () => {
    if (w.ecs.alive(e)) w.ecs.tryGet(e, classOf(k))?.dirty();
  };
  const model = () => {
    if (has(w.entities.get(e), k)) signal(w, e, k);
  };
  act(w, ["dirty", e, k], call, model);
}

/** `markDirty` of entities, some of which may lack the component. */
export function signalSome(w: World): void {
  const k = w.random.below(OWN_CLASSES);
  const list = randomEntities(w);
  const copy = [...list];
  const missing = copy.some((e) => !has(w.entities.get(e), k));
  const call = () => w.ecs.storage(classOf(k)).markDirty(list);
  const model = () => copy.forEach((e) => signal(w, e, k));
  act(w, ["markDirty", k, copy], call, model, missing ? "MISSING_COMPONENT" : undefined);
}

/** Only `setParent` changes Parent (H3). */
export function misuseParent(w: World, e: Entity): void {
  if (!w.entities.has(e)) return;
  const { ecs, random } = w;
  const Parent = classOf(PARENT);
  const calls: (() => unknown)[] = [
    () => ecs.addComponent(e, Parent as never, { entity: 0 }),
    () => ecs.removeComponent(e, Parent),
    () => ecs.addComponents([e], Parent),
    () => ecs.removeComponents([e], Parent),
    () => ecs.addEntity(Parent as never),
    () => ((ecs.tryGet(e, Parent) ?? new Parent())["entity"] = 0),
  ];
  const call = random.pick(has(w.entities.get(e), PARENT) ? calls : calls.slice(0, 5));
  act(w, ["misuse of Parent", e], call, undefined, "BAD_ARGUMENT");
}

/** Reading a value calls the ECS. The outer call then has done nothing, or all of it afterwards (X3). */
export function addWhileReading(w: World, e: Entity): void {
  if (!w.entities.has(e)) return;
  const inner = w.random.pick(w.alive);
  const add = () => w.ecs.addComponent(inner, classOf(LINEAR) as never, { n: 3 } as never);
  const values = {
    get x() {
      const model = () => addComponent(w, inner, LINEAR, complete(LINEAR, { n: 3 }));
      w.replay.callback(() => act(w, ["inner addComponent", inner], add, model));
      return 5;
    },
    y: 1,
  };
  let done = true;
  const call = () => {
    try {
      w.ecs.addComponent(e, classOf(SPARSE) as never, values as never);
    } catch (error) {
      if ((error as { code?: string }).code !== "BAD_ARGUMENT") throw error;
      done = false;
    }
  };
  const model = () => {
    if (done) addComponent(w, e, SPARSE, complete(SPARSE, { x: 5, y: 1 }));
  };
  act(w, ["addComponent with a getter", e], call, model);
}
