import { expect, test } from "@jest/globals";
import { defineComponent, entityIndex, type ECS, type Entity, type Runs } from "crateful";
import {
  Health,
  Packed,
  Position,
  Tag,
  Velocity,
  add,
  entity,
  expectError,
  positions,
  random,
  world,
} from "./world.js";

const fields = { amount: "i32", owner: "entity" } as const;
class Charge extends defineComponent("Charge", fields) {}
class PackedCharge extends defineComponent("PackedCharge", fields, { policy: "sparse" }) {}
const policies = [
  ["sparse", Packed as unknown as typeof Position, PackedCharge as unknown as typeof Charge],
  ["linear", Position, Charge],
] as const;

/** The entities of all runs. Checks that every class has them in the slots of the run. */
function entitiesOf(ecs: ECS, runs: Runs, ...classes: (typeof Position | typeof Charge)[]): Entity[] {
  return runs.list.flatMap(({ count, starts }) => {
    const lists = classes.map((cls, j) =>
      Array.from(ecs.storage(cls as typeof Position).entities.subarray(starts[j], starts[j]! + count)),
    );
    for (const list of lists) expect(list).toEqual(lists[0]);
    return lists[0]!;
  });
}

test.each(policies)(
  "T1 runs contain each entity that has all the classes once, as ranges of slots (%s)",
  (_, place, charge) => {
    const ecs = world();
    const all = positions(ecs, 40, place);
    const some = Array.from(all).filter((_, i) => i % 8 !== 3);
    ecs.addComponents(some, charge);
    const runs = ecs.runs(place, charge);
    expect(entitiesOf(ecs, runs, place, charge)).toEqual(some);
    expect(runs.list.length).toBe(6); // a run ends where an entity does not have one of the components
    ecs.addComponents(
      Array.from(all).filter((e) => !some.includes(e)),
      charge,
    );
    expect(entitiesOf(ecs, runs, place, charge).sort((a, b) => a - b)).toEqual(Array.from(all));
  },
);

test.each(policies)(
  "T1 runs are computed again only after a component was added or removed (%s)",
  (policy, place, charge) => {
    const ecs = world();
    const all = positions(ecs, 10, place);
    ecs.addComponents(all, charge);
    const runs = ecs.runs(charge, place);
    const before = runs.list;
    const first = policy === "sparse" ? 0 : entityIndex(all[0]!);
    expect(before).toEqual([{ count: 10, starts: [first, first] }]);
    ecs.getComponents(all[0]!).get(place).x = 9;
    ecs.addComponents(all, Tag);
    expect(runs.list).toBe(before);
    (before[0] as { count: number }).count = -1; // a search would overwrite it
    expect(runs.list[0]!.count).toBe(-1);
    ecs.removeComponent(all[2]!, charge);
    expect(entitiesOf(ecs, runs, charge, place).sort((a, b) => a - b)).toEqual(
      Array.from(all).filter((_, i) => i !== 2),
    );
    ecs.removeEntity(all[5]!);
    ecs.update();
    expect(entitiesOf(ecs, runs, charge, place)).not.toContain(all[5]);
    ecs.clear();
    expect(runs.list).toEqual([]);
  },
);

test.each(policies)(
  "T1 runs are complete and as long as possible after any additions and removals (%s)",
  (_, place, charge) => {
    class Third extends defineComponent("Third", { x: "f32", y: "f32" }, { policy: "linear" }) {}
    const ecs = world();
    const next = random(3);
    const all = Array.from(ecs.addEntities(60));
    const classes = [place, charge, Third] as const;
    for (const cls of classes) ecs.addComponents(all, cls as typeof Position);
    const runs = ecs.runs(...classes);
    for (let round = 0; round < 400; round++) {
      for (let k = next(3); k >= 0; k--) {
        const cls = classes[next(3)] as typeof Position;
        const e = all[next(all.length)]!;
        if (!ecs.removeComponent(e, cls)) ecs.addComponent(e, cls);
      }
      const found = entitiesOf(ecs, runs, ...(classes as unknown as (typeof Position)[]));
      expect(found.sort((a, b) => a - b)).toEqual(all.filter((e) => ecs.has(e, ...classes)));
      const adjacent = runs.list.filter((after, i) => {
        const before = runs.list[i - 1];
        return before && after.starts.every((start, k) => start === before.starts[k]! + before.count);
      });
      expect(adjacent).toEqual([]);
    }
  },
);

test("T1 runs end with the mask of each class, whatever memory contains behind it", () => {
  const ecs = world();
  const all = Array.from(ecs.addEntities(300));
  ecs.addComponents(all.slice(0, 63), Position); // the last one has the index 63, so its mask is two words
  ecs.addComponents(all.slice(61, 70), Velocity);
  const { buffer, byteOffset, byteLength } = ecs.storage(Position).mask;
  expect(byteLength).toBe(8);
  const behind = new Uint32Array(buffer, byteOffset + byteLength, 1);
  const [before = 0] = behind;
  behind[0] = 2 ** 32 - 1;
  const found = entitiesOf(ecs, ecs.runs(Position, Velocity), Position, Velocity as unknown as typeof Position);
  behind[0] = before;
  expect(found).toEqual([all[61], all[62]]);
});

test("T2 runs accept classes of both policies", () => {
  const ecs = world();
  const all = positions(ecs, 20, Packed);
  const some = Array.from(all).filter((_, i) => i !== 7);
  ecs.addComponents(some, Velocity, { x: some });
  expect(ecs.runs(Velocity, Packed).list).toEqual([
    { count: 7, starts: [1, 0] }, // the index of the first entity is 1
    { count: 12, starts: [9, 8] },
  ]);
});

test("M3 X1 runs without classes, or of a disposed world, are errors", () => {
  const ecs = world();
  expectError("BAD_ARGUMENT", () => (ecs.runs as () => unknown)());
  expectError("BAD_ARGUMENT", () => ecs.runs(Date as never));
  const runs = ecs.runs(Position);
  ecs.dispose();
  expectError("DISPOSED", () => runs.list);
});

test.each([Packed, Position, Velocity])(
  "T1 slots returns the slots of many entities, in the order of the list (%p)",
  (cls) => {
    const ecs = world();
    const all = Array.from(positions(ecs, 30));
    ecs.removeComponents(all, Position);
    const some = all.filter((_, i) => i % 3 === 0);
    ecs.addComponents(some, cls as typeof Position, { x: some });
    const storage = ecs.storage(cls as typeof Position);
    ecs.removeComponent(some[1]!, cls);
    const rest = some.filter((_, i) => i !== 1).reverse();
    expect(Array.from(storage.slots(rest), (at) => storage.columns.x[at])).toEqual(rest);
    expect(Array.from(storage.slots(Uint32Array.from(rest)))).toEqual(rest.map((e) => storage.slot(e)));
    expect(storage.slots([])).toHaveLength(0);
    expect(expectError("MISSING_COMPONENT", () => storage.slots(some)).message).toContain(`entity ${some[1]}`);
    expectError("STALE_ENTITY", () => storage.slots([rest[0]!, 12345]));
    for (const bad of ["1", null, {}, 1n]) expectError("BAD_ARGUMENT", () => storage.slots([rest[0]!, bad as never]));
  },
);

test("E1 entityIndex is the slot in linear columns", () => {
  const ecs = world();
  const old = ecs.addEntities(3_000);
  ecs.removeEntities(old);
  ecs.update();
  const e = ecs.addEntities(1_500)[1_400]!;
  expect(e).toBeGreaterThan(2 ** 22); // a second generation
  ecs.addComponent(e, new Velocity({ x: 5 }));
  expect(ecs.storage(Velocity).slot(e)).toBe(entityIndex(e));
});

test("C1 C3 a component added from plain values behaves like any other", () => {
  const ecs = world();
  const e = ecs.addEntity();
  ecs.addComponent(e, Position, { x: 1.5 });
  expect(ecs.addComponent(e, Charge)).toBeUndefined();
  const charge = ecs.getComponents(e).get(Charge);
  expect([charge.amount, charge.owner]).toEqual([0, 0xffffffff]);
  expect([ecs.getComponents(e).get(Position).x, ecs.getComponents(e).get(Position).y]).toEqual([1.5, 0]);
  ecs.addComponent(e, Charge, { amount: 7 }); // replaces: the old object is detached
  expectError("MISSING_COMPONENT", () => charge.amount);
  expect(ecs.getComponents(e).get(Charge).amount).toBe(7);
  ecs.addComponent(e, Tag);
  expect(ecs.getComponents(e).has(Tag, Charge)).toBe(true);
  expect(expectError("STALE_ENTITY", () => ecs.addComponent(77, Charge)).message).toContain("addComponent");
  expectError("BAD_ARGUMENT", () => ecs.addComponent(e, Health as never));
});

test("D2 D5 a component added from plain values signals", () => {
  const ecs = world();
  const system = add(ecs, { requires: [Charge], watches: [Charge] });
  const e = entity(ecs, new Position());
  ecs.addComponent(e, Charge, { amount: 1 });
  ecs.update();
  expect(system.lastRun).toEqual([e]);
  ecs.addComponent(e, Charge, { amount: 1 });
  ecs.update();
  expect(system.lastRun).toEqual([e]);
  ecs.update();
  expect(system.lastRun).toEqual([]);
});
