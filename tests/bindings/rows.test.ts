// Rules Q2 to Q4, Q7 and Q8: rows and cursors.
import { describe, expect, test } from "@jest/globals";
import { defineComponent, defineSystem, entityIndex, type ECS, type EcsError, type Entity, type Row } from "crateful";
import { seeds, times } from "./random.js";
import {
  EveryType,
  Health,
  Packed,
  Position,
  Tag,
  Velocity,
  add,
  entities,
  entity,
  expectError,
  growMemory,
  policies,
  positions,
  random,
  world,
} from "./world.js";

class Charge extends defineComponent("Charge", { amount: "i32" }) {}
class PackedCharge extends defineComponent("PackedCharge", { amount: "i32" }, { policy: "sparse" }) {}

describe("Q2 a row has", () => {
  test("the entity, cursors that read and write memory, and the objects of object components", () => {
    const ecs = world();
    const health = new Health(3);
    const e = entity(ecs, new Position({ x: 1, y: 2 }), new Velocity({ x: 4 }), health, new Tag());
    let rows = 0;
    for (const { entity: id, p, v, h, t } of ecs.query({ p: Position, v: Velocity, h: Health, t: Tag })) {
      expect([id, p.x, p.y, v.x, h, h.current]).toEqual([e, 1, 2, 4, health, 3]);
      p.x += v.x;
      v.y = 8;
      expect(t).toBeInstanceOf(Tag);
      rows += 1;
    }
    expect(rows).toBe(1);
    expect(ecs.getComponents(e).get(Position).x).toBe(5);
    expect(ecs.getComponents(e).get(Velocity).y).toBe(8);
  });
  test("cursors for fields of every type, which round as components do", () => {
    const ecs = world();
    const e = entity(ecs, new EveryType());
    const component = ecs.getComponents(e).get(EveryType);
    const { all } = ecs.query({ all: EveryType }).at(e)!;
    for (const [field, value] of Object.entries({ f32: 0.1, f64: 0.1, i8: 200, u8: 300, i16: 40000, u16: 70000 }))
      (all as unknown as Record<string, number>)[field] = value;
    all.i32 = 3e9;
    all.u32 = -1;
    all.bool = true;
    all.entity = e;
    const fields = ["f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "bool", "entity"] as const;
    expect(fields.map((field) => all[field])).toEqual([
      Math.fround(0.1),
      0.1,
      -56,
      44,
      -25536,
      4464,
      3e9 | 0,
      0xffffffff,
      true,
      e,
    ]);
    for (const field of fields) expect(component[field]).toBe(all[field]);
    expectError("BAD_ARGUMENT", () => (all.f32 = "1" as never));
    expectError("BAD_ARGUMENT", () => (all.bool = 1 as never));
    expectError("BAD_ARGUMENT", () => (all.entity = -1));
    expect(all.f32).toBe(Math.fround(0.1));
  });
  test("cursors that are instances of the component class, with its methods", () => {
    const ecs = world();
    entity(ecs, new EveryType({ f32: 1, f64: 2 }));
    const { all } = ecs.query({ all: EveryType }).first()!;
    expect(all).toBeInstanceOf(EveryType);
    expect(all.sum).toBe(3);
    const other = ecs.addEntity();
    expectError("BAD_ARGUMENT", () => ecs.addComponent(other, all)); // C5
  });
  test("undefined for an optional component that the entity does not have", () => {
    const ecs = world();
    const with_ = entity(ecs, new Position(), new Velocity({ x: 7 }), new Health(1));
    const without = entity(ecs, new Position());
    const query = ecs.query({ p: Position }, { optional: { v: Velocity, h: Health } });
    expect(Array.from(query, ({ entity: e, v, h }) => [e, v?.x, h?.current])).toEqual([
      [with_, 7, 1],
      [without, undefined, undefined],
    ]);
  });
});

test("Q2 the setter of a cursor signals if the value changes, as D2 says", () => {
  const ecs = world();
  const all = positions(ecs, 5);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  const run = (change: (p: Position, e: Entity) => void) => {
    for (const { entity: e, p } of ecs.query({ p: Position })) change(p, e);
    ecs.update();
    return system.lastRun!;
  };
  expect(run((p) => void (p.x += 0))).toEqual([]);
  expect(run((p) => void (p.y = NaN))).toEqual(all);
  expect(run((p) => void (p.y = NaN))).toEqual([]);
  expect(run((p, e) => void (e === all[2] && p.y++))).toEqual([]); // NaN + 1
  expect(run((p, e) => void (e === all[2] && p.x++))).toEqual([all[2]]);
  expect(run((p, e) => void (e === all[3] && p.dirty()))).toEqual([all[3]]);
  ecs.query({ p: Position }).at(all[4]!)!.p.x = 9;
  ecs.storage(Position).at(all[1]!)!.x = 9;
  ecs.update();
  expect(system.lastRun).toEqual([all[4], all[1]]);
});

describe("Q4 during an iteration", () => {
  test("the current entity can lose the component: using its cursor is an error", () => {
    const ecs = world();
    const all = positions(ecs, 4);
    let errors = 0;
    for (const { entity: e, p } of ecs.query({ p: Position })) {
      if (e === all[1]) {
        ecs.removeComponent(e, Position);
        const error = expectError("MISSING_COMPONENT", () => p.x);
        expect(error.message).toContain("Position");
        expectError("MISSING_COMPONENT", () => (p.x = 1));
        expectError("MISSING_COMPONENT", () => p.dirty());
        expectError("BAD_ARGUMENT", () => (p.x = "1" as never));
        errors += 1;
      } else {
        p.x += 100;
      }
    }
    expect(errors).toBe(1);
    expect([0, 2, 3].map((i) => ecs.getComponents(all[i]!).get(Position).x)).toEqual([100, 102, 103]);
  });
  test("it can lose the component in the removal of the entity, in clear(), and with bulk calls", () => {
    for (const remove of [
      (ecs: ECS, e: Entity) => (ecs.removeEntity(e), ecs.update()),
      (ecs: ECS) => ecs.clear(),
      (ecs: ECS, e: Entity) => ecs.removeComponents([e], Position),
      (ecs: ECS, e: Entity) => (ecs.removeEntities([e]), ecs.update()),
    ]) {
      const ecs = world();
      positions(ecs, 4);
      for (const { entity: e, p } of ecs.query({ p: Position })) {
        remove(ecs, e);
        expectError("MISSING_COMPONENT", () => p.x);
      }
      expect(ecs.count === 0 || ecs.storage(Position).count === 0).toBe(true);
    }
  });
  test.each([Packed, Position])("the cursor follows its value when others are removed: %p", (cls) => {
    const ecs = world();
    const all = Array.from(ecs.addEntities(10));
    ecs.addComponents(all, cls as typeof Position, { x: all.map((_, i) => i) });
    const seen: number[] = [];
    for (const { entity: e, c } of ecs.query({ c: cls as typeof Position })) {
      const i = all.indexOf(e);
      if (seen.length === 3) ecs.removeComponent(all[5]!, cls);
      if (seen.length > 0) ecs.removeComponent(all[seen.at(-1)!]!, cls); // the values of others move into its slot
      expect(c.x).toBe(i);
      c.y = i;
      expect(ecs.getComponents(e).get(cls as typeof Position).y).toBe(i);
      seen.push(i);
    }
    expect(seen.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9]);
  });
  test.each([
    [Packed as unknown as typeof Position, PackedCharge as unknown as typeof Charge],
    [Position, Charge],
  ])(
    "the order of one storage can have changed since an iteration found it equal to that of another: %p",
    (Place, Charge) => {
      const ecs = world();
      const all = positions(ecs, 20, Place);
      ecs.addComponents(all, Charge, { amount: all.map((_, i) => i) });
      const query = ecs.query({ p: Place, c: Charge });
      const values = () => Array.from(query, ({ p, c }) => [p.x, c.amount]);
      for (let i = 0; i < 3; i++) expect(values()).toEqual(all.map((_, k) => [k, k]));
      ecs.removeComponent(all[4]!, Charge);
      ecs.addComponent(all[4]!, Charge, { amount: 4 }); // as many as before
      expect(values().every(([x, amount]) => x === amount)).toBe(true);
      expect(values()).toHaveLength(20);
    },
  );
  test("of a list, a handle whose index another entity has now is skipped", () => {
    const ecs = world();
    const query = ecs.query({ p: Position });
    const stale = entity(ecs, new Position());
    ecs.removeEntity(stale);
    ecs.update();
    const e = entity(ecs, new Position());
    expect([ecs.alive(e), entityIndex(e)]).toEqual([true, entityIndex(stale)]);
    expect(entities(query.of([stale, e]))).toEqual([e]);
    expect([query.at(stale), query.has(stale)]).toEqual([undefined, false]);
  });
  test.each([0, 5, 18])("a loop over many ends when the ECS is disposed in row %i", (at) => {
    const ecs = world();
    positions(ecs, 20);
    const query = ecs.query({ p: Position });
    expect(entities(query)).toHaveLength(20);
    let rows = 0;
    for (const row of query) if (rows++ === at) expect([row.p.x, ecs.dispose()]).toEqual([at, undefined]);
    expect(rows).toBe(at + 1);
  });
  test("X2 the values and the memory can move", () => {
    const ecs = world();
    positions(ecs, 3);
    const at = ecs.query({ p: Position, v: Velocity });
    let i = 0;
    for (const { entity: e, p } of ecs.query({ p: Position })) {
      if (i > 2) break;
      ecs.addComponents(ecs.addEntities(300), Position, { x: 1000 });
      expect(p.x).toBe(i);
      growMemory(ecs);
      expect(p.x).toBe(i);
      p.x = 7 - i;
      expect(ecs.getComponents(e).get(Position).x).toBe(7 - i);
      i += 1;
    }
    expect(at.count).toBe(0);
  });
  test.each(policies)(
    "it can be left by break and by an exception; the next iteration starts again: %s",
    (policy, cls) => {
      const ecs = world();
      const all = positions(ecs, 5, cls);
      const query = ecs.query({ p: cls });
      for (let i = 0; i < 50; i++) {
        for (const { entity: e } of query) if (e === all[2]) break;
        expect(() => {
          for (const { entity: e } of query) if (e === all[1]) throw new Error("stop");
        }).toThrow("stop");
      }
      expect(entities(query)).toEqual(all);
      ecs.removeComponent(all[0]!, cls);
      expect(entities(query)).toEqual((policy === "sparse" ? [4, 1, 2, 3] : [1, 2, 3, 4]).map((i) => all[i]));
    },
  );
  test("iterators can be abandoned; those in progress are not affected", () => {
    const ecs = world();
    const all = positions(ecs, 5);
    const query = ecs.query({ p: Position });
    const iterators = Array.from({ length: 200 }, () => query[Symbol.iterator]());
    iterators.forEach((iterator, i) => {
      for (let k = 0; k <= i % 4; ++k) iterator.next();
    });
    expect(entities(query)).toEqual(all);
    expect(iterators.map((iterator) => iterator.next().value?.entity)).toEqual(
      iterators.map((_, i) => all[(i % 4) + 1]),
    );
  });
  test("M3 Q3 what is kept of rows writes to no memory when the world is disposed", () => {
    const other = world();
    other.addEntity(Velocity);
    const memory = () => new Uint32Array(other.storage(Velocity).columns.x.buffer);
    const filters = {
      optional: { velocity: Velocity, packed: Packed },
      parent: { above: Position, abovePacked: Packed },
    };
    const uses: ((row: Row<{ position: typeof Position }> & Record<string, { x: number } | undefined>) => unknown)[] = [
      (row) => row.position.x,
      (row) => (row.position.x = 3),
      (row) => row["velocity"]?.x,
      (row) => row["packed"]?.x,
      (row) => row["above"]?.x,
      (row) => row["abovePacked"]?.x,
    ];
    for (const use of uses) {
      const ecs = world();
      const [parent, child] = [...positions(ecs, 2)] as [Entity, Entity];
      ecs.addComponents([parent, child], Velocity);
      ecs.addComponents([parent, child], Packed);
      ecs.setParent(child, parent);
      let kept: unknown;
      for (const row of ecs.query({ position: Position }, filters)) kept = row;
      ecs.dispose();
      const before = memory().slice();
      try {
        use(kept as never);
      } catch (error) {
        expect((error as EcsError).code).toBe("MISSING_COMPONENT");
      }
      const after = memory();
      let changed = 0; // a loop, because these are megabytes
      for (let i = 0; i < after.length; ++i) if (after[i] !== before[i]) ++changed;
      expect(changed).toBe(0);
    }
  });

  test.each([
    ["the rows of a sparse class", (ecs: ECS) => ecs.query({ p: Packed })],
    ["the rows of a linear class", (ecs: ECS) => ecs.query({ p: Position })],
    [
      "the rows of two linear classes",
      (ecs: ECS) => ecs.query({ p: Position, v: Velocity }, { optional: { h: Health } }),
    ],
    ["the rows of all entities", (ecs: ECS) => ecs.query({}, { optional: { p: Position } })],
    ["the rows of a list", (ecs: ECS, all: Entity[]) => ecs.query({ p: Position }).of(all)],
    ["the rows of a Set", (ecs: ECS, all: Entity[]) => ecs.query({ p: Position }).of(new Set(all))],
  ])("M3 the world can be disposed: %s end, and cursors are detached", (_what, rowsOf) => {
    const ecs = world();
    const all = positions(ecs, 5);
    ecs.addComponents(all.slice(0, 4), Velocity);
    ecs.addComponents(all, Packed);
    let rows = 0;
    for (const row of rowsOf(ecs, all) as Iterable<Row<{}, { p: typeof Position }>>) {
      rows += 1;
      if (rows < 3) continue; // then it is in a stretch, if it has any
      const { p } = row;
      ecs.dispose();
      world(); // uses the freed memory
      if (row.p !== undefined) expectError("MISSING_COMPONENT", () => p!.x);
    }
    expect(rows).toBe(3);
  });
  test.each(
    policies.flatMap(([other, B]) => (["sparse", "linear"] as const).map((policy) => [policy, other, B] as const)),
  )("T4 an entity that is selected throughout is visited exactly once: %s and %s", (policy, _, B) => {
    class A extends defineComponent("A", { n: "u32" }, { policy }) {}
    for (let seed = 1; seed <= 60; ++seed) {
      const next = random(seed);
      const ecs = world();
      const all = Array.from(ecs.addEntities(24));
      ecs.addComponents(all, A, { n: all });
      ecs.addComponents(all.slice(0, 20), B);
      const query = ecs.query({ a: A, b: B });
      const visits = new Map<Entity, number>();
      const touched = new Set<Entity>();
      for (const { entity: e, a } of query) {
        visits.set(e, (visits.get(e) ?? 0) + 1);
        for (let k = next(3); k > 0; --k) {
          const other = all[next(24)]!;
          touched.add(other);
          if (next(2) === 0) ecs.removeComponent(other, next(2) === 0 ? A : B);
          else if (ecs.getComponents(other).has(A)) ecs.addComponent(other, new B());
        }
        if (ecs.getComponents(e).has(A)) expect(a.n).toBe(e);
        if ([...visits.values()].reduce((sum, n) => sum + n) > 500) break;
      }
      for (const e of all.slice(0, 20)) if (!touched.has(e)) expect([seed, e, visits.get(e)]).toEqual([seed, e, 1]);
    }
  });
});

test("Q7 iterations of one query can be nested, and each has its own row", () => {
  const ecs = world();
  const all = positions(ecs, 4);
  const query = ecs.query({ p: Position });
  const pairs: number[][] = [];
  for (const a of query) {
    for (const b of query) {
      expect(a).not.toBe(b);
      for (const c of query) if (c.entity === all[0]) break;
      pairs.push([a.p.x, b.p.x]);
    }
  }
  expect(pairs).toEqual([0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].map((b) => [a, b])));
});

test("Q7 nested iterations, with changes in between, agree with a Map in random steps", () => {
  const next = random(seeds(1)[0]!);
  const check = (actual: unknown, expected: unknown): void => {
    if (actual !== expected) throw new Error(`expected ${expected}, not ${actual}`); // `expect` is too slow for this
  };
  const ecs = world();
  const all = Array.from(ecs.addEntities(40));
  const query = ecs.query({ p: Position, t: Tag }, { without: [Health] });
  class Tagged extends defineSystem({ p: Position, t: Tag }, { ordered: true }) {
    override update() {}
  }
  const system = ecs.addSystem(0, new Tagged());
  const other = add(ecs, { requires: [Position, Tag, Velocity] }); // its entities are iterated in another order
  const stretched = ecs.query({ p: Position, t: Tag });
  ecs.update();
  const tracked = other.entities;
  const model = new Map<Entity, { x: number; healthy: boolean }>(); // those with Position and Tag
  const iterations: { visits: Map<Entity, number>; stayed: Set<Entity>; selects: (e: Entity) => boolean }[] = [];
  const changes: ((e: Entity) => unknown)[] = [
    (e) => ecs.addComponent(e, Position, { x: next(100) }),
    (e) => ecs.removeComponent(e, Position),
    (e) => ecs.addComponent(e, Tag),
    (e) => ecs.removeComponent(e, Tag),
    (e) => ecs.addComponent(e, new Health()),
    (e) => ecs.removeComponent(e, Health),
    (e) => ecs.addComponent(e, Velocity),
    (e) => ecs.removeComponent(e, Velocity),
  ];
  const change = (): void => {
    const e = all[next(40)]!;
    changes[next(8)]!(e);
    if (ecs.has(e, Position, Tag)) model.set(e, { x: ecs.get(e, Position).x, healthy: ecs.has(e, Health) });
    else model.delete(e);
    for (const iteration of iterations) if (!iteration.selects(e)) iteration.stayed.delete(e);
  };
  let steps = 0;
  const iterate = (depth: number): void => {
    const kind = next(4);
    const chosen = [query, stretched, system.rows, stretched][kind]!;
    const ofOther = kind === 3;
    const selects = (e: Entity) => chosen.has(e) && (!ofOther || ecs.has(e, Velocity));
    const stayed = new Set([...model.keys()].filter(selects));
    const visits = new Map<Entity, number>();
    iterations.push({ visits, stayed, selects });
    let complete = true;
    for (const row of ofOther ? chosen.of(tracked) : chosen) {
      const e = row.entity;
      steps += 1;
      visits.set(e, (visits.get(e) ?? 0) + 1);
      check(row.p.x, model.get(e)!.x);
      if (next(3) === 0) row.p.x = model.get(e)!.x = next(1000);
      if (next(4) === 0) change();
      if (depth < 3 && next(5) === 0) iterate(depth + 1);
      check(row.entity, e);
      if (model.has(e)) check(stayed.has(e) ? row.p.x : model.get(e)!.x, model.get(e)!.x);
      complete = next(40) !== 0;
      if (!complete) break;
    }
    iterations.pop();
    if (complete) for (const e of stayed) check(visits.get(e), 1);
  };
  while (steps < times(200_000)) {
    change();
    iterate(0);
  }
  expect(query.count).toBe([...model.values()].filter(({ healthy }) => !healthy).length);
});

test("Q7 an iterator that has ended does not move the row that another one uses now", () => {
  const ecs = world();
  const all = positions(ecs, 6);
  const query = ecs.query({ p: Position });
  const ended = query[Symbol.iterator]();
  for (let i = 0; i < 4; ++i) ended.next();
  ended.return!();
  const iterator = query[Symbol.iterator]();
  for (let i = 0; i < 3; ++i) iterator.next();
  expect(ended.next()).toEqual({ value: undefined, done: true });
  const { value: row } = iterator.next();
  expect([row!.entity, row!.p.x]).toEqual([all[3], 3]);
});
