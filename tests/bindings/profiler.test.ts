import { expect, test } from "@jest/globals";
import { System } from "crateful";
import { Position, add, expectError, positions, thrownBy, world } from "./world.js";

class Busy extends System {
  componentsRequired = new Set([Position]);
  update() {
    for (let i = 0, _x = 0; i < 200_000; ++i) _x += Math.sqrt(i);
  }
}

test("P1 the profiler is off by default and then measures nothing", () => {
  const ecs = world();
  ecs.addSystem(0, new Busy());
  ecs.update();
  expect([ecs.profiler.enabled, ecs.profiler.report(), ecs.profiler.spans()]).toEqual([false, [], []]);
  expect(ecs.profiler.measure("Overall", "render", () => 42)).toBe(42);
  expect(ecs.profiler.report()).toEqual([]);
});

test("P1 the groups are Overall, Systems with a clock per system, and the user's, largest average first", () => {
  const realNow = performance.now;
  let now = 1000; // the clock of the profiler, in milliseconds
  performance.now = () => now;
  try {
    class Short extends System {
      componentsRequired = new Set([Position]);
      constructor(readonly milliseconds: number) {
        super();
      }
      update() {
        now += this.milliseconds;
      }
    }
    class Long extends Short {}
    const ecs = world();
    ecs.addSystem(0, new Short(1));
    ecs.addSystem(1, new Long(5));
    ecs.addSystem(2, new Short(3));
    ecs.profiler.enabled = true;
    for (let i = 0; i < 3; ++i) {
      ecs.profiler.measure("Overall", "render", () => void (now += 2));
      ecs.profiler.measure("Loading", "levels", () => void (now += 4));
      ecs.update();
    }
    const report = ecs.profiler.report();
    expect(report.map((group) => group.name).sort()).toEqual(["Loading", "Overall", "Systems"]);
    const averages = (name: string) => report.find((group) => group.name === name)!.clocks.map((c) => c.average);
    const clockNames = (name: string) => report.find((group) => group.name === name)!.clocks.map((c) => c.name);
    expect([clockNames("Systems"), averages("Systems")]).toEqual([
      ["Long", "Short #2", "Short"],
      [5, 3, 1],
    ]);
    expect([clockNames("Overall"), averages("Overall")]).toEqual([
      ["update", "render"],
      [9, 2],
    ]);
    expect(averages("Loading")).toEqual([4]);
  } finally {
    performance.now = realNow;
  }
});

test("P1 averages include only the frames in which a clock ran", () => {
  const ecs = world();
  const { profiler } = ecs;
  profiler.enabled = true;
  const system = ecs.addSystem(0, new Busy());
  ecs.update();
  const [before] = profiler.report().find((g) => g.name === "Systems")!.clocks;
  ecs.disableSystem(system);
  for (let i = 0; i < 5; ++i) ecs.update();
  const [after] = profiler.report().find((g) => g.name === "Systems")!.clocks;
  expect(after).toEqual(before);
  profiler.clear();
  expect([profiler.report(), profiler.spans()]).toEqual([[], []]);
});

test("P1 spans have the start and duration of each measurement of the last frame, on the clock of performance.now()", () => {
  const ecs = world();
  ecs.addSystem(0, new Busy());
  ecs.profiler.enabled = true;
  const before = performance.now();
  ecs.update();
  const after = performance.now();
  const spans = ecs.profiler.spans();
  expect(spans.map((s) => `${s.group}/${s.name}`).sort()).toEqual(["Overall/update", "Systems/Busy"]);
  for (const { start, duration } of spans) {
    expect(start).toBeGreaterThanOrEqual(before - 1);
    expect(start + duration).toBeLessThanOrEqual(after + 1);
  }
});

test("P1 measure rethrows what the call throws, and the call may dispose the world", () => {
  const ecs = world();
  ecs.profiler.enabled = true;
  const failure = new Error("failure");
  expect(
    thrownBy(() =>
      ecs.profiler.measure("A", "b", () => {
        throw failure;
      }),
    ),
  ).toBe(failure);
  ecs.update();
  expect(ecs.profiler.report().map((g) => g.name)).toContain("A");
  expect(ecs.profiler.measure("A", "b", () => (ecs.dispose(), 7))).toBe(7);
});

test("P1 a frame in which a system throws is measured too", () => {
  const ecs = world();
  positions(ecs, 1);
  add(ecs, {
    update() {
      throw new Error("failure");
    },
  });
  ecs.profiler.enabled = true;
  thrownBy(() => ecs.update());
  expect(
    ecs.profiler
      .report()
      .map((g) => g.name)
      .sort(),
  ).toEqual(["Overall", "Systems"]);
});

test("P2 with userTiming, each frame's spans are also written to User Timing", () => {
  const ecs = world();
  ecs.addSystem(0, new Busy());
  performance.clearMeasures();
  const measured = () =>
    performance
      .getEntriesByType("measure")
      .map((m) => m.name)
      .sort();
  ecs.profiler.userTiming = true;
  ecs.update();
  expect(measured()).toEqual([]); // the profiler is disabled
  ecs.profiler.enabled = true;
  ecs.profiler.userTiming = false;
  ecs.update();
  expect(measured()).toEqual([]);
  ecs.profiler.userTiming = true;
  ecs.profiler.measure("Overall", "render", () => {});
  ecs.update();
  expect(measured()).toEqual(["Overall: render", "Overall: update", "Systems: Busy"]);
  const [busy] = performance.getEntriesByName("Systems: Busy");
  expect((busy as PerformanceMeasure).detail).toEqual({
    devtools: {
      trackGroup: "Crateful",
      track: "Systems",
      color: "primary-light",
      properties: [
        ["tracked", "0"],
        ["dirty", "0"],
      ],
    },
  });
  performance.clearMeasures();
});

test("X1 misuse of the profiler is an error", () => {
  const { profiler } = world();
  for (const bad of [1, "yes", undefined, null]) expectError("BAD_ARGUMENT", () => (profiler.enabled = bad as never));
  expect(profiler.enabled).toBe(false);
  for (const on of [false, true]) {
    profiler.enabled = on;
    expectError("BAD_ARGUMENT", () => profiler.measure(1 as never, "a", () => {}));
    expectError("BAD_ARGUMENT", () => profiler.measure("a", undefined as never, () => {}));
    expectError("BAD_ARGUMENT", () => profiler.measure("a", "b", 3 as never));
  }
});
