// The development build has one module for all entries (rules B1, D14).
import { expect, test } from "@jest/globals";
import { ECS, init } from "crateful";
import { History } from "crateful/inspector";
import { snapshot } from "crateful/state";
import { expectError } from "../bindings/world.js";

await init();

test("D14 histories need no other init", () => {
  const ecs = new ECS();
  const e = ecs.addEntity();
  expect(new History(ecs).why(e)).toEqual([]);
});

test("B1 what needs the init of crateful/state in production also needs it here", () => {
  expect(expectError("BAD_ARGUMENT", () => snapshot(new ECS())).message).toContain('import init from "crateful/state"');
});
