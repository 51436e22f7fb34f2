// Rule E8: the memory that the creation of entities with components needs. A file of its own, because it replaces functions of
// the module and of the engine.
import { afterEach, expect, test } from "@jest/globals";
import { init } from "crateful";
import type { RawModule } from "../../web/src/module/raw.js";

// Built by tests/bindings/CMakeLists.txt.
const { default: create } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as {
  default: () => Promise<RawModule & { allocate(megabytes: number): void }>;
};
const core = await create();
await init({ module: core });
const { Component, defineComponent } = await import("crateful");
// Uses that module.
const { Health, PackedTag, Tag, Velocity, expectError, policies, world } = await import("./world.js");

const { grow } = WebAssembly.Memory.prototype;
afterEach(() => {
  WebAssembly.Memory.prototype.grow = grow;
});

test.each(policies)(
  "E8 without memory for an entity with components there is none, and they can be used again (%s)",
  (policy, Position) => {
    const tag = policy === "sparse" ? PackedTag : Tag;
    const ecs = world();
    const pages = 400;
    const each = 1024; // entities per page of a sparse index
    const all = ecs.addEntities(pages * each);
    class Filler extends defineComponent("Filler", {}, { policy: "sparse" }) {}
    ecs.addComponent(all[0]!, Position);
    ecs.addComponent(all[0]!, new Health());
    ecs.addComponent(all[0]!, Velocity);
    const last = all.at(-1)!;
    ecs.removeEntity(last);
    ecs.removeMarked(); // so that the next entity has its index, of a page that no class has yet

    WebAssembly.Memory.prototype.grow = () => {
      throw new RangeError("no memory");
    };
    expect(() => {
      for (;;) core.allocate(1); // megabytes
    }).toThrow();
    const fill = () => {
      for (let page = 0; page < pages - 1; ++page) ecs.addComponent(all[page * each]!, Filler);
    };
    expectError("OUT_OF_MEMORY", fill);
    const before = ecs.count;
    const [position, velocity, health] = [new Position({ x: 3 }), new Velocity({ x: 4 }), new Health(5)];
    for (let i = 0; i < 3; ++i) {
      expectError("OUT_OF_MEMORY", () => ecs.addEntity(health, tag, position, velocity));
      expect([ecs.count, ecs.query({ h: Health }).count, position.x, velocity.x]).toEqual([before, 1, 3, 4]);
    }
    WebAssembly.Memory.prototype.grow = grow;
    const e = ecs.addEntity(health, tag, position, velocity);
    expect([ecs.get(e, Position), ecs.get(e, Velocity), ecs.get(e, Health)]).toEqual([position, velocity, health]);
    expect(ecs.count).toBe(before + 1);
  },
);

test("E8 entities are created from each of a thousand lists of parts, which have one prefab each in the core", () => {
  const classes = Array.from({ length: 10 }, (_, i) =>
    i % 3 === 0 ? class extends Component {} : defineComponent(`Part${i}`, { n: "u16" }),
  ) as (typeof Health)[];
  const { _crateful_add_prefab: add } = core;
  let prefabs = 0;
  core._crateful_add_prefab = (...args) => (++prefabs, add(...args));
  const ecs = world();
  for (let round = 0; round < 2; ++round)
    for (let bits = 1; bits < 1024; ++bits) {
      const parts = classes.filter((_, i) => (bits >> i) & 1);
      const e = ecs.addEntity(...(parts as []));
      expect(classes.map((cls) => ecs.has(e, cls))).toEqual(classes.map((_, i) => ((bits >> i) & 1) === 1));
      const objects = parts.map((cls) => new cls());
      const other = ecs.addEntity(...(objects as []));
      expect(objects.filter((object, i) => ecs.get(other, parts[i]!) !== object)).toEqual([]);
    }
  expect(ecs.count).toBe(4 * 1023);
  // Of object classes, components are always objects, so that lists of these alone are the same in both forms.
  expect(prefabs).toBe(1023 + 1023 - 15);
  core._crateful_add_prefab = add;
});
