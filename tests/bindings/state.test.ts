// Snapshots: crateful/state (rules N1 to N4, N8).
import { describe, expect, test } from "@jest/globals";
import { Component, NONE, Parent, System, defineComponent, defineObject, type Aspect, type Entity } from "crateful";
import { restore, snapshot } from "crateful/state";
import { Position, Tag, Velocity, world } from "./world.js";

class Unit extends defineComponent("Unit", {
  state: ["idle", "walk", "attack"],
  name: { type: "string", default: "nobody" },
  at: "f32x3",
  target: "link",
  owner: "entity",
  alert: "bool",
}) {}
class Bag extends defineObject("Bag", { items: [] as string[], gold: 1 }) {}

/** A world with components of all kinds. */
function scene() {
  const ecs = world();
  const hero = ecs.addEntity(new Unit({ name: "Ann", at: [1, 2, 3], state: "walk" }), Position, [Bag, { gold: 7 }]);
  const gone = ecs.addEntity(Tag);
  const pet = ecs.addEntity([Unit, { target: hero, owner: hero, name: "Rex" }], Velocity);
  ecs.setParent(pet, hero);
  ecs.removeEntity(gone);
  ecs.update(0.5);
  ecs.addComponent(ecs.world, Unit, { name: "clock" });
  return { ecs, hero, pet };
}

test("N1 a snapshot is a copy, and equal states have equal bytes", () => {
  const { ecs } = scene();
  const bytes = snapshot(ecs);
  expect(bytes).toBeInstanceOf(Uint8Array);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
  expect(snapshot(ecs)).toEqual(bytes);
  expect(snapshot(scene().ecs)).toEqual(bytes);
});

test("N2 a new world is equal to the snapshot", () => {
  const { ecs, hero, pet } = scene();
  const bytes = snapshot(ecs);
  const other = world();
  restore(other, bytes);
  expect(other.alive(hero) && other.alive(pet)).toBe(true);
  expect(other.count).toBe(2);
  expect(other.get(hero, Unit).toJSON()).toEqual({ ...ecs.get(hero, Unit).toJSON() });
  expect(other.get(pet, Unit).name).toBe("Rex");
  expect(other.get(other.world, Unit).name).toBe("clock");
  expect(other.parent(pet)).toBe(hero);
  expect([...other.linked(Unit, hero)]).toEqual([pet]);
  expect(other.has(pet, Velocity, Parent)).toBe(true);
  expect(other.gameTime).toBe(0.5);
  expect(other.frame).toBe(1);
  expect(other.get(hero, Bag).gold).toBe(7);
  expect(snapshot(other)).toEqual(bytes);
  expect(other.addEntity()).toBe(ecs.addEntity());
});
