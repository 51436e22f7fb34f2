import { describe, expect, test } from "@jest/globals";
import { Component, type Entity, type FieldType } from "crateful";
import {
  EveryType,
  Health,
  Packed,
  Position,
  Tag,
  Velocity,
  add,
  entity,
  expectError,
  kinds,
  positions,
  thrownBy,
  world,
} from "./world.js";

test("D1 a class without watchers queues no marks, and a system that watches nothing has an empty dirty set", () => {
  const ecs = world();
  const plain = add(ecs, {});
  const live = new Position();
  const e = entity(ecs, live, new Health());
  for (let i = 0; i < 10_000; ++i) {
    live.x = i;
    live.dirty();
    ecs.getComponents(e).get(Health).current = i;
  }
  ecs.update();
  expect(plain.lastRun).toEqual([]);
  const late = add(ecs, { requires: [Health], watches: [Health] });
  ecs.update();
  ecs.update();
  expect(late.lastRun).toEqual([]); // no earlier signal was kept
});

// For each field type: an initial value, values that are a change, and values that are none.
const changes: [FieldType, unknown, unknown[], unknown[]][] = [
  ["f32", 0.1, [0.2, NaN, 0.1000001], [0.1, Math.fround(0.1), 0.1 + 1e-12]],
  ["f32", NaN, [0], [NaN, 0 / 0]],
  ["f32", 0, [1e-30], [-0, 1e-60]],
  ["f64", 0.1, [0.1 + 1e-12, NaN], [0.1]],
  ["f64", NaN, [1], [NaN]],
  ["f32", 0, [1], [-0]],
  ["f64", 0, [1], [-0]],
  ["i8", -128, [127, 0], [-128, 128, -128.9, 2 ** 8 * 5 + 128]],
  ["u8", 255, [0, 256], [255, -1, 255.7]],
  ["i16", 5, [6], [5, 5.9, 65_536 + 5]],
  ["i32", 0, [1], [-0, -0.5]],
  ["u16", 0, [1], [0, 65_536, NaN]],
  ["i32", -1, [1], [-1, 2 ** 32 - 1]],
  ["u32", 2 ** 32 - 1, [0], [-1, 2 ** 32 - 1]],
  ["bool", false, [true], [false]],
  ["entity", 3, [4, 0xffffffff], [3]],
  ["string", "a", ["b", "", "a\0"], ["a"]],
  ["string", "\ufffd", ["\ufffd\ufffd"], ["\ud800", "\udc00"]],
];

describe.each(changes)("D2 a setter of a field of type %s with the value %p", (type, start, real, none) => {
  test.each(real.map((value) => [value]))("signals %p, which changes the stored value", (value) => {
    const [ecs, system, e, live] = ready(type, start);
    live[type] = value as never;
    ecs.update();
    expect(system.lastRun).toEqual([e]);
    live[type] = start as never;
    ecs.update();
    for (const { all } of ecs.query({ all: EveryType })) all[type] = value as never; // as a component's
    ecs.update();
    expect(system.lastRun).toEqual([e]);
  });
  test.each(none.map((value) => [value]))("does not signal %p, which changes nothing", (value) => {
    const [ecs, system, , live] = ready(type, start);
    live[type] = value as never;
    for (const { all } of ecs.query({ all: EveryType })) all[type] = value as never;
    ecs.update();
    expect(system.lastRun).toEqual([]);
  });
});

function ready(type: FieldType, start: unknown) {
  const ecs = world();
  const system = add(ecs, { requires: [EveryType], watches: [EveryType] });
  const live = new EveryType({ [type]: start });
  const e = entity(ecs, live);
  ecs.update();
  return [ecs, system, e, live] as const;
}

test.each(kinds)("D2 dirty() of a $kind component, adding and replacing signal", ({ cls, make }) => {
  const ecs = world();
  const system = add(ecs, { requires: [Tag], watches: [cls] });
  const e = entity(ecs, new Tag());
  ecs.update();
  const one = ecs.addComponent(e, make(1));
  ecs.update();
  expect(system.lastRun).toEqual([e]);
  ecs.update();
  expect(system.lastRun).toEqual([]);
  one.dirty();
  one.dirty();
  ecs.update();
  expect(system.lastRun).toEqual([e]);
  ecs.addComponent(e, make(1));
  ecs.update();
  expect(system.lastRun).toEqual([e]);
});

test.each(kinds)("D2 removing a watched $kind component from an entity that stays tracked signals", ({ cls, make }) => {
  const ecs = world();
  const e = entity(ecs, new Tag(), make(1));
  const system = add(ecs, { requires: [Tag], watches: [cls] });
  const deaf = add(ecs, { requires: [Tag], watches: [Tag] });
  ecs.update();
  ecs.removeComponent(e, cls);
  ecs.update();
  expect([system.lastRun, deaf.lastRun]).toEqual([[e], []]);
  ecs.removeComponent(e, cls); // the entity does not have one
  ecs.update();
  expect(system.lastRun).toEqual([]);
});

test.each([
  ["sparse", Packed],
  ["linear", Position],
] as const)("D2 writes to columns do not signal; markDirty signals for one entity or many (%s)", (_, either) => {
  const cls = either as typeof Position;
  const ecs = world();
  const all = ecs.addEntities(6);
  ecs.addComponents(all, cls);
  const system = add(ecs, { requires: [cls], watches: [cls] });
  ecs.update();
  const storage = ecs.storage(cls);
  storage.columns.x.fill(5);
  ecs.update();
  expect(system.lastRun).toEqual([]);
  storage.markDirty(all[4]!);
  storage.markDirty([all[2]!, all[0]!, all[4]!]);
  storage.markDirty(all.subarray(1, 2));
  storage.markDirty([]);
  ecs.update();
  expect(system.lastRun).toEqual([4, 2, 0, 1].map((i) => all[i]));
  ecs.update();
  expect(system.lastRun).toEqual([]);
});

test("D2 markDirty of a list marks no entity if one of them does not have the component", () => {
  const ecs = world();
  const [e, f] = positions(ecs, 2) as [Entity, Entity];
  const bare = ecs.addEntity();
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  const storage = ecs.storage(Position);
  expectError("MISSING_COMPONENT", () => storage.markDirty(bare));
  expectError("MISSING_COMPONENT", () => storage.markDirty([e, bare, f]));
  for (const bad of [undefined, null, "0", {}, true])
    expectError("BAD_ARGUMENT", () => storage.markDirty(bad as never));
  ecs.update();
  expect(system.lastRun).toEqual([]);
});

test("D2 assigning to a component that belongs to no entity does not signal", () => {
  const ecs = world();
  const [e] = positions(ecs, 1) as [Entity];
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  const plain = new Position();
  plain.x = 3;
  plain.dirty();
  const old = ecs.getComponents(e).get(Position);
  ecs.addComponents([e], Position);
  ecs.update();
  old.dirty();
  new Health().dirty();
  ecs.update();
  expect(system.lastRun).toEqual([]);
});

test("D2 no mark is lost, and their order is kept, when there are more than the queue can hold", () => {
  const ecs = world();
  const all = positions(ecs, 10_000);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  for (const e of all) ecs.getComponents(e).get(Position).y = 1;
  expect(system.dirty.size).toBe(10_000);
  for (const e of all) ecs.getComponents(e).get(Position).y = 2;
  ecs.update();
  expect(system.lastRun).toEqual(all);
});

test("D3 an entity becomes dirty for a system if and only if it watches the class and tracks the entity", () => {
  const ecs = world();
  const both = entity(ecs, new Position(), new Health());
  const lone = entity(ecs, new Health());
  const watcher = add(ecs, { requires: [Position], watches: [Health] });
  const requirer = add(ecs, { requires: [Position, Health], watches: [Position] });
  const healths = add(ecs, { requires: [Health], watches: [Health, Velocity] });
  ecs.update();
  ecs.getComponents(both).get(Health).current = 1;
  ecs.getComponents(lone).get(Health).current = 1;
  ecs.update();
  expect([watcher.lastRun, requirer.lastRun, healths.lastRun]).toEqual([[both], [], [both, lone]]);
  ecs.getComponents(both).get(Position).x = 1;
  ecs.update();
  expect([watcher.lastRun, requirer.lastRun, healths.lastRun]).toEqual([[], [both], []]);
});

test("D4 a disabled system keeps its dirty set", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  ecs.disableSystem(system);
  ecs.getComponents(all[2]!).get(Position).x = 9;
  ecs.update();
  ecs.getComponents(all[0]!).get(Position).x = 9;
  ecs.update();
  expect(system.runs).toHaveLength(1);
  ecs.enableSystem(system);
  ecs.update();
  expect(system.lastRun).toEqual([all[2], all[0]]);
});

test("D4 a paused system keeps its dirty set, also when the delta is 0", () => {
  const ecs = world();
  const all = positions(ecs, 2);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  ecs.paused = true;
  ecs.getComponents(all[1]!).get(Position).x = 9;
  ecs.update();
  ecs.paused = false;
  ecs.update(0);
  ecs.getComponents(all[0]!).get(Position).x = 9;
  expect(system.runs).toHaveLength(1);
  ecs.update();
  expect(system.lastRun).toEqual([all[1], all[0]]);
});

test("D4 a throwing system keeps its dirty set, with what it marked before it threw", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  const failure = new Error("failure");
  let fail = true;
  const system = add(ecs, {
    watches: [Position],
    update(_, __, dirty) {
      for (const e of dirty) {
        if (!fail) continue;
        ecs.getComponents(all[2]!).get(Position).x = 77;
        if (e === all[1]) throw failure;
      }
    },
  });
  expect(thrownBy(() => ecs.update())).toBe(failure);
  expect(thrownBy(() => ecs.update())).toBe(failure);
  expect(system.runs).toEqual([all, all]);
  fail = false;
  ecs.update();
  ecs.update();
  expect(system.runs.slice(2)).toEqual([all, []]);
});

test("D5 a newly tracked entity is dirty for a watching system, whatever it watches", () => {
  const ecs = world();
  const system = add(ecs, { requires: [Position, Tag], watches: [Health] });
  const e = entity(ecs, new Position());
  ecs.update();
  ecs.addComponent(e, new Tag());
  ecs.update();
  expect(system.runs).toEqual([[], [e]]);
});

test("D5 for a system that is added late, all entities are dirty in its first update, in the order of the storage", () => {
  const ecs = world();
  const all = positions(ecs, 5);
  ecs.update();
  const late = add(ecs, { watches: [Position] });
  const deaf = add(ecs, {});
  ecs.update();
  expect([late.lastRun, deaf.lastRun, deaf.entities.size]).toEqual([all, [], 5]);
});

test("D6 an entity that is no longer tracked is removed from the dirty set immediately", () => {
  const ecs = world();
  const [a, b, c] = positions(ecs, 3) as [Entity, Entity, Entity];
  const system = add(ecs, { requires: [Position, Tag], watches: [Position] });
  ecs.update();
  ecs.addComponents([a, b, c], Tag);
  expect([system.dirty.size, system.dirty.has(b)]).toEqual([3, true]);
  ecs.removeComponent(b, Tag);
  expect([system.dirty.size, system.dirty.has(b), [...system.dirty]]).toEqual([2, false, [a, c]]);
  ecs.addComponent(b, new Tag());
  expect([...system.dirty]).toEqual([a, c, b]);
  ecs.removeEntity(a);
  expect(system.dirty.has(a)).toBe(true);
  ecs.disableSystem(system);
  ecs.update();
  expect([...system.dirty].sort((x, y) => x - y)).toEqual([b, c]);
  ecs.clear();
  expect([system.dirty.size, [...system.dirty]]).toEqual([0, []]);
});

test("D6 a mark that is still queued when the entity stops being tracked has no effect", () => {
  const ecs = world();
  const [a, b] = positions(ecs, 2) as [Entity, Entity];
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  ecs.getComponents(a).get(Position).x = 5;
  ecs.getComponents(b).get(Position).x = 5;
  ecs.removeComponent(a, Position);
  ecs.addComponent(a, new Velocity());
  ecs.update();
  expect(system.lastRun).toEqual([b]);
});

test("D8 a change by an earlier system is visible in the same frame, a change by a later system in the next frame", () => {
  const ecs = world();
  const [e] = positions(ecs, 1) as [Entity];
  let change = false;
  const move = () => {
    if (change) ecs.getComponents(e).get(Position).x += 1;
  };
  const first = add(ecs, { watches: [Position] }, -1);
  add(ecs, { update: move }, 0);
  const last = add(ecs, { watches: [Position] }, 1);
  ecs.update();
  change = true;
  ecs.update();
  change = false;
  ecs.update();
  ecs.update();
  expect(first.runs).toEqual([[e], [], [e], []]);
  expect(last.runs).toEqual([[e], [e], [], []]);
});

test("D9 the order is that of the first signal, of any kind and class", () => {
  const ecs = world();
  const all = Array.from(ecs.addEntities(6));
  for (const e of all)
    ecs.addComponent(e, new Position()), ecs.addComponent(e, new Velocity()), ecs.addComponent(e, new Health());
  const watched = [Position, Velocity, Health, Tag];
  const system = add(ecs, { watches: watched });
  ecs.update();
  const at = (i: number) => ecs.getComponents(all[i]!);
  at(3).get(Velocity).x = 1; // a setter
  at(5).get(Health).dirty(); // a signal of an object component
  at(3).get(Position).x = 1; // already in the set
  ecs.storage(Position).markDirty([all[1]!, all[5]!]); // in bulk
  at(4).get(Position).y = 2;
  ecs.addComponent(all[0]!, new Tag()); // adding a component
  at(2).get(Health).current = 3;
  at(0).get(Position).x = 8;
  ecs.update();
  expect(system.lastRun).toEqual([3, 5, 1, 4, 0, 2].map((i) => all[i]));
});

test("D9 a removal moves the last element into the gap", () => {
  const ecs = world();
  const all = positions(ecs, 5);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  for (const e of all) ecs.getComponents(e).get(Position).dirty();
  ecs.removeComponent(all[1]!, Position);
  ecs.update();
  expect(system.lastRun).toEqual([0, 4, 2, 3].map((i) => all[i]));
});

test("D9 reading the size, testing membership, reading ids and iterating clear nothing, inside or outside an update", () => {
  const ecs = world();
  const all = positions(ecs, 4);
  const counts: unknown[] = [];
  const system = add(ecs, {
    watches: [Position],
    update: (_, __, dirty) =>
      counts.push([dirty.size, [...dirty].length, dirty.has(all[0]!), dirty.ids.length, [...dirty].length]),
  });
  ecs.update();
  expect(counts).toEqual([[4, 4, true, 4, 4]]);
  ecs.getComponents(all[1]!).get(Position).x = 100;
  for (let i = 0; i < 3; ++i)
    expect([[...system.dirty], system.dirty.size, system.dirty.has(all[1]!)]).toEqual([[all[1]], 1, true]);
  ecs.update();
  expect(system.lastRun).toEqual([all[1]]);
});

test("D9 every way of reading the set includes all signals made before", () => {
  const ecs = world();
  const [e] = positions(ecs, 1) as [Entity];
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  const live = ecs.getComponents(e).get(Position);
  const readers: (() => unknown)[] = [
    () => system.dirty.size,
    () => system.dirty.has(e),
    () => system.dirty.ids.length,
    () => [...system.dirty].length,
    () => [...system.dirty.entries()].length,
  ];
  for (const read of readers) {
    live.x += 1;
    expect(Number(read())).toBe(1);
    ecs.update();
    expect(Number(read())).toBe(0);
  }
});

test("D10 in a frame without changes no callback but update is called", () => {
  const ecs = world();
  const calls: string[] = [];
  const note = (what: string) => () => void calls.push(what);
  const system = add(ecs, {
    watches: [Position],
    onAdd: note("add"),
    onRemove: note("remove"),
    update: (_, __, dirty) => {
      for (const _e of dirty) calls.push("dirty");
    },
  });
  const all = positions(ecs, 30_000);
  ecs.update();
  calls.length = 0;
  for (let i = 0; i < 100; ++i) ecs.update();
  expect(calls).toEqual([]);
  ecs.getComponents(all[29_999]!).get(Position).x = -1;
  ecs.update();
  expect([calls, system.lastRun]).toEqual([["dirty"], [all[29_999]]]);
});

test("D10 repeated signals of one component count once until the set is cleared", () => {
  const ecs = world();
  const [e, f] = positions(ecs, 2) as [Entity, Entity];
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  const live = ecs.getComponents(f).get(Position);
  for (let i = 0; i < 100_000; ++i) live.x = i + 5;
  ecs.getComponents(e).get(Position).x = 1;
  ecs.update();
  expect(system.lastRun).toEqual([f, e]);
});

test("D11 a system that is onlyWhenDirty is not called while its set is empty", () => {
  const ecs = world();
  const calm = add(ecs, { watches: [Position], onlyWhenDirty: true });
  const debug = add(ecs, { watches: [Position], onlyWhenDirty: true, debug: true });
  ecs.update();
  expect(calm.runs).toEqual([]);
  const [e] = positions(ecs, 1) as [Entity];
  for (let i = 0; i < 3; ++i) ecs.update();
  expect(calm.runs).toEqual([[e]]);
  ecs.getComponents(e).get(Position).x = 4;
  ecs.paused = true;
  ecs.update();
  expect([calm.runs, debug.runs]).toEqual([[[e]], [[e], [e]]]);
  ecs.paused = false;
  ecs.update();
  expect(calm.runs).toEqual([[e], [e]]);
});

test("D11 a signal of an earlier system is enough for the update to be called in the same frame", () => {
  const ecs = world();
  const [e] = positions(ecs, 1) as [Entity];
  add(ecs, { update: () => void (ecs.getComponents(e).get(Position).x += 1) }, 0);
  const calm = add(ecs, { watches: [Position], onlyWhenDirty: true }, 1);
  ecs.update();
  ecs.update();
  expect(calm.runs).toEqual([[e], [e]]);
});

test("D2 an object component decides itself when it signals", () => {
  class Quiet extends Component {
    value = 0;
  }
  const ecs = world();
  const e = entity(ecs, new Quiet());
  const system = add(ecs, { requires: [Quiet], watches: [Quiet] });
  ecs.update();
  ecs.getComponents(e).get(Quiet).value = 5;
  ecs.update();
  expect(system.lastRun).toEqual([]);
});
