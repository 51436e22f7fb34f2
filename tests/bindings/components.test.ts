import { expect, test } from "@jest/globals";
import { Component, defineComponent, type ComponentClass, type Entity } from "crateful";
import { Health, Position, Tag, Velocity, add, entity, expectError, kinds, positions, world } from "./world.js";

test.each(kinds)(
  "C1 adding a second component of the same $kind class replaces the first, which is detached",
  ({ cls, make, read }) => {
    const ecs = world();
    const calls: string[] = [];
    const system = add(ecs, {
      requires: [cls],
      watches: [cls],
      onAdd: () => calls.push("add"),
      onRemove: () => calls.push("remove"),
    });
    const first = make(1);
    const e = entity(ecs, first);
    const aspect = (ecs.update(), system.entities.get(e)!);
    const second = make(2);
    expect(ecs.addComponent(e, second)).toBe(second);
    ecs.update();
    expect(system.lastRun).toEqual([e]); // the new one signals
    expect(ecs.getComponents(e).get(cls)).toBe(second);
    expect(read(aspect.get(cls))).toBe(2);
    expect(system.entities.get(e)).toBe(aspect);
    first.dirty();
    ecs.update();
    expect(system.lastRun).toEqual([]);
    expect(calls).toEqual(["add"]);
    expect(ecs.storage(cls).count).toBe(1);
  },
);

test("C1 using a stored component that was replaced is an error", () => {
  const ecs = world();
  const first = new Position({ x: 1 });
  const e = entity(ecs, first);
  ecs.addComponents([e], Position, { x: 2 });
  expectError("MISSING_COMPONENT", () => first.x);
  expectError("MISSING_COMPONENT", () => (first.x = 3));
  expect(ecs.getComponents(e).get(Position).x).toBe(2);
});

test("C1 adding the object that the entity has already signals and replaces nothing", () => {
  const ecs = world();
  const position = new Position({ x: 1 });
  const health = new Health();
  const e = entity(ecs, position, health);
  const system = add(ecs, { watches: [Position] });
  const healths = add(ecs, { requires: [Health], watches: [Health] });
  ecs.update();
  ecs.update();
  ecs.addComponent(e, position);
  ecs.addComponent(e, health);
  ecs.update();
  expect([system.lastRun, healths.lastRun]).toEqual([[e], [e]]);
  expect([position.x, ecs.getComponents(e).get(Position) === position]).toEqual([1, true]);
});

test("C1 classes with the same name or base class are different classes", () => {
  class One extends defineComponent("Same", { n: "u8" }) {}
  class Two extends defineComponent("Same", { n: "u8" }) {}
  class Heir extends One {}
  class Mana extends Health {}
  const ecs = world();
  const e = entity(ecs, new One({ n: 1 }), new Two({ n: 2 }), new Heir({ n: 3 }), new Health(4), new Mana(5));
  const components = ecs.getComponents(e);
  expect([One, Two, Heir].map((cls) => components.get(cls).n)).toEqual([1, 2, 3]);
  expect([Health, Mana].map((cls) => components.get(cls).current)).toEqual([4, 5]);
  ecs.removeComponent(e, One);
  ecs.removeComponent(e, Health);
  expect([One, Two, Heir, Health, Mana].map((cls) => components.has(cls))).toEqual([false, true, true, false, true]);
});

test.each(kinds)("C2 removeComponent returns whether the entity had a $kind component", ({ cls, make }) => {
  const ecs = world();
  const e = entity(ecs, make(1));
  const bare = ecs.addEntity();
  expect([ecs.removeComponent(e, cls), ecs.removeComponent(e, cls), ecs.removeComponent(bare, cls)]).toEqual([
    true,
    false,
    false,
  ]);
  class Unused extends defineComponent("Unused") {}
  expect(ecs.removeComponent(e, Unused)).toBe(false);
});

test.each(kinds)("C2 of several entities, $kind components are removed in the order of the list", ({ cls, make }) => {
  for (const notified of [false, true]) {
    const ecs = world();
    const removed: Entity[] = [];
    if (notified) add(ecs, { requires: [cls], onRemove: ({ entity: e }) => removed.push(e) });
    const all = Array.from(ecs.addEntities(8));
    for (const e of all) ecs.addComponent(e, make(1));
    const list = [6, 1, 1, 4].map((i) => all[i]!);
    expect(ecs.removeComponents(list, cls)).toBe(3);
    expect(removed).toEqual(notified ? [all[6], all[1], all[4]] : []);
    const rest = cls === Velocity ? [0, 2, 3, 5, 7] : [0, 7, 2, 3, 5]; // as after one removal after the other
    expect(Array.from(ecs.storage(cls))).toEqual(rest.map((i) => all[i]));
  }
});

test("C2 removeComponent works on an entity with a pending removal", () => {
  const ecs = world();
  const e = entity(ecs, new Position());
  ecs.removeEntity(e);
  expect(ecs.removeComponent(e, Position)).toBe(true);
  ecs.addComponent(e, new Health(3));
  expect(ecs.getComponents(e).get(Health).current).toBe(3);
  ecs.update();
  expect(ecs.count).toBe(0);
});

test("C3 stored, object and tag components share one API", () => {
  const ecs = world();
  const e = entity(ecs, new Position({ x: 1 }), new Velocity({ y: 2 }), new Health(3), new Tag());
  const system = add(ecs, { requires: [Position, Velocity, Health, Tag], watches: [Tag, Health] });
  ecs.update();
  const aspect = system.entities.get(e)!;
  expect([aspect.get(Position).x, aspect.get(Velocity).y, aspect.get(Health).current]).toEqual([1, 2, 3]);
  expect(aspect.get(Tag)).toBeInstanceOf(Tag);
  aspect.get(Tag).dirty();
  ecs.update();
  expect(system.lastRun).toEqual([e]);
  for (const cls of [Position, Velocity, Health, Tag]) {
    expect(aspect.get(cls as ComponentClass)).toBeInstanceOf(cls);
    expect(ecs.removeComponent(e, cls)).toBe(true);
  }
  expect(system.entities.size).toBe(0);
});

test("C3 a class without fields is a tag and needs no storage for values", () => {
  const ecs = world();
  class Empty extends defineComponent("Empty", {}) {}
  const all = ecs.addEntities(5_000);
  ecs.addComponents(all, Tag);
  ecs.addComponents(all, Empty, {});
  ecs.addComponents(all, Position);
  const bytes = new Map(ecs.memoryReport().map((r) => [r.name, r.bytes]));
  expect(Object.keys(ecs.storage(Tag).columns)).toEqual([]);
  expect(bytes.get("Empty")).toBe(bytes.get("Tag"));
  expect(bytes.get("Position")! - bytes.get("Tag")!).toBeGreaterThanOrEqual(5_000 * 8);
});

test("C4 more than 128 component classes work in storages and systems", () => {
  const ecs = world();
  const classes = Array.from({ length: 150 }, (_, i) =>
    i % 3 === 0
      ? class extends Component {
          n = i;
        }
      : class extends defineComponent(`Class${i}`, { n: "u16" }) {},
  );
  const make = (i: number) => Object.assign(new (classes[i] as new () => Component & { n: number })(), { n: i });
  const all = Array.from(ecs.addEntities(150));
  all.forEach((e, i) => {
    ecs.addComponent(e, make(i));
    ecs.addComponent(e, make((i + 75) % 150));
  });
  const late = add(ecs, { requires: [classes[149]!, classes[74]!], watches: [classes[148]!, classes[149]!] });
  ecs.update();
  expect(late.lastRun).toEqual([all[74], all[149]]);
  for (const [i, e] of all.entries()) {
    const view = ecs.getComponents(e);
    expect(classes.filter((cls) => view.has(cls))).toEqual(
      [i, (i + 75) % 150].sort((a, b) => a - b).map((k) => classes[k]),
    );
    expect((view.get(classes[i]!) as Component & { n: number }).n).toBe(i);
  }
  ecs.removeComponent(all[74]!, classes[149]!);
  expect([...late.entities.keys()]).toEqual([all[149]]);
  expect(ecs.memoryReport()).toHaveLength(150);
});

test("C4 a class can be used for the first time when thousands of entities exist", () => {
  const ecs = world();
  const all = positions(ecs, 3_000);
  for (let i = 0; i < 70; ++i) {
    const cls = class extends defineComponent(`Late${i}`, { n: "i32" }) {};
    ecs.addComponents(all.slice(i, i + 2), cls, { n: i });
    expect(ecs.getComponents(all[i + 1]!).get(cls).n).toBe(i);
    expect(ecs.getComponents(all[i + 2]!).has(cls)).toBe(false);
  }
  expect(all.every((e) => ecs.getComponents(e).has(Position))).toBe(true);
});

test.each(kinds)("C5 a $kind component that belongs to one entity can't be added to another", ({ cls, make, read }) => {
  const ecs = world();
  const component = make(7);
  const e = entity(ecs, component);
  const f = entity(ecs, make(8));
  expect(expectError("BAD_ARGUMENT", () => ecs.addComponent(f, component)).message).toContain(cls.name);
  expect([read(ecs.getComponents(e).get(cls)), read(ecs.getComponents(f).get(cls))]).toEqual([7, 8]);
  const other = world();
  const g = other.addEntity();
  expectError("BAD_ARGUMENT", () => other.addComponent(g, component));
  expect(other.getComponents(g).has(cls)).toBe(false);
  expect(read(component)).toBe(7);
});

test("C6 has, get and tryGet agree on which components an entity has", () => {
  const ecs = world();
  const position = new Position({ x: 4 });
  const e = entity(ecs, position, new Health());
  const view = ecs.getComponents(e);
  expect(ecs.getComponents(e)).toBe(view);
  expect(view.get(Position)).toBe(position);
  expect(view.tryGet(Position)).toBe(position);
  expect(view.tryGet(Velocity)).toBeUndefined();
  const error = expectError("MISSING_COMPONENT", () => view.get(Velocity));
  expect(error.message).toContain("Velocity");
  expect(error.message).toContain(`entity ${e}`);
  expect([
    view.has(),
    view.has(Position),
    view.has(Position, Health),
    view.has(Position, Tag),
    view.has(Velocity),
  ]).toEqual([true, true, true, false, false]);
});

test("C6 reading never adds a storage, a signal or a component", () => {
  const ecs = world();
  const e = entity(ecs, new Position());
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  ecs.update();
  class Unused extends defineComponent("Unused", { n: "f64" }) {}
  const view = ecs.getComponents(e);
  view.has(Unused);
  view.tryGet(Unused);
  expect(view.get(Position).x).toBe(0);
  ecs.update();
  expect(system.lastRun).toEqual([]);
  expect(ecs.memoryReport().map((r) => r.name)).toEqual(["Position"]);
});

test("C6 every look-up of a component returns the same object, also of one that was added without an object", () => {
  const ecs = world();
  const e = ecs.addEntity();
  ecs.addComponents([e], Position, { x: 1 });
  const system = add(ecs, {});
  ecs.update();
  const first = ecs.getComponents(e).get(Position);
  expect(first).toBeInstanceOf(Position);
  positions(ecs, 5_000);
  expect(ecs.getComponents(e).get(Position)).toBe(first);
  expect(system.entities.get(e)!.get(Position)).toBe(first);
  expect(ecs.getComponents(e).tryGet(Position)).toBe(first);
});

test("C6 getComponents of a stale handle is an error after its index was reused", () => {
  const ecs = world();
  const old = entity(ecs, new Position({ x: 1 }));
  const view = ecs.getComponents(old);
  ecs.removeEntity(old);
  ecs.update();
  const fresh: Entity = entity(ecs, new Position({ x: 2 }));
  expect(fresh & 0x3fffff).toBe(old);
  expectError("STALE_ENTITY", () => view.get(Position));
  expect(ecs.getComponents(fresh).get(Position).x).toBe(2);
  expect([view.has(Position), view.tryGet(Position)]).toEqual([false, undefined]);
});

test("C6 ecs.get, tryGet and has are short forms", () => {
  const ecs = world();
  const position = new Position({ x: 3 });
  const e = entity(ecs, position, new Tag());
  expect(ecs.get(e, Position)).toBe(position);
  expect(ecs.tryGet(e, Position)).toBe(position);
  expect(ecs.tryGet(e, Health)).toBeUndefined();
  expect(ecs.has(e, Position, Tag)).toBe(true);
  expect(ecs.has(e, Position, Health)).toBe(false);
  expect(ecs.has(e)).toBe(true);
  expectError("MISSING_COMPONENT", () => ecs.get(e, Health));
  expectError("STALE_ENTITY", () => ecs.get(77, Position));
  for (const call of [ecs.get, ecs.tryGet, ecs.has] as ((e: Entity, cls: typeof Position) => unknown)[]) {
    expectError("BAD_ARGUMENT", () => call.call(ecs, e, 5 as never));
    expectError("BAD_ARGUMENT", () => call.call(ecs, e, Component as never));
  }
  ecs.dispose();
  for (const call of [ecs.get, ecs.tryGet, ecs.has] as ((e: Entity, cls: typeof Position) => unknown)[])
    expectError("DISPOSED", () => call.call(ecs, e, Position));
});
