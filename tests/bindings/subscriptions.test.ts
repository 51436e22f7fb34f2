// Subscriptions of systems (rule V1).
import { expect, test } from "@jest/globals";
import { defineSystem } from "crateful";
import { Position, add, entity, expectError, thrownBy, world } from "./world.js";

class Hit {
  constructor(readonly points = 1) {}
}
class Noise {}

/** Subscribes before it is added, and when it is added. */
class Counter extends defineSystem() {
  sum = 0;
  noises = 0;
  constructor() {
    super();
    this.subscribe(Hit, ({ points }) => (this.sum += points));
  }
  override init() {
    this.subscribe(Noise, () => ++this.noises);
  }
}

test("V1 subscriptions of a system begin when it is added and end when it is removed, each time", () => {
  const ecs = world();
  const counter = new Counter();
  ecs.events.dispatch(new Hit());
  for (const expected of [
    [5, 1],
    [10, 2],
  ]) {
    ecs.addSystem(0, counter);
    ecs.events.dispatch(new Hit(2));
    ecs.events.dispatch(new Noise());
    ecs.clear();
    ecs.events.dispatch(new Hit(3));
    ecs.removeSystem(counter);
    ecs.events.dispatch(new Hit(100));
    ecs.events.dispatch(new Noise());
    expect([counter.sum, counter.noises]).toEqual(expected);
  }
  const other = world();
  other.addSystem(0, counter);
  ecs.events.dispatch(new Hit(100));
  other.events.dispatch(new Hit());
  expect([counter.sum, counter.noises]).toEqual([11, 2]);
});

test("V1 a system that is removed in an update receives events until the update has ended", () => {
  const ecs = world();
  const counter = ecs.addSystem(0, new Counter());
  add(ecs, {
    update() {
      if (counter.sum === 0) ecs.removeSystem(counter);
      ecs.events.dispatch(new Hit());
    },
  });
  ecs.update();
  ecs.update();
  expect(counter.sum).toBe(1);
});

test("V1 a system can remove itself in its handler, in which its other handlers are not called any more", () => {
  class Once extends defineSystem() {
    calls = 0;
    override init() {
      this.subscribe(Hit, () => {
        this.calls += 1;
        const { ecs } = this;
        ecs.removeSystem(this);
        ecs.events.dispatch(new Hit());
      });
      this.subscribe(Hit, () => (this.calls += 100));
    }
  }
  const ecs = world();
  const once = ecs.addSystem(0, new Once());
  ecs.events.dispatch(new Hit());
  ecs.events.dispatch(new Hit());
  expect([once.calls, ecs.systems]).toEqual([1, []]);
  ecs.addSystem(0, once);
  ecs.events.dispatch(new Hit());
  expect(once.calls).toBe(2);
});

test("V1 a system that is removed and added again in its handler goes on receiving events", () => {
  class Restarting extends Counter {
    override init() {
      this.subscribe(Noise, () => {
        const { ecs } = this;
        this.noises += 1;
        ecs.removeSystem(this);
        ecs.addSystem(0, this);
      });
    }
  }
  const ecs = world();
  const restarting = ecs.addSystem(0, new Restarting());
  for (let i = 0; i < 3; ++i) ecs.events.dispatch(new Noise());
  ecs.events.dispatch(new Hit());
  expect([restarting.noises, restarting.sum]).toEqual([3, 1]);
});

test("V1 a system that could not be added receives nothing", () => {
  class Wrong extends Counter {
    override readonly interval = -1;
  }
  const ecs = world();
  const wrong = new Wrong();
  expectError("BAD_SYSTEM", () => ecs.addSystem(0, wrong));
  ecs.events.dispatch(new Hit());
  expect(wrong.sum).toBe(0);
});

test("V1 V2 the order is that of all subscriptions, and an error of a handler does not stop the others", () => {
  const ecs = world();
  const log: string[] = [];
  class Failing extends defineSystem({ position: Position }) {
    override init() {
      this.subscribe(Hit, () => {
        log.push("system");
        throw new Error("handler");
      });
    }
  }
  ecs.events.subscribe(Hit, () => log.push("before"));
  ecs.addSystem(0, new Failing());
  ecs.events.subscribe(Hit, () => log.push("after"));
  entity(ecs, new Position());
  expect(thrownBy(() => ecs.events.dispatch(new Hit()))).toEqual(new Error("handler"));
  expect(log).toEqual(["before", "system", "after"]);
});

test("V1 X1 a wrong class or handler is an error, before the system is added and afterwards", () => {
  const ecs = world();
  const counter = new Counter();
  for (const _ of [0, 1]) {
    expect(expectError("BAD_ARGUMENT", () => counter.subscribe(new Hit() as never, () => {})).message).toBe(
      "subscribe: the event type must be a class, not an object",
    );
    expect(expectError("BAD_ARGUMENT", () => counter.subscribe(Hit, undefined as never)).message).toBe(
      "subscribe: the handler must be a function, not undefined",
    );
    if (ecs.systems.length === 0) ecs.addSystem(0, counter);
  }
});
