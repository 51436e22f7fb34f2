// Rule D2: a setter of a watched class stores nothing if the values are equal, so that what is stored without a signal is what was
// stored before.
import { describe, expect, test } from "@jest/globals";
import { ECS, System, defineComponent, defineObject, type Entity } from "crateful";
import { inspect } from "crateful/inspector";
import { Changes, Replica, Rewind, snapshot } from "crateful/state";
import "./with_state.js";
import { sameBytes } from "./state_bytes.js";

interface Fields {
  f: number;
  d: number;
  n: number;
  on: boolean;
  mood: "calm" | "angry";
  text: string;
  v: { set(...list: unknown[]): void; x: number; [i: number]: number };
}
const fields = {
  f: "f32",
  d: "f64",
  n: "i8",
  on: "bool",
  mood: ["calm", "angry"],
  text: "string",
  v: "f32x2",
} as const;
class Sparse extends defineComponent("EqualSparse", fields, { policy: "sparse" }) {}
class Linear extends defineComponent("EqualLinear", fields, { policy: "linear" }) {}
class Shared extends defineComponent("EqualShared", fields) {} // by two worlds at the same time
const other = new ECS();
other.addEntity(Shared);
type Class = typeof Sparse;
const classes: Class[] = [Sparse, Linear as never, Shared as never]; // with the same fields

/** How a program assigns fields of the component of an entity. */
const ways: [string, (ecs: ECS, e: Entity, cls: Class, use: (to: Fields) => void) => void][] = [
  [
    "a row",
    (ecs, e, cls, use) => {
      for (const { entity, c } of ecs.query({ c: cls })) if (entity === e) use(c as never);
    },
  ],
  ["a row of at()", (ecs, e, cls, use) => use(ecs.query({ c: cls }).at(e)!.c as never)],
  ["the cursor of a storage", (ecs, e, cls, use) => use(ecs.storage(cls).at(e) as never)],
  ["a component object", (ecs, e, cls, use) => use(ecs.get(e, cls) as never)],
];

class Watch extends System {
  override readonly dirtyComponents;
  readonly componentsRequired;
  runs: Entity[][] = [];
  constructor(cls: Class) {
    super();
    this.componentsRequired = this.dirtyComponents = new Set([cls]);
  }
  override update(_delta: number, _entities: unknown, dirty: { ids: Iterable<Entity> }): void {
    this.runs.push([...dirty.ids]);
  }
}

/** A world with a watched component, whose fields contain what only a column can contain: a NaN with other bits, a bool of 9. */
function ready(cls: Class) {
  const ecs = new ECS();
  ecs.addEntity(cls);
  const e = ecs.addEntity([cls, { f: -0, d: 0, text: "\ufffd", v: [0, -0] }]);
  const odd = ecs.addEntity(cls);
  const { columns } = ecs.storage(cls);
  const slot = ecs.storage(cls).slot(odd);
  const bytes = (column: ArrayBufferView) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
  const view = (column: ArrayBufferView) => new DataView(column.buffer, column.byteOffset);
  view(columns.f).setUint32(4 * slot, 0xffc00001, true);
  view(columns.d).setBigUint64(8 * slot, 0xfff8000000000001n, true);
  columns.on[slot] = 9;
  view(columns.v).setUint32(8 * slot, 0xffc00001, true);
  const watch = ecs.addSystem(0, new Watch(cls));
  ecs.update();
  const all = () => Object.values(ecs.storage(cls).columns).map((column) => Array.from(bytes(column as Uint8Array)));
  return { ecs, e, odd, watch, all };
}

/** Assignments of values that are equal to those before. */
const equal: [string, "e" | "odd", (to: Fields) => void][] = [
  ["0 over -0 in an f32", "e", (to) => (to.f = 0)],
  ["what is rounded to 0 over -0 in an f32", "e", (to) => (to.f = 1e-60)],
  ["-0 over 0 in an f64", "e", (to) => (to.d = -0)],
  ["-0 over 0 in an i8", "e", (to) => (to.n = -0)],
  ["a text over the one that it is stored as", "e", (to) => (to.text = "\ud800")],
  ["-0 over 0 in an element by name", "e", (to) => (to.v.x = -0)],
  ["0 over -0 in an element by number", "e", (to) => (to.v[1] = 0)],
  ["numbers by set", "e", (to) => to.v.set(-0, 0)],
  ["a list by set", "e", (to) => to.v.set([-0, 0])],
  ["a list that is assigned", "e", (to) => (to.v = [-0, 0] as never)],
  ["NaN over a NaN of other bits in an f32", "odd", (to) => (to.f = NaN)],
  ["NaN over a NaN of other bits in an f64", "odd", (to) => (to.d = NaN)],
  ["NaN over a NaN of other bits in an element", "odd", (to) => (to.v.x = NaN)],
  ["true over a 9 that a column got", "odd", (to) => (to.on = true)],
  ["the same name", "odd", (to) => (to.mood = "calm")],
];

describe.each(classes.map((cls) => [cls.name, cls] as const))(
  "D2 a setter of %s stores nothing if the values are equal",
  (_, cls) => {
    describe.each(ways)("by %s", (_, way) => {
      test.each(equal)("%s", (_, which, assign) => {
        const { ecs, watch, all, ...entities } = ready(cls);
        const before = all();
        way(ecs, entities[which], cls, assign);
        expect(all()).toEqual(before);
        ecs.update();
        expect(watch.runs.at(-1)).toEqual([]);
        ecs.dispose();
      });
      test("-0 is stored over another value", () => {
        const { ecs, e, watch } = ready(cls);
        for (const value of [5, -0]) {
          way(ecs, e, cls, (to) => {
            to.f = to.d = to.v.x = value;
            to.v[1] = value;
          });
          ecs.update();
          expect(watch.runs.at(-1)).toEqual([e]);
          way(ecs, e, cls, ({ f, d, v }) =>
            expect([f, d, ...(v as never as number[])]).toEqual([value, value, value, value]),
          );
        }
        ecs.dispose();
      });
    });
  },
);

test("D2 I1 the inspector stores nothing if the values are equal", () => {
  const { ecs, e, watch, all } = ready(Sparse);
  const before = all();
  const set = (field: string, value: never) =>
    expect(inspect(ecs, { do: "set", entity: e, component: "EqualSparse", field, value })).not.toHaveProperty("error");
  set("f", 0 as never);
  set("d", -0 as never);
  set("v", [-0, 0] as never);
  expect(all()).toEqual(before);
  ecs.update();
  expect(watch.runs.at(-1)).toEqual([]);
});

test("D2 C16 -0 over 0 is another value of an object component, and signals", () => {
  class Bag extends defineObject("EqualBag", { gold: 0 }) {}
  const ecs = new ECS();
  const e = ecs.addEntity(Bag);
  const rewind = new Rewind(ecs);
  ecs.update();
  ecs.get(e, Bag).gold = -0;
  ecs.update();
  ecs.get(e, Bag).gold = 5;
  ecs.update();
  rewind.to(2);
  expect(ecs.get(e, Bag).gold).toBe(-0);
  rewind.to(1);
  expect(ecs.get(e, Bag).gold).toBe(0);
});

test("D2 N6 N7 after a setter got -0 for 0, a Rewind and a Replica have the same bytes as the world", () => {
  const ecs = new ECS();
  const page = new ECS();
  const all = [ecs.addEntity(Sparse), ecs.addEntity([Sparse, { f: -0, v: [-0, -0] }])];
  using rewind = new Rewind(ecs);
  using changes = new Changes(ecs, { components: [Sparse] });
  const receiver = changes.receiver();
  const replica = new Replica(page, { components: [Sparse] });
  replica.apply(receiver.take());
  ecs.update();
  all.forEach((e, i) => {
    const { f, v } = ecs.get(e, Sparse);
    ecs.get(e, Sparse).f = -f;
    v.set(-v.x, -v.y);
    if (i === 0) ecs.query({ c: Sparse }).at(e)!.c.d = -0;
  });
  ecs.update();
  const saved = snapshot(ecs);
  expect(receiver.take().length).toBe(0);
  for (const e of all) {
    const [there, here] = [page.get(replica.entity(e), Sparse), ecs.get(e, Sparse)];
    expect(there.toJSON()).toStrictEqual(here.toJSON()); // -0 is not 0 here
    here.f = 5;
  }
  ecs.update();
  rewind.to(2);
  expect(sameBytes(snapshot(ecs), saved)).toBe(true);
});

test("D2 N6 reset() of a predicted entity writes the last received values back, with the sign of 0", () => {
  const ecs = new ECS();
  const page = new ECS();
  const e = ecs.addEntity([Sparse, { f: -0 }]);
  using changes = new Changes(ecs, { components: [Sparse] });
  const receiver = changes.receiver();
  const replica = new Replica(page, { components: [Sparse] });
  const watch = page.addSystem(0, new Watch(Sparse));
  replica.apply(receiver.take());
  const copy = replica.entity(e);
  replica.predict(copy);
  page.update();
  const { f } = page.storage(Sparse).columns;
  f[page.storage(Sparse).slot(copy)] = 0; // as a loop over columns writes it
  replica.reset();
  page.update();
  expect(page.get(copy, Sparse).f).toBe(-0);
  expect(watch.runs.at(-1)).toEqual([copy]);
});
