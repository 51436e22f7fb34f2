// Snapshots with a module that has no code for them.
import { expect, test } from "@jest/globals";
import { init } from "crateful";
import { Changes, Replica, restore, snapshot } from "crateful/state";
import { world } from "./world.js";

await init();

test("N1 N2 N5 N6 snapshot, restore, Changes and Replica with the module of another entry say which one to import", () => {
  const ecs = world();
  const calls = [
    () => snapshot(ecs),
    () => restore(ecs, new Uint8Array(8)),
    () => new Changes(ecs),
    () => new Replica(ecs),
  ];
  for (const call of calls)
    expect(call).toThrow(
      expect.objectContaining({
        code: "BAD_ARGUMENT",
        message: expect.stringContaining('import init from "crateful/state", and call no other init before'),
      }),
    );
  ecs.addEntity();
  expect(ecs.count).toBe(1);
});
