// Node has no animation frames: none comes here.
import { beforeEach, expect, jest, test } from "@jest/globals";
import { startLoop } from "crateful";
import { expectError, world } from "../bindings/world.js";

const warn = jest.spyOn(console, "warn");
beforeEach(() => {
  warn.mockReset();
  Object.assign(globalThis, { requestAnimationFrame: () => 1, cancelAnimationFrame() {} });
});
const warnings = () => warn.mock.calls.map(([message]) => message as string);

test("M4 B1 starting a second loop for an ECS while another one runs is reported once", () => {
  const ecs = world();
  const loops = [startLoop(ecs), startLoop(ecs), startLoop(ecs)];
  expect(loops.map(({ running }) => running)).toEqual([true, true, true]);
  expect(warnings()).toEqual([
    "crateful: startLoop: this ECS has a running loop already, so each frame updates it twice; call stop() of the first loop",
  ]);
});

test("M4 B1 a loop after another one was stopped, that of another ECS, or after an error is not reported", () => {
  const ecs = world();
  expectError("BAD_ARGUMENT", () => startLoop(ecs, { maxDelta: -1 }));
  startLoop(ecs).stop();
  startLoop(ecs);
  startLoop(world());
  expectError("BAD_ARGUMENT", () => startLoop(5 as never));
  expect(warnings()).toEqual([]);
});
