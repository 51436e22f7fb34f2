// Rules Q1, Q5 and Q6: queries.
import { describe, expect, test } from "@jest/globals";
import { NONE, defineComponent, defineSystem, type Entity, type Query } from "crateful";
import {
  Health,
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
  world,
} from "./world.js";

class Frozen extends defineComponent("Frozen") {}

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

describe("Q1 X1 an error of a query says", () => {
  const message = (filters: object, shape: object = { p: Position }) => {
    const ecs = world();
    class Uses extends defineSystem({ p: Position }) {
      readonly found = this.query(shape as { p: typeof Position }, filters);
      override update() {}
    }
    const { message: ofSystem } = expectError("BAD_ARGUMENT", () => ecs.addSystem(0, new Uses()));
    const { message: own } = expectError("BAD_ARGUMENT", () => ecs.query(shape as { p: typeof Position }, filters));
    expect([ofSystem, ecs.systems]).toEqual([own, []]);
    return own;
  };
  test("which option does not exist", () => {
    expect(message({ exclude: [Tag] })).toBe("query: there is no option exclude");
    expect(message({ without: [Tag], parents: undefined })).toContain("there is no option parents");
  });
  test("which class is excluded and also required or one of any", () => {
    const both = (name: string) => `query: ${name} is in without, and also in the shape or in any`;
    expect(message({ without: [Tag, Position] })).toBe(both("Position"));
    expect(message({ without: [Velocity], any: [Tag, Velocity] })).toBe(both("Velocity"));
    const ecs = world();
    const e = entity(ecs, new Position(), new Tag());
    const found = ecs.query({ p: Position }, { optional: { t: Tag }, any: [Position, Tag], without: [Velocity] });
    expect(found.ids()).toEqual(Uint32Array.of(e));
    expect(ecs.query({ p: Position }, { optional: { v: Velocity }, without: [Velocity] }).count).toBe(1);
  });
});

describe("Q5 query.of yields rows", () => {
  test("for lists, sets, maps, iterators and typed arrays, in their order, without those that do not match", () => {
    const ecs = world();
    const all = positions(ecs, 6);
    ecs.removeComponent(all[2]!, Position);
    const query = ecs.query({ p: Position });
    const list = [
      all[4]!,
      -1,
      all[2]!,
      NaN,
      all[0]!,
      all[1]! + 0.5,
      all[1]! - 2 ** 32,
      "1" as never,
      undefined as never,
      0xffffffff,
      all[4]!,
    ];
    const wanted = [all[4], all[0], all[4]];
    expect(entities(query.of(list))).toEqual(wanted);
    expect(entities(query.of(Uint32Array.from([all[4]!, all[2]!, all[0]!, all[4]!])))).toEqual(wanted);
    expect(entities(query.of(list.values()))).toEqual(wanted);
    expect(entities(query.of(new Set(list)))).toEqual([all[4], all[0]]);
    expect(entities(query.of(new Map(list.map((e) => [e, 1]))))).toEqual([all[4], all[0]]);
    expect(Array.from(query.of(list), ({ p }) => p.x)).toEqual([4, 0, 4]);
  });
  test.each(policies)("for a view of memory, which may move meanwhile (%s)", (_, cls) => {
    const ecs = world();
    const all = positions(ecs, 6, cls);
    const seen: Entity[] = [];
    for (const { entity: e } of ecs.query({ p: cls }).of(ecs.storage(cls).entities)) {
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
          for (const other of all.slice(1)) query.at(other)!.p.x = 70;
        }
        seen.push(visited);
      },
    });
    ecs.update();
    ecs.query({ p: Position }).at(all[0]!)!.p.x = 50;
    ecs.update();
    ecs.update();
    expect(seen).toEqual([all, all, []]);
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
  test.each([Position, Velocity, Health])("M3 at throws when the ECS is disposed, also inside an update: %p", (cls) => {
    for (const inside of [false, true]) {
      const ecs = world();
      const e = entity(ecs, new cls());
      const query = ecs.query({ c: cls as typeof Position });
      const one = ecs.query({ c: cls as typeof Position }, { optional: { t: Tag } });
      const storage = ecs.storage(cls as typeof Position);
      expect([query.at(e), one.at(e), storage.at(e)]).not.toContain(undefined);
      const dispose = () => {
        ecs.dispose();
        for (const handle of [e, 5, NONE]) {
          expectError("DISPOSED", () => query.at(handle));
          expectError("DISPOSED", () => one.at(handle));
          expectError("DISPOSED", () => storage.at(handle));
        }
      };
      if (inside) add(ecs, { requires: [cls], update: dispose });
      if (inside) ecs.update();
      else dispose();
      expectError("DISPOSED", () => query.at(e));
    }
  });
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
