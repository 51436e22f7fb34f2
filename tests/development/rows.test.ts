// Rows and cursors of the development build: each step of a loop and each look-up has new ones.
import { describe, expect, test } from "@jest/globals";
import { Component, defineComponent } from "crateful";
import { Health, Position, Velocity, entity, expectError, positions, world } from "../bindings/world.js";

const late = (name: string, why: string) =>
  `${name}: this row or cursor is not valid any more, because ${why}. To keep a component, call ecs.get(entity, Class) or ` +
  "copy its fields";
const ADVANCED = "the loop has advanced";
const ENDED = "the loop has ended";
const AGAIN = "at() or first() was called again";

describe("Q3 B1 using a row or cursor after the loop has advanced is an error that says so", () => {
  test("in the loop, and when it has reached its end", () => {
    const ecs = world();
    const all = positions(ecs, 3);
    const query = ecs.query({ p: Position });
    const rows = [...query];
    const cursors = Array.from(query, ({ p }) => p);
    for (const row of rows) {
      expect(expectError("MISSING_COMPONENT", () => row.entity).message).toBe(late("entity", ADVANCED));
      expect(expectError("MISSING_COMPONENT", () => row.p).message).toBe(late("p", ADVANCED));
    }
    for (const p of cursors) {
      expect(expectError("MISSING_COMPONENT", () => p.x).message).toBe(late("x", ADVANCED));
      expect(expectError("MISSING_COMPONENT", () => (p.x = 77)).message).toBe(late("x", ADVANCED));
      expect(expectError("MISSING_COMPONENT", () => p.dirty()).message).toBe(late("dirty", ADVANCED));
    }
    expect(all.map((e) => ecs.get(e, Position).x)).toEqual([0, 1, 2]);
  });
  test("by a method, and by a name that neither has", () => {
    const ecs = world();
    positions(ecs, 2);
    const query = ecs.query({ p: Position });
    const rows = [...query] as unknown as { z: number }[];
    const cursors = Array.from(query, ({ p }) => p as Position & { z: number });
    for (const object of [...rows, ...cursors]) {
      expect(expectError("MISSING_COMPONENT", () => object.z).message).toBe(late("z", ADVANCED));
      expect(expectError("MISSING_COMPONENT", () => (object.z = 1)).message).toBe(late("z", ADVANCED));
    }
    expect(expectError("MISSING_COMPONENT", () => cursors[0]!.toJSON()).message).toBe(late("toJSON", ADVANCED));
  });
  test("by any number of steps except multiples of 251, after which objects are used again", () => {
    const ecs = world();
    positions(ecs, 600);
    const kept: [row: { entity: number }, p: Position][] = [];
    const expectErrors = ([row, p]: (typeof kept)[number]) => {
      expect(expectError("MISSING_COMPONENT", () => row.entity).message).toBe(late("entity", ADVANCED));
      expect(expectError("MISSING_COMPONENT", () => (p.x = 1)).message).toBe(late("x", ADVANCED));
    };
    for (const row of ecs.query({ p: Position })) {
      kept.push([row, row.p]);
      if (kept.length < 600) continue;
      for (const steps of [1, 2, 100, 250, 252, 500, 599]) expectErrors(kept[599 - steps]!);
      expect(kept[599 - 251]![0]).toBe(row);
    }
    kept.forEach(expectErrors);
  });
  test("by a vector", () => {
    class Body extends defineComponent("Body", { at: "f32x3" }) {}
    const ecs = world();
    const [e] = ecs.prefab([Body]).spawn(2);
    const vectors = Array.from(ecs.query({ body: Body }), ({ body }) => body.at);
    for (const at of vectors) {
      expect(expectError("MISSING_COMPONENT", () => at.x).message).toBe(late("x", ADVANCED));
      expect(expectError("MISSING_COMPONENT", () => (at[1] = 77)).message).toBe(late("1", ADVANCED));
      expect(expectError("MISSING_COMPONENT", () => at.set(1, 2, 3)).message).toBe(late("set", ADVANCED));
      expect(expectError("MISSING_COMPONENT", () => [...at]).message).toContain("is not valid any more");
    }
    for (const { body } of ecs.query({ body: Body })) {
      expect(body.at).toBe(body.at);
      body.at.set(1, 2, 3);
      expect([body.at, [...body.at], body.at.length]).toEqual([[1, 2, 3], [1, 2, 3], 3]);
    }
    expect([...ecs.get(e!, Body).at]).toEqual([1, 2, 3]);
  });
  test("after a loop was left", () => {
    const ecs = world();
    positions(ecs, 3);
    let found: Position | undefined;
    for (const { p } of ecs.query({ p: Position })) {
      if (p.x === 1) {
        found = p;
        break;
      }
    }
    expect(expectError("MISSING_COMPONENT", () => found!.x).message).toBe(late("x", ENDED));
  });
  test("but not before, also in nested loops", () => {
    const ecs = world();
    positions(ecs, 3);
    const query = ecs.query({ p: Position }, { optional: { v: Velocity } });
    let sum = 0;
    for (const one of query) {
      for (const two of query) sum += one.p.x * two.p.x;
      expect([one.p, one.v]).toEqual([one.p, undefined]);
      expect(one.p).toBe(one.p);
      expect(one.p).toBeInstanceOf(Position);
      one.p.x += 1;
    }
    expect(sum).toBe(0 * 3 + 1 * 4 + 2 * 5); // one at a time has been incremented
  });
  test("object components can be kept", () => {
    const ecs = world();
    const health = new Health(3);
    entity(ecs, health, new Position());
    const [kept] = Array.from(ecs.query({ h: Health, p: Position }), ({ h }) => h);
    expect(kept).toBe(health);
    expect(kept).toBeInstanceOf(Component);
    expect(kept!.current).toBe(3);
  });
});

describe("Q6 B1 each call of at returns a new object, and the older one can't be used", () => {
  test("of a query, by at and first", () => {
    const ecs = world();
    const [a, b] = positions(ecs, 2);
    const query = ecs.query({ p: Position });
    const one = query.at(a!)!;
    const { p } = one;
    expect([one.entity, p.x]).toEqual([a, 0]);
    const two = query.at(b!)!;
    expect(two).not.toBe(one);
    expect([two.entity, two.p.x]).toEqual([b, 1]);
    expect(expectError("MISSING_COMPONENT", () => one.entity).message).toBe(late("entity", AGAIN));
    expect(expectError("MISSING_COMPONENT", () => p.x).message).toBe(late("x", AGAIN));
    const first = query.first()!;
    expect(first.p.x).toBe(0);
    expectError("MISSING_COMPONENT", () => two.p);
    query.at(99);
    expectError("MISSING_COMPONENT", () => first.p);
  });
  test("of a storage", () => {
    const ecs = world();
    const [a, b] = positions(ecs, 2);
    const storage = ecs.storage(Position);
    const one = storage.at(a!)!;
    one.x = 5;
    expect(storage.at(b!)!.x).toBe(1);
    expect(expectError("MISSING_COMPONENT", () => one.x).message).toBe(late("x", AGAIN));
    expect(ecs.get(a!, Position).x).toBe(5);
    const health = new Health(3);
    expect(ecs.storage(Health).at(entity(ecs, health))).toBe(health);
  });
});
