// The cases of rules: each combination of what docs/rules.md lists under "Cases". `npm test -- bindings` fails if one is missing.
import { describe, expect, test } from "@jest/globals";
import { defineComponent, type Aspect, type Component, type ComponentClass, type ECS, type Entity } from "crateful";
import {
  Health,
  Packed,
  PackedTag,
  Position,
  Tag,
  Velocity,
  type Script,
  type Scripted,
  add,
  kinds,
  world,
} from "./world.js";

const classes: { kind: string; cls: ComponentClass; make(n: number): Component; read(c: Component): number }[] = [
  { kind: "tag", cls: Tag, make: () => new Tag(), read: () => 7 },
  ...kinds,
];
/** A class beside the one that a case is about. */
class Other extends defineComponent("CasesOther") {}
const callbacks = ["none", "onAdd", "onRemove", "both"] as const;
type Callbacks = (typeof callbacks)[number];

/** A system of the class with these callbacks, which are counted. */
function counting(ecs: ECS, cls: ComponentClass, has: Callbacks, script: Script<Aspect> = {}) {
  const calls = { onAdd: 0, onRemove: 0 };
  const { onRemove = () => void ++calls.onRemove, ...others } = script;
  const all: Script<Aspect> = { requires: [cls], watches: [cls], ...others };
  if (has === "onAdd" || has === "both") all.onAdd = () => void ++calls.onAdd;
  if (has === "onRemove" || has === "both") all.onRemove = onRemove;
  const system = add(ecs, all);
  return { system, calls };
}

/** The ways in which a system stops to track an entity. */
const removals: Record<string, (ecs: ECS, list: Entity[], cls: ComponentClass, system: Scripted) => void> = {
  component: (ecs, list, cls) => list.forEach((e) => void ecs.removeComponent(e, cls)),
  components: (ecs, list, cls) => void ecs.removeComponents(list, cls),
  entity(ecs, list) {
    ecs.removeEntities(list);
    ecs.removeMarked();
  },
  clear: (ecs) => ecs.clear(),
  system: (ecs, _list, _cls, system) => ecs.removeSystem(system),
};

/** The ways in which an entity gets a component. */
const additions: Record<string, (ecs: ECS, cls: ComponentClass, make: (n: number) => Component) => Entity[]> = {
  single(ecs, _cls, make) {
    const list = [ecs.addEntity(), ecs.addEntity(), ecs.addEntity()];
    for (const e of list) ecs.addComponent(e, make(7));
    return list;
  },
  bulk(ecs, cls, make) {
    const list = Array.from(ecs.addEntities(3));
    if (make(7) instanceof Health) ecs.addComponents(list, cls, () => make(7));
    else ecs.addComponents(list, cls, cls === Tag ? ({} as never) : ({ x: 7 } as never));
    return list;
  },
  spawn: (ecs, _cls, make) => [0, 1, 2].map(() => ecs.addEntity(make(7))),
};

describe.each(classes)("$kind", ({ kind, cls, make, read }) => {
  test.each(Object.keys(removals))(`A2 in onRemove the component can be read [${kind} %s]`, (removal) => {
    const ecs = world();
    const seen: number[] = [];
    const onRemove = (aspect: Aspect) => void seen.push(read(aspect.get(cls)));
    const { system } = counting(ecs, cls, "onRemove", { onRemove });
    const list = additions["single"]!(ecs, cls, make);
    removals[removal]!(ecs, list, cls, system);
    expect(seen).toEqual([7, 7, 7]);
  });

  test.each(Object.keys(additions))(`D5 an entity that becomes tracked is dirty [${kind} %s]`, (addition) => {
    const ecs = world();
    const { system } = counting(ecs, cls, "none");
    const list = additions[addition]!(ecs, cls, make);
    ecs.update();
    expect(system.lastRun).toEqual(list);
  });

  test.each(Object.keys(removals))(`D6 an entity that stops being tracked is not dirty [${kind} %s]`, (removal) => {
    const ecs = world();
    const { system } = counting(ecs, cls, "none");
    const list = additions["single"]!(ecs, cls, make);
    ecs.update();
    list.forEach((e) => ecs.get(e, cls).dirty());
    removals[removal]!(ecs, list.slice(0, 2), cls, system);
    expect(Array.from(system.dirty.ids)).toEqual(removal === "clear" || removal === "system" ? [] : [list[2]]);
  });

  test.each(["single", "bulk"])(`C1 replacing signals and calls nothing [${kind} %s]`, (form) => {
    const ecs = world();
    const { system, calls } = counting(ecs, cls, "both");
    const list = additions["single"]!(ecs, cls, make);
    const old = list.map((e) => ecs.get(e, cls));
    ecs.update();
    calls.onAdd = 0;
    if (form === "single") list.forEach((e) => void ecs.addComponent(e, make(8)));
    else if (cls === Health) ecs.addComponents(list, cls, () => make(8));
    else ecs.addComponents(list, cls, cls === Tag ? ({} as never) : ({ x: 8 } as never));
    ecs.update();
    expect(system.lastRun).toEqual(list);
    expect(calls).toEqual({ onAdd: 0, onRemove: 0 });
    for (const component of old) component.dirty();
    ecs.update();
    expect(system.lastRun).toEqual([]);
    expect(list.map((e) => read(ecs.get(e, cls)))).toEqual(cls === Tag ? [7, 7, 7] : [8, 8, 8]);
  });

  describe.each(["single", "bulk"])("%s", (form) => {
    const remove = removals[form === "bulk" ? "components" : "component"]!;

    test.each(callbacks)(`D2 removing a watched component signals for who still tracks [${kind} ${form} %s]`, (has) => {
      const ecs = world();
      const { system, calls } = counting(ecs, cls, has, { requires: [Other] });
      const list = additions["single"]!(ecs, cls, make);
      ecs.addComponents(list, Other);
      ecs.update();
      remove(ecs, list.slice(0, 2), cls, system);
      ecs.update();
      expect(system.lastRun).toEqual(list.slice(0, 2));
      expect(system.entities.size).toBe(3);
      expect(calls).toEqual({ onAdd: has === "onAdd" || has === "both" ? 3 : 0, onRemove: 0 });
    });

    test.each(callbacks)(`S9 an excluded component ends the tracking while it exists [${kind} ${form} %s]`, (has) => {
      const ecs = world();
      const { system, calls } = counting(ecs, cls, has, { requires: [Other], watches: [Other], excludes: [cls] });
      const list = Array.from(ecs.addEntities(3));
      ecs.addComponents(list, Other);
      ecs.update();
      const changed = list.slice(0, 2);
      if (form === "single") changed.forEach((e) => void ecs.addComponent(e, make(7)));
      else if (cls === Health) ecs.addComponents(changed, cls, () => make(7));
      else ecs.addComponents(changed, cls);
      expect(Array.from(system.entities.keys())).toEqual([list[2]]);
      remove(ecs, changed, cls, system);
      ecs.update();
      expect(Array.from(system.entities.keys()).sort()).toEqual(Array.from(list).sort());
      expect(system.lastRun).toEqual(changed);
      expect(calls.onAdd).toBe(has === "onAdd" || has === "both" ? 5 : 0);
      expect(calls.onRemove).toBe(has === "onRemove" || has === "both" ? 2 : 0);
    });
  });
});

describe.each(callbacks)("%s", (has) => {
  test.each(Object.keys(removals))(`A3 onRemove is called exactly once for each entity [${has} %s]`, (removal) => {
    const ecs = world();
    const { system, calls } = counting(ecs, Position, has);
    const list = additions["single"]!(ecs, Position, (n) => new Position({ x: n }));
    ecs.update();
    removals[removal]!(ecs, list.slice(0, 2), Position, system);
    const all = removal === "clear" || removal === "system";
    expect(calls.onAdd).toBe(has === "onAdd" || has === "both" ? 3 : 0);
    expect(calls.onRemove).toBe(has === "onRemove" || has === "both" ? (all ? 3 : 2) : 0);
    expect(system.entities.size).toBe(all ? 0 : 1);
    ecs.clear();
    expect(calls.onRemove).toBe(has === "onRemove" || has === "both" ? 3 : 0);
  });

  test(`E3 the order after removals does not depend on callbacks [${has}]`, () => {
    const ecs = world();
    const { system } = counting(ecs, Velocity, has, { requires: [Position] });
    const list = Array.from({ length: 12 }, () => ecs.addEntity(Packed, PackedTag, Position, Tag));
    ecs.update();
    for (const i of [3, 9, 1, 10, 11, 2]) ecs.removeEntity(list[i]!);
    ecs.update();
    const expected = [0, 8, 6, 7, 4, 5].map((i) => list[i]!);
    expect(Array.from(ecs.storage(Packed).entities)).toEqual(expected);
    expect(Array.from(ecs.storage(PackedTag).entities)).toEqual(expected);
    expect(Array.from(system.entities.keys())).toEqual(expected);
    const inOrderOfIndices = [0, 4, 5, 6, 7, 8].map((i) => list[i]!);
    expect([...ecs.storage(Position)]).toEqual(inOrderOfIndices);
    expect([...ecs.storage(Tag)]).toEqual(inOrderOfIndices);
  });

  test(`K1 what callbacks create during clear() is removed and not tracked [${has}]`, () => {
    const ecs = world();
    let created = 0;
    const prefab = ecs.prefab({ position: Position });
    const onRemove = () => {
      if (++created > 100) return;
      ecs.addEntity(Position);
      prefab.spawn();
      prefab.spawn(2);
      ecs.addComponent(ecs.addEntity(), Position);
      ecs.addComponents(ecs.addEntities(2), Position);
    };
    const { system } = counting(ecs, Position, has, { onRemove });
    ecs.addEntity(Position);
    ecs.update();
    ecs.clear();
    expect(created).toBe(has === "onRemove" || has === "both" ? 1 : 0);
    expect(ecs.count).toBe(0);
    expect(system.entities.size).toBe(0);
  });
});
