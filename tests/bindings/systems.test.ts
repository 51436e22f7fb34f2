import { expect, test } from "@jest/globals";
import { System, defineSystem, type Entity } from "crateful";
import {
  Health,
  Position,
  Scripted,
  Tag,
  Velocity,
  add,
  entity,
  expectError,
  positions,
  thrownBy,
  world,
} from "./world.js";

class Mover extends System {
  componentsRequired = new Set([Position]);
  update() {}
}
class FastMover extends Mover {}

test("S1 systems run in ascending priority, and within one priority in the order of addition", () => {
  const ecs = world();
  const order: number[] = [];
  const priorities = [3, -1, 0.5, 3, -1e300, 0, 1e300, -0, 3, 0.25];
  priorities.forEach((priority, i) => add(ecs, { update: () => void order.push(i) }, priority));
  ecs.update();
  expect(order).toEqual([4, 1, 5, 7, 9, 2, 0, 3, 8, 6]);
  expect(ecs.systems.map((s) => s.priority)).toEqual([-1e300, -1, 0, -0, 0.25, 0.5, 3, 3, 3, 1e300]);
});

test("S1 onAdd and onRemove are called in that order too", () => {
  const ecs = world();
  const order: string[] = [];
  for (const priority of [5, -5, 0]) {
    add(
      ecs,
      {
        onAdd: () => order.push(`+${priority}`),
        onRemove: () => order.push(`-${priority}`),
        onClear: () => order.push(`c${priority}`),
      },
      priority,
    );
  }
  const e = entity(ecs, new Position());
  ecs.removeComponent(e, Position);
  ecs.addComponent(e, new Position());
  ecs.removeEntity(e);
  ecs.update();
  ecs.clear();
  expect(order).toEqual([
    "+-5",
    "+0",
    "+5",
    "--5",
    "-0",
    "-5",
    "+-5",
    "+0",
    "+5",
    "--5",
    "-0",
    "-5",
    "c-5",
    "c0",
    "c5",
  ]);
});

test("S2 a system that can't be added is an error, and is not added", () => {
  const ecs = world();
  for (const bad of [NaN, Infinity, -Infinity, "1", undefined, null, {}]) {
    expectError("BAD_SYSTEM", () => ecs.addSystem(bad as number, new Mover()));
  }
  expectError("BAD_SYSTEM", () => add(ecs, { requires: [] }));
  for (const bad of [undefined, null, {}, Mover, 3, "Mover"])
    expectError("BAD_SYSTEM", () => ecs.addSystem(0, bad as never));
  class Broken extends Mover {
    override componentsRequired = [Position] as never;
  }
  class Deaf extends Mover {
    override dirtyComponents = undefined as never;
  }
  expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Broken()));
  expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Deaf()));
  expectError("BAD_ARGUMENT", () => add(ecs, { requires: [Position, Mover as never] }));
  expectError("BAD_ARGUMENT", () => add(ecs, { watches: ["Position" as never] }));
  expect(ecs.systems).toEqual([]);
});

test("S2 X1 the error for a system that can't be added names the member and its value", () => {
  const ecs = world();
  const messageFor = (members: object) =>
    expectError("BAD_SYSTEM", () => ecs.addSystem(0, Object.assign(new Mover(), members))).message;
  const set = "a Set of classes, new Set([Position])";
  expect([
    messageFor({ componentsRequired: [Position] }),
    messageFor({ componentsRequired: new Set() }),
    messageFor({ componentsRequired: Position }),
    messageFor({ dirtyComponents: 3 }),
    messageFor({ update: undefined }),
    messageFor({ update: "run" }),
  ]).toEqual([
    `addSystem: Mover: componentsRequired must be ${set}, not an array`,
    `addSystem: Mover: componentsRequired must be ${set}, not empty`,
    `addSystem: Mover: componentsRequired must be ${set}, not function Position`,
    `addSystem: Mover: dirtyComponents must be ${set}, not 3`,
    "addSystem: Mover: update must be a method, not undefined",
    'addSystem: Mover: update must be a method, not "run"',
  ]);
  expect(ecs.systems).toEqual([]);
});

test.each(["disabled", "debug", "onlyWhenDirty", "ordered", "exact", "observer"])(
  "S2 X1 %s that is neither true nor false is an error, as a member and as an option",
  (member) => {
    const ecs = world();
    const option = member === "debug" ? "whilePaused" : member;
    for (const value of [1, "false", null, {}]) {
      const own = { configurable: true, value };
      const system = Object.defineProperty(new Mover(), member, own);
      const { message } = expectError("BAD_SYSTEM", () => ecs.addSystem(0, system));
      expect(message).toContain(`addSystem: Mover: ${member} must be true or false, not `);
      if (value === null) continue; // as an option that is not there
      class Drawn extends defineSystem({ position: Position }, { [option]: value }) {
        override update() {}
      }
      expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Drawn()));
    }
    expect(ecs.systems).toEqual([]);
  },
);

test("S2 an instance can be added once, to one world, until it is removed", () => {
  const ecs = world();
  const mover = ecs.addSystem(0, new Mover());
  expectError("BAD_SYSTEM", () => ecs.addSystem(1, mover));
  expectError("BAD_SYSTEM", () => world().addSystem(1, mover));
  expect(ecs.systems).toHaveLength(1);
  ecs.removeSystem(mover);
  const other = world();
  expect(other.addSystem(1, mover)).toBe(mover);
  expect(mover.ecs).toBe(other);
});

test("S2 two instances of a class are allowed, and getSystem returns the first one added", () => {
  const ecs = world();
  const first = ecs.addSystem(9, new Mover());
  const second = ecs.addSystem(0, new FastMover());
  expect([ecs.getSystem(Mover), ecs.getSystem(FastMover)]).toEqual([first, second]);
  ecs.removeSystem(Mover); // by class: removes the first
  expect(ecs.getSystem(Mover)).toBe(second);
  expectError("BAD_SYSTEM", () => world().disableSystem(second));
  ecs.removeSystem(second);
  expect(expectError("BAD_SYSTEM", () => ecs.getSystem(Mover)).message).toContain("Mover");
  for (const call of [
    () => ecs.removeSystem(Mover),
    () => ecs.enableSystem(first),
    () => ecs.disableSystem(FastMover),
    () => ecs.toggleSystem(second),
  ]) {
    expectError("BAD_SYSTEM", call);
  }
});

test("S3 init is called once, with the ECS available, then onAdd for each entity that matches", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  entity(ecs, new Health());
  const log: unknown[] = [];
  const system = new Scripted({
    init() {
      log.push(["init", system.ecs === ecs, ecs.getSystem(Scripted) === system]);
    },
    onAdd: (aspect) => log.push([aspect.entity, aspect.get(Position).x]),
  });
  expectError("BAD_SYSTEM", () => system.ecs);
  expect(ecs.addSystem(0, system)).toBe(system);
  expect(log).toEqual([
    ["init", true, true],
    [all[0], 0],
    [all[1], 1],
    [all[2], 2],
  ]);
  ecs.update();
  expect(log).toHaveLength(4);
});

test("S3 onAdd is called once for an entity that init creates", () => {
  const ecs = world();
  const added: Entity[] = [];
  let made: Entity | undefined;
  add(ecs, { init: () => void (made = entity(ecs, new Position())), onAdd: ({ entity: e }) => added.push(e) });
  expect(added).toEqual([made]);
});

test("S3 removeSystem calls onRemove for each tracked entity, and the system has no ECS afterwards", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  const log: unknown[] = [];
  const system = add(ecs, {
    watches: [Position],
    onRemove: (a) => log.push([a.entity, a.get(Position).x, system.ecs === ecs]),
  });
  ecs.update();
  ecs.removeSystem(system);
  expect(new Set(log.map(String))).toEqual(new Set(all.map((e, i) => String([e, i, true]))));
  expect(log).toHaveLength(3);
  expectError("BAD_SYSTEM", () => system.ecs);
  ecs.getComponents(all[0]!).get(Position).x = 5;
  ecs.update();
  expect([system.runs.length, system.entities.size, system.dirty.size]).toEqual([1, 0, 0]);
  ecs.addSystem(0, system);
  ecs.update();
  expect(system.lastRun).toEqual(all);
});

test("S3 a system that is added or removed during an update starts or stops running in the next one", () => {
  const ecs = world();
  positions(ecs, 1);
  const log: string[] = [];
  const target = new Scripted({ update: () => void log.push("target"), onRemove: () => log.push("removed") });
  let once = true;
  add(
    ecs,
    {
      update() {
        log.push("first");
        if (!once) return;
        once = false;
        ecs.removeSystem(target);
        ecs.removeSystem(target); // the second call has no effect
        add(ecs, { update: () => void log.push("added"), init: () => void log.push("init") }, -5);
        add(ecs, { update: () => void log.push("late") }, 5);
      },
    },
    0,
  );
  ecs.addSystem(1, target);
  ecs.update();
  expect(log).toEqual(["first", "init", "target", "removed"]);
  log.length = 0;
  ecs.update();
  expect(log).toEqual(["added", "first", "late"]);
  expectError("BAD_SYSTEM", () => ecs.removeSystem(target));
});

test("S3 a system that was removed during an update runs and tracks until its end, and can be removed twice", () => {
  const ecs = world();
  const log: unknown[] = [];
  class Leaving extends Scripted {
    override readonly name = "leaving";
  }
  const [first] = positions(ecs, 1) as [Entity];
  const leaving = new Leaving({
    onAdd: ({ entity: e }) => log.push(["add", e]),
    update: (_, tracked) => log.push(["run", tracked.size]),
    onRemove: ({ entity: e }) => log.push(["remove", e, ecs.alive(first)]),
  });
  let second: Entity | undefined;
  add(ecs, {
    update() {
      if (second !== undefined) return;
      ecs.removeSystem("leaving");
      ecs.removeSystem(leaving);
      ecs.removeSystem(Leaving);
      second = entity(ecs, new Position());
      ecs.removeEntity(first);
      log.push(["found", ecs.getSystem("leaving") === leaving, leaving.ecs === ecs]);
    },
  });
  ecs.addSystem(1, leaving);
  log.length = 0;
  ecs.update();
  expect(log).toEqual([
    ["add", second],
    ["found", true, true],
    ["run", 2],
    ["remove", first, true],
    ["remove", second, false],
  ]);
  for (const key of ["leaving", leaving, Leaving]) expectError("BAD_SYSTEM", () => ecs.removeSystem(key as Leaving));
  ecs.update();
  expect(log).toHaveLength(5);
});

test("S3 if init throws, the system stays added, and tracks entities", () => {
  const ecs = world();
  positions(ecs, 2);
  const system = new Scripted({
    init() {
      throw new Error("init");
    },
  });
  expect(() => ecs.addSystem(0, system)).toThrow("init");
  expect([system.ecs, ecs.getSystem(Scripted)]).toEqual([ecs, system]);
  ecs.update();
  positions(ecs, 1);
  expect(system.entities.size).toBe(3);
});

test("S3 a system may remove itself, in its update, its init or its onAdd", () => {
  const ecs = world();
  positions(ecs, 2);
  const log: string[] = [];
  const inUpdate: Scripted = add(ecs, {
    update: () => ecs.removeSystem(inUpdate),
    onRemove: () => log.push("removed"),
  });
  ecs.update();
  ecs.update();
  const inInit: Scripted = new Scripted({ init: () => ecs.removeSystem(inInit), onAdd: () => log.push("add") });
  ecs.addSystem(0, inInit);
  const inAdd: Scripted = new Scripted({
    onAdd: () => ecs.removeSystem(inAdd),
    onRemove: () => log.push("removed again"),
  });
  ecs.addSystem(0, inAdd);
  ecs.update();
  expect([log, inUpdate.runs.length, ecs.systems]).toEqual([["removed", "removed", "removed again"], 1, []]);
  for (const system of [inUpdate, inInit, inAdd]) expectError("BAD_SYSTEM", () => system.ecs);
  ecs.addSystem(1, inUpdate);
  expect(inUpdate.ecs).toBe(ecs);
});

test("S3 systems that are added or removed in callbacks outside an update take effect immediately", () => {
  const ecs = world();
  const log: string[] = [];
  class Second extends Scripted {}
  const second = new Second({ onAdd: () => log.push("second +"), onRemove: () => log.push("second -") });
  add(
    ecs,
    {
      onAdd() {
        log.push("first +");
        if (ecs.systems.length === 1) ecs.addSystem(1, second);
        else {
          ecs.removeSystem(second);
          expectError("BAD_SYSTEM", () => second.ecs);
          expectError("BAD_SYSTEM", () => ecs.removeSystem(second));
          const third = ecs.addSystem(2, new Second({}));
          expect(ecs.getSystem(Second)).toBe(third);
          ecs.removeSystem(third);
        }
      },
    },
    0,
  );
  const e = entity(ecs, new Position());
  expect(log).toEqual(["first +", "second +"]);
  entity(ecs, new Position());
  expect(log).toEqual(["first +", "second +", "first +", "second -"]);
  expect([ecs.systems.length, ecs.alive(e)]).toEqual([1, true]);
});

test("S4 a disabled system is not updated, but tracks entities and accumulates its dirty set", () => {
  const ecs = world();
  const log: string[] = [];
  const system = add(ecs, {
    watches: [Position],
    disabled: true,
    onAdd: () => log.push("add"),
    onRemove: () => log.push("remove"),
  });
  expect([system.disabled, ecs.systems[0]!.enabled]).toEqual([true, false]);
  const [a, b] = positions(ecs, 2) as [Entity, Entity];
  ecs.removeComponent(a, Position);
  ecs.update();
  expect([log, system.runs]).toEqual([["add", "add", "remove"], []]);
  ecs.enableSystem(system);
  ecs.update();
  expect(system.runs).toEqual([[b]]);
});

test("S4 onEnabled and onDisabled are called with the entities, only on real changes", () => {
  const ecs = world();
  const [e] = positions(ecs, 1) as [Entity];
  const log: unknown[] = [];
  const system = add(ecs, {
    onEnabled: (entities) => log.push(["on", system.disabled, [...entities.keys()]]),
    onDisabled: (entities) => log.push(["off", system.disabled, [...entities.keys()]]),
  });
  ecs.enableSystem(system);
  ecs.disableSystem(Scripted);
  ecs.disableSystem(system);
  ecs.toggleSystem(system);
  ecs.enableSystem(Scripted);
  ecs.toggleSystem(Scripted);
  expect(log).toEqual([
    ["off", true, [e]],
    ["on", false, [e]],
    ["off", true, [e]],
  ]);
  expect(system.disabled).toBe(true);
});

test("S4 S14 every call by name concerns the first system added with the name, whichever runs first", () => {
  const ecs = world();
  class Named extends Scripted {
    override readonly name = "named";
  }
  const [first, second] = [ecs.addSystem(2, new Named({})), ecs.addSystem(1, new Named({}))];
  const states = () => [first.disabled, second.disabled];
  expect(ecs.getSystem("named")).toBe(first);
  ecs.disableSystem("named");
  expect(states()).toEqual([true, false]);
  ecs.enableSystem("named");
  expect(states()).toEqual([false, false]);
  ecs.toggleSystem("named");
  expect(states()).toEqual([true, false]);
  ecs.toggleSystem("named");
  expect(states()).toEqual([false, false]);
  ecs.removeSystem("named");
  expect(ecs.systems.map(({ system }) => system)).toEqual([second]);
  expect(ecs.getSystem("named")).toBe(second);
  const third = ecs.addSystem(0, new Named({}));
  expect(ecs.getSystem("named")).toBe(second);
  ecs.removeSystem(second);
  expect(ecs.getSystem("named")).toBe(third);
});

test("S4 enabling and disabling during an update applies to systems that run later in it", () => {
  const ecs = world();
  positions(ecs, 1);
  let step = 0;
  add(
    ecs,
    {
      update() {
        step += 1;
        if (step === 1) ecs.disableSystem(later), ecs.enableSystem(sleeper);
      },
    },
    0,
  );
  const later = add(ecs, {}, 1);
  const sleeper = add(ecs, { disabled: true }, 2);
  ecs.update();
  expect([later.runs.length, sleeper.runs.length]).toEqual([0, 1]);
});

test("S5 each enabled system is updated once per frame with the delta, its entities and its dirty set", () => {
  const ecs = world();
  const calls: unknown[] = [];
  const system = add(ecs, {
    watches: [Position],
    update: (delta, entities, dirty) => calls.push([delta, entities, dirty]),
  });
  ecs.update(0.25);
  ecs.update();
  expect(calls).toEqual([
    [0.25, system.entities, system.dirty],
    [1 / 60, system.entities, system.dirty],
  ]);
});

test("S5 with an effective delta of 0 only debug systems run, with delta 0", () => {
  const ecs = world();
  const deltas: number[] = [];
  const game = add(ecs, {});
  const debug = add(ecs, { debug: true, update: (delta) => void deltas.push(delta) });
  expect([game.debug, debug.debug]).toEqual([false, true]);
  ecs.update(0);
  ecs.paused = true;
  ecs.update(0.5);
  ecs.paused = false;
  ecs.update(0.5);
  expect([game.runs.length, deltas]).toEqual([1, [0, 0, 0.5]]);
});

test("S6 every operation inside an update is immediate, except the removal of entities", () => {
  const ecs = world();
  const [a, b] = positions(ecs, 2) as [Entity, Entity];
  let after: unknown;
  let once = true;
  const system = add(ecs, {
    update(_, entities) {
      if (!once) return;
      once = false;
      const c = ecs.addEntity();
      ecs.addComponent(c, new Position({ x: 7 }));
      ecs.removeComponent(a, Position);
      ecs.addComponent(a, new Health());
      ecs.removeEntity(b);
      ecs.addComponents(ecs.addEntities(2), Tag);
      after = [
        [...entities.keys()],
        ecs.alive(b),
        ecs.storage(Tag).count,
        ecs.getComponents(a).has(Health),
        entities.get(c)!.get(Position).x,
      ];
    },
  });
  ecs.update();
  expect(after).toEqual([[b + 1, b], true, 2, true, 7]);
  expect([[...system.entities.keys()], ecs.alive(b)]).toEqual([[b + 1], false]);
});

test("S6 update inside any callback is an error", () => {
  const ecs = world();
  const errors: unknown[] = [];
  const again = () => void errors.push(thrownBy(() => ecs.update()));
  const system = add(ecs, {
    update: again,
    init: again,
    onAdd: again,
    onRemove: again,
    onEnabled: again,
    onDisabled: again,
    onClear: again,
  });
  class Ping {}
  ecs.events.subscribe(Ping, again);
  ecs.events.dispatch(new Ping(), 0.001);
  const e = entity(ecs, new Position());
  ecs.removeComponent(e, Position);
  ecs.toggleSystem(system);
  ecs.toggleSystem(system);
  ecs.clear();
  ecs.events.dispatch(new Ping(), 0.001);
  ecs.update();
  expect(errors).toHaveLength(8);
  for (const error of errors)
    expectError("REENTRANT_UPDATE", () => {
      throw error;
    });
  expect(ecs.gameTime).toBe(1 / 60);
});

test("S6 another world may be updated inside an update", () => {
  const ecs = world();
  const other = world();
  const inner = add(other, {});
  add(ecs, { update: () => void other.update() });
  ecs.update();
  expect(inner.runs).toHaveLength(1);
});

test("S8 adding or removing a component calls only the systems that require its class", () => {
  const ecs = world();
  const calls: string[] = [];
  for (const [name, cls] of Object.entries({ Position, Velocity, Health, Tag })) {
    for (let i = 0; i < 25; ++i) {
      add(ecs, { requires: [cls], onAdd: () => calls.push(name), onRemove: () => calls.push(name) });
    }
  }
  const e = entity(ecs, new Velocity());
  ecs.removeComponent(e, Velocity);
  expect(calls).toEqual(Array(50).fill("Velocity"));
});

test("S8 a system that requires several classes is called only for entities that have all of them", () => {
  const ecs = world();
  const log: string[] = [];
  const system = add(ecs, {
    requires: [Position, Health, Tag],
    onAdd: () => log.push("+"),
    onRemove: () => log.push("-"),
  });
  const e = entity(ecs, new Tag(), new Position());
  ecs.addComponent(e, new Velocity());
  expect(log).toEqual([]);
  ecs.addComponent(e, new Health());
  ecs.addComponent(e, new Health());
  ecs.removeComponent(e, Velocity);
  expect(log).toEqual(["+"]);
  ecs.removeComponent(e, Position);
  ecs.removeComponent(e, Tag);
  expect(log).toEqual(["+", "-"]);
  ecs.update();
  expect(system.entities.size).toBe(0);
});

test("S2 systems lists every system with its name, priority, state and numbers of entities", () => {
  const ecs = world();
  ecs.addSystem(2, new Mover());
  const watcher = add(ecs, { watches: [Position], debug: true }, 1);
  positions(ecs, 3);
  ecs.update();
  ecs.disableSystem(watcher);
  const rest = { interval: 0, before: [], after: [] };
  expect(ecs.systems).toEqual([
    { name: "Scripted", priority: 1, enabled: false, debug: true, tracked: 3, dirty: 3, ...rest },
    { name: "Mover", priority: 2, enabled: true, debug: false, tracked: 3, dirty: 0, ...rest },
  ]);
});

test("D2 a removal signals if a callback gives the entity what keeps it tracked", () => {
  const ecs = world();
  add(ecs, { requires: [Velocity], onRemove: ({ entity: e }) => ecs.addComponent(e, Tag) });
  class Watcher extends defineSystem({ position: Position }, { any: [Velocity, Tag], watch: [Velocity] }) {
    override update() {}
  }
  const watcher = ecs.addSystem(1, new Watcher());
  const [first, ...others] = [0, 1, 2].map(() => ecs.addEntity(Position, Velocity)) as [Entity, ...Entity[]];
  ecs.update();
  ecs.removeComponent(first, Velocity);
  expect([...watcher.dirty.ids]).toEqual([first]);
  ecs.removeComponents(others, Velocity);
  expect([...watcher.dirty.ids]).toEqual([first, ...others]);
});
