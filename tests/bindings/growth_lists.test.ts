// Rule X2 for lists that are views of memory. This is a separate file, because its module starts with little memory,
// so that the calls below make it grow.
import { expect, test } from "@jest/globals";
import { defineComponent } from "crateful";
import { Packed, PackedTag, Position, add, expectError, growMemory, positions, values, world } from "./world.js";

class Heavy extends defineComponent("Heavy", {
  a: "f64",
  b: "f64",
  c: "f64",
  d: "f64",
  e: "f64",
  f: "f64",
  g: "f64",
  h: "f64",
}) {}

test("X2 a list that is a view of memory may be passed to a call that makes it grow", () => {
  const ecs = world();
  const system = add(ecs, { requires: [Packed], watches: [Packed] });
  const n = 300_000;
  for (let i = 0; i < n; i += 1_000) positions(ecs, 1_000, Packed); // so that the scratch memory stays small
  ecs.update();
  ecs.storage(Packed).columns.y.fill(3);
  ecs.addComponents(system.entities.ids, PackedTag);
  expect(ecs.storage(PackedTag).count).toBe(n);
  const before = ecs.storage(Packed).columns.y;
  ecs.addComponents(ecs.storage(Packed).entities, Heavy, { a: before, b: 1 });
  expect(before[0]).toBe(undefined); // the memory has grown
  expect([ecs.storage(Heavy).count, values(ecs, Heavy, "a").every((value) => value === 3)]).toEqual([n, true]);
  ecs.storage(Packed).markDirty(ecs.storage(Packed).entities);
  expect(system.dirty.size).toBe(n);
  expect(ecs.removeComponents(system.dirty.ids, Heavy)).toBe(n);
  expect(ecs.removeComponents(ecs.storage(PackedTag).entities, PackedTag)).toBe(n);
  ecs.removeEntities(system.entities.ids);
  ecs.update();
  expect(ecs.count).toBe(0);
});

test("X1 query.of refuses a list of entities that memory growth has detached", () => {
  const ecs = world();
  positions(ecs, 10);
  const list = ecs.storage(Position).entities;
  const part = list.subarray(0, 5);
  growMemory(ecs);
  const query = ecs.query({ position: Position });
  for (const detached of [list, part]) expectError("BAD_ARGUMENT", () => [...query.of(detached)]);
  expect([...query.of(ecs.storage(Position).entities)].length).toBe(10);
});
