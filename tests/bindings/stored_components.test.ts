import { expect, test } from "@jest/globals";
import { NONE, Parent, defineComponent, type Entity, type FieldType } from "crateful";
import {
  EveryType,
  Health,
  Packed,
  Position,
  Tag,
  add,
  entity,
  everyType,
  expectError,
  positions,
  thrownBy,
  values,
  world,
} from "./world.js";

class EveryTypePacked extends defineComponent("EveryTypePacked", everyType, { policy: "sparse" }) {}

// For each field type: values, and what the field reads as afterwards.
const rounding: [FieldType, unknown, unknown][] = [
  ["f32", 0.1, Math.fround(0.1)],
  ["f32", 1e40, Infinity],
  ["f32", NaN, NaN],
  ["f32", -0, -0],
  ["f64", 0.1, 0.1],
  ["f64", 2 ** 53, 2 ** 53],
  ["f64", NaN, NaN],
  ["f64", -Infinity, -Infinity],
  ["i8", 127, 127],
  ["i8", 128, -128],
  ["i8", -1.9, -1],
  ["i8", NaN, 0],
  ["i8", 2 ** 40 + 3, 3],
  ["u8", 255, 255],
  ["u8", 256, 0],
  ["u8", -1, 255],
  ["u8", 3.9, 3],
  ["i16", 32_767, 32_767],
  ["i16", 32_768, -32_768],
  ["i16", -1.5, -1],
  ["u16", 65_535, 65_535],
  ["u16", -1, 65_535],
  ["u16", 65_536.5, 0],
  ["i32", -(2 ** 31), -(2 ** 31)],
  ["i32", 2 ** 31, -(2 ** 31)],
  ["i32", Infinity, 0],
  ["u32", 2 ** 32 - 1, 2 ** 32 - 1],
  ["u32", -1, 2 ** 32 - 1],
  ["u32", 2 ** 32, 0],
  ["bool", true, true],
  ["bool", false, false],
  ["entity", 7, 7],
  ["entity", NONE, NONE],
  ["entity", 2 ** 31 + 5, 2 ** 31 + 5],
];

test.each(rounding)(
  "C3 a field of type %s that is set to %p reads as %p, as a plain value and in memory",
  (type, value, stored) => {
    const ecs = world();
    for (const cls of [EveryType, EveryTypePacked] as (typeof EveryType)[]) {
      const plain = new cls({ [type]: value });
      expect(plain[type]).toBe(stored);
      const assigned = new cls();
      assigned[type] = value as never;
      expect(assigned[type]).toBe(stored);
      const e = entity(ecs, plain);
      expect(plain[type]).toBe(stored);
      const before = Object.is(value, -0) ? { [type]: 1 } : {}; // over 0 it would be no change (D2)
      const f = entity(ecs, new cls(before));
      const live = ecs.getComponents(f).get(cls);
      live[type] = value as never;
      expect(live[type]).toBe(stored);
      const g = ecs.addEntity();
      ecs.addComponents([g], cls, { [type]: value } as {});
      expect(ecs.getComponents(g).get(cls)[type]).toBe(stored);
      ecs.addComponents([g], cls, { [type]: [value] } as {});
      expect(ecs.getComponents(g).get(cls)[type]).toBe(stored);
      expect(ecs.storage(cls).columns[type][ecs.storage(cls).slot(e)]).toBe(type === "bool" ? Number(stored) : stored);
    }
  },
);

test("C3 omitted fields are zero, false and NONE", () => {
  const ecs = world();
  const zero = { f32: 0, f64: 0, i8: 0, u8: 0, i16: 0, u16: 0, i32: 0, u32: 0, bool: false, entity: NONE };
  for (const cls of [EveryType, EveryTypePacked as unknown as typeof EveryType]) {
    const plain = new cls({ f32: undefined as never });
    const read = (c: EveryType | EveryTypePacked) =>
      Object.fromEntries(Object.keys(zero).map((k) => [k, c[k as FieldType]]));
    expect(read(plain)).toEqual(zero);
    const e = entity(ecs, plain);
    expect(read(plain)).toEqual(zero);
    ecs.addComponent(e, new cls({ f32: 1, u8: 2, bool: true, entity: 3, f64: 4 }));
    ecs.addComponents([e], cls); // a reused slot has the defaults again
    expect(read(ecs.getComponents(e).get(cls))).toEqual(zero);
    ecs.removeComponent(e, cls);
    ecs.addComponents([e], cls);
    expect(read(ecs.getComponents(e).get(cls))).toEqual(zero);
  }
});

const wrong: Record<FieldType, unknown[]> = {
  f32: ["1", true, null, {}, 1n, Symbol("s")],
  f64: ["1", [1]],
  i8: ["1", null],
  u8: [false],
  i16: [{}],
  u16: ["x"],
  i32: [[]],
  u32: [null],
  bool: [0, 1, "true", null],
  entity: [-1, 1.5, 2 ** 32, NaN, "1", null, true],
  link: [-1, 1.5, 2 ** 32, NaN, "1", null, true],
  string: [0, 1, true, null, ["a"], {}, Symbol("s")],
};

test.each(Object.keys(wrong) as FieldType[])(
  "X1 a field of type %s rejects values of other types and keeps its value",
  (type) => {
    const ecs = world();
    const live = new EveryType({
      f32: 5,
      f64: 5,
      i8: 5,
      u8: 5,
      i16: 5,
      u16: 5,
      i32: 5,
      u32: 5,
      bool: true,
      entity: 5,
      link: 5,
      string: "5",
    });
    const e = entity(ecs, live);
    const system = add(ecs, { requires: [EveryType], watches: [EveryType] });
    ecs.update();
    for (const value of wrong[type]) {
      const error = expectError("BAD_ARGUMENT", () => (live[type] = value as never));
      expect(error.message).toContain(type);
      expectError("BAD_ARGUMENT", () => new EveryType({ [type]: value }));
      expectError("BAD_ARGUMENT", () => ecs.addComponents([e], EveryType, { [type]: [value] as never }));
      if (!Array.isArray(value))
        expectError("BAD_ARGUMENT", () => ecs.addComponents([e], EveryType, { [type]: value as never }));
    }
    expect(live[type]).toBe(type === "bool" ? true : type === "string" ? "5" : 5);
    ecs.update();
    expect(system.lastRun).toEqual([]);
  },
);

test("X1 fields that are not in the schema are rejected", () => {
  const ecs = world();
  const e = ecs.addEntity();
  expect(expectError("BAD_ARGUMENT", () => new Position({ z: 1 } as never)).message).toContain("z");
  expectError("BAD_ARGUMENT", () => ecs.addComponents([e], Position, { z: 1 } as never));
  expectError("BAD_ARGUMENT", () => ecs.addComponents([e], Tag, { x: 1 } as never));
  expect(ecs.getComponents(e).has(Position)).toBe(false);
});

test("X1 invalid schemas are rejected", () => {
  const cases: [unknown, unknown, unknown?][] = [
    ["", {}],
    [undefined, {}],
    [3, {}],
    ["A", { x: "float" }],
    ["A", { x: 3 }],
    ["A", { x: undefined }],
    ["A", { x: "toString" }],
    ["A", { dirty: "f32" }],
    ["A", { constructor: "f32" }],
    ["A", { $row: "f32" }],
    ["A", {}, { policy: "dense" }],
  ];
  for (const [name, schema, options] of cases) {
    expectError("BAD_ARGUMENT", () => defineComponent(name as string, schema as {}, options as {}));
  }
});

test("C5 a stored component is a plain value before it is added", () => {
  const ecs = world();
  const position = new Position({ x: 1 });
  const system = add(ecs, { watches: [Position] });
  position.x = 2;
  position.dirty();
  expect([position.x, position.y]).toEqual([2, 0]);
  ecs.update();
  expect(system.lastRun).toEqual([]);
  const e = entity(ecs, position);
  expect(values(ecs, Position, "x")).toEqual([2]);
  expect(ecs.getComponents(e).get(Position)).toBe(position);
});

test("C5 a stored component can be created before any world, and by any constructor", () => {
  class Crate extends defineComponent("Crate", { size: "f32", full: "bool" }) {
    constructor(size: number) {
      super({ size });
      this.full = size > 2;
    }
    get volume() {
      return this.size ** 3;
    }
    grow() {
      this.size += 1;
    }
  }
  const crate = new Crate(3);
  crate.grow();
  const ecs = world();
  const e = entity(ecs, crate);
  ecs.addComponents([ecs.addEntity()], Crate, { size: 2 });
  crate.grow();
  expect(ecs.getComponents(e).get(Crate).volume).toBe(125);
  const view = ecs.getComponents([...ecs.storage(Crate)][1]!).get(Crate);
  expect([view instanceof Crate, view.volume, view.full]).toEqual([true, 8, false]);
});

test.each([
  ["sparse", Packed],
  ["linear", Position],
] as const)(
  "C5 while its entity has it, a component is a view of the value in memory, even when that value moves (%s)",
  (_, either) => {
    const cls = either as typeof Position;
    const ecs = world();
    const all = Array.from(ecs.addEntities(40));
    const live = all.map((e, i) => ecs.addComponent(e, new cls({ x: i })));
    // Removing in the middle moves the last values into the gaps.
    for (let i = 0; i < 40; i += 3) ecs.removeComponent(all[i]!, cls);
    live.forEach((component, i) => {
      if (i % 3 === 0) return;
      expect(component.x).toBe(i);
      component.y = 100 + i;
      const index = ecs.storage(cls).slot(all[i]!);
      expect(ecs.storage(cls).columns.y[index]).toBe(100 + i);
      ecs.storage(cls).columns.x[index] = -i;
      expect(component.x).toBe(-i);
    });
  },
);

test.each([
  ["sparse", Packed],
  ["linear", Position],
] as const)("C5 using a component after its removal is an error (%s)", (_, either) => {
  const cls = either as typeof Position;
  const ecs = world();
  const [a, b, c, d] = Array.from(ecs.addEntities(4)) as [Entity, Entity, Entity, Entity];
  const lost = [a, b, c, d].map((e, i) => ecs.addComponent(e, new cls({ x: i })));
  const survivor = ecs.addComponent(ecs.addEntity(), new cls({ x: 9 }));
  ecs.removeComponent(a, cls);
  ecs.removeComponents([b], cls);
  ecs.removeEntity(c);
  ecs.update();
  ecs.addComponent(d, new cls({ x: 5 }));
  for (const component of lost) {
    expect(expectError("MISSING_COMPONENT", () => component.x).message).toContain(cls.name);
    expectError("MISSING_COMPONENT", () => (component.y = 1));
    component.dirty(); // has no effect
    expectError("MISSING_COMPONENT", () => ecs.addComponent(a, component));
  }
  expect(ecs.getComponents(a).has(cls)).toBe(false);
  expect([survivor.x, survivor.y, ecs.getComponents(d).get(cls).x]).toEqual([9, 0, 5]);
  ecs.clear();
  expectError("MISSING_COMPONENT", () => survivor.x);
});

test("C5 a stored component that is being removed can be read in onRemove, but not added to an entity", () => {
  const ecs = world();
  const e = ecs.addEntity();
  const f = ecs.addEntity();
  const errors: unknown[] = [];
  add(ecs, {
    onRemove: (aspect) => {
      const removed = aspect.get(Position);
      expect(removed.x).toBe(4);
      errors.push(
        thrownBy(() => ecs.addComponent(f, removed)),
        thrownBy(() => ecs.addComponent(e, removed)),
      );
    },
  });
  const position = ecs.addComponent(e, new Position({ x: 4 }));
  ecs.removeComponent(e, Position);
  ecs.addComponents([e], Position, { x: 4 }); // there is no object of this component
  ecs.removeComponent(e, Position);
  expect(errors).toHaveLength(4);
  for (const error of errors)
    expectError("MISSING_COMPONENT", () => {
      throw error;
    });
  expect([e, f].map((x) => ecs.getComponents(x).has(Position))).toEqual([false, false]);
  expectError("MISSING_COMPONENT", () => position.x);
});

test("C5 a component that is removed by an onAdd that throws is detached like any other", () => {
  const ecs = world();
  const failure = new Error("failure");
  add(ecs, {
    onAdd: ({ entity: e }) => {
      ecs.removeComponent(e, Position);
      throw failure;
    },
  });
  const e = ecs.addEntity();
  const position = new Position({ x: 1 });
  expect(thrownBy(() => ecs.addComponent(e, position))).toBe(failure);
  expect(ecs.getComponents(e).has(Position)).toBe(false);
  expectError("MISSING_COMPONENT", () => position.x);
});

test("C5 a component that replaced another in onAdd is kept when an onAdd throws", () => {
  const ecs = world();
  const failure = new Error("failure");
  const first = new Position({ x: 1 });
  const second = new Position({ x: 2 });
  const values: string[] = [];
  // While the first component is added, the earlier system replaces it; the later system is notified of the second.
  add(
    ecs,
    {
      onAdd: ({ entity: e }) => {
        if (e === a) ecs.addComponent(e, second);
      },
    },
    0,
  );
  add(
    ecs,
    {
      onAdd: (aspect) => {
        values.push(String(aspect.get(Position).x));
        ecs.removeComponent(aspect.entity, Position);
        throw failure;
      },
    },
    1,
  );
  const a = ecs.addEntity();
  expect(thrownBy(() => ecs.addComponent(a, first))).toBe(failure);
  expect(values).toEqual(["2"]);
  expect(ecs.getComponents(a).tryGet(Position)).toBeUndefined();
  expectError("MISSING_COMPONENT", () => first.x);
  expectError("MISSING_COMPONENT", () => second.x);
  const b = ecs.addEntity();
  expect(thrownBy(() => ecs.addComponent(b, new Position()))).toBe(failure);
});

test("C5 a component that was rejected is a plain value as before", () => {
  const ecs = world();
  const removed = ecs.addEntity();
  ecs.removeEntity(removed);
  ecs.update();
  const position = new Position({ x: 6 });
  expectError("STALE_ENTITY", () => ecs.addComponent(removed, position));
  position.x += 1;
  const e = entity(ecs, position);
  expect(ecs.getComponents(e).get(Position).x).toBe(7);
});

test("C5 objects of one class are views of different values", () => {
  const ecs = world();
  const all = positions(ecs, 2_500);
  const live = all.map((e) => ecs.getComponents(e).get(Position));
  ecs.removeComponents(
    all.filter((_, i) => i % 2 === 0),
    Position,
  );
  const wrongOnes = live.filter((component, i) => {
    if (i % 2 === 0) return thrownBy(() => component.x) === undefined;
    return component.x !== i;
  });
  expect(wrongOnes).toEqual([]);
  expect(ecs.getComponents(all[1]!).has(Health)).toBe(false);
});

test("C3 C7 schema is the type and the default of each field", () => {
  class Body extends defineComponent("SchemaBody", {
    mass: { type: "f32", default: 2 },
    alive: "bool",
    owner: "entity",
    kind: { type: "u8", default: 7 },
  }) {}
  expect(Body.schema).toEqual({
    mass: { type: "f32", default: 2 },
    alive: { type: "bool", default: false },
    owner: { type: "entity", default: NONE },
    kind: { type: "u8", default: 7 },
  });
  expect([Tag.schema, Parent.schema]).toEqual([{}, { entity: { type: "entity", default: NONE } }]);
});
