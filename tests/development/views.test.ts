// A separate file, because its module starts with little memory.
import { expect, test } from "@jest/globals";
import { Packed, add, expectError, growMemory, policies, positions, values, world } from "../bindings/world.js";

test.each(policies)(
  "X2 B1 using an array of a storage or a system after memory has grown is an error that says so (%s)",
  (_, cls) => {
    const ecs = world();
    const all = positions(ecs, 3, cls);
    const system = add(ecs, { requires: [cls], watches: [cls] });
    ecs.update();
    const storage = ecs.storage(cls);
    const start = storage.slot(all[0]!);
    const { x } = storage.columns;
    const arrays = [x, storage.entities, system.entities.ids];
    expect([Array.from(x).slice(start), x.length, x.subarray(1).length]).toEqual([[0, 1, 2], start + 3, start + 2]);
    growMemory(ecs);
    for (const array of arrays) {
      const uses = [
        () => array.length,
        () => Array.from(array),
        () => array.fill(1),
        () => array.buffer,
        () => String(array),
        () => ecs.addComponents(array, cls),
      ];
      for (const use of uses) {
        expect(expectError("BAD_ARGUMENT", use).message).toMatch(
          /^\S+: this array of a storage is empty, because memory has grown since it was read\. Read .* before each loop$/,
        );
      }
    }
    expect([Array.from(storage.columns.x).slice(start), values(ecs, cls, "x")]).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
    expect([Array.from(storage.entities).slice(start), [...storage]]).toEqual([all, all]);
  },
);

test("X2 B1 an array of a storage is an ordinary typed array", () => {
  const ecs = world();
  positions(ecs, 3, Packed);
  const { x } = ecs.storage(Packed).columns;
  expect([ArrayBuffer.isView(x), x instanceof Float32Array, Object.keys(x)]).toEqual([true, true, ["0", "1", "2"]]);
  expect(new Float32Array(x)).toEqual(Float32Array.of(0, 1, 2));
  expect([x.byteLength, String(x), x.constructor, Object.hasOwn(x, 2)]).toEqual([12, "0,1,2", Float32Array, true]);
  expect(x.map((value) => value + 1)).toEqual(Float32Array.of(1, 2, 3));
  x[1] = 5;
  x.set([7], 2);
  expect([...x]).toEqual([0, 5, 7]);
  expect(ecs.storage(Packed).columns.x).toBe(x);
});
