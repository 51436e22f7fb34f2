// Rule S19: systems that run outside of updates.
import { describe, expect, test } from "@jest/globals";
import { defineSystem, type Entity } from "crateful";
import { Position, Tag, add, expectError, world } from "./world.js";

describe("S19 ecs.run", () => {
  test("runs one system, which finds its dirty set; time does not pass, and marked entities stay", () => {
    const ecs = world();
    const deltas: number[] = [];
    const one = add(ecs, { requires: [Position], watches: [Position], update: (delta) => void deltas.push(delta) });
    const other = add(ecs, { requires: [Position], watches: [Position] });
    const e = ecs.addEntity(Position);
    const gone = ecs.addEntity(Position);
    ecs.removeEntity(gone);
    ecs.run(one, 0.25);
    expect([one.runs, deltas, other.runs]).toEqual([[[e, gone]], [0.25], []]);
    ecs.get(e, Position).x = 3;
    ecs.run(one);
    expect([one.lastRun, deltas[1]]).toEqual([[e], 1 / 60]);
    expect([ecs.frame, ecs.gameTime, ecs.wallTime, ecs.alive(gone)]).toEqual([0, 0, 0, true]);
    ecs.update();
    expect([one.lastRun, other.lastRun, ecs.alive(gone)]).toEqual([[], [e, gone], false]);
  });

  test("runs several in the given order, by instance, class and name", () => {
    const ecs = world();
    const log: string[] = [];
    const note = (name: string) => {
      class Noted extends defineSystem(undefined, { name }) {
        override update(delta: number): void {
          log.push(`${name} ${delta}`);
        }
      }
      return ecs.addSystem(0, new Noted());
    };
    const a = note("a");
    note("b");
    class C extends defineSystem() {
      override update(delta: number): void {
        log.push(`C ${delta}`);
      }
    }
    ecs.addSystem(-1, new C());
    ecs.run(["b", C, a, "b"], 2);
    expect(log).toEqual(["b 2", "C 2", "a 2", "b 2"]);
    ecs.run([]);
    ecs.run("a", 0);
    expect(log.at(-1)).toBe("a 0");
  });

  test("does not ask whether a system is enabled or due", () => {
    const ecs = world();
    const runs: number[] = [];
    class Seldom extends defineSystem(
      { position: Position },
      {
        watch: [Position],
        interval: 5,
        onlyWhenDirty: true,
        when: () => false,
      },
    ) {
      override update(delta: number): void {
        runs.push(delta);
      }
    }
    const seldom = ecs.addSystem(0, new Seldom());
    ecs.disableSystem(seldom);
    ecs.paused = true;
    ecs.run(seldom, 0.5);
    expect(runs).toEqual([0.5]);
    ecs.paused = false;
    ecs.enableSystem(seldom);
    ecs.update(4);
    ecs.run(seldom, 0.5);
    expect([runs, ecs.gameTime]).toEqual([[0.5, 0.5], 4]);
  });

  test("a run does not count for the interval", () => {
    const ecs = world();
    const runs: number[] = [];
    class Seldom extends defineSystem(undefined, { interval: 1 }) {
      override update(delta: number): void {
        runs.push(delta);
      }
    }
    const seldom = ecs.addSystem(0, new Seldom());
    ecs.update(0.75);
    ecs.run(seldom, 0.5);
    ecs.update(0.25);
    expect(runs).toEqual([0.5, 1]);
  });

  test("ends with the first error; that system keeps its dirty set", () => {
    const ecs = world();
    let fails = true;
    const bad = add(ecs, {
      requires: [Position],
      watches: [Position],
      update() {
        if (fails) throw new Error("bad");
      },
    });
    const next = add(ecs, { requires: [Position] });
    const e = ecs.addEntity(Position);
    expect(() => ecs.run([bad, next])).toThrow("bad");
    expect(next.runs).toEqual([]);
    fails = false;
    ecs.run([bad, next]);
    expect([bad.runs, next.runs.length]).toEqual([[[e], [e]], 1]);
  });

  test("goes on if a system removes another one, itself, or all entities", () => {
    const ecs = world();
    const log: string[] = [];
    const named = (name: string, update: () => void) =>
      add(ecs, {
        requires: [Tag],
        update() {
          log.push(name);
          update();
        },
      });
    const second = named("second", () => undefined);
    const first = named("first", () => {
      ecs.removeSystem(second);
      ecs.clear();
      ecs.removeSystem(first);
    });
    const third = named("third", () => undefined);
    const e: Entity = ecs.addEntity(Tag);
    ecs.run([first, second, third]);
    expect([log, ecs.alive(e)]).toEqual([["first", "third"], false]);
    expectError("BAD_SYSTEM", () => ecs.run(first));
  });

  test("refuses a delta that is no time, a system of another ECS, and calls inside of callbacks; then nothing runs", () => {
    const ecs = world();
    const one = add(ecs, { requires: [Position] });
    const other = add(world(), { requires: [Position] });
    class Missing extends defineSystem() {
      override update(): void {}
    }
    for (const delta of [-1, NaN, Infinity, "1" as never]) {
      const { message } = expectError("BAD_ARGUMENT", () => ecs.run(one, delta));
      expect(message).toContain("run: the delta must be a finite, non-negative number of seconds");
    }
    for (const system of [other, "nobody", Missing, undefined as never, 3 as never])
      expectError("BAD_SYSTEM", () => ecs.run([one, system]));
    expect(one.runs).toEqual([]);
    const codes: unknown[] = [];
    add(ecs, {
      requires: [Tag],
      onAdd: () => void codes.push(expectError("REENTRANT_UPDATE", () => ecs.run(one)).code),
      update: () => void codes.push(expectError("REENTRANT_UPDATE", () => ecs.run(one)).code),
    });
    ecs.addEntity(Tag);
    ecs.update();
    expect([codes.length, one.runs.length]).toEqual([2, 1]);
    ecs.dispose();
    expectError("DISPOSED", () => ecs.run(one));
  });
});
