// A separate file, because its module starts with little memory.
import { expect, test } from "@jest/globals";
import { Position, add, expectError, growMemory, positions, world } from "../bindings/world.js";

test("X2 B1 using an array of a storage or a system after memory has grown is an error that says so", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  const storage = ecs.storage(Position);
  const { x } = storage.columns;
  const arrays = [x, storage.entities, system.entities.ids];
  expect([Array.from(x), x.length, x.subarray(1).length]).toEqual([[0, 1, 2], 3, 2]);
  growMemory(ecs);
  for (const array of arrays) {
    const uses = [
      () => array.length,
      () => Array.from(array),
      () => array.fill(1),
      () => array.buffer,
      () => String(array),
      () => ecs.addComponents(array, Position),
    ];
    for (const use of uses) {
      expect(expectError("BAD_ARGUMENT", use).message).toMatch(
        /^\S+: this array of a storage is empty, because memory has grown since it was read\. Read .* before each loop$/,
      );
    }
  }
  expect([Array.from(storage.columns.x), Array.from(storage.entities)]).toEqual([[0, 1, 2], all]);
});

test("X2 B1 an array of a storage is an ordinary typed array", () => {
  const ecs = world();
  positions(ecs, 3);
  const { x } = ecs.storage(Position).columns;
  expect([ArrayBuffer.isView(x), x instanceof Float32Array, Object.keys(x)]).toEqual([true, true, ["0", "1", "2"]]);
  expect(new Float32Array(x)).toEqual(Float32Array.of(0, 1, 2));
  expect([x.byteLength, String(x), x.constructor, Object.hasOwn(x, 2)]).toEqual([12, "0,1,2", Float32Array, true]);
  expect(x.map((value) => value + 1)).toEqual(Float32Array.of(1, 2, 3));
  x[1] = 5;
  x.set([7], 2);
  expect([...x]).toEqual([0, 5, 7]);
  expect(ecs.storage(Position).columns.x).toBe(x);
});
