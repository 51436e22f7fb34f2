import { expect, test } from "@jest/globals";
import { Position, add, entity, expectError, positions, world } from "./world.js";

test("M1 update returns the effective delta, by default 1/60, and both times accumulate", () => {
  const ecs = world();
  expect([ecs.gameTime, ecs.wallTime]).toEqual([0, 0]);
  expect([ecs.update(), ecs.update(0.5), ecs.update(0), ecs.update(undefined)]).toEqual([1 / 60, 0.5, 0, 1 / 60]);
  expect(ecs.gameTime).toBeCloseTo(0.5 + 2 / 60, 12);
  expect(ecs.wallTime).toBe(ecs.gameTime);
});

test("M1 a delta that is NaN, infinite, negative or no number is an error that changes nothing", () => {
  const ecs = world();
  const e = entity(ecs, new Position());
  const system = add(ecs, {});
  ecs.removeEntity(e);
  for (const bad of [NaN, Infinity, -Infinity, -1, -1e-300, "1", null, {}, 1n, true]) {
    expectError("BAD_ARGUMENT", () => ecs.update(bad as number));
  }
  expect([ecs.gameTime, ecs.wallTime, system.runs.length, ecs.alive(e)]).toEqual([0, 0, 0, true]);
});

test("M2 paused stops game time, not wall time", () => {
  const ecs = world();
  expect(ecs.paused).toBe(false);
  ecs.paused = true;
  expect([ecs.update(2), ecs.gameTime, ecs.wallTime, ecs.paused]).toEqual([0, 0, 2, true]);
  for (const bad of ["yes", 1, undefined, null]) expectError("BAD_ARGUMENT", () => (ecs.paused = bad as never));
  expect(ecs.paused).toBe(true);
  ecs.paused = false;
  expect([ecs.update(1), ecs.gameTime, ecs.wallTime]).toEqual([1, 1, 3]);
});

test("M2 slow motion scales the delta by the largest active factor", () => {
  const ecs = world();
  const deltas: number[] = [];
  add(ecs, { update: (delta) => void deltas.push(delta) });
  expect([ecs.slowMotion.style, ecs.slowMotion.factor]).toEqual(["scale", 1]);
  ecs.slowMotion.request(2, 4);
  ecs.slowMotion.request(8, 2);
  ecs.slowMotion.request(4, 3);
  expect(ecs.slowMotion.factor).toBe(8);
  for (let i = 0; i < 5; ++i) ecs.update(1);
  expect(deltas).toEqual([1 / 8, 1 / 8, 1 / 4, 1 / 2, 1]);
  expect(ecs.slowMotion.factor).toBe(1);
  expect(ecs.wallTime).toBe(5);
});

test("M2 with the style step every factor-th frame runs, and the others have delta 0", () => {
  const ecs = world();
  ecs.slowMotion.style = "step";
  ecs.slowMotion.request(3, 7);
  const game = add(ecs, {});
  const debug = add(ecs, { debug: true });
  const returned = Array.from({ length: 9 }, () => ecs.update(1));
  expect(returned).toEqual([0, 0, 1, 0, 0, 1, 0, 1, 1]);
  expect([game.runs.length, debug.runs.length, ecs.gameTime]).toEqual([4, 9, 4]);
});

test("M2 a frame in which a request ends has the request's factor as a whole", () => {
  const ecs = world();
  ecs.slowMotion.request(4, 0.5);
  expect([ecs.update(1), ecs.update(1)]).toEqual([0.25, 1]);
  ecs.slowMotion.request(4, 1.5);
  expect([ecs.update(1), ecs.slowMotion.factor, ecs.update(1), ecs.slowMotion.factor]).toEqual([0.25, 4, 0.25, 1]);
});

test("M2 a pause does not consume slow motion", () => {
  const ecs = world();
  ecs.slowMotion.request(2, 1);
  ecs.paused = true;
  ecs.update(10);
  expect(ecs.slowMotion.factor).toBe(2);
  ecs.paused = false;
  expect([ecs.update(1), ecs.update(1)]).toEqual([0.5, 1]);
});

test("M1 a delta with which a time would be infinite is an error that changes nothing", () => {
  const ecs = world();
  ecs.update(1.7e308);
  expect(expectError("BAD_ARGUMENT", () => ecs.update(1.7e308)).message).toContain("must remain finite");
  expect([ecs.gameTime, ecs.wallTime]).toEqual([1.7e308, 1.7e308]);
});

test("M2 slow motion can have an infinite duration, and can be ended", () => {
  const ecs = world();
  ecs.slowMotion.request(2, Infinity);
  for (let i = 0; i < 100; ++i) ecs.update(100);
  expect(ecs.slowMotion.factor).toBe(2);
  ecs.slowMotion.clear();
  expect([ecs.slowMotion.factor, ecs.update(1)]).toEqual([1, 1]);
});

test("M2 invalid requests and styles are errors that change nothing", () => {
  const { slowMotion } = world();
  for (const bad of [0, 0.5, -2, NaN, Infinity, "2", undefined, null])
    expectError("BAD_ARGUMENT", () => slowMotion.request(bad as number, 1));
  for (const bad of [0, -1, NaN, "1", undefined, null])
    expectError("BAD_ARGUMENT", () => slowMotion.request(2, bad as number));
  for (const bad of ["slow", undefined, null, 1, true])
    expectError("BAD_ARGUMENT", () => (slowMotion.style = bad as never));
  expect([slowMotion.factor, slowMotion.style]).toEqual([1, "scale"]);
});

test("M2 pausing inside an update applies from the next frame on", () => {
  const ecs = world();
  positions(ecs, 1);
  add(ecs, { update: () => void (ecs.paused = true) }, 0);
  const later = add(ecs, {}, 1);
  ecs.update();
  ecs.update();
  expect(later.runs).toHaveLength(1);
});

test("M5 timeScale multiplies deltas, before slow motion", () => {
  const ecs = world();
  expect(ecs.timeScale).toBe(1);
  ecs.timeScale = 2;
  expect([ecs.update(0.5), ecs.gameTime, ecs.wallTime, ecs.timeScale]).toEqual([1, 1, 0.5, 2]);
  ecs.slowMotion.request(4, 1);
  expect([ecs.update(1), ecs.slowMotion.factor]).toEqual([0.5, 1]); // its duration is in wall time
  expect([ecs.update(1, 1), ecs.update(1, 3), ecs.update(1)]).toEqual([1, 3, 2]);
});

test("M5 with timeScale 0 only systems that run during a pause are updated", () => {
  const ecs = world();
  const [game, debug] = [add(ecs, {}), add(ecs, { debug: true })];
  ecs.timeScale = 0;
  expect([ecs.update(1), game.runs.length, debug.runs.length, ecs.paused]).toEqual([0, 0, 1, false]);
});

test("M5 a timeScale that is negative, not finite or no number is an error", () => {
  const ecs = world();
  for (const bad of [-1, NaN, Infinity, "1", null, {}] as never[]) {
    expectError("BAD_ARGUMENT", () => (ecs.timeScale = bad));
    expectError("BAD_ARGUMENT", () => ecs.update(1, bad));
  }
  ecs.timeScale = 1e10;
  expectError("BAD_ARGUMENT", () => ecs.update(1e300)); // game time would be infinite
  expect([ecs.timeScale, ecs.gameTime, ecs.wallTime, ecs.frame]).toEqual([1e10, 0, 0, 0]);
});

test("M5 frame is the number of updates that have ended", () => {
  const ecs = world();
  const frames: number[] = [];
  add(ecs, {
    update: () => {
      frames.push(ecs.frame);
      if (frames.length === 2) throw new Error("in an update");
    },
  });
  ecs.update();
  expect(() => ecs.update()).toThrow("in an update");
  ecs.update();
  expect([frames, ecs.frame]).toEqual([[0, 1, 2], 3]);
  ecs.clear();
  expect(ecs.frame).toBe(3);
});
