// What rows and cursors are in the production build. In the development build, each step has new ones
// (tests/development/rows.test.ts).
import { expect, test } from "@jest/globals";
import { defineComponent, defineObject, defineSystem, type ComponentClass } from "crateful";
import { times } from "./random.js";
import { Health, Packed, Position, growMemory, positions, world } from "./world.js";

// This one is the first, because the others leave free memory.
test("Q7 rows of many systems, each removed after a run, need no more memory", () => {
  class Charge extends defineComponent("Charge", { amount: "i32" }, { policy: "sparse" }) {}
  const ecs = world();
  const all = positions(ecs, 10, Packed);
  ecs.addComponents(all, Position);
  ecs.addComponents([...all].reverse(), Charge, { amount: all.map((_, i) => 9 - i) }); // in another order
  let sum = 0;
  const run = () => {
    class Sum extends defineSystem({ p: Packed, other: Position, c: Charge }) {
      override update() {
        for (const { p, other, c } of this.rows) sum += p.x - c.amount + other.x + 1;
      }
    }
    const system = ecs.addSystem(0, new Sum());
    ecs.update();
    ecs.removeSystem(system);
  };
  run();
  const { byteLength } = ecs.storage(Position).columns.x.buffer;
  const runs = Math.min(20_000, times(20_000)); // fewer where it is slow
  for (let i = 0; i < runs; i++) run();
  expect(sum).toBe((runs + 1) * all.length);
  expect(ecs.storage(Position).columns.x.buffer.byteLength).toBe(byteLength);
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

test("Q8 an iteration creates no row and no cursor after the first", () => {
  const ecs = world();
  positions(ecs, 4);
  const query = ecs.query({ p: Position });
  const nested = new Set<unknown>();
  for (let i = 0; i < 20; i++) for (const a of query) for (const b of query) nested.add(a).add(b).add(a.p).add(b.p);
  expect(nested.size).toBe(4);
});

test("C12 a cursor has one object for each vector", () => {
  class Body extends defineComponent("Body", { at: "f32x3", speed: "f32x3" }) {}
  const ecs = world();
  ecs.prefab([Body]).spawn(2, [{ at: [1, 2, 3, 4, 5, 6] as never }]);
  const vectors = new Set<object>();
  const read: number[] = [];
  for (const { body } of ecs.query({ body: Body })) {
    vectors.add(body.at).add(body.speed);
    read.push(...body.at);
  }
  expect(vectors.size).toBe(2);
  expect(read).toEqual([1, 2, 3, 4, 5, 6]);
});

// V8 inlines no other functions in its next compiler (docs/design.md).
test("Q2 rows have accessors that are written as accessors, and so have cursors, components and vectors", () => {
  class Point extends defineComponent("Point", { at: "f32x3", name: "string" }) {}
  class Charge extends defineComponent("RowCharge", { amount: "i32" }) {}
  class Note extends defineObject("RowNote", { text: "" }) {}
  const ecs = world();
  const e = ecs.addEntity(Position, Packed, Point, Note, Charge, new Health(1));
  const query = ecs.query({ p: Position, packed: Packed, point: Point, note: Note, charge: Charge, health: Health });
  let count = 0;
  const check = (object: object): void => {
    for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null)
      for (const [name, { get, enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
        if (get === undefined || (!enumerable && !/^[xyz]$/.test(name))) continue;
        expect([name, get.name]).toEqual([name, expect.stringMatching(/^get ./)]);
        count += 1;
      }
  };
  for (const row of query) for (const each of [row, row.p, row.packed, row.point, row.point.at]) check(each);
  for (const cls of [Position, Packed, Point, Note, Charge] as ComponentClass[]) check(ecs.get(e, cls));
  check(ecs.get(e, Point).at);
  expect(count).toBeGreaterThan(25);
});
