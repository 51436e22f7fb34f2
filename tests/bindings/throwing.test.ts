// Rule S7: if a callback throws, the operation is completed for the others, and the first error is rethrown.
import { expect, test } from "@jest/globals";
import { Aspect, type ECS, type Entity } from "crateful";
import { Health, Position, Tag, add, entity, expectError, positions, thrownBy, values, world } from "./world.js";

const failure = new Error("failure");
const fail = () => {
  throw failure;
};

/** Checks that the world still works. */
function expectSound(ecs: ECS): void {
  const added: Entity[] = [];
  const probe = add(ecs, { requires: [Tag], watches: [Tag], onAdd: ({ entity: e }) => added.push(e) }, 1e9);
  const e = entity(ecs, new Tag());
  expect(added).toContain(e);
  expect(probe.entities === undefined || probe.entities.has(e)).toBe(true);
  ecs.removeSystem(probe);
  const count = ecs.count;
  ecs.removeEntity(e);
  expect(ecs.count).toBe(count);
}

test("S7 an update that throws ends the frame; the error is rethrown unchanged, and removals wait", () => {
  const ecs = world();
  const all = positions(ecs, 2);
  let failing = true;
  const before = add(ecs, {}, 0);
  add(ecs, { watches: [Position], update: () => failing && fail() }, 1);
  const after = add(ecs, {}, 2);
  ecs.removeEntity(all[0]!);
  expect(thrownBy(() => ecs.update())).toBe(failure);
  expect([before.runs.length, after.runs.length, ecs.alive(all[0]!)]).toEqual([1, 0, true]);
  expect(ecs.gameTime).toBe(1 / 60);
  failing = false;
  ecs.update();
  expect([before.runs.length, after.runs.length, ecs.alive(all[0]!)]).toEqual([2, 1, false]);
  expectSound(ecs);
});

test.each([[undefined], [null], ["text"], [0], [Symbol("s")]])("S7 any value can be thrown (%p)", (value) => {
  const ecs = world();
  positions(ecs, 1);
  add(ecs, {
    update() {
      throw value;
    },
  });
  let caught: unknown = "nothing";
  try {
    ecs.update();
  } catch (error) {
    caught = error;
  }
  expect(caught).toBe(value);
});

test("S7 if onAdd throws, the component is still added and the other systems are notified", () => {
  const ecs = world();
  const log: string[] = [];
  const first = add(
    ecs,
    {
      onAdd: () => {
        log.push("first");
        fail();
      },
    },
    0,
  );
  const second = add(
    ecs,
    {
      onAdd: () => {
        log.push("second");
        throw new Error("another");
      },
    },
    1,
  );
  const third = add(ecs, { watches: [Position], onAdd: () => log.push("third") }, 2);
  const e = ecs.addEntity();
  const position = new Position({ x: 1 });
  expect(thrownBy(() => ecs.addComponent(e, position))).toBe(failure);
  expect(log).toEqual(["first", "second", "third"]);
  expect(ecs.getComponents(e).get(Position)).toBe(position);
  ecs.update();
  expect([first, second, third].map((s) => s.entities.has(e))).toEqual([true, true, true]);
  expect(third.lastRun).toEqual([e]);
  position.x = 2;
  expect(values(ecs, Position, "x")).toEqual([2]);
  expectSound(ecs);
});

test("S7 if onAdd throws, a bulk add continues with the other entities", () => {
  const ecs = world();
  const added: Entity[] = [];
  add(ecs, {
    requires: [Health],
    onAdd: ({ entity: e }) => {
      added.push(e);
      fail();
    },
  });
  const all = ecs.addEntities(4);
  expect(thrownBy(() => ecs.addComponents(all, Health, (i) => new Health(i)))).toBe(failure);
  expect(added).toEqual(Array.from(all));
  expect(Array.from(all, (e) => ecs.getComponents(e).get(Health).current)).toEqual([0, 1, 2, 3]);
  expectSound(ecs);
});

test("S7 if makeAspect throws, the entity is tracked, and its aspect is created on the next read", () => {
  const ecs = world();
  let failing = true;
  const log: string[] = [];
  const system = add(ecs, {
    makeAspect: () => (failing ? fail() : new Aspect()),
    onAdd: () => log.push("add"),
    onRemove: () => log.push("remove"),
  });
  const e = ecs.addEntity();
  expect(thrownBy(() => ecs.addComponent(e, new Position()))).toBe(failure);
  ecs.update();
  expect([system.entities.has(e), log]).toEqual([true, []]);
  expect(thrownBy(() => system.entities.get(e))).toBe(failure);
  expect(thrownBy(() => [...system.entities.values()])).toBe(failure);
  failing = false;
  expect(system.entities.get(e)!.entity).toBe(e);
  ecs.removeComponent(e, Position);
  expect(log).toEqual(["remove"]);
  expectSound(ecs);
});

test.each([[undefined], [{}], [null], ["aspect"]])("S7 a makeAspect that returns %p is a bad system", (value) => {
  const ecs = world();
  add(ecs, { makeAspect: () => value as unknown as Aspect });
  const e = ecs.addEntity();
  expectError("BAD_SYSTEM", () => ecs.addComponent(e, new Position()));
  expect(ecs.getComponents(e).has(Position)).toBe(true);
});

test("S7 a makeAspect that returns the same aspect twice is a bad system", () => {
  const ecs = world();
  const only = new Aspect();
  const system = add(ecs, { makeAspect: () => only });
  const a = entity(ecs, new Position());
  const b = ecs.addEntity();
  expectError("BAD_SYSTEM", () => ecs.addComponent(b, new Position()));
  ecs.update();
  expect([system.entities.get(a)!.entity, only.entity]).toEqual([a, a]);
});

test("S7 if onRemove throws, the component is still removed and the other systems are notified", () => {
  const ecs = world();
  const log: string[] = [];
  add(
    ecs,
    {
      onRemove: () => {
        log.push("first");
        fail();
      },
    },
    0,
  );
  add(ecs, { onRemove: (aspect) => log.push(`second ${aspect.get(Position).x}`) }, 1);
  const [a, b, c, d] = positions(ecs, 4) as [Entity, Entity, Entity, Entity];
  expect(thrownBy(() => ecs.removeComponent(b, Position))).toBe(failure);
  expect(ecs.getComponents(b).has(Position)).toBe(false);
  expect(thrownBy(() => ecs.removeComponents([a, c], Position))).toBe(failure);
  expect(ecs.storage(Position).count).toBe(1);
  ecs.removeEntities([d, a]);
  expect(thrownBy(() => ecs.update())).toBe(failure);
  expect([ecs.count, log]).toEqual([
    2,
    ["first", "second 1", "first", "second 0", "first", "second 2", "first", "second 3"],
  ]);
  expectSound(ecs);
});

test("S7 if init throws, the system is added and tracks all entities that match", () => {
  const ecs = world();
  const all = positions(ecs, 2);
  const added: Entity[] = [];
  const threw = thrownBy(() => add(ecs, { watches: [Position], init: fail, onAdd: ({ entity: e }) => added.push(e) }));
  expect([threw, added, ecs.systems.length]).toEqual([failure, all, 1]);
  ecs.update();
  expect(ecs.systems[0]!.dirty).toBe(2);
  expectSound(ecs);
});

test("S7 if onEnabled or onDisabled throws, the system is still enabled or disabled", () => {
  const ecs = world();
  const system = add(ecs, { onEnabled: fail, onDisabled: fail });
  expect(thrownBy(() => ecs.disableSystem(system))).toBe(failure);
  expect(system.disabled).toBe(true);
  ecs.update();
  expect(thrownBy(() => ecs.toggleSystem(system))).toBe(failure);
  ecs.update();
  expect([system.disabled, system.runs.length]).toEqual([false, 1]);
});

test("S7 if onRemove or onClear throws, clear() is still completed", () => {
  const ecs = world();
  positions(ecs, 3);
  const log: string[] = [];
  add(
    ecs,
    {
      onRemove: () => {
        log.push("-");
        throw new Error("later");
      },
      onClear: () => {
        log.push("clear 1");
        fail();
      },
    },
    2,
  );
  add(ecs, { onRemove: fail, onClear: () => log.push("clear 0") }, 0);
  class Ping {}
  ecs.events.inbox(Ping);
  ecs.events.dispatch(new Ping());
  expect(thrownBy(() => ecs.clear())).toBe(failure);
  expect([log, ecs.count, ecs.events.inbox(Ping)]).toEqual([["-", "-", "-", "clear 0", "clear 1"], 0, []]);
  expectSound(ecs);
});

test("S7 if onRemove throws, removeSystem is still completed", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  const removed: Entity[] = [];
  const system = add(ecs, {
    onRemove: ({ entity: e }) => {
      removed.push(e);
      fail();
    },
  });
  ecs.update();
  expect(thrownBy(() => ecs.removeSystem(system))).toBe(failure);
  expect([removed.sort(), ecs.systems, system.entities.size]).toEqual([all, [], 0]);
  expectError("BAD_SYSTEM", () => system.ecs);
  expectSound(ecs);
});

test("S7 if a handler of a delayed event throws, the frame is still completed", () => {
  const ecs = world();
  const e = entity(ecs, new Position());
  const system = add(ecs, {});
  class Ping {}
  const notified: string[] = [];
  ecs.events.subscribe(Ping, fail);
  ecs.events.subscribe(Ping, () => notified.push("ping"));
  ecs.events.dispatch(new Ping(), 0.01);
  ecs.removeEntity(e);
  expect(thrownBy(() => ecs.update())).toBe(failure);
  expect([notified, system.runs.length, ecs.alive(e)]).toEqual([["ping"], 1, false]);
});

test("S7 an error that a callback catches is not thrown by the outer call", () => {
  const ecs = world();
  const inner = add(ecs, { requires: [Tag], onAdd: fail });
  let caught: unknown;
  add(ecs, { onAdd: ({ entity: e }) => void (caught = thrownBy(() => ecs.addComponent(e, new Tag()))) });
  const e = entity(ecs, new Position());
  expect([caught, ecs.getComponents(e).has(Tag)]).toEqual([failure, true]);
  ecs.update();
  expect(inner.entities.has(e)).toBe(true);
});

test("S7 an error passes through nested calls unchanged", () => {
  const ecs = world();
  add(ecs, { requires: [Health], onAdd: fail });
  add(ecs, { requires: [Tag], onAdd: ({ entity: e }) => ecs.addComponent(e, new Health()) });
  const system = add(ecs, {
    update: (_, entities) => {
      for (const e of entities.keys()) ecs.addComponent(e, new Tag());
    },
  });
  const [a, b] = positions(ecs, 2) as [Entity, Entity];
  expect(thrownBy(() => ecs.update())).toBe(failure);
  expect([a, b].map((e) => ecs.getComponents(e).has(Tag, Health))).toEqual([true, false]);
  ecs.removeSystem(system);
  expect(ecs.update()).toBe(1 / 60);
});

test("S7 of several errors in one call the first is rethrown, also if nested calls rethrow later ones", () => {
  const ecs = world();
  add(ecs, { onAdd: fail }, 0);
  add(
    ecs,
    {
      requires: [Tag],
      onAdd: () => {
        throw new Error("nested");
      },
    },
    1,
  );
  add(ecs, { onAdd: ({ entity: e }) => ecs.addComponent(e, new Tag()) }, 2);
  const e = ecs.addEntity();
  expect(thrownBy(() => ecs.addComponent(e, new Position()))).toBe(failure);
  expect(ecs.getComponents(e).has(Position, Tag)).toBe(true);
});

test("S7 a system that is removed during an update is removed even if that update throws", () => {
  const ecs = world();
  positions(ecs, 1);
  const target = add(ecs, {}, 5);
  add(
    ecs,
    {
      update: () => {
        ecs.removeSystem(target);
        fail();
      },
    },
    0,
  );
  expect(thrownBy(() => ecs.update())).toBe(failure);
  expect(ecs.systems).toHaveLength(1);
  expectError("BAD_SYSTEM", () => target.ecs);
});
