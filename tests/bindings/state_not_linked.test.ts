// Snapshots with a module that has no code for them.
import { expect, test } from "@jest/globals";
import { init } from "crateful";
import { restore, snapshot } from "crateful/state";
import { world } from "./world.js";

await init();

test("N1 N2 snapshot and restore with the module of another entry say which one to import", () => {
  const ecs = world();
  for (const call of [() => snapshot(ecs), () => restore(ecs, new Uint8Array(8))])
    expect(call).toThrow(
      expect.objectContaining({ code: "BAD_ARGUMENT", message: expect.stringContaining('init from "crateful/state"') }),
    );
  ecs.addEntity();
  expect(ecs.count).toBe(1);
});
