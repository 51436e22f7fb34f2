// Rules Q1 to Q8: queries, rows and cursors.
import { describe, expect, test } from "@jest/globals";
import { Component, type Query, defineComponent, type ECS, type Entity, type Row } from "crateful";
import {
  Health,
  Position,
  Tag,
  Velocity,
  add,
  entity,
  expectError,
  growMemory,
  positions,
  random,
  world,
} from "./world.js";

class Frozen extends defineComponent("Frozen") {}
class All extends defineComponent("All", {
  f32: "f32",
  f64: "f64",
  i8: "i8",
  u8: "u8",
  i16: "i16",
  u16: "u16",
  i32: "i32",
  u32: "u32",
  bool: "bool",
  entity: "entity",
}) {
  get sum(): number {
    return this.f32 + this.f64;
  }
}
const entities = (rows: Iterable<Row<{}>>) => Array.from(rows, (row) => row.entity);

describe("Q1 a query selects", () => {
  function mixed() {
    const ecs = world();
    const all = Array.from(ecs.addEntities(32));
    all.forEach((e, i) => {
      if (i & 1) ecs.addComponent(e, new Position({ x: i }));
      if (i & 2) ecs.addComponent(e, new Velocity({ x: i }));
      if (i & 4) ecs.addComponent(e, new Health(i));
      if (i & 8) ecs.addComponent(e, new Tag());
      if (i & 16) ecs.addComponent(e, new Frozen());
    });
    return { ecs, all, where: (holds: (i: number) => unknown) => all.filter((_, i) => holds(i)) };
  }
  const sorted = (query: Query) => {
    const list = entities(query).sort((a, b) => a - b);
    expect(query.count).toBe(list.length);
    expect(Array.from(query.ids()).sort((a, b) => a - b)).toEqual(list);
    return list;
  };

  test("the entities with all required components, of any kind", () => {
    const { ecs, where } = mixed();
    expect(sorted(ecs.query({ p: Position }))).toEqual(where((i) => i & 1));
    expect(sorted(ecs.query({ v: Velocity }))).toEqual(where((i) => i & 2));
    expect(sorted(ecs.query({ h: Health }))).toEqual(where((i) => i & 4));
    expect(sorted(ecs.query({ p: Position, v: Velocity, h: Health, t: Tag }))).toEqual(where((i) => (i & 15) === 15));
  });
  test("those without some components", () => {
    const { ecs, where } = mixed();
    expect(sorted(ecs.query({ p: Position }, { without: [Frozen, Health] }))).toEqual(
      where((i) => i & 1 && !(i & 16) && !(i & 4)),
    );
  });
  test("those with any of some components", () => {
    const { ecs, where } = mixed();
    expect(sorted(ecs.query({ p: Position }, { any: [Frozen, Velocity] }))).toEqual(where((i) => i & 1 && i & 18));
  });
  test("among all entities, if no class is required", () => {
    const { ecs, all, where } = mixed();
    expect(sorted(ecs.query({}))).toEqual(all);
    expect(sorted(ecs.query({}, { any: [Tag, Health], without: [Position] }))).toEqual(
      where((i) => i & 12 && !(i & 1)),
    );
    ecs.removeEntity(all[3]!);
    ecs.update();
    expect(ecs.query({}).count).toBe(31);
    expect(ecs.query({}).has(all[3]!)).toBe(false);
    expect(ecs.query({}).at(all[3]!)).toBeUndefined();
  });
  test("entities as they are now, although it was created before", () => {
    const ecs = world();
    const query = ecs.query({ position: Position });
    expect(query.count).toBe(0);
    const e = entity(ecs, new Position());
    expect(entities(query)).toEqual([e]);
    ecs.removeComponent(e, Position);
    expect(entities(query)).toEqual([]);
  });
  test("the same as an equal query, which is the same object", () => {
    const ecs = world();
    const make = () =>
      ecs.query({ p: Position, v: Velocity }, { without: [Tag], any: [Health], optional: { f: Frozen } });
    expect(make()).toBe(make());
    const others = [
      ecs.query({ p: Position, v: Velocity }),
      ecs.query({ v: Position, p: Velocity }),
      ecs.query({ p: Position }, { optional: { v: Velocity } }),
      ecs.query({ p: Position, v: Velocity }, { without: [Tag] }),
      ecs.query({ p: Position, v: Velocity }, { any: [Tag] }),
    ];
    expect(new Set<unknown>([make(), ...others]).size).toBe(6);
    expect(world().query({ p: Position })).not.toBe(ecs.query({ p: Position }));
  });
  test("nothing if its arguments are invalid: X1 an error says why", () => {
    const ecs = world();
    expectError("BAD_ARGUMENT", () => ecs.query(5 as never));
    expectError("BAD_ARGUMENT", () => ecs.query({ p: 5 as never }));
    expectError("BAD_ARGUMENT", () => ecs.query({ p: new Position() as never }));
    expectError("BAD_ARGUMENT", () => ecs.query({ p: Position }, { without: [Object as never] }));
    for (const value of [5, null, "a", [Position]]) {
      expectError("BAD_ARGUMENT", () => ecs.query(value as never));
      expectError("BAD_ARGUMENT", () => ecs.query({ p: Position }, value as never));
      expectError("BAD_ARGUMENT", () => ecs.query({ p: Position }, { optional: value as never }));
    }
    for (const value of [5, null, "a", Position, [5]]) {
      expectError("BAD_ARGUMENT", () => ecs.query({ p: Position }, { without: value as never }));
      expectError("BAD_ARGUMENT", () => ecs.query({ p: Position }, { any: value as never }));
    }
    expectError("BAD_ARGUMENT", () => ecs.query({ entity: Position }));
    expectError("BAD_ARGUMENT", () => ecs.query({ p: Position }, { optional: { p: Velocity } }));
    expectError("BAD_ARGUMENT", () => ecs.query({ p: Position }).of(5 as never));
    const query = ecs.query({ p: Position });
    ecs.dispose();
    expectError("DISPOSED", () => [...query]);
    expectError("DISPOSED", () => query.at(0));
    expectError("DISPOSED", () => ecs.query({ p: Position }));
  });
});

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
    const e = entity(ecs, new All());
    const component = ecs.getComponents(e).get(All);
    const { all } = ecs.query({ all: All }).at(e)!;
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
    entity(ecs, new All({ f32: 1, f64: 2 }));
    const { all } = ecs.query({ all: All }).first()!;
    expect(all).toBeInstanceOf(All);
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

test("Q3 rows and cursors are used again", () => {
  const ecs = world();
  positions(ecs, 3);
  const query = ecs.query({ p: Position });
  const seen = Array.from(query, (row) => ({ row, p: row.p }));
  expect(new Set(seen.map(({ row }) => row)).size).toBe(1);
  expect(new Set(seen.map(({ p }) => p)).size).toBe(1);
  for (const row of query) expect(row).toBe(seen[0]!.row);
});

test("Q3 a cursor that is used too late accesses values of its class only", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  const late: Position[] = [];
  for (const { p } of ecs.query({ p: Position })) late.push(p);
  ecs.addComponents(ecs.addEntities(10_000), Position); // its columns move
  growMemory(ecs);
  late[0]!.x = 77;
  expect(all.map((e) => ecs.get(e, Position).x)).toContain(77);
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
  test("a component that was added again is not found by the cursor of the old one", () => {
    const ecs = world();
    const all = positions(ecs, 12);
    let rows = 0;
    for (const { entity: e, p } of ecs.query({ p: Position })) {
      if (++rows === 6) break; // components that are added again are visited again
      ecs.removeComponent(e, Position);
      ecs.addComponent(e, new Position({ x: 50 }));
      expectError("MISSING_COMPONENT", () => p.x);
      const other = all[10]!;
      ecs.removeComponent(other, Position);
      ecs.addComponent(other, new Position());
      expectError("MISSING_COMPONENT", () => p.x);
    }
  });
  test.each([Position, Velocity])("the cursor follows its value when others are removed: %p", (cls) => {
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
      p.x = -i;
      expect(ecs.getComponents(e).get(Position).x).toBe(-i);
      i += 1;
    }
    expect(at.count).toBe(0);
  });
  test("it can be left by break and by an exception; the next iteration starts again", () => {
    const ecs = world();
    const all = positions(ecs, 5);
    const query = ecs.query({ p: Position });
    for (let i = 0; i < 50; i++) {
      for (const { entity: e } of query) if (e === all[2]) break;
      expect(() => {
        for (const { entity: e } of query) if (e === all[1]) throw new Error("stop");
      }).toThrow("stop");
    }
    expect(entities(query)).toEqual(all);
    ecs.removeComponent(all[0]!, Position);
    expect(entities(query)).toEqual([all[4], all[1], all[2], all[3]]);
  });
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
  test.each([
    ["the rows of a sparse class", (ecs: ECS) => ecs.query({ p: Position })],
    ["the rows of a linear class", (ecs: ECS) => ecs.query({ p: Position, v: Velocity }, { optional: { h: Health } })],
    ["the rows of all entities", (ecs: ECS) => ecs.query({}, { optional: { p: Position } })],
    ["the rows of a list", (ecs: ECS, all: Entity[]) => ecs.query({ p: Position }).of(all)],
    ["the rows of a Set", (ecs: ECS, all: Entity[]) => ecs.query({ p: Position }).of(new Set(all))],
  ])("M3 the world can be disposed: %s end, and cursors are detached", (_what, rowsOf) => {
    const ecs = world();
    const all = positions(ecs, 5);
    ecs.addComponents(all.slice(0, 4), Velocity);
    let rows = 0;
    for (const row of rowsOf(ecs, all) as Iterable<Row<{}, { p: typeof Position }>>) {
      rows += 1;
      const { p } = row;
      ecs.dispose();
      world(); // uses the freed memory
      if (row.p !== undefined) expectError("MISSING_COMPONENT", () => p!.x);
    }
    expect(rows).toBe(1);
  });
  test.each(["sparse", "linear"])("T4 an entity that is selected throughout is visited exactly once: %s", (policy) => {
    class A extends defineComponent("A", { n: "u32" }, { policy: policy as "sparse" }) {}
    for (let seed = 1; seed <= 60; ++seed) {
      const next = random(seed);
      const ecs = world();
      const all = Array.from(ecs.addEntities(24));
      ecs.addComponents(all, A, { n: all });
      ecs.addComponents(all.slice(0, 20), Position);
      const query = ecs.query({ a: A, p: Position });
      const visits = new Map<Entity, number>();
      const touched = new Set<Entity>();
      for (const { entity: e, a } of query) {
        visits.set(e, (visits.get(e) ?? 0) + 1);
        for (let k = next(3); k > 0; --k) {
          const other = all[next(24)]!;
          touched.add(other);
          if (next(2) === 0) ecs.removeComponent(other, next(2) === 0 ? A : Position);
          else if (ecs.getComponents(other).has(A)) ecs.addComponent(other, new Position());
        }
        if (ecs.getComponents(e).has(A)) expect(a.n).toBe(e);
        if ([...visits.values()].reduce((sum, n) => sum + n) > 500) break;
      }
      for (const e of all.slice(0, 20)) if (!touched.has(e)) expect([seed, e, visits.get(e)]).toEqual([seed, e, 1]);
    }
  });
});

describe("Q5 query.of yields rows", () => {
  test("for lists, sets, maps, iterators and typed arrays, in their order, without those that do not match", () => {
    const ecs = world();
    const all = positions(ecs, 6);
    ecs.removeComponent(all[2]!, Position);
    const query = ecs.query({ p: Position });
    const list = [all[4]!, -1, all[2]!, NaN, all[0]!, "1" as never, undefined as never, 0xffffffff, all[4]!];
    const wanted = [all[4], all[0], all[4]];
    expect(entities(query.of(list))).toEqual(wanted);
    expect(entities(query.of(Uint32Array.from([all[4]!, all[2]!, all[0]!, all[4]!])))).toEqual(wanted);
    expect(entities(query.of(list.values()))).toEqual(wanted);
    expect(entities(query.of(new Set(list)))).toEqual([all[4], all[0]]);
    expect(entities(query.of(new Map(list.map((e) => [e, 1]))))).toEqual([all[4], all[0]]);
    expect(Array.from(query.of(list), ({ p }) => p.x)).toEqual([4, 0, 4]);
  });
  test("for a view of memory, which may move meanwhile", () => {
    const ecs = world();
    const all = positions(ecs, 6);
    const seen: Entity[] = [];
    for (const { entity: e } of ecs.query({ p: Position }).of(ecs.storage(Position).entities)) {
      growMemory(ecs);
      seen.push(e);
    }
    expect(seen).toEqual(all);
  });
  test("for entities and dirty of a system; D7 this counts as iterating dirty", () => {
    const ecs = world();
    const all = positions(ecs, 4);
    const query = ecs.query({ p: Position });
    const seen: Entity[][] = [];
    add(ecs, {
      watches: [Position],
      update(_delta, tracked, dirty) {
        expect(entities(query.of(tracked))).toEqual(Array.from(tracked.keys()));
        const visited: Entity[] = [];
        for (const { entity: e, p } of query.of(dirty)) {
          visited.push(e);
          if (p.x !== 50) continue;
          p.x = 60; // visited already: no signal for this run
          query.at(all[3]!)!.p.x = 70;
        }
        seen.push(visited);
      },
    });
    ecs.update();
    ecs.query({ p: Position }).at(all[0]!)!.p.x = 50;
    ecs.update();
    ecs.update();
    expect(seen).toEqual([all, [all[0], all[3]], []]);
  });
});

test("Q5 an entity that a system stops tracking is not visited by query.of(entities)", () => {
  const ecs = world();
  const all = positions(ecs, 8);
  ecs.addComponents(all, Tag);
  const query = ecs.query({ p: Position });
  const seen: Entity[] = [];
  add(ecs, {
    requires: [Position, Tag],
    update(_delta, tracked) {
      for (const { entity: e } of query.of(tracked)) {
        seen.push(e);
        if (e === all[2]) ecs.removeComponent(all[4]!, Tag);
      }
    },
  });
  ecs.update();
  expect(seen).toEqual([0, 1, 2, 3, 7, 5, 6].map((i) => all[i]));
});

describe("Q6", () => {
  test("at returns the row of one entity, first that of the first, and has whether there is one", () => {
    const ecs = world();
    const all = positions(ecs, 3);
    const query = ecs.query({ p: Position });
    expect(query.at(all[1]!)!.p.x).toBe(1);
    expect(query.at(all[2]!)!.p.x).toBe(2);
    expect(query.first()!.entity).toBe(all[0]);
    expect(query.has(all[1]!)).toBe(true);
    ecs.removeComponent(all[1]!, Position);
    expect(query.at(all[1]!)).toBeUndefined();
    expect(query.has(all[1]!)).toBe(false);
    for (const value of [undefined, "1", NaN, 1.5, -1, 1e10]) {
      expect(query.at(value as never)).toBeUndefined();
      expect(query.has(value as never)).toBe(false);
    }
    ecs.clear();
    expect(query.first()).toBeUndefined();
  });
  test("the row of at stays valid in changes of others, and in loops over the query", () => {
    const ecs = world();
    const all = positions(ecs, 40);
    const query = ecs.query({ p: Position });
    const { p } = query.at(all[39]!)!;
    for (const { entity: e } of query) {
      if (e === all[7]) ecs.removeComponents(all.slice(0, 20), Position);
      expect(p.x).toBe(39);
    }
    ecs.addComponents(ecs.addEntities(1000), Position);
    expect(p.x).toBe(39);
    ecs.removeComponent(all[39]!, Position);
    expectError("MISSING_COMPONENT", () => p.x);
  });
  test("after at has found nothing, the cursors of the last row can't be used", () => {
    const ecs = world();
    const all = positions(ecs, 2);
    const query = ecs.query({ p: Position });
    const { p } = query.at(all[0]!)!;
    query.at(ecs.addEntity());
    expectError("MISSING_COMPONENT", () => p.x);
  });
  test("storage.at returns a cursor for one component", () => {
    const ecs = world();
    const all = positions(ecs, 3);
    const storage = ecs.storage(Position);
    expect(storage.at(all[2]!)!.x).toBe(2);
    const cursor = storage.at(all[1]!)!;
    ecs.removeComponent(all[0]!, Position);
    expect(cursor.x).toBe(1);
    expect(storage.at(all[0]!)).toBeUndefined();
    expectError("MISSING_COMPONENT", () => cursor.x);
    const health = new Health();
    const e = entity(ecs, health);
    expect(ecs.storage(Health).at(e)).toBe(health);
    expect(ecs.storage(Health).at(all[0]!)).toBeUndefined();
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

test("Q8 an iteration creates no row and no cursor after the first", () => {
  const ecs = world();
  positions(ecs, 4);
  const query = ecs.query({ p: Position });
  const nested = new Set<unknown>();
  for (let i = 0; i < 20; i++) for (const a of query) for (const b of query) nested.add(a).add(b).add(a.p).add(b.p);
  expect(nested.size).toBe(4);
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
  for (const call of [ecs.get, ecs.tryGet, ecs.has] as ((e: Entity, cls: typeof Position) => unknown)[]) {
    expectError("STALE_ENTITY", () => call.call(ecs, 77, Position));
    expectError("BAD_ARGUMENT", () => call.call(ecs, e, 5 as never));
    expectError("BAD_ARGUMENT", () => call.call(ecs, e, Component as never));
  }
  ecs.dispose();
  for (const call of [ecs.get, ecs.tryGet, ecs.has] as ((e: Entity, cls: typeof Position) => unknown)[])
    expectError("DISPOSED", () => call.call(ecs, e, Position));
});
