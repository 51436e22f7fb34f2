import { expect, test } from "@jest/globals";
import { EcsError, NONE, defineComponent, type ComponentClass, type ECS, type Entity } from "crateful";
import {
  Health,
  Position,
  Tag,
  Velocity,
  add,
  entities,
  entity,
  expectError,
  positions,
  values,
  world,
} from "./world.js";

const INDEX_BITS = 22;
const indexOf = (e: Entity) => e & ((1 << INDEX_BITS) - 1);
const generationOf = (e: Entity) => e >>> INDEX_BITS;

test("E1 an entity is a plain non-negative number of 32 bits, with 22 bits of index", () => {
  const ecs = world();
  const all = [ecs.addEntity(), ...ecs.addEntities(3), ecs.addEntity()];
  expect(all.map((e) => e >>> 0)).toEqual(all);
  expect(all.map(indexOf)).toEqual([1, 2, 3, 4, 5]); // 0 is the world
  expect(all.map(generationOf)).toEqual([0, 0, 0, 0, 0]);
});

test("E1 a handle with a high generation is a non-negative number in every call", () => {
  const ecs = world();
  // The handle of an index that was used 513 times has its top bit set.
  let e = ecs.addEntity();
  while (generationOf(e) < 512) {
    ecs.removeEntity(e);
    ecs.update();
    e = ecs.addEntity();
  }
  expect(e).toBe(2 ** 31 + 1);
  const notified: Entity[] = [];
  const system = add(ecs, {
    requires: [Health, Position],
    watches: [Position],
    onAdd: (aspect) => notified.push(aspect.entity),
    onRemove: (aspect) => notified.push(aspect.entity),
  });
  ecs.addComponent(e, new Position({ x: 3 }));
  ecs.addComponent(e, new Health());
  ecs.update();
  expect(system.lastRun).toEqual([e]);
  expect([...system.entities.keys()]).toEqual([e]);
  expect([system.entities.has(e), system.entities.has(e | 0)]).toEqual([true, false]);
  expect(ecs.getComponents(e).get(Position).x).toBe(3);
  expect(ecs.alive(e | 0)).toBe(false);
  ecs.removeEntity(e);
  ecs.update();
  expect(notified).toEqual([e, e]);
});

test("E2 addEntity is immediate, also inside an update", () => {
  const ecs = world();
  let alive = false;
  entity(ecs, new Position());
  add(ecs, { update: () => (alive = ecs.alive(ecs.addEntity())) });
  ecs.update();
  expect(alive).toBe(true);
  expect(ecs.count).toBe(2);
});

test("E2 the index that was freed last is reused first, with the next generation", () => {
  const ecs = world();
  const [a, b, c] = Array.from(ecs.addEntities(3)) as [Entity, Entity, Entity];
  ecs.removeEntities([c, a]);
  expect(indexOf(ecs.addEntity())).toBe(4); // they exist until the end of the update
  ecs.update();
  const again = Array.from({ length: 3 }, () => ecs.addEntity());
  expect(again.map((e) => [indexOf(e), generationOf(e)])).toEqual([
    [indexOf(a), 1],
    [indexOf(c), 1],
    [indexOf(c) + 2, 0],
  ]);
  expect([a, b, c].map((e) => ecs.alive(e))).toEqual([false, true, false]);
});

test("E2 no handle is ever issued twice", () => {
  const ecs = world();
  const issued = new Set<Entity>();
  for (let round = 0; round < 20; ++round) {
    const some = ecs.addEntities(700);
    for (const e of some) issued.add(e);
    ecs.removeEntities(some);
    ecs.update();
  }
  expect(issued.size).toBe(20 * 700);
});

test("E3 removeEntity marks; entities are removed at the end of the update, in the order of marking, each once", () => {
  const ecs = world();
  const removed: Entity[] = [];
  const [a, b, c] = positions(ecs, 3) as [Entity, Entity, Entity];
  const early = add(ecs, { onRemove: ({ entity: e }) => removed.push(e), update: () => ecs.removeEntity(a) }, 0);
  const late = add(ecs, { update: (_, entities) => void late.runs.push([...entities.keys()]) }, 1);
  expect([ecs.removeEntity(c), ecs.removeEntity(c)]).toEqual([true, false]);
  expect([ecs.removeEntities([c, b, c]), ecs.removeEntities([b]), ecs.removeEntities([])]).toEqual([1, 0, 0]);
  expect([ecs.count, ecs.alive(c)]).toEqual([3, true]);
  ecs.update();
  expect(removed).toEqual([c, b, a]);
  expect(late.lastRun).toEqual([a, b, c]); // the entities existed until every system had run
  expect([ecs.count, early.entities.size]).toEqual([0, 0]);
});

test("E3 removals requested during the removal phase are performed in the same phase", () => {
  const ecs = world();
  const all = positions(ecs, 5);
  const removed: Entity[] = [];
  add(ecs, {
    onRemove: ({ entity: e }) => {
      removed.push(e);
      const next = all[all.indexOf(e) + 1];
      if (next !== undefined) ecs.removeEntity(next);
    },
  });
  ecs.removeEntity(all[0]!);
  ecs.update();
  expect(removed).toEqual(all);
  expect(ecs.count).toBe(0);
});

test("E3 removals requested between updates are performed in the next update, also while paused", () => {
  const ecs = world();
  const e = entity(ecs, new Position());
  ecs.paused = true;
  ecs.removeEntity(e);
  expect(ecs.alive(e)).toBe(true);
  ecs.update();
  expect(ecs.alive(e)).toBe(false);
});

test("E4 alive and count include an entity until it is removed", () => {
  const ecs = world();
  const [a, b] = positions(ecs, 2) as [Entity, Entity];
  let during: unknown;
  add(ecs, {
    onRemove: ({ entity: e }) => (during = [ecs.alive(e), ecs.count, ecs.getComponents(e).has(Position)]),
  });
  ecs.removeEntity(b);
  ecs.update();
  expect(during).toEqual([true, 2, true]);
  expect([ecs.alive(a), ecs.alive(b), ecs.count]).toEqual([true, false, 1]);
});

const invented: unknown[] = [
  -1,
  1.5,
  2 ** 32,
  2 ** 32 + 1,
  2 ** 53,
  NaN,
  Infinity,
  NONE,
  12345,
  1 << 22,
  "0",
  undefined,
  null,
  {},
  true,
  0n,
];

test("E4 alive is false for every value that is not an entity", () => {
  const ecs = world();
  ecs.addEntities(2);
  expect(invented.map((e) => ecs.alive(e as Entity))).toEqual(invented.map(() => false));
});

test("E5 look-ups accept any handle, and find nothing for one that is not alive", () => {
  const ecs = world();
  const kinds: ComponentClass[] = [Position, Velocity, Tag, Health];
  const stale = ecs.addEntity(Position, Velocity, Tag, Health);
  const child = entity(ecs);
  ecs.setParent(child, stale);
  const query = ecs.query({ position: Position });
  const view = ecs.getComponents(stale);
  ecs.removeEntity(stale);
  ecs.update();
  // Two entities with the indices of those that were removed.
  const used = [0, 1].map(() => ecs.addEntity(Position, Velocity, Tag, Health));
  for (const e of used) ecs.setParent(entity(ecs), e);
  expect(used.map(indexOf).sort()).toEqual([stale, child].map(indexOf).sort());
  for (const e of [stale, child, NONE, 4_000_000, -1, 1.5, Number.NaN]) {
    for (const cls of kinds) expect([ecs.has(e, cls), ecs.tryGet(e, cls)]).toEqual([false, undefined]);
    expect([ecs.has(e), ecs.parent(e)]).toEqual([false, NONE]);
    expect([...ecs.children(e)]).toEqual([]);
    expect([query.at(e), query.has(e), [...query.of([e])]]).toEqual([undefined, false, []]);
  }
  for (const cls of kinds) expect([view.tryGet(cls), view.has(cls)]).toEqual([undefined, false]);
  expectError("STALE_ENTITY", () => view.get(Position));
  for (const call of [
    () => ecs.has("1" as never, Position),
    () => ecs.tryGet(undefined as never, Health),
    () => ecs.parent(null as never),
    () => ecs.children({} as never),
  ])
    expectError("BAD_ARGUMENT", call);
  expect(() => ecs.get(stale, Position)).toThrow("get: entity 1 (index 1, generation 0) is not alive");
  expect(() => ecs.has("1" as never, Position)).toThrow('has: an entity must be a number, not "1"');
});

test("E5 every other call with a stale handle is an error that changes nothing", () => {
  const ecs = world();
  const stale = entity(ecs, new Position(), new Health());
  const other = entity(ecs, new Position({ x: 5 }), new Health());
  const view = ecs.getComponents(stale);
  ecs.removeEntity(stale);
  ecs.update();
  const position = new Position({ x: 1 });
  const calls: (() => unknown)[] = [
    () => ecs.removeEntity(stale),
    () => ecs.removeEntities([other, stale]),
    () => ecs.addComponent(stale, position),
    () => ecs.addComponents([other, stale], Position, { x: 9 }),
    () => ecs.addComponents([other, stale], Health, () => new Health(1)),
    () => ecs.removeComponent(stale, Position),
    () => ecs.removeComponents([other, stale], Position),
    () => ecs.getComponents(stale),
    () => ecs.get(stale, Position),
    () => view.get(Position),
    () => ecs.storage(Position).slot(stale),
    () => ecs.storage(Position).markDirty(stale),
    () => ecs.storage(Position).markDirty([other, stale]),
  ];
  for (const call of calls) {
    const error = expectError("STALE_ENTITY", call);
    expect(error.message).toContain(String(stale));
  }
  ecs.update();
  expect([ecs.count, ecs.alive(other), ecs.getComponents(other).get(Position).x]).toEqual([1, true, 5]);
  expect(ecs.getComponents(other).get(Health).current).toBe(10);
  ecs.addComponent(other, position); // still a plain value that belongs to no entity
  expect(position.x).toBe(1);
});

test("E5 every other call with a handle that was never issued is an error that changes nothing", () => {
  const ecs = world();
  const e = entity(ecs, new Position({ x: 5 }));
  for (const bad of invented) {
    const code = typeof bad === "number" ? "STALE_ENTITY" : "BAD_ARGUMENT";
    const handle = bad as Entity;
    expectError(code, () => ecs.removeEntity(handle));
    expectError(code, () => ecs.removeEntities([e, handle]));
    expectError(code, () => ecs.addComponent(handle, new Position()));
    expectError(code, () => ecs.addComponents([e, handle], Position, { x: 1 }));
    expectError(code, () => ecs.addComponents([e, handle], Health, [new Health(), new Health()]));
    expectError(code, () => ecs.removeComponent(handle, Position));
    expectError(code, () => ecs.removeComponents([e, handle], Position));
    expectError(code, () => ecs.getComponents(handle));
    expectError(code, () => ecs.storage(Position).slot(handle));
    expectError(code, () => ecs.storage(Position).markDirty([e, handle]));
  }
  ecs.update();
  expect([ecs.count, ecs.alive(e), ecs.getComponents(e).get(Position).x]).toEqual([1, true, 5]);
  expect(ecs.getComponents(e).has(Health)).toBe(false);
});

test("E2 a handle with the last generation of an index has only the components of its entity", () => {
  const ecs = world();
  const [e, other] = Array.from(ecs.addEntities(2)) as [Entity, Entity];
  ecs.addComponent(other, new Position());
  for (const handle of [e, other]) {
    const last = (handle | 0xffc00000) >>> 0;
    expectError("STALE_ENTITY", () => ecs.storage(Position).slot(last));
    expect(ecs.query({ p: Position }).at(last)).toBeUndefined();
    expect(entities(ecs.query({ p: Position }).of([last]))).toEqual([]);
  }
});

test("E6 NONE is never an entity, and is the initial value of an entity field", () => {
  class Target extends defineComponent("Target", { at: "entity", since: "f32" }) {}
  const ecs = world();
  expect(NONE).toBe(0xffffffff);
  expect(ecs.alive(NONE)).toBe(false);
  const e = entity(ecs, new Target());
  const [f, g] = Array.from(ecs.addEntities(2)) as [Entity, Entity];
  ecs.addComponents([f, g], Target, { since: 1 });
  expect([e, f, g].map((x) => ecs.getComponents(x).get(Target).at)).toEqual([NONE, NONE, NONE]);
  ecs.getComponents(e).get(Target).at = g;
  expect(ecs.getComponents(e).get(Target).at).toBe(g);
  expect(values(ecs, Target, "at")).toEqual([g, NONE, NONE]);
});

test("E7 thousands of entities are created, get components, lose them and are removed in one crossing each", () => {
  const ecs = world();
  const removed: Entity[] = [];
  const system = add(ecs, { watches: [Position], onRemove: ({ entity: e }) => removed.push(e) });
  const all = ecs.addEntities(20_000);
  expect(all).toBeInstanceOf(Uint32Array);
  expect(new Set(all).size).toBe(20_000);
  ecs.addComponents(all, Position, { x: Float32Array.from(all, (_, i) => i), y: 7 });
  ecs.addComponents(all, Tag);
  ecs.update();
  expect(system.lastRun).toEqual(Array.from(all));
  const sample = ecs.getComponents(all[12_345]!).get(Position);
  expect([sample.x, sample.y]).toEqual([12_345, 7]);
  const half = all.slice(0, 10_000);
  expect(ecs.removeComponents(half, Position)).toBe(10_000);
  expect(ecs.removeComponents(half, Position)).toBe(0);
  expect(removed).toEqual(Array.from(half));
  ecs.removeEntities(all);
  ecs.update();
  expect([ecs.count, removed.length]).toEqual([0, 20_000]);
});

test("E7 bulk calls accept arrays and typed arrays, also empty ones", () => {
  const ecs = world();
  expect(ecs.addEntities(0)).toHaveLength(0);
  const all = ecs.addEntities(4);
  ecs.addComponents([], Position);
  ecs.addComponents({ length: 2, 0: all[0]!, 1: all[1]! }, Position, { x: { length: 2, 0: 1, 1: 2 } });
  ecs.addComponents(all.subarray(2), Position, { x: [3, 4] });
  expect(Array.from(all, (e) => ecs.getComponents(e).get(Position).x)).toEqual([1, 2, 3, 4]);
  expect(ecs.removeComponents([], Position)).toBe(0);
  ecs.removeEntities([]);
  ecs.update();
  expect(ecs.count).toBe(4);
});

test("E7 the first calls of a world may have empty lists", () => {
  for (const call of [
    (ecs: ECS) => ecs.addComponents([], Position),
    (ecs: ECS) => ecs.addComponents([], Health, []),
    (ecs: ECS) => ecs.removeEntities([]),
    (ecs: ECS) => ecs.removeComponents([], Tag),
    (ecs: ECS) => ecs.storage(Position).markDirty([]),
    (ecs: ECS) => ecs.addEntities(0),
  ])
    call(world());
});

test("E7 a bulk call with an invalid entity changes nothing", () => {
  const ecs = world();
  const all = ecs.addEntities(3);
  expectError("BAD_ARGUMENT", () => ecs.addComponents(all, Position, { x: [1, 2] }));
  expectError("BAD_ARGUMENT", () => ecs.addComponents(all, Position, { x: [1, 2, "3" as never] }));
  expectError("BAD_ARGUMENT", () => ecs.addComponents(all, Position, { z: 1 } as never));
  expectError("BAD_ARGUMENT", () => ecs.addComponents(all, Health, [new Health()]));
  expectError("BAD_ARGUMENT", () => ecs.addComponents(all, Health));
  expectError("STALE_ENTITY", () => ecs.removeEntities([all[0]!, all[1]!, 99]));
  ecs.update();
  expect([ecs.count, ecs.storage(Position).count, ecs.storage(Health).count]).toEqual([3, 0, 0]);
});

test("E7 X1 the error for an entity that is not alive names the call and the class", () => {
  const ecs = world();
  const [e, stale] = positions(ecs, 2);
  ecs.removeEntity(stale!);
  ecs.update();
  const text = "entity 2 (index 2, generation 0) is not alive";
  for (const list of [
    [e!, stale!],
    [stale!, e!],
  ]) {
    const calls: [() => unknown, string][] = [
      [() => ecs.addComponents(list, Velocity), "addComponents of Velocity"],
      [() => ecs.addComponents(Uint32Array.from(list), Velocity, { x: 1 }), "addComponents of Velocity"],
      [() => ecs.addComponents(list, Health, () => new Health()), "addComponents of Health"],
      [() => ecs.removeComponents(list, Position), "removeComponents of Position"],
      [() => ecs.removeComponents(Uint32Array.from(list), Position), "removeComponents of Position"],
    ];
    for (const [call, of] of calls) expect(expectError("STALE_ENTITY", call).message).toBe(`${of}: ${text}`);
  }
});

test("E7 an entity that is in the list twice gets the last of its components, of every kind", () => {
  const ecs = world();
  const system = add(ecs, { requires: [Health], watches: [Health] });
  const [e, f] = Array.from(ecs.addEntities(2)) as [Entity, Entity];
  ecs.addComponents([e, f, e], Position, { x: [1, 2, 3] });
  const [first, second, third] = [new Health(1), new Health(2), new Health(3)];
  ecs.addComponents([e, f, e], Health, [first, second, third]);
  expect(ecs.getComponents(e).get(Position).x).toBe(3);
  expect(ecs.getComponents(e).get(Health)).toBe(third);
  expect(ecs.getComponents(f).get(Health)).toBe(second);
  ecs.update();
  expect(new Set(system.lastRun)).toEqual(new Set([e, f]));
  first.dirty(); // replaced
  ecs.update();
  expect(system.lastRun).toEqual([]);
  third.dirty();
  ecs.update();
  expect(system.lastRun).toEqual([e]);
});

test("E7 requesting more entities than an ECS can have is an error that changes nothing", () => {
  const ecs = world();
  for (const n of [2 ** 22, 2 ** 30, 2 ** 32, 2 ** 32 + 5, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
    expectError("OUT_OF_MEMORY", () => ecs.addEntities(n));
  }
  for (const n of [-1, 1.5, NaN, Infinity, "3", undefined, null]) {
    expectError("BAD_ARGUMENT", () => ecs.addEntities(n as number));
  }
  expect(ecs.count).toBe(0);
});

test("E5 has() without classes says whether the entity is alive", () => {
  const ecs = world();
  const e = entity(ecs);
  const components = ecs.getComponents(e);
  expect([components.has(), ecs.has(e)]).toEqual([true, true]);
  ecs.removeEntity(e);
  ecs.removeMarked();
  expect([components.has(), ecs.has(e)]).toEqual([false, false]);
});

test.each([2 ** 29, 2 ** 30 - 5, 2 ** 30, 2 ** 32 - 1])(
  "X1 a list of %d entities is an error that damages nothing",
  (length) => {
    const ecs = world();
    const list: Entity[] = [];
    list.length = length;
    for (const call of [
      () => ecs.addComponents(list, Position),
      () => ecs.removeComponents(list, Position),
      () => ecs.removeEntities(list),
      () => ecs.storage(Position).markDirty(list),
    ])
      expect(call).toThrow(EcsError);
    const other = world();
    expect(other.addEntity(Position)).toBe(1);
  },
);
