// Vector fields in TypeScript; those of C++ structs are in native_components.test.ts.
import { expect, test } from "@jest/globals";
import { defineComponent, type Entity, type Schema } from "crateful";
import { Euler, Quaternion, Vector2, Vector3, Vector4 } from "three";
import { add, entity, expectError, growMemory, positions, thrownBy, values, world } from "./world.js";

const fields = {
  mass: "f32",
  at: "f32x3",
  colour: { type: "u8x4", default: [1, 2, 3, 255] },
  speed: "f64x2",
} as const;
class Body extends defineComponent("Body", fields) {}
class PackedBody extends defineComponent("PackedBody", fields, { policy: "sparse" }) {}
class Place extends defineComponent("Place", { at: "f32x3" }) {}
class Matrix extends defineComponent("Matrix", { all: "f32x16" }) {}

const policies = [
  ["sparse", PackedBody as unknown as typeof Body],
  ["linear", Body],
] as const;

test("C12 elements have indices, vectors of up to four elements also names, as plain values and in memory", () => {
  const ecs = world();
  for (const [, cls] of policies) {
    const place = new cls({ at: [1, 2, 3] });
    for (let i = 0; i < 2; ++i) {
      const { at } = place;
      expect([at[0], at[1], at[2], at.length]).toEqual([1, 2, 3, 3]);
      expect([at.x, at.y, at.z]).toEqual([1, 2, 3]);
      expect([at[3], (at as { w?: number }).w]).toEqual([undefined, undefined]);
      expect([...at]).toEqual([1, 2, 3]);
      const [x, , z] = at;
      expect([x, z]).toEqual([1, 3]);
      expect(Math.max(...at)).toBe(3);
      expect(Array.from(at, (n) => 2 * n)).toEqual([2, 4, 6]);
      expect(Float64Array.from(at)).toEqual(Float64Array.of(1, 2, 3));
      if (i === 0) ecs.addEntity(place);
    }
    for (const { place } of ecs.query({ place: cls })) {
      expect([...place.at, place.at.x, place.at.y, place.at.z, place.at[0], place.at.length]).toEqual([
        1, 2, 3, 1, 2, 3, 1, 3,
      ]);
    }
  }
  const { colour, speed } = new Body();
  expect([colour.x, colour.y, colour.z, colour.w]).toEqual([1, 2, 3, 255]);
  expect([speed.x, speed.y, "z" in speed]).toEqual([0, 0, false]);
  const { all } = new Matrix();
  expect([...all]).toEqual(new Array(16).fill(0));
  expect("x" in all).toBe(false);
});

test("C12 iterations over the same vector are independent, read what it contains, and stay at their end", () => {
  const ecs = world();
  const { at } = ecs.get(ecs.addEntity([Body, { at: [1, 2, 3] }]), Body);
  const pairs: number[] = [];
  for (const a of at) for (const b of at) pairs.push(10 * a + b);
  expect(pairs).toEqual([11, 12, 13, 21, 22, 23, 31, 32, 33]);
  const iterator = at[Symbol.iterator]();
  iterator.next();
  at.y = 5;
  expect(iterator.next().value).toBe(5);
  iterator.next();
  for (let i = 0; i < 3; ++i) {
    const { done, value } = iterator.next();
    expect([done, value]).toEqual([true, undefined]);
  }
});

test.each(policies)("C12 elements are set one by one, by set, and by assigning a list [%s]", (_, cls) => {
  const ecs = world();
  const check = (place: InstanceType<typeof Body>) => {
    const { at } = place;
    at.x = 1;
    at[1] = 2;
    at.z += 3;
    expect([...at]).toEqual([1, 2, 3]);
    at.set(4, 5, 6.1);
    expect([...at]).toEqual([4, 5, Math.fround(6.1)]);
    at.set([7, 8, 9]);
    expect([...at]).toEqual([7, 8, 9]);
    at.set(Float64Array.of(1, 2, 3));
    expect([...at]).toEqual([1, 2, 3]);
    Object.assign(place, { at: [3, 4, 5] });
    expect([...at]).toEqual([3, 4, 5]);
    place.at = new cls({ at: [6, 7, 8] }).at;
    expect([...at]).toEqual([6, 7, 8]);
    at.set(at.z, at.x, at.y);
    expect([...at]).toEqual([8, 6, 7]);
    place.at = at;
    at.set(0, 0, 0);
    expect(place.at).toBe(at);
  };
  const plain = new cls();
  check(plain);
  const e = entity(ecs, plain);
  check(plain);
  check(ecs.query({ place: cls }).at(e)!.place);
  check(ecs.storage(cls).at(e)!);
  for (const { place } of ecs.query({ place: cls })) check(place);
});

test("C12 values are rounded to the type", () => {
  const ecs = world();
  const body = ecs.get(ecs.addEntity(Body), Body);
  body.colour.set(256, -1, 3.9, 7);
  expect([...body.colour]).toEqual([0, 255, 3, 7]);
  expect([...new Body({ colour: [256, -1, 3.9, 7] }).colour]).toEqual([0, 255, 3, 7]);
  body.speed.set(0.1, NaN);
  expect([...body.speed]).toEqual([0.1, NaN]);
});

const types = (["f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32"] as const).flatMap((type) =>
  (["sparse", "linear"] as const).map((policy) => [type, policy] as const),
);
test.each(types)("C12 there are vectors of %s with 2 to 64 elements (%s)", (type, policy) => {
  const ecs = world();
  for (const length of [2, 3, 4, 5, 64]) {
    const fields = { before: "u8", list: `${type}x${length}` as "f32x3", after: "f32" } as const;
    class Wide extends defineComponent("Wide", fields, { policy }) {}
    const elements = Array.from({ length }, (_, i) => i + 1) as [number, number, number];
    const e = ecs.addEntity([Wide, { before: 7, list: elements, after: 9 }]);
    const f = ecs.addEntity(new Wide({ list: elements }));
    ecs.addEntity(Wide);
    expect(ecs.get(e, Wide).toJSON()).toEqual({ before: 7, list: elements, after: 9 });
    const column = ecs.storage(Wide).columns.list.subarray(ecs.storage(Wide).slot(e) * length);
    expect(Array.from(column)).toEqual([...elements, ...elements, ...new Array<number>(length).fill(0)]);
    expect(ecs.storage(Wide).strides).toEqual({ before: 1, list: length, after: 1 });
    ecs.removeComponent(e, Wide); // under sparse, moves a value
    expect([...ecs.get(f, Wide).list]).toEqual(elements);
    expect(Wide.schema.list).toEqual({ type: `${type}x${length}`, default: new Array(length).fill(0) });
  }
});

test.each(policies)(
  "C12 a column contains the elements of one component behind those of another, and can be written [%s]",
  (_, cls) => {
    const ecs = world();
    const entities = ecs.prefab([cls]).spawn(2, [{ at: [1, 2, 3, 4, 5, 6] as never }]);
    const { at } = ecs.storage(cls).columns;
    const start = 3 * ecs.storage(cls).slot(entities[0]!);
    expect(at).toBeInstanceOf(Float32Array);
    expect([...at].slice(start)).toEqual([1, 2, 3, 4, 5, 6]);
    at[start + 4] = 50;
    expect(ecs.get(entities[1]!, cls).at.y).toBe(50);
    expect(ecs.storage(Place).columns.at).toHaveLength(0);
  },
);

test("C12 a component has one object for each vector", () => {
  const ecs = world();
  const body = ecs.get(ecs.addEntity([Body, { at: [1, 2, 3] }]), Body);
  expect(body.at).toBe(body.at);
  expect(body.at).not.toBe(body.colour);
});

test("C12, C5, Q4 after the removal of the component, using a vector is an error", () => {
  const ecs = world();
  const e = ecs.addEntity([Body, { at: [1, 2, 3] }]);
  const f = ecs.addEntity([Body, { at: [4, 5, 6] }]);
  const { at } = ecs.get(e, Body);
  for (const { entity, body } of ecs.query({ body: Body })) {
    if (entity !== e) continue;
    const { at: ofRow } = body;
    ecs.removeComponent(e, Body);
    for (const vector of [at, ofRow]) {
      for (const use of [
        () => vector.x,
        () => vector[0],
        () => [...vector],
        () => (vector.y = 1),
        () => vector.set(1, 2, 3),
        () => vector.toJSON(),
      ])
        expect(expectError("MISSING_COMPONENT", use).message).toMatch(/^Body: entity .* no longer has this component$/);
    }
  }
  expect([...ecs.get(f, Body).at]).toEqual([4, 5, 6]);
});

test.each(policies)("C12, X2 growth of memory and moved values do not invalidate vectors [%s]", (_, cls) => {
  const ecs = world();
  const [first, e] = ecs.prefab([cls]).spawn(2, [
    {
      at: [
        [0, 0, 0],
        [1, 2, 3],
      ],
    },
  ]);
  positions(ecs, 1);
  const { at } = ecs.get(e!, cls);
  growMemory(ecs);
  ecs.removeComponent(first!, cls);
  expect([...at]).toEqual([1, 2, 3]);
  at.y = 20;
  expect(values(ecs, cls, "at")).toEqual([1, 20, 3]);
});

test("C12, D2 setters and set signal if a stored value changes", () => {
  const ecs = world();
  const e = ecs.addEntity([Body, { at: [1, 2, 3] }]);
  const system = add(ecs, { requires: [Body], watches: [Body] });
  const signals = (change: () => void) => {
    ecs.update();
    change();
    ecs.update();
    return system.lastRun!.length === 1;
  };
  for (const body of [ecs.get(e, Body), ecs.storage(Body).at(e)!]) {
    expect(signals(() => body.at.set(1, 2, 3))).toBe(false);
    expect(signals(() => body.at.set(1, 2, 4))).toBe(true);
    expect(signals(() => body.at.set([1, 2, 4]))).toBe(false);
    expect(signals(() => (body.at.x = 1))).toBe(false);
    expect(signals(() => (body.at[0] = 5))).toBe(true);
    expect(signals(() => (body.at.x = 1))).toBe(true);
    expect(signals(() => Object.assign(body, { at: [1, 2, 4] }))).toBe(false);
    expect(signals(() => Object.assign(body, { at: [1, 2, 3] }))).toBe(true);
    expect(signals(() => body.speed.set(NaN, -0))).toBe(true);
    expect(signals(() => body.speed.set(NaN, 0))).toBe(false);
    body.speed.set(0, 0);
  }
});

test("C12, X1 wrong values are errors that change nothing", () => {
  const ecs = world();
  const e = ecs.addEntity([Body, { at: [1, 2, 3] }]);
  const body = ecs.get(e, Body);
  const row = ecs.query({ body: Body }).at(e)!.body;
  const prefab = ecs.prefab([Body]);
  const { count } = ecs;
  const plain = new Body({ at: [1, 2, 3] });
  const wrong: [unknown, string][] = [
    [[1, 2], "field at (f32x3) takes a list of 3 numbers, not 2"],
    [[1, 2, 3, 4], "field at (f32x3) takes a list of 3 numbers, not 4"],
    [{ x: 1, y: 2 }, "field at (f32x3) takes a list of 3 numbers, not 2"],
    [{ x: 1, y: 2, z: 3, w: 4 }, "field at (f32x3) takes a list of 3 numbers, not 4"],
    [{ x: 1, z: 3 }, "field at[1] (f32x3) takes a number, not undefined"],
    [{ x: 5, y: 6, z: "7" }, 'field at[2] (f32x3) takes a number, not "7"'],
    [{ x: 5, y: null, z: 7 }, "field at[1] (f32x3) takes a number, not null"],
    [{ y: 2, z: 3 }, "field at (f32x3) takes a list of 3 numbers, not an object"],
    [{ width: 1, height: 2 }, "field at (f32x3) takes a list of 3 numbers, not an object"],
    [null, "field at (f32x3) takes a list of 3 numbers, not null"],
    ["abc", 'field at (f32x3) takes a list of 3 numbers, not "abc"'],
    [[5, 6, "7"], 'field at[2] (f32x3) takes a number, not "7"'],
    [[5, undefined, 6], "field at[1] (f32x3) takes a number, not undefined"],
  ];
  for (const [value, message] of wrong) {
    const calls = [
      () => new Body({ at: value as never }),
      () => Object.assign(plain, { at: value }),
      () => Object.assign(body, { at: value }),
      () => body.at.set(value as []),
      () => row.at.set(value as []),
      () => Object.assign(row, { at: value }),
      () => ecs.addEntity([Body, { at: value as never }]),
      () => ecs.addComponents([e], Body, { at: [value] as never }),
      () => ecs.prefab([[Body, { at: value as never }]]),
      () => prefab.spawn([{ at: value as never }]),
      () => defineComponent("A", { at: { type: "f32x3", default: value as [] } }),
    ];
    for (const call of calls) expect(expectError("BAD_ARGUMENT", call).message).toContain(message);
  }
  expect(expectError("BAD_ARGUMENT", () => body.at.set(...([1, 2] as unknown as [1, 2, 3]))).message).toContain(
    "not 2",
  );
  expect(expectError("BAD_ARGUMENT", () => Object.assign(body, { at: 5 })).message).toContain("3 numbers, not 5");
  for (const value of [[1, 2, 3], { x: 1, y: 2, z: 3 }])
    expect(expectError("BAD_ARGUMENT", () => Reflect.apply(body.at.set, body.at, [value, 1])).message).toContain(
      "3 numbers, not 2",
    );
  expect(expectError("BAD_ARGUMENT", () => (row.at.x = "1" as never)).message).toContain(
    "field at (f32x3) takes a number",
  );
  expect(expectError("BAD_ARGUMENT", () => (body.at.z = "1" as never)).message).toContain("field at[2] (f32x3)");
  for (const component of [body, row, plain]) expect([...component.at]).toEqual([1, 2, 3]);
  expect(ecs.count).toBe(count);
});

test.each(["f32x1", "f32x0", "f32x65", "f32x03", "f32x", "boolx2", "entityx3", "f16x2", "f32x3x3", "x3", "f32x2.5"])(
  "C12, X1 there is no field type %s",
  (type) => {
    expect(thrownBy(() => defineComponent("A", { at: type } as unknown as Schema))).toHaveProperty(
      "message",
      `defineComponent: A.at: there is no field type "${type}"`,
    );
  },
);

test("C12, C7 the default is a list, and is not shared", () => {
  const ecs = world();
  const colours = (...all: { colour: Iterable<number> }[]) => all.map(({ colour }) => [...colour]);
  const first = new Body();
  first.colour.x = 100;
  const second = new Body();
  const e = ecs.addEntity(Body);
  const [f] = ecs.prefab([Body]).spawn(1);
  ecs.addComponents([ecs.addEntity()], Body);
  expect(colours(second, ecs.get(e, Body), ecs.get(f!, Body))).toEqual(new Array(3).fill([1, 2, 3, 255]));
  expect(values(ecs, Body, "colour")).toEqual([1, 2, 3, 255, 1, 2, 3, 255, 1, 2, 3, 255]);
  expect(Body.schema.colour).toEqual({ type: "u8x4", default: [1, 2, 3, 255] });
  expectError("BAD_ARGUMENT", () => defineComponent("A", { c: { type: "u8x2", default: [1, 300] } }));
  expectError("BAD_ARGUMENT", () => defineComponent("A", { c: { type: "u8x2", default: [1, 2, 3] } }));
});

test("C12, C14 bulk calls take one vector, a vector for each, or all numbers", () => {
  const ecs = world();
  const prefab = ecs.prefab({ body: [Body, { at: [7, 8, 9] }] });
  const at = (list: Uint32Array) => Array.from(list, (e) => ecs.get(e, Body).at.toJSON());
  const one = [1, 2, 3] as const;
  const list = [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ] as [number, number, number][];
  const column = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const first = prefab.spawn(3);
  expect(at(first)).toEqual([list[2], list[2], list[2]]);
  expect(at(prefab.spawn(3, { body: { at: one } }))).toEqual([one, one, one]);
  expect(at(prefab.spawn(3, { body: { at: list } }))).toEqual(list);
  expect(at(prefab.spawn(3, { body: { at: column } }))).toEqual(list);
  expect(at(prefab.spawn(3, { body: { at: Float64Array.from(column) } }))).toEqual(list);
  expect(at(prefab.spawn(1, { body: { at: column.subarray(3, 6) } }))).toEqual([list[1]]);
  expect(at(prefab.spawn(0, { body: { at: [] } }))).toEqual([]);
  const { at: live } = ecs.get(prefab.spawn({ body: { at: one } }), Body);
  expect(at(prefab.spawn(2, { body: { at: live } }))).toEqual([one, one]);
  expect(at(prefab.spawn(2, { body: { at: [live, list[1]!] } }))).toEqual([one, list[1]]);
  const empty = ecs.addEntities(3);
  ecs.addComponents(empty, Body, { at: column, mass: [1, 2, 3] });
  expect(at(empty)).toEqual(list);
  ecs.addComponents(empty, Place, { at: list });
  expect(Array.from(empty, (e) => ecs.get(e, Place).at.toJSON())).toEqual(list);
  const all = ecs.storage(Body).columns.at.subarray(3 * ecs.storage(Body).slot(first[0]!)); // without gaps
  const before = [...all];
  expect(at(prefab.spawn(ecs.storage(Body).count, { body: { at: all } })).flat()).toEqual(before);
  const { message } = expectError("BAD_ARGUMENT", () => prefab.spawn(2, { body: { at: column } }));
  expect(message).toContain("field at has 9 values for 2 entities");
  expectError("BAD_ARGUMENT", () => prefab.spawn(2, { body: { at: list } }));
});

test.each(policies)("C12, X3 the values of a list are read before any is written [%s]", (_, cls) => {
  const ecs = world();
  const e = ecs.addEntity([cls, { at: [1, 2, 3] }]);
  const { at } = ecs.get(e, cls);
  const start = 3 * ecs.storage(cls).slot(e);
  const { at: column } = ecs.storage(cls).columns;
  at.set(column.subarray(start, start + 3));
  expect([...at]).toEqual([1, 2, 3]);
  const f = ecs.addEntity([cls, { at: [4, 5, 6] }]);
  ecs.get(f, cls).at.set(ecs.storage(cls).columns.at.subarray(start + 2, start + 5));
  expect([...ecs.get(f, cls).at]).toEqual([3, 4, 5]);
  const list = {
    length: 3,
    0: 1,
    get 1() {
      at.set(9, 9, 9);
      return 1;
    },
    2: 1,
  };
  expectError("BAD_ARGUMENT", () => at.set(list));
  expect([...at]).toEqual([9, 9, 9]);
});

/** Vectors as libraries have them: with own properties, and with accessors of the class, which `Object.keys` does not list. */
class Own {
  constructor(
    public x: number,
    public y: number,
    public z: number,
  ) {}
  get length(): number {
    return Math.hypot(this.x, this.y, this.z); // not the number of elements
  }
}
class Accessors {
  #x: number;
  #y: number;
  #z: number;
  calls = 0;
  onChange = () => {};
  constructor(x: number, y: number, z: number) {
    this.#x = x;
    this.#y = y;
    this.#z = z;
  }
  get x() {
    return this.#x;
  }
  get y() {
    return this.#y;
  }
  get z() {
    return this.#z;
  }
  set x(value) {
    this.#x = value;
    this.#changed();
  }
  set y(value) {
    this.#y = value;
    this.#changed();
  }
  set z(value) {
    this.#z = value;
    this.#changed();
  }
  #changed() {
    this.calls += 1;
    this.onChange();
  }
}
const objects: [string, (x: number, y: number, z: number) => { x: number; y: number; z: number }][] = [
  ["a plain object", (x, y, z) => ({ x, y, z })],
  ["an object with a length of its own", (x, y, z) => new Own(x, y, z)],
  ["an object with accessors", (x, y, z) => new Accessors(x, y, z)],
  ["a Vector3", (x, y, z) => new Vector3(x, y, z)],
  ["an Euler", (x, y, z) => new Euler(x, y, z)],
];

test.each(objects)("C12, C14 %s is a value wherever a list is one", (_, make) => {
  const ecs = world();
  const one = make(0, 3, 4);
  const list = [0, 3, 4];
  const at = (e: Entity) => ecs.get(e, Body).at.toJSON();
  const e = ecs.addEntity();
  expect(new Body({ at: one }).at.toJSON()).toEqual(list);
  expect(at(ecs.addEntity([Body, { at: one }]))).toEqual(list);
  expect(at(ecs.addEntity(new Body({ at: one })))).toEqual(list);
  ecs.addComponent(e, Body, { at: one });
  expect(at(e)).toEqual(list);
  ecs.add(e, [Body, { at: make(1, 2, 2) }]);
  expect(at(e)).toEqual([1, 2, 2]);
  ecs.addComponents([e], Body, { at: one });
  expect(at(e)).toEqual(list);
  const prefab = ecs.prefab({ body: [Body, { at: one }] });
  expect(at(prefab.spawn())).toEqual(list);
  expect(at(prefab.spawn({ body: { at: make(1, 2, 2) } }))).toEqual([1, 2, 2]);
  for (const n of [2, 3, 4])
    expect(Array.from(prefab.spawn(n, { body: { at: make(1, 2, 2) } }), at)).toEqual(new Array(n).fill([1, 2, 2]));
  expect(Array.from(prefab.spawn(3, { body: { at: [one, [1, 2, 3], make(7, 8, 9)] } }), at)).toEqual([
    list,
    [1, 2, 3],
    [7, 8, 9],
  ]);
  class Start extends defineComponent("Start", { at: { type: "f32x3", default: one } }) {}
  one.x = 9; // a default is a copy
  expect(new Start().toJSON()).toEqual({ at: list });
  expect(Start.schema.at).toEqual({ type: "f32x3", default: list });
});

test.each(objects)(
  "C12, D2 %s is assigned and set, signals if an element changes, and is written by copyTo",
  (_, make) => {
    const ecs = world();
    const e = ecs.addEntity(Body);
    const system = add(ecs, { requires: [Body], watches: [Body] });
    const check = (body: Body) => {
      const signals = (change: () => void) => {
        ecs.update();
        change();
        ecs.update();
        return system.lastRun!.length === 1;
      };
      const { at } = body;
      at.set(0, 0, 0);
      expect(signals(() => at.set(make(1, 2, 2)))).toBe(true);
      expect(at.toJSON()).toEqual([1, 2, 2]);
      expect(signals(() => at.set(make(1, 2, 2)))).toBe(false);
      expect(signals(() => Object.assign(body, { at: make(0, 3, 4) }))).toBe(true);
      expect(at.toJSON()).toEqual([0, 3, 4]);
      expect(signals(() => Object.assign(body, { at: make(0, 3, 4) }))).toBe(false);
      const target = make(7, 7, 7);
      expect(at.copyTo(target)).toBe(target);
      expect([target.x, target.y, target.z]).toEqual([0, 3, 4]);
    };
    check(ecs.get(e, Body));
    check(ecs.storage(Body).at(e)!);
    const plain = new Body();
    plain.at.set(make(1, 2, 3));
    expect(plain.at.copyTo(make(0, 0, 0))).toMatchObject({ x: 1, y: 2, z: 3 });
  },
);

test("C12 objects have the elements of the vector: x and y, with z, and with w", () => {
  class Sizes extends defineComponent("Sizes", { two: "f32x2", three: "i16x3", four: "u8x4", five: "f64x5" }) {}
  const four = new Quaternion(1, 2, 3, 4);
  const sizes = new Sizes({ two: new Vector2(1, 2), three: new Vector3(1.5, -2, 3), four });
  expect(sizes.toJSON()).toEqual({ two: [1, 2], three: [1, -2, 3], four: [1, 2, 3, 4], five: [0, 0, 0, 0, 0] });
  sizes.four.set(new Vector4(5, 6, 7, 256));
  const ecs = world();
  const e = entity(ecs, sizes);
  for (const each of [sizes, ecs.storage(Sizes).at(e)!]) {
    expect(each.two.copyTo(new Vector2())).toEqual(new Vector2(1, 2));
    expect(each.two.copyTo({ x: 0, y: 0, z: 9 })).toEqual({ x: 1, y: 2, z: 9 });
    expect(each.four.copyTo(new Quaternion())).toMatchObject({ x: 5, y: 6, z: 7, w: 0 });
    expect("copyTo" in each.five).toBe(false);
  }
  expect(expectError("BAD_ARGUMENT", () => sizes.two.set(new Vector3() as never)).message).toContain("not 3");
  expect(expectError("BAD_ARGUMENT", () => sizes.three.set(four as never)).message).toContain("not 4");
  expect(expectError("BAD_ARGUMENT", () => sizes.five.set(four as never)).message).toContain("5 numbers, not 4");
});

test("C12 copyTo reads all elements before it calls a setter of the target", () => {
  const ecs = world();
  const { at } = ecs.get(ecs.addEntity([Body, { at: [1, 2, 3] }]), Body);
  const target = new Accessors(7, 8, 9);
  target.onChange = () => at.set(target); // as a rotation that is written back
  at.copyTo(target);
  expect([target.x, target.y, target.z, target.calls]).toEqual([1, 2, 3, 3]);
  expect(at.toJSON()).toEqual([1, 2, 3]);
  at.copyTo(new Body().at); // its setters are called likewise
  const other = ecs.get(ecs.addEntity(Body), Body);
  at.copyTo(other.at);
  expect(other.at.toJSON()).toEqual([1, 2, 3]);
});

test.each([[undefined], [null], [5], ["abc"], [[1, 2, 3]], [new Float32Array(3)], [{}], [{ y: 1 }], [{ x: 1, y: 2 }]])(
  "C12, X1 copyTo(%p) is an error: there is nothing to write to",
  (target) => {
    const { at } = new Body({ at: [1, 2, 3] });
    const { message } = expectError("BAD_ARGUMENT", () => at.copyTo(target as never));
    expect(message).toMatch(/^copyTo: the target must be an object with x, y, z, not /);
  },
);

test.each(policies)("C12, X3 an object whose accessor calls the ECS is an error of set [%s]", (_, cls) => {
  const ecs = world();
  const { at } = ecs.get(ecs.addEntity([cls, { at: [1, 2, 3] }]), cls);
  const object = {
    x: 5,
    get y() {
      at.set(9, 9, 9);
      return 5;
    },
    z: 5,
  };
  expectError("BAD_ARGUMENT", () => at.set(object));
  expect(at.toJSON()).toEqual([9, 9, 9]);
});

test("C12, A2 onRemove can read a vector", () => {
  const ecs = world();
  const read: number[][] = [];
  add(ecs, { requires: [Body], onRemove: (aspect) => read.push([...aspect.get(Body).at]) });
  const e = ecs.addEntity([Body, { at: [1, 2, 3] }]);
  ecs.removeComponent(e, Body);
  const body = new Body({ at: [4, 5, 6] });
  ecs.addComponent(e, body);
  const { at } = body;
  ecs.removeComponent(e, Body);
  expect(read).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  expectError("MISSING_COMPONENT", () => at.x);
});

test("C12, C14, C8 tools see a list; copies are independent", () => {
  const ecs = world();
  const e = ecs.addEntity([Body, { at: [1, 2, 3] }]);
  const body = ecs.get(e, Body);
  const copy = body.toJSON();
  expect(copy).toStrictEqual({ mass: 0, at: [1, 2, 3], colour: [1, 2, 3, 255], speed: [0, 0] });
  body.at.x = 10;
  expect(copy.at).toStrictEqual([1, 2, 3]);
  expect(JSON.stringify(body)).toBe('{"mass":0,"at":[10,2,3],"colour":[1,2,3,255],"speed":[0,0]}');
  expect(JSON.stringify(body.at)).toBe("[10,2,3]");
  expect(body.at).toEqual([10, 2, 3]);
  expect(body.at).not.toEqual([10, 2, 4]);
  expect(body.at).not.toEqual([10, 2]);
  expect([10, 2, 3]).toEqual(body.at);
  expect(body).toEqual({ mass: 0, at: [10, 2, 3], colour: [1, 2, 3, 255], speed: [0, 0] });
  expect(body).not.toEqual({ mass: 0, at: [10, 2, 4], colour: [1, 2, 3, 255], speed: [0, 0] });
  expect(new Body(body)).toEqual(body);
  expect(new Body(body)).not.toEqual(new Body());
  expect({ ...body.toJSON() }.at).toEqual([10, 2, 3]);
  const row = ecs.query({ body: Body }).at(e)!;
  expect(row.body.at).toEqual([10, 2, 3]);
  expect(row).toMatchObject({ body: { at: [10, 2, 3] } });
  body.at.x = 11; // after tools have seen it
  expect([body.at.x, row.body.at.x]).toEqual([11, 11]);
  const other = new Body(row.body);
  row.body.at.x = 12;
  expect([...other.at]).toEqual([11, 2, 3]);
});

test("C12, E9 prefabs and overrides accept vectors", () => {
  const ecs = world();
  const prefab = ecs.prefab({ body: [Body, { at: [1, 2, 3], mass: 4 }] });
  const spawned = prefab.spawn();
  expect(ecs.get(spawned, Body).toJSON()).toMatchObject({ at: [1, 2, 3], mass: 4 });
  expect([...ecs.get(prefab.spawn({ body: { at: Float32Array.of(4, 5, 6) } }), Body).at]).toEqual([4, 5, 6]);
  expect([...ecs.get(prefab.spawn({ body: { at: ecs.get(spawned, Body).at } }), Body).at]).toEqual([1, 2, 3]);
  const e = ecs.addEntity();
  ecs.addComponent(e, Body, { at: [1, 1, 1] });
  expect([...ecs.get(e, Body).at]).toEqual([1, 1, 1]);
});

test("C12, T3 the memory report counts all elements", () => {
  const ecs = world();
  ecs.addComponents(ecs.addEntities(8), Matrix);
  const { otherBytes } = ecs.memoryReport().find(({ name }) => name === "Matrix")!;
  expect(otherBytes).toBeGreaterThanOrEqual(8 * 64);
});
