// Rules S15 (`when`) and S16 (systems without `update`).
import { expect, test } from "@jest/globals";
import { System, defineSystem, type Aspect, type ECS, type Entity } from "crateful";
import { Position, Tag, add, entity, expectError, thrownBy, world } from "./world.js";

/** What the systems of a test share. */
function conditional(ecs: ECS, options: { interval?: number; onlyWhenDirty?: boolean; whilePaused?: boolean } = {}) {
  const state = { runs: true, asked: 0, deltas: [] as number[], dirty: [] as Entity[][] };
  class Conditional extends defineSystem(
    { position: Position },
    {
      ...options,
      watch: [Position],
      when(asking) {
        expect(asking).toBe(ecs);
        ++state.asked;
        return state.runs;
      },
    },
  ) {
    override update(delta: number) {
      state.deltas.push(delta);
      state.dirty.push(Array.from(this.dirty, (row) => row.entity));
    }
  }
  return { state, system: ecs.addSystem(0, new Conditional()) };
}

test("S15 a system whose condition is false is skipped, and its dirty set accumulates", () => {
  const ecs = world();
  const { state, system } = conditional(ecs);
  const [a, b] = [entity(ecs, new Position()), entity(ecs, new Position())] as [Entity, Entity];
  ecs.update(1);
  state.runs = false;
  ecs.get(b, Position).x = 1;
  ecs.update(1);
  ecs.get(a, Position).x = 1;
  ecs.update(1);
  expect([state.deltas, state.asked, system.dirty.size, ecs.systems[0]!.dirty]).toEqual([[1], 3, 2, 0]);
  state.runs = true;
  ecs.update(1);
  ecs.update(1);
  expect(state.dirty).toEqual([[a, b], [b, a], []]);
  expect(state.deltas).toEqual([1, 1, 1]);
});

test("S15 the time of an interval counts while the condition is false", () => {
  const ecs = world();
  const { state } = conditional(ecs, { interval: 0.5 });
  state.runs = false;
  for (let i = 0; i < 3; ++i) ecs.update(0.25);
  expect([state.asked, state.deltas]).toEqual([2, []]); // not before the interval has passed
  state.runs = true;
  for (let i = 0; i < 3; ++i) ecs.update(0.25);
  expect(state.deltas).toEqual([1, 0.5]);
});

test("S15 a system is asked only when all else allows a run", () => {
  const ecs = world();
  const { state, system } = conditional(ecs, { onlyWhenDirty: true });
  ecs.update();
  ecs.disableSystem(system);
  entity(ecs, new Position());
  ecs.update();
  ecs.enableSystem(system);
  ecs.paused = true;
  ecs.update();
  expect(state.asked).toBe(0);
  ecs.paused = false;
  ecs.update();
  expect([state.asked, state.deltas.length]).toEqual([1, 1]);
});

test("S15 when is a member of classes that extend System, and sees the state of a game", () => {
  class Game extends Tag {}
  const playing = (ecs: ECS) => ecs.has(ecs.world, Tag);
  class Counter extends System {
    componentsRequired = new Set([Position]);
    runs = 0;
    override when = playing;
    override update() {
      ++this.runs;
    }
  }
  class Method extends Counter {
    override when = (ecs: ECS) => !playing(ecs);
  }
  const ecs = world();
  const [counter, method] = [ecs.addSystem(0, new Counter()), ecs.addSystem(0, new Method())];
  ecs.update();
  ecs.addComponent(ecs.world, Tag);
  ecs.update();
  ecs.update();
  expect([counter.runs, method.runs, Game.name]).toEqual([2, 1, "Game"]);
});

test("S15 S7 what a condition throws ends the frame, as an exception of update does", () => {
  const ecs = world();
  const error = new Error("no answer");
  class Broken extends defineSystem(
    { position: Position },
    {
      watch: [Position],
      when() {
        throw error;
      },
    },
  ) {
    override update() {}
  }
  const broken = ecs.addSystem(0, new Broken());
  const later = add(ecs, {}, 1);
  const e = entity(ecs, new Position());
  ecs.removeEntity(e);
  expect(thrownBy(() => ecs.update())).toBe(error);
  expect([later.runs.length, ecs.alive(e), broken.dirty.size]).toEqual([0, true, 1]);
  ecs.removeSystem(broken);
  ecs.update();
  expect([later.runs.length, ecs.alive(e)]).toEqual([1, false]);
});

test("S15 S2 a condition that is no function is an error", () => {
  const ecs = world();
  class Bad extends defineSystem({ position: Position }, { when: true as never }) {
    override update() {}
  }
  expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Bad()));
});

test("S16 a system that overrides another callback needs no update", () => {
  const ecs = world();
  const added: Entity[] = [];
  class Listener extends defineSystem({ position: Position }) {
    override onAdd(aspect: Aspect) {
      added.push(aspect.entity);
    }
  }
  class Cleared extends defineSystem({ position: Position }) {
    cleared = 0;
    override onClear() {
      ++this.cleared;
    }
  }
  ecs.addSystem(0, new Listener());
  const cleared = ecs.addSystem(0, new Cleared());
  const e = entity(ecs, new Position());
  ecs.update();
  ecs.clear();
  expect([added, cleared.cleared]).toEqual([[e], 1]);
});

test("S16 a system that overrides no callback is an error", () => {
  const ecs = world();
  class Nothing extends defineSystem({ position: Position }, { when: () => true }) {}
  class Misspelt extends defineSystem({ position: Position }) {
    updates() {}
  }
  for (const system of [new Nothing(), new Misspelt()])
    expect(expectError("BAD_SYSTEM", () => ecs.addSystem(0, system)).message).toContain("it needs a method update");
  expect(ecs.systems).toEqual([]);
});
