import { expect, test } from "@jest/globals";
import type { Entity } from "crateful";
import { Health, Position, Tag, Velocity, add, entity, expectError, positions, world } from "./world.js";

test("K1 clear removes every entity immediately, with onRemove", () => {
  const ecs = world();
  const removed: Entity[] = [];
  const system = add(ecs, { onRemove: (a) => removed.push(a.entity) });
  const all = positions(ecs, 3);
  ecs.addEntity();
  ecs.update();
  ecs.clear();
  expect([removed, ecs.count, system.entities.size, system.dirty.size]).toEqual([all, 0, 0, 0]);
  expect([ecs.storage(Position).count, all.map((e) => ecs.alive(e))]).toEqual([0, [false, false, false]]);
});

test("K1 components of every kind are detached afterwards", () => {
  const ecs = world();
  const position = new Position({ x: 1 });
  const velocity = new Velocity();
  const health = new Health(4);
  entity(ecs, position, velocity, health, new Tag());
  ecs.clear();
  expectError("MISSING_COMPONENT", () => position.x);
  expectError("MISSING_COMPONENT", () => velocity.x);
  health.current = 3; // it is detached: no effect
  const e = entity(ecs, health);
  expect(ecs.getComponents(e).get(Health)).toBe(health);
});

test("K1 pending removals are discarded, including those that callbacks request", () => {
  const ecs = world();
  const [a, b] = positions(ecs, 2) as [Entity, Entity];
  let fresh: Entity | undefined;
  add(ecs, {
    onRemove: ({ entity: e }) => ecs.removeEntity(e === a ? b : a),
    onClear: () => void (fresh = entity(ecs, new Position())),
  });
  ecs.removeEntity(a);
  ecs.clear();
  ecs.update();
  expect([ecs.count, ecs.alive(fresh!)]).toEqual([1, true]);
});

test("K1 E3 in callbacks of clear, removeEntity returns whether it marked the entity", () => {
  const ecs = world();
  const all = positions(ecs, 2) as [Entity, Entity];
  const marked: unknown[] = [];
  add(ecs, {
    onRemove: () => void marked.push(...all.map((e) => ecs.removeEntity(e))),
    onClear: () => void expectError("STALE_ENTITY", () => ecs.removeEntity(all[0])),
  });
  ecs.removeEntity(all[1]);
  ecs.clear();
  expect([marked, ecs.count]).toEqual([[true, false, false, false], 0]);
});

test("K1 onClear is called in priority order, after all entities were removed, and may create entities", () => {
  const ecs = world();
  positions(ecs, 2);
  const log: unknown[] = [];
  const last = add(ecs, { watches: [Position], onClear: () => log.push(["late", ecs.count]) }, 2);
  add(
    ecs,
    {
      requires: [Tag],
      disabled: true,
      onClear: () => {
        log.push(["early", ecs.count]);
        positions(ecs, 3);
      },
    },
    1,
  );
  ecs.clear();
  expect(log).toEqual([
    ["early", 0],
    ["late", 3],
  ]);
  ecs.update();
  expect(last.lastRun).toHaveLength(3);
});

test("K1 events and transient subscriptions end before onClear, whose own remain; permanent subscriptions stay", () => {
  const ecs = world();
  class Ping {}
  const log: string[] = [];
  ecs.events.subscribe(Ping, () => log.push("lasting"));
  ecs.events.subscribe(Ping, () => log.push("transient"), { transient: true });
  const inbox = ecs.events.inbox(Ping);
  add(ecs, {
    onClear: () => {
      log.push(`cleared ${inbox.length}`);
      ecs.events.dispatch(new Ping());
      ecs.events.dispatch(new Ping(), 0.001);
      ecs.events.subscribe(Ping, () => log.push("of onClear"), { transient: true });
    },
  });
  ecs.events.dispatch(new Ping());
  ecs.events.dispatch(new Ping(), 0.001);
  log.length = 0;
  ecs.clear();
  expect([log, inbox.length]).toEqual([["cleared 0", "lasting"], 1]);
  ecs.update();
  expect(log).toEqual(["cleared 0", "lasting", "lasting", "of onClear"]);
});

test("K1 old handles stay stale", () => {
  const ecs = world();
  const old = new Set<Entity>();
  for (let round = 0; round < 6; ++round) {
    for (const e of positions(ecs, 400)) {
      expect(old.has(e)).toBe(false);
      old.add(e);
    }
    ecs.clear();
  }
  expect([...old].filter((e) => ecs.alive(e))).toEqual([]);
});

test("K1 after clear inside an update, later systems have no entities; clear inside clear does nothing", () => {
  const ecs = world();
  const [e] = positions(ecs, 3) as [Entity];
  let calls = 0;
  add(
    ecs,
    {
      update: () => ecs.clear(),
      onRemove: () => ecs.clear(),
      onClear: () => {
        calls += 1;
        ecs.clear();
      },
    },
    0,
  );
  const later = add(ecs, { watches: [Position] }, 1);
  ecs.removeEntity(e);
  ecs.update();
  expect([calls, later.runs, later.entities.size, ecs.count]).toEqual([1, [[]], 0, 0]);
});

test("K1 entities that onRemove creates during clear are removed too, and never tracked", () => {
  const ecs = world();
  positions(ecs, 2);
  const added: Entity[] = [];
  const made: Entity[] = [];
  add(ecs, {
    onAdd: ({ entity: e }) => added.push(e),
    onRemove: () => void made.push(entity(ecs, new Position({ x: 5 }))),
  });
  added.length = 0;
  ecs.clear();
  expect([added, made.length, made.map((e) => ecs.alive(e)), ecs.count]).toEqual([[], 2, [false, false], 0]);
});

test("K1 components that onRemove adds during clear are removed too, except those of the world", () => {
  const ecs = world();
  const added: Entity[] = [];
  add(ecs, {
    onRemove({ entity: e }) {
      for (const other of all) ecs.addComponent(other, new Health());
      ecs.addEntity(Health, Position);
      ecs.addComponent(ecs.world, new Health());
      ecs.clear();
      expect(ecs.alive(e)).toBe(true);
    },
  });
  const healths = add(ecs, { requires: [Health], onAdd: ({ entity: e }) => added.push(e) });
  const all = positions(ecs, 3);
  ecs.clear();
  expect([ecs.count, ecs.query({ h: Health }).count, ecs.storage(Position).count]).toEqual([0, 1, 0]);
  ecs.update();
  expect([added, [...healths.entities.keys()], ecs.has(ecs.world, Health)]).toEqual([[0], [0], true]);
});

test("K1 clear() in onClear has no effect", () => {
  const ecs = world();
  let calls = 0;
  add(ecs, { onClear: () => (++calls, positions(ecs, 2), ecs.clear()) });
  positions(ecs, 1);
  ecs.clear();
  expect([calls, ecs.count]).toEqual([1, 2]);
});

test("K1 clear keeps the times, the pause and the systems", () => {
  const ecs = world();
  const system = add(ecs, { disabled: true });
  ecs.update(2);
  ecs.paused = true;
  ecs.clear();
  expect([ecs.gameTime, ecs.paused, system.disabled, ecs.getSystem(system.constructor as never)]).toEqual([
    2,
    true,
    true,
    system,
  ]);
});
