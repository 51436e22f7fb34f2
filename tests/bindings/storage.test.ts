import { expect, test } from "@jest/globals";
import { defineComponent, entityIndex, type ComponentClass, type Entity } from "crateful";
import {
  Health,
  Packed,
  PackedTag,
  Position,
  Tag,
  Velocity,
  add,
  entity,
  expectError,
  policies,
  positions,
  values,
  world,
} from "./world.js";

test("T1 a sparse storage has count, values and entities, contiguous and in the same order", () => {
  const ecs = world();
  const all = positions(ecs, 6, Packed);
  const storage = ecs.storage(Packed);
  expect(ecs.storage(Packed)).toBe(storage);
  expect([storage.policy, storage.count, storage.extent, storage.mask.length]).toEqual(["sparse", 6, 6, 0]);
  ecs.removeComponent(all[1]!, Packed);
  expect(Array.from(storage.entities)).toEqual([0, 5, 2, 3, 4].map((i) => all[i]));
  expect(Array.from(storage.columns.x)).toEqual([0, 5, 2, 3, 4]);
  expect([storage.count, storage.extent]).toEqual([5, 5]);
  expect(all.map((e) => storage.slot(e))).toEqual([0, -1, 2, 3, 4, 1]);
});

test("T1 a linear storage has a slot for each entity index, and a mask of the filled slots", () => {
  const ecs = world();
  const all = Array.from(ecs.addEntities(70));
  const some = all.filter((_, i) => i % 3 === 1);
  ecs.addComponents(some, Velocity, { x: some });
  const storage = ecs.storage(Velocity);
  expect([storage.policy, storage.count, storage.extent]).toEqual(["linear", some.length, 69]); // the index of all[i] is i + 1
  const filled = Array.from({ length: storage.extent }, (_, i) => i).filter(
    (i) => (storage.mask[i >> 5]! >>> (i & 31)) & 1,
  );
  expect(filled.map((i) => storage.entities[i])).toEqual(some);
  expect(filled.map((i) => storage.columns.x[i])).toEqual(some);
  expect([...storage]).toEqual(some);
  ecs.removeComponent(all[4]!, Velocity);
  expect([storage.slot(all[4]!), storage.slot(all[7]!), storage.count]).toEqual([-1, 8, some.length - 1]);
  expect((storage.mask[0]! >>> 5) & 1).toBe(0);
});

test.each(["sparse", "linear"] as const)(
  "T1 columns are one typed array per field, of the field's type (%s)",
  (policy) => {
    const fields = {
      a: "f32",
      b: "f64",
      c: "i8",
      d: "u8",
      e: "i16",
      f: "u16",
      g: "i32",
      h: "u32",
      i: "bool",
      j: "entity",
    } as const;
    class Mixed extends defineComponent("Mixed", fields, { policy }) {}
    const ecs = world();
    const e = entity(ecs, new Mixed({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: true, j: 9 }));
    const { columns, strides } = ecs.storage(Mixed);
    const slot = ecs.storage(Mixed).slot(e);
    expect(slot).toBe(policy === "sparse" ? 0 : entityIndex(e));
    const types = [
      Float32Array,
      Float64Array,
      Int8Array,
      Uint8Array,
      Int16Array,
      Uint16Array,
      Int32Array,
      Uint32Array,
      Uint8Array,
      Uint32Array,
    ];
    expect(Object.keys(columns)).toEqual([..."abcdefghij"]);
    Object.values(columns).forEach((column, k) => {
      expect(column).toBeInstanceOf(types[k]!);
      expect(Array.from(column).slice(slot)).toEqual([k === 8 ? 1 : k < 8 ? k + 1 : 9]);
    });
    expect(Object.values(strides)).toEqual(Array(10).fill(1));
  },
);

test.each(policies)("T1 the columns property always returns valid arrays of the right length (%s)", (policy, cls) => {
  const ecs = world();
  const storage = ecs.storage(cls);
  expect([storage.columns.x.length, storage.entities.length, storage.count]).toEqual([0, 0, 0]);
  const { columns } = storage;
  for (const n of [1, 10, 100, 5_000]) {
    ecs.clear();
    const last = positions(ecs, n, cls).at(-1)!;
    const length = policy === "sparse" ? n : n + 1; // slot 0 is that of the world
    expect(storage.slot(last)).toBe(policy === "sparse" ? n - 1 : entityIndex(last));
    expect([columns.x.length, storage.entities.length, columns.x[storage.slot(last)]]).toEqual([length, length, n - 1]);
    expect(values(ecs, cls, "x").sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
  }
  expect(columns.x).toBe(columns.x); // and allocates nothing
});

test("T1 storages of object components and tags have entities and a count, and no columns", () => {
  const ecs = world();
  const e = entity(ecs, new Health(), new PackedTag(), new Tag());
  for (const cls of [Health, PackedTag, Tag] as ComponentClass[]) {
    const storage = ecs.storage(cls);
    const slot = storage.slot(e);
    expect([
      storage.count,
      Array.from(storage.entities).slice(slot),
      slot,
      storage.extent,
      [...storage],
      Object.keys(storage.columns),
    ]).toEqual([1, [e], cls === Tag ? entityIndex(e) : 0, slot + 1, [e], []]);
  }
});

test.each(policies)(
  "T1 a write to a column is visible in the component, and a write to the component in the column (%s)",
  (policy, cls) => {
    const ecs = world();
    const [a, b] = positions(ecs, 2, cls) as [Entity, Entity];
    const { columns } = ecs.storage(cls);
    columns.y[policy === "sparse" ? 1 : entityIndex(b)] = 2.5;
    expect(ecs.getComponents(b).get(cls).y).toBe(2.5);
    ecs.getComponents(a).get(cls).y = -1;
    expect(Array.from(columns.y).slice(ecs.storage(cls).slot(a))).toEqual([-1, 2.5]);
  },
);

test.each(policies)("T1 entities and columns are views of memory: nothing is copied (%s)", (_, cls) => {
  const ecs = world();
  positions(ecs, 100, cls);
  const storage = ecs.storage(cls);
  expect(storage.columns.x.buffer).toBe(storage.entities.buffer);
  expect(storage.columns.x.buffer.byteLength).toBeGreaterThan(1 << 16);
  const first = storage.columns.x;
  storage.columns.x[3] = 77;
  expect(first[3]).toBe(77);
});

test("T2 the policy is an option of the class, by default linear; object classes are sparse", () => {
  class Dense extends defineComponent("Dense", { n: "u8" }, { policy: "linear" }) {}
  class Rare extends defineComponent("Rare", { n: "u8" }, { policy: "sparse" }) {}
  const ecs = world();
  expect([Dense, Rare, Position, Health, Tag].map((cls) => ecs.storage(cls as typeof Tag).policy)).toEqual([
    "linear",
    "sparse",
    "linear",
    "sparse",
    "linear",
  ]);
});

test("T2 both policies have the same values after any order of adding and removing", () => {
  class Dense extends defineComponent("DenseToo", { n: "i32", flag: "bool" }, { policy: "linear" }) {}
  class Rare extends defineComponent("RareToo", { n: "i32", flag: "bool" }, { policy: "sparse" }) {}
  const ecs = world();
  const all = Array.from(ecs.addEntities(3_000));
  for (const cls of [Dense, Rare as unknown as typeof Dense]) {
    for (let round = 0; round < 5; ++round) {
      const given = all.filter((e) => (e * 7 + round) % 3 !== 0);
      ecs.addComponents(given, cls, { n: given.map((e) => e * 10 + round), flag: given.map((e) => e % 2 === 0) });
      ecs.removeComponents(
        all.filter((e) => (e + round) % 5 === 0),
        cls,
      );
    }
    const values = all.map((e) => ecs.getComponents(e).tryGet(cls)).map((c) => c && [c.n, c.flag]);
    const expected = all.map((e) => {
      let value: [number, boolean] | undefined;
      for (let round = 0; round < 5; ++round) {
        if ((e * 7 + round) % 3 !== 0) value = [e * 10 + round, e % 2 === 0];
        if ((e + round) % 5 === 0) value = undefined;
      }
      return value;
    });
    expect(values).toEqual(expected);
  }
});

test("T3 memoryReport returns each class's policy, count, utilisation, bytes and the other policy's bytes", () => {
  const wide = { a: "f64", b: "f64", c: "i16" } as const; // 18 bytes
  class Wide extends defineComponent("Wide", wide, { policy: "sparse" }) {}
  class Slots extends defineComponent("Slots", { a: "f32", b: "u8" }, { policy: "linear" }) {} // 5 bytes
  const ecs = world();
  const all = ecs.addEntities(1_001);
  ecs.addComponents(all.subarray(0, 1_001), Wide);
  ecs.addComponents(all.subarray(0, 10), Slots);
  ecs.addComponents(all.subarray(0, 3), PackedTag);
  ecs.addComponents(all.subarray(0, 3), Tag);
  const report = Object.fromEntries(ecs.memoryReport().map((r) => [r.name, r]));
  expect(report.Wide).toMatchObject({ policy: "sparse", count: 1_001, utilisation: 1, otherBytes: 18 * 1_001 + 126 });
  expect(report.Slots).toMatchObject({ policy: "linear", count: 10, otherBytes: 8 * 1_001 + 5 * 10 });
  expect(report.Slots!.utilisation).toBeCloseTo(10 / 1_001, 12);
  expect(report.PackedTag).toMatchObject({ policy: "sparse", count: 3, otherBytes: 126 });
  expect(report.Tag).toMatchObject({ policy: "linear", count: 3, otherBytes: 8 * 1_001 });
  expect(report.Wide!.bytes).toBeGreaterThanOrEqual(18 * 1_001);
  expect(report.Slots!.bytes).toBeGreaterThanOrEqual(5 * 10);
});

test("T3 memoryReport advises a switch only if that saves more than a quarter", () => {
  const policy = "sparse";
  class Everywhere extends defineComponent("Everywhere", { a: "u8" }, { policy }) {} // 9 or 1.125 bytes each
  class Rarely extends defineComponent("Rarely", { a: "f64", b: "f64", c: "f64", d: "f64" }, { policy: "linear" }) {}
  class Fine extends defineComponent("Fine", { a: "f64", b: "f64", c: "f64" }, { policy }) {} // 32 or 24.125 bytes each
  const ecs = world();
  const all = ecs.addEntities(1_000);
  ecs.addComponents(all, Everywhere);
  ecs.addComponents(all, Fine);
  ecs.addComponents(all.subarray(0, 100), Rarely);
  const advice = Object.fromEntries(ecs.memoryReport().map((r) => [r.name, r.advice]));
  expect(advice.Everywhere).toMatch(/linear.*87 %/);
  expect(advice.Rarely).toMatch(/sparse.*65 %/);
  expect(advice.Fine).toBe("");
});

test("X1 the storage of a value that is no component class is an error", () => {
  const ecs = world();
  for (const bad of [undefined, null, "Position", {}, Object, 3])
    expectError("BAD_ARGUMENT", () => ecs.storage(bad as never));
  expect(ecs.memoryReport()).toEqual([]);
});

test("T1 columns can't be assigned, added or deleted", () => {
  const ecs = world();
  positions(ecs, 1);
  const { columns } = ecs.storage(Position);
  expect(() => Object.assign(columns, { x: 3 })).toThrow(TypeError);
  expect(columns.x).toBeInstanceOf(Float32Array);
  expect(add(ecs, {}).runs).toEqual([]);
});
