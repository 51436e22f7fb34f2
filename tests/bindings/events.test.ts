import { expect, test } from "@jest/globals";
import { EventsManager, type Entity } from "crateful";
import { Position, add, entity, expectError, positions, thrownBy, world } from "./world.js";

class Hit {
  constructor(readonly power = 1) {}
}
class CriticalHit extends Hit {}

test("V1 a subscriber is called at dispatch, with events of exactly its class, in order of subscription", () => {
  const { events } = world();
  const log: unknown[] = [];
  events.subscribe(Hit, (event) => log.push(["a", event]));
  events.subscribe(Hit, (event) => log.push(["b", event.power]));
  events.subscribe(CriticalHit, () => log.push("critical"));
  const hit = new Hit(3);
  events.dispatch(hit);
  events.dispatch(new CriticalHit());
  expect(log).toEqual([["a", hit], ["b", 3], "critical"]);
});

test("V1 subscribe returns a function that unsubscribes; calling it again has no effect", () => {
  const { events } = world();
  let calls = 0;
  const handler = () => void ++calls;
  const off = events.subscribe(Hit, handler);
  events.subscribe(Hit, handler);
  events.dispatch(new Hit());
  off();
  off();
  events.dispatch(new Hit());
  expect(calls).toBe(3);
});

test("V1 an inbox collects events for a system to process in its own update", () => {
  const ecs = world();
  ecs.events.dispatch(new Hit(1)); // there is no inbox yet
  const inbox = ecs.events.inbox(Hit);
  expect(ecs.events.inbox(Hit)).toBe(inbox);
  const powers: number[] = [];
  add(ecs, { update: () => powers.push(...inbox.splice(0).map((hit) => hit.power)) });
  ecs.events.dispatch(new Hit(2));
  ecs.events.dispatch(new Hit(3));
  expect(powers).toEqual([]);
  ecs.update();
  expect([powers, inbox]).toEqual([[2, 3], []]);
});

test("V1 a delayed event is delivered at the start of the first update in which it is due", () => {
  const ecs = world();
  const log: unknown[] = [];
  entity(ecs, new Position());
  add(ecs, { update: () => void log.push(`update ${ecs.gameTime}`) });
  ecs.events.subscribe(Hit, ({ power }) => log.push(`hit ${power}`));
  ecs.events.dispatch(new Hit(2), 1);
  ecs.events.dispatch(new Hit(1), 0.75);
  ecs.events.dispatch(new Hit(3), 1);
  ecs.events.dispatch(new Hit(0));
  for (let i = 0; i < 3; ++i) ecs.update(0.5);
  expect(log).toEqual(["hit 0", "update 0.5", "hit 1", "hit 2", "hit 3", "update 1", "update 1.5"]);
});

test("V1 the delay is in game time: pauses and slow motion extend it", () => {
  const ecs = world();
  const inbox = ecs.events.inbox(Hit);
  ecs.events.dispatch(new Hit(), 1);
  ecs.paused = true;
  ecs.update(5);
  ecs.paused = false;
  ecs.slowMotion.request(4, Infinity);
  for (let i = 0; i < 3; ++i) ecs.update(1);
  expect(inbox).toHaveLength(0);
  ecs.update(1);
  expect(inbox).toHaveLength(1);
});

test("V1 the delay of an event that a handler dispatches starts at the game time of its dispatch", () => {
  const ecs = world();
  const times: number[] = [];
  ecs.events.subscribe(Hit, ({ power }) => {
    times.push(ecs.gameTime);
    if (power < 3) ecs.events.dispatch(new Hit(power + 1), 0.5);
  });
  ecs.events.dispatch(new Hit(1), 0.5);
  for (let i = 0; i < 8; ++i) ecs.update(0.25);
  expect(times).toEqual([0.5, 1, 1.5]);
});

test("V1 events of one world are not delivered in another", () => {
  const [one, two] = [world(), world()];
  const inbox = two.events.inbox(Hit);
  one.events.dispatch(new Hit());
  expect([one.events === two.events, inbox]).toEqual([false, []]);
  expect(one.events).toBeInstanceOf(EventsManager);
});

test("V2 an event that a handler dispatches is delivered immediately", () => {
  const { events } = world();
  const log: string[] = [];
  events.subscribe(Hit, ({ power }) => {
    log.push(`a${power}`);
    if (power < 3) events.dispatch(new Hit(power + 1));
  });
  events.subscribe(Hit, ({ power }) => log.push(`b${power}`));
  events.dispatch(new Hit(1));
  expect(log).toEqual(["a1", "a2", "a3", "b3", "b2", "b1"]);
});

test("V2 a handler may unsubscribe itself and others, which are then no longer called", () => {
  const { events } = world();
  const log: string[] = [];
  const offs = ["a", "b", "c", "d"].map((name, i) =>
    events.subscribe(Hit, () => {
      log.push(name);
      if (i === 1) offs[1]!(), offs[2]!();
    }),
  );
  events.dispatch(new Hit());
  events.dispatch(new Hit());
  expect(log).toEqual(["a", "b", "d", "a", "d"]);
});

test("V2 a handler that is subscribed during a dispatch is called from the next dispatch on", () => {
  const { events } = world();
  const log: string[] = [];
  let once = true;
  events.subscribe(Hit, () => {
    if (once) events.subscribe(Hit, () => log.push("new"));
    once = false;
  });
  events.dispatch(new Hit());
  expect(log).toEqual([]);
  events.dispatch(new Hit());
  expect(log).toEqual(["new"]);
});

test("V2 if handlers throw, the others still run, then the first error is rethrown", () => {
  const ecs = world();
  const failure = new Error("failure");
  const log: string[] = [];
  ecs.events.subscribe(Hit, () => {
    throw failure;
  });
  ecs.events.subscribe(Hit, () => log.push("second"));
  ecs.events.subscribe(Hit, () => {
    throw new Error("another");
  });
  const inbox = ecs.events.inbox(Hit);
  expect(thrownBy(() => ecs.events.dispatch(new Hit()))).toBe(failure);
  expect([log, inbox.length]).toEqual([["second"], 1]);
  ecs.events.dispatch(new Hit(), 0.01);
  ecs.events.dispatch(new Hit(), 0.02);
  expect(thrownBy(() => ecs.update(1))).toBe(failure);
  expect([log.length, inbox.length]).toEqual([3, 3]);
  ecs.update();
});

test("S6 E11 a handler is a callback, during an update or not: update and removeMarked are REENTRANT_UPDATE in it", () => {
  const ecs = world();
  const [first, second] = positions(ecs, 2) as [Entity, Entity];
  let calls = 0;
  ecs.events.subscribe(Hit, ({ power }) => {
    calls += 1;
    expectError("REENTRANT_UPDATE", () => ecs.update());
    expectError("REENTRANT_UPDATE", () => ecs.removeMarked());
    if (power > 1) ecs.events.dispatch(new Hit(power - 1));
    expectError("REENTRANT_UPDATE", () => ecs.update());
    ecs.removeEntity(first);
    expect(ecs.alive(first)).toBe(true);
    ecs.removeSystem(add(ecs, {}));
    if (power === 7) throw new Error("handler");
  });
  ecs.events.dispatch(new Hit(3));
  expect(() => ecs.events.dispatch(new Hit(7))).toThrow("handler");
  expect([calls, ecs.systems.length]).toEqual([10, 0]);
  ecs.removeMarked();
  expect([ecs.alive(first), ecs.alive(second)]).toEqual([false, true]);
  ecs.update();
});

test("S6 E11 the same holds for a handler of an event that is due, and for one that other events follow", () => {
  const ecs = world();
  let calls = 0;
  const off = ecs.events.subscribe(Hit, () => {
    calls += 1;
    expectError("REENTRANT_UPDATE", () => ecs.update());
    expectError("REENTRANT_UPDATE", () => ecs.removeMarked());
  });
  ecs.events.dispatch(new Hit(), 1);
  ecs.update(1);
  ecs.events.dispatch(new Hit());
  off();
  ecs.events.inbox(Hit);
  ecs.events.dispatch(new Hit());
  ecs.update();
  expect(calls).toBe(2);
});

test("S6 M3 a handler may dispose the ECS, outside of an update too", () => {
  const ecs = world();
  const log: string[] = [];
  ecs.events.subscribe(Hit, () => {
    ecs.dispose();
    log.push("disposed");
    expectError("DISPOSED", () => ecs.addEntity());
  });
  ecs.events.subscribe(Hit, () => log.push("never"));
  ecs.events.dispatch(new Hit());
  expect(log).toEqual(["disposed"]);
  world(); // uses the freed memory
});

test("V2 a handler may change the world, also during an update", () => {
  const ecs = world();
  const all = positions(ecs, 2);
  ecs.events.subscribe(Hit, () => {
    ecs.removeComponent(all[0]!, Position);
    entity(ecs, new Position());
  });
  const system = add(ecs, { update: () => ecs.events.dispatch(new Hit()) });
  ecs.update();
  expect([system.entities.size, ecs.count]).toEqual([2, 3]);
});

test("X1 misuse of events is an error that changes nothing", () => {
  const { events } = world();
  const inbox = events.inbox(Hit);
  for (const bad of [undefined, null, "Hit", 3, {}]) {
    expectError("BAD_ARGUMENT", () => events.subscribe(bad as never, () => {}));
    expectError("BAD_ARGUMENT", () => events.inbox(bad as never));
    expectError("BAD_ARGUMENT", () => events.subscribe(Hit, bad as never));
  }
  for (const bad of [undefined, null, "hit", 3, true]) expectError("BAD_ARGUMENT", () => events.dispatch(bad as never));
  for (const bad of [-1, NaN, Infinity, "1", null])
    expectError("BAD_ARGUMENT", () => events.dispatch(new Hit(), bad as never));
  expect(inbox).toEqual([]);
});
