// How much memory bytes may ask for (rule N8).
import { expect, test } from "@jest/globals";
import { Changes, Replica } from "crateful/state";
import { defineComponent, type ECS } from "crateful";
import { restore, snapshot } from "./with_state.js";
import { expectError, world } from "./world.js";

const INDEX = 50_000;
const wide = { x: "f64x64" } as const;
const WIDE = 512; // bytes of a component
class Linear extends defineComponent("LimitsLinear", wide, { policy: "linear" }) {}
class Sparse extends defineComponent("LimitsSparse", wide, { policy: "sparse" }) {}
class Tag extends defineComponent("LimitsTag") {}
class Narrow extends defineComponent("LimitsNarrow", { y: "u8" }) {}

/** An ECS with one entity, which has a high index and a component of a class. */
function sparseWorld(cls: typeof Linear | typeof Sparse | typeof Tag): ECS {
  const ecs = world();
  const all = ecs.addEntities(INDEX);
  ecs.addComponent(all.at(-1)!, cls as typeof Tag);
  for (const e of all.slice(0, -1)) ecs.removeEntity(e);
  ecs.removeMarked();
  return ecs;
}
const says = /limits: they ask for more memory than `bytes` \(byte \d+\)$/;

test("N8 restore refuses columns for one component with a high index", () => {
  const bytes = snapshot(sparseWorld(Linear));
  const other = world();
  const mine = other.addEntity();
  const options = (most: number) => ({ components: [Linear], limits: { bytes: most } });
  const { message } = expectError("BAD_DATA", () => restore(other, bytes, options((INDEX * WIDE) / 2)));
  expect(message).toMatch(says);
  expect(other.alive(mine)).toBe(true);
  expect(other.count).toBe(1);
  restore(other, bytes, options(INDEX * WIDE * 2));
  expect(snapshot(other)).toEqual(bytes);
});

test("N8 restore allows few components with high indices", () => {
  const bytes = snapshot(sparseWorld(Sparse));
  const other = world();
  const options = (most: number) => ({ components: [Sparse], limits: { bytes: most } });
  restore(other, bytes, options((INDEX * WIDE) / 2));
  expect(snapshot(other)).toEqual(bytes);
  expectError("BAD_DATA", () => restore(other, bytes, options(bytes.length))); // the tables of entities are larger
});

test("N8 restore refuses defaults for many components", () => {
  const ecs = world();
  ecs.addComponents(ecs.addEntities(1000), Narrow);
  const bytes = snapshot(ecs);
  const other = world();
  const options = { components: [Sparse], rename: { LimitsNarrow: "LimitsSparse" } };
  expectError("BAD_DATA", () => restore(other, bytes, { ...options, limits: { bytes: 1000 * WIDE } }));
  expect(other.count).toBe(0);
  restore(other, bytes, options);
  expect(other.count).toBe(1000);
});

test("N8 apply refuses a table for one entity with a high index", () => {
  const bytes = new Changes(sparseWorld(Tag)).receiver().take();
  expect(bytes.length).toBeLessThan(100);
  const other = world();
  const limited = new Replica(other, { components: [Tag], limits: { bytes: INDEX * 4 } });
  expect(expectError("BAD_DATA", () => limited.apply(bytes)).message).toMatch(says);
  expect(other.count).toBe(0);
  new Replica(other, { components: [Tag] }).apply(bytes);
  expect(other.count).toBe(1);
});

test("N8 apply refuses components for which there are few bytes", () => {
  class Before extends defineComponent("LimitsBoth", { y: "u8" }) {}
  class Now extends defineComponent("LimitsBoth", wide) {}
  const ecs = world();
  ecs.addComponents(ecs.addEntities(1000), Before);
  const bytes = new Changes(ecs, { components: [Before] }).receiver().take();
  expect(bytes.length).toBeLessThan(10_000);
  const other = world();
  const limited = new Replica(other, { components: [Now], limits: { bytes: 1000 * WIDE } });
  expect(expectError("BAD_DATA", () => limited.apply(bytes)).message).toMatch(says);
  expect(other.count).toBe(0);
  new Replica(other, { components: [Now] }).apply(bytes);
  expect(other.query({ now: Now }).count).toBe(1000);
});
