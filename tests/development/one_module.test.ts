// The development build has one module for all entries (rules B1, D14).
import { expect, test } from "@jest/globals";
import { ECS, defineComponent, init } from "crateful";
import { History, inspect } from "crateful/inspector";
import { Rewind, snapshot } from "crateful/state";
import { expectError } from "../bindings/world.js";

await init();

test("D14 histories need no other init", () => {
  const ecs = new ECS();
  const e = ecs.addEntity();
  expect(new History(ecs).why(e)).toEqual([]);
});

test("I1 the inspector records changes and frames with no other init", () => {
  const ecs = new ECS();
  class Place extends defineComponent("OneModulePlace", { x: "f32" }) {}
  const e = ecs.addEntity(Place);
  ecs.update();
  expect(inspect(ecs, { do: "record", on: true })).toEqual({ done: true });
  ecs.get(e, Place).x = 3;
  ecs.update(); // also compares what the rewind has recorded with the fields
  expect(inspect(ecs, { ask: "world" })).toMatchObject({ history: true, rewind: { oldest: 1, newest: 2 } });
  expect(inspect(ecs, { do: "rewind", frame: 1 })).toEqual({ done: true, frame: 1 });
  expect(ecs.get(e, Place).x).toBe(0);
  expect(inspect(ecs, { do: "record", on: false })).toEqual({ done: true });
  expect(expectError("BAD_ARGUMENT", () => new Rewind(ecs)).message).toContain('import init from "crateful/state"'); // B1
});

test("B1 what needs the init of crateful/state in production also needs it here", () => {
  expect(expectError("BAD_ARGUMENT", () => snapshot(new ECS())).message).toContain('import init from "crateful/state"');
});
