// Vectors and enums of C++ structs (tests/bindings/native/components.hpp).
import { expect, test } from "@jest/globals";
import { ECS, type EcsError, NONE, defineSystem, init, nativeComponent, type Entity, type RawWorld } from "crateful";

interface Fixture {
  soldier(world: RawWorld, e: Entity): string;
  setSoldier(world: RawWorld, e: Entity, stance: number, x: number): void;
}
const { default: create } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as { default: () => Promise<Fixture> };
const native = await create();

const stances = ["idle", "walk", "attack"] as const;
class Soldier extends nativeComponent("Soldier", {
  rank: "u8",
  at: "f32x3",
  colour: "u8x4",
  stance: stances,
  weapon: ["none", "sword"],
  target0: "entity",
  target1: "entity",
  order0: stances,
  order1: stances,
}) {}
await init({ module: native });

/** Not that of world.ts, which initialises the package with another module. */
function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return (error as EcsError).message;
  }
  return "nothing was thrown";
}

const defaults = {
  rank: 1,
  at: [1, 2, 3],
  colour: [255, 128, 0, 9],
  stance: "walk",
  weapon: "none",
  target0: NONE,
  target1: NONE,
  order0: "idle",
  order1: "attack",
};

test("C3, C12 an array of numbers is a vector, other arrays are a field for each element", () => {
  using ecs = new ECS();
  const e = ecs.addEntity(Soldier);
  expect(ecs.get(e, Soldier).toJSON()).toStrictEqual(defaults);
  expect(new Soldier()).toEqual(defaults);
  expect(Soldier.schema.at).toEqual({ type: "f32x3", default: [1, 2, 3] });
  expect(Soldier.schema.stance).toEqual({ type: stances, default: "walk" });
});

test("C12 C++ and TypeScript access the same vector", () => {
  using ecs = new ECS();
  const e = ecs.addEntity([Soldier, { at: [4, 5, 6] }]);
  expect(native.soldier(ecs.raw, e)).toBe("1 4 5 6 255 128 0 9");
  const { at, colour } = ecs.get(e, Soldier);
  at.set(7, 8, 9);
  colour.w = 1;
  expect(native.soldier(ecs.raw, e)).toBe("1 7 8 9 255 128 0 1");
  native.setSoldier(ecs.raw, e, 2, 100);
  expect([...at]).toEqual([100, 8, 9]);
  for (const { soldier } of ecs.query({ soldier: Soldier })) {
    soldier.at.z *= 2;
    expect([...soldier.at]).toEqual([100, 8, 18]);
  }
  expect(native.soldier(ecs.raw, e)).toBe("2 100 8 18 255 128 0 1");
});

test("C12, E7 columns of vectors have strides; bulk calls take vectors", () => {
  using ecs = new ECS();
  const entities = ecs.addEntities(3);
  ecs.addComponents(entities, Soldier, { at: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), colour: [1, 2, 3, 4] });
  expect(Array.from(entities, (e) => native.soldier(ecs.raw, e))).toEqual([
    "1 1 2 3 1 2 3 4",
    "1 4 5 6 1 2 3 4",
    "1 7 8 9 1 2 3 4",
  ]);
  const storage = ecs.storage(Soldier);
  const { at } = storage.columns;
  const stride = storage.strides.at;
  expect([0, 1, 2].map((slot) => [...at.subarray(slot * stride, slot * stride + 3)])).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ]);
  expect(at).toHaveLength(2 * stride + 3);
  const prefab = ecs.prefab([[Soldier, { at: [7, 7, 7] }]]);
  expect(native.soldier(ecs.raw, prefab.spawn([{ colour: [0, 0, 0, 0] }]))).toBe("1 7 7 7 0 0 0 0");
  const [f] = prefab.spawn(1, [{ stance: "attack" }]);
  expect(native.soldier(ecs.raw, f!)).toBe("2 7 7 7 255 128 0 9");
});

test("C11 TypeScript sees the names that C++ describes", () => {
  using ecs = new ECS();
  const e = ecs.addEntity([Soldier, { stance: "attack", weapon: "sword", order0: "walk" }]);
  expect(native.soldier(ecs.raw, e)).toBe("2 1 2 3 255 128 0 9");
  const soldier = ecs.get(e, Soldier);
  expect([soldier.stance, soldier.weapon, soldier.order0, soldier.order1]).toEqual([
    "attack",
    "sword",
    "walk",
    "attack",
  ]);
  soldier.stance = "idle";
  expect(native.soldier(ecs.raw, e)).toBe("0 1 2 3 255 128 0 9");
  native.setSoldier(ecs.raw, e, 1, 1);
  expect(soldier.stance).toBe("walk");
  native.setSoldier(ecs.raw, e, 3, 1); // has no name
  expect(soldier.stance).toBeUndefined();
  expect(() => (soldier.stance = "run" as never)).toThrow('field stance takes "idle", "walk", "attack", not "run"');
  expect(ecs.storage(Soldier).columns.stance).toBeInstanceOf(Int32Array);
});

test("C11, C12, D2 setters signal; onRemove can read", () => {
  using ecs = new ECS();
  const e = ecs.addEntity(Soldier);
  const log: unknown[] = [];
  class Watch extends defineSystem({ soldier: Soldier }, { watch: [Soldier] }) {
    override update() {
      log.push(this.dirty.size);
    }
    override onRemove(aspect: { get(cls: typeof Soldier): Soldier }) {
      const { at, stance } = aspect.get(Soldier);
      log.push([...at], stance);
    }
  }
  ecs.addSystem(0, new Watch());
  ecs.update();
  const soldier = ecs.get(e, Soldier);
  soldier.at.set(1, 2, 3);
  soldier.stance = "walk";
  ecs.update();
  soldier.at.set(1, 2, 4);
  ecs.update();
  ecs.removeComponent(e, Soldier);
  expect(log).toEqual([1, 0, 1, [1, 2, 4], "walk"]);
});

test("C11, C12, X1 a schema that differs from the C++ struct is an error", () => {
  const messages = (
    [
      { at: "f32x2" },
      { at: "f32" },
      { rank: "u8x2" },
      { stance: ["idle", "walk"] },
      { stance: "i32" },
      { rank: stances },
      { at0: "f32" },
    ] as const
  ).map((schema) => messageOf(() => nativeComponent("Soldier", schema as {})));
  expect(messages).toEqual([
    'nativeComponent: Soldier.at is f32x3 in C++, not "f32x2"',
    'nativeComponent: Soldier.at is f32x3 in C++, not "f32"',
    'nativeComponent: Soldier.rank is u8 in C++, not "u8x2"',
    "nativeComponent: Soldier.stance is idle,walk,attack in C++, not an array",
    'nativeComponent: Soldier.stance is idle,walk,attack in C++, not "i32"',
    "nativeComponent: Soldier.rank is u8 in C++, not an array",
    "nativeComponent: Soldier has no field at0 in C++; its fields are rank, at, colour, stance, weapon, target0, target1, order0, order1",
  ]);
});
