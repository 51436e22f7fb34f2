// The time of the example's rooms, by Colyseus's timers, which do not run here by themselves.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, expect, jest, test } from "@jest/globals";
import { init } from "crateful/state";
import { Game } from "../../examples/multiplayer/game.js";

const folder = mkdtempSync(path.join(tmpdir(), "crateful-times-"));
process.env["SAVES"] = folder;
const { Yard } = await import("../../examples/multiplayer/yard.js");
afterAll(() => rmSync(folder, { recursive: true }));

test("a yard follows the time that Colyseus gives it, and starts no other clock", async () => {
  await init();
  const update = jest.spyOn(Game.prototype, "update");
  jest.useFakeTimers({ now: 0, doNotFake: ["nextTick", "queueMicrotask", "setImmediate"] });
  const yard = new Yard();
  yard["__init"]();
  await yard.onCreate({ yard: "time" });
  const tick = jest.spyOn(yard.clock, "tick");
  jest.advanceTimersByTime(2000);
  const [game] = update.mock.contexts as [Game];
  expect(game.ecs.gameTime).toBeCloseTo(2, 6);
  expect(tick).toHaveBeenCalledTimes(40);
  jest.useRealTimers();
  await yard.onDispose();
});
