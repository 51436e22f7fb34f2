// Rules Q1 and Q6: asking for a query that exists, for its first row, and for its count.
import { describe, expect, test } from "@jest/globals";
import { NONE, Parent, defineComponent, defineSystem, type ECS, type Entity, type Query } from "crateful";
import { Health, Packed, Position, Tag, Velocity, entities, expectError, random, world } from "./world.js";

class Frozen extends defineComponent("Frozen") {}

describe("Q1 equal queries are the same object", () => {
  test("whatever the order of the filters, and whether empty ones are given", () => {
    const ecs = world();
    const query = ecs.query({ p: Position }, { without: [Tag], optional: { v: Velocity }, parent: { f: Frozen } });
    expect(ecs.query({ p: Position }, { parent: { f: Frozen }, optional: { v: Velocity }, without: [Tag] })).toBe(
      query,
    );
    expect(
      ecs.query({ p: Position }, { any: [], parent: { f: Frozen }, without: [Tag], optional: { v: Velocity } }),
    ).toBe(query);
    const plain = ecs.query({ p: Position });
    expect(ecs.query({ p: Position }, {})).toBe(plain);
    expect(ecs.query({ p: Position }, { without: undefined, any: [], optional: {}, parent: {} } as never)).toBe(plain);
    expect(ecs.query({})).toBe(ecs.query({}, { any: [] }));
  });
  test("and others are not, even if their names and classes are those of filters", () => {
    const ecs = world();
    const all = () => [
      ecs.query({}),
      ecs.query({ p: Position }),
      ecs.query({ q: Position }),
      ecs.query({ p: Position, q: Position }),
      ecs.query({ p: Position, v: Velocity }),
      ecs.query({ v: Velocity, p: Position }),
      ecs.query({ p: Position }, { optional: { v: Velocity } }),
      ecs.query({ p: Position }, { parent: { v: Velocity } }),
      ecs.query({ p: Position }, { without: [Velocity] }),
      ecs.query({ p: Position }, { any: [Velocity] }),
      ecs.query({ p: Position }, { any: [Velocity, Tag] }),
      ecs.query({ p: Position }, { any: [Tag, Velocity] }),
      ecs.query({ p: Position }, { any: [Tag], without: [Velocity] }),
      ecs.query({ p: Position }, { optional: { parent: Velocity } }),
      ecs.query({ p: Position }, { optional: { parent: Velocity, v: Tag } }),
      ecs.query({ p: Position }, { optional: { v: Velocity, parent: Tag } }),
      ecs.query({ p: Position }, { optional: { v: Velocity, without: Tag } }),
      ecs.query({ p: Position }, { optional: { v: Velocity }, without: [Tag] }),
      ecs.query({ p: Position, without: Velocity }),
      ecs.query({ p: Position, optional: Velocity }),
    ];
    expect(new Set<unknown>(all()).size).toBe(all().length);
    expect(all()).toEqual(all());
    all().forEach((query, i) => expect(query).toBe(all()[i]));
  });
  test("X1 invalid arguments are errors, also when queries exist that resemble them", () => {
    const ecs = world();
    ecs.query({});
    ecs.query({ p: Position });
    ecs.query({ p: Position }, { without: [Tag] });
    ecs.query({ p: Position }, { any: [Tag] });
    ecs.query({ p: Position }, { without: [Frozen], any: [Tag] });
    ecs.query({ p: Position }, { optional: { v: Velocity } });
    for (const shape of [[], null, 5, "p", { p: undefined }, { p: 0 }, [Position]])
      expectError("BAD_ARGUMENT", () => ecs.query(shape as never));
    for (const filters of [
      [],
      null,
      5,
      { whithout: [Tag] },
      { without: [Tag], others: undefined },
      { without: [2, Tag] },
      { without: [Frozen, 3, Tag] },
      { without: Tag },
      { without: { 0: Tag, length: 1 } },
      { without: null },
      { any: "" },
      { optional: [] },
      { optional: null },
      { optional: 5 },
    ])
      expectError("BAD_ARGUMENT", () => ecs.query({ p: Position }, filters as never));
  });
  test("only own properties of a shape count, and what a getter returned when it was checked", () => {
    const ecs = world();
    const own = Object.assign(Object.create({ v: Velocity }) as object, { p: Position });
    expect(ecs.query(own)).toBe(ecs.query({ p: Position }));
    let times = 0;
    const shape = {
      get p() {
        return times++ % 2 === 0 ? Velocity : Position;
      },
    };
    const query = ecs.query(shape);
    const e = ecs.addEntity(new Position());
    expect(entities(query as Query)).toEqual([e]);
    expect(entities(ecs.query({ p: Velocity }))).toEqual([]);
    expect(ecs.query({ p: Position })).toBe(query);
  });
  test("in one world only, and not after it was disposed", () => {
    const ecs = world();
    const query = ecs.query({ p: Position });
    expect(world().query({ p: Position })).not.toBe(query);
    ecs.dispose();
    expectError("DISPOSED", () => ecs.query({ p: Position }));
    expectError("DISPOSED", () => query.first());
    expectError("DISPOSED", () => query.count);
  });
});

const queries: [string, (ecs: ECS) => Query][] = [
  ["one class", (ecs) => ecs.query({ p: Position }) as never],
  ["a sparse class", (ecs) => ecs.query({ v: Packed }) as never],
  ["objects", (ecs) => ecs.query({ h: Health }) as never],
  ["several classes", (ecs) => ecs.query({ p: Position, v: Velocity, h: Health }) as never],
  ["classes of both policies", (ecs) => ecs.query({ p: Position, v: Packed }) as never],
  ["without", (ecs) => ecs.query({ p: Position }, { without: [Tag] }) as never],
  ["without of a sparse class", (ecs) => ecs.query({ v: Packed }, { without: [Tag] }) as never],
  ["any", (ecs) => ecs.query({ p: Position }, { any: [Tag, Health] }) as never],
  ["optional", (ecs) => ecs.query({ p: Position, h: Health }, { optional: { t: Tag } }) as never],
  ["no required class", (ecs) => ecs.query({}) as never],
  ["only without", (ecs) => ecs.query({}, { without: [Position] }) as never],
  ["only any", (ecs) => ecs.query({}, { any: [Position, Tag] }) as never],
  ["children", (ecs) => ecs.query({ p: Position, of: Parent }) as never],
];

test.each(queries)("Q6 count, first and ids agree with the rows after every change: %s", (_, queryOf) => {
  for (let seed = 1; seed <= 10; seed++) {
    const next = random(seed);
    const ecs = world();
    ecs.addComponent(ecs.world, Tag);
    const all: Entity[] = [];
    const check = () => {
      const query = queryOf(ecs);
      const rows = entities(query);
      const first = query.first();
      expect([query.count, query.count, first?.entity, [...query.ids()]]).toEqual([
        rows.length,
        rows.length,
        rows[0],
        rows,
      ]);
      expect(first?.entity).toBe(query.at(rows[0] ?? NONE)?.entity);
    };
    check();
    for (let step = 0; step < 120; step++) {
      const e = all[next(all.length || 1)];
      const cls = [Position, Velocity, Health, Tag, Packed][next(5)]!;
      const what = e === undefined ? 0 : next(16);
      if (what < 4) all.push(ecs.addEntity(...[new Position(), new Health()].slice(next(3))));
      else if (what < 11) ecs.addComponent(e!, new (cls as typeof Tag)());
      else if (what < 13) ecs.removeComponent(e!, cls);
      else if (what < 14) ecs.setParent(e!, all.find((other) => other > e!) ?? NONE);
      else if (what < 15 || next(8) > 0) ecs.removeEntity(e!);
      else ecs.clear();
      ecs.removeMarked();
      for (let i = all.length; i-- > 0; ) if (!ecs.alive(all[i]!)) all.splice(i, 1);
      if (next(3) > 0) check();
    }
  }
});

test("Q6 S14 count and first of the rows of a system", () => {
  const ecs = world();
  const seen: unknown[] = [];
  class Reads extends defineSystem({ p: Position }, { without: [Tag], optional: { h: Health } }) {
    override update() {
      seen.push([this.rows.count, this.rows.first()?.entity, this.rows.first()?.h]);
    }
  }
  ecs.addSystem(0, new Reads());
  ecs.update();
  const a = ecs.addEntity(new Position(), new Tag());
  const b = ecs.addEntity(new Position(), new Health());
  ecs.update();
  ecs.removeComponent(a, Tag);
  ecs.removeComponent(b, Position);
  ecs.update();
  expect(seen).toEqual([
    [0, undefined, undefined],
    [1, b, ecs.get(b, Health)],
    [1, a, undefined],
  ]);
});

test("Q6 count in a loop over the query, whose body adds and removes", () => {
  const ecs = world();
  const all = Array.from(ecs.addEntities(30));
  ecs.addComponents(all, Position);
  ecs.addComponents(all, Tag);
  const query = ecs.query({ p: Position, t: Tag });
  let count = query.count;
  for (const { entity: e } of query) {
    expect(query.count).toBe(count);
    if (e % 2 === 0) {
      ecs.removeComponent(e, Tag);
      expect(query.count).toBe(--count);
    }
    if (e % 3 === 0) {
      ecs.addEntity(Position, Tag);
      expect(query.count).toBe(++count);
    }
  }
});

test("Q5 D13 D15 what of and topDown return can be iterated any number of times", () => {
  const ecs = world();
  const all = Array.from(ecs.addEntities(3));
  ecs.addComponents(all, Position);
  const seen: unknown[] = [];
  class Reads extends defineSystem({ p: Position }, { watch: [Position] }) {
    override update() {
      const lists = [this.dirty.topDown(), this.dirty.of(Position), this.rows.of(all)];
      for (let time = 0; time < 2; time++) for (const list of lists) seen.push(entities(list));
    }
  }
  ecs.addSystem(0, new Reads());
  ecs.update();
  expect(seen).toEqual([all, all, all, all, all, all]);
});
