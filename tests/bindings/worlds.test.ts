// Rule M3: several worlds, and dispose.
import { expect, test } from "@jest/globals";
import { ECS, init, type Entity } from "crateful";
import {
  Health,
  Packed,
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

test("M3 init is idempotent, and rejects a second module", async () => {
  expect(init()).toBe(init());
  await init({});
  await expect(init({ module: {} })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
});

test("M3 several worlds exist side by side and share nothing", () => {
  const [one, two] = [world(), world()];
  const notified: string[] = [];
  const first = add(one, { watches: [Position], onAdd: () => notified.push("one") });
  const second = add(two, { watches: [Position], onAdd: () => notified.push("two") });
  const e = entity(one, new Position({ x: 1 }));
  const f = entity(two, new Position({ x: 2 }));
  expect(e).toBe(f); // each world has its own handles
  entity(two, new Position());
  expect(notified).toEqual(["one", "two", "two"]);
  one.getComponents(e).get(Position).x = 9;
  expect([two.getComponents(f).get(Position).x, one.count, two.count]).toEqual([2, 1, 2]);
  one.update(1);
  one.paused = true;
  one.slowMotion.request(5, 5);
  one.profiler.enabled = true;
  expect([second.runs, two.gameTime, two.paused, two.slowMotion.factor, two.profiler.enabled]).toEqual([
    [],
    0,
    false,
    1,
    false,
  ]);
  expectError("BAD_SYSTEM", () => two.removeSystem(first));
  one.clear();
  expect([one.count, two.count]).toEqual([0, 2]);
  one.dispose();
  two.update();
  expect(second.lastRun).toHaveLength(2);
});

test("M3 using a world after dispose is an error; a second dispose has no effect", () => {
  const ecs = new ECS();
  const [e] = positions(ecs, 1) as [Entity];
  const health = new Health();
  const system = add(ecs, {});
  const view = ecs.getComponents(e);
  const storage = ecs.storage(Position);
  const { events, slowMotion, profiler } = ecs;
  class Ping {}
  ecs.dispose();
  ecs.dispose();
  const calls: (() => unknown)[] = [
    () => ecs.addEntity(),
    () => ecs.addEntities(2),
    () => ecs.removeEntity(e),
    () => ecs.removeEntities([e]),
    () => ecs.alive(e),
    () => ecs.count,
    () => ecs.addComponent(e, health),
    () => ecs.addComponents([e], Position),
    () => ecs.addComponents([], Health, []),
    () => ecs.removeComponent(e, Position),
    () => ecs.removeComponents([e], Position),
    () => ecs.getComponents(e),
    () => view.get(Position),
    () => view.tryGet(Position),
    () => view.has(Position),
    () => ecs.storage(Position),
    () => storage.count,
    () => storage.extent,
    () => storage.entities,
    () => storage.mask,
    () => storage.columns.x,
    () => storage.slot(e),
    () => storage.markDirty(e),
    () => storage.markDirty([e]),
    () => storage[Symbol.iterator](),
    () => ecs.addSystem(0, new Scripted({})),
    () => ecs.removeSystem(system),
    () => ecs.getSystem(Scripted),
    () => ecs.systems,
    () => ecs.enableSystem(system),
    () => ecs.disableSystem(system),
    () => ecs.toggleSystem(Scripted),
    () => ecs.update(),
    () => ecs.clear(),
    () => ecs.paused,
    () => (ecs.paused = true),
    () => ecs.gameTime,
    () => ecs.wallTime,
    () => ecs.memoryReport(),
    () => slowMotion.request(2, 1),
    () => slowMotion.factor,
    () => slowMotion.style,
    () => (slowMotion.style = "step"),
    () => slowMotion.clear(),
    () => profiler.enabled,
    () => (profiler.enabled = true),
    () => profiler.report(),
    () => profiler.spans(),
    () => profiler.clear(),
    () => profiler.measure("a", "b", () => {}),
    () => ecs.raw,
    () => events.dispatch(new Ping()),
    () => events.subscribe(Ping, () => {}),
    () => events.inbox(Ping),
  ];
  for (const call of calls) expectError("DISPOSED", call);
});

test("X1 raw is an error in the package's own module, in which no function takes it", () => {
  expectError("BAD_ARGUMENT", () => new ECS().raw);
});

test("M3 after dispose, sets are empty, stored components are detached and object components can be added again", () => {
  const ecs = new ECS();
  const position = new Position({ x: 1 });
  const velocity = new Velocity();
  const health = new Health();
  const e = entity(ecs, position, velocity, health, new Packed());
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  position.x = 2;
  const { entities, dirty } = system;
  const aspect = entities.get(e)!;
  const iterations = [
    entities.values(),
    dirty.values(),
    ecs.storage(Position)[Symbol.iterator](),
    ecs.storage(Packed)[Symbol.iterator](),
    ecs.storage(Position)[Symbol.iterator](),
    ecs.storage(Packed)[Symbol.iterator](),
  ];
  for (const it of iterations.slice(0, 4)) it.next();
  ecs.dispose();
  for (const it of iterations) expect(it.next()).toEqual({ value: undefined, done: true });
  expect([entities.size, entities.has(e), entities.get(e), [...entities], entities.ids.length]).toEqual([
    0,
    false,
    undefined,
    [],
    0,
  ]);
  expect([dirty.size, dirty.has(e), [...dirty], dirty.ids.length]).toEqual([0, false, [], 0]);
  expectError("MISSING_COMPONENT", () => position.x);
  expectError("MISSING_COMPONENT", () => (velocity.x = 1));
  position.dirty();
  health.dirty();
  expectError("DISPOSED", () => aspect.get(Position));
  expectError("BAD_SYSTEM", () => system.ecs);
  const other = world();
  other.addSystem(0, system);
  const f = entity(other, health, new Position({ x: 7 }));
  other.update();
  expect([system.lastRun, system.entities.get(f)!.get(Position).x]).toEqual([[f], 7]);
  expectError("MISSING_COMPONENT", () => other.addComponent(f, position));
});

test("M3 the sets of a removed system are empty", () => {
  const ecs = world();
  const all = positions(ecs, 50);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  ecs.getComponents(all[3]!).get(Position).dirty();
  const { entities, dirty } = system;
  ecs.removeSystem(system);
  for (let i = 0; i < 20; ++i) add(ecs, { watches: [Position] });
  ecs.getComponents(all[4]!).get(Position).dirty();
  expect([entities.size, [...entities.keys()], entities.ids.length, entities.get(all[0]!)]).toEqual([
    0,
    [],
    0,
    undefined,
  ]);
  expect([dirty.size, [...dirty], dirty.has(all[4]!)]).toEqual([0, [], false]);
});

test("M3 a using declaration disposes the world at the end of its block", () => {
  let kept: ECS;
  {
    using ecs = new ECS();
    kept = ecs;
    expect(kept.addEntity()).toBe(1);
  }
  expectError("DISPOSED", () => kept.addEntity());
});

test("M3 a world may be disposed inside any callback; no further callback is called", () => {
  const later: string[] = [];
  const scripts = (ecs: ECS) => {
    const end = () => {
      later.length = 0; // discard earlier calls
      ecs.dispose();
    };
    return {
      update: () => add(ecs, { update: end }),
      init: () => new Scripted({ init: end }),
      onAdd: () => add(ecs, { requires: [Tag], onAdd: end }),
      onRemove: () => add(ecs, { onRemove: end }),
      onDisabled: () => add(ecs, { onDisabled: end }),
      onClear: () => add(ecs, { onClear: end }),
    };
  };
  for (const name of ["update", "init", "onAdd", "onRemove", "onDisabled", "onClear"] as const) {
    const ecs = new ECS();
    const e = entity(ecs, new Position({ x: 1 }));
    const position = ecs.getComponents(e).get(Position);
    const system = scripts(ecs)[name]();
    const note = () => void later.push(name);
    add(ecs, { requires: [Tag], onAdd: note, onClear: note }, 1);
    add(ecs, { update: note, onRemove: note, onClear: note }, 1);
    const trigger = {
      update: () => ecs.update(),
      init: () => ecs.addSystem(0, system),
      onAdd: () => ecs.addComponent(e, new Tag()),
      onRemove: () => ecs.removeComponent(e, Position),
      onDisabled: () => ecs.disableSystem(system),
      onClear: () => ecs.clear(),
    }[name];
    trigger();
    expect(later).toEqual([]);
    expectError("DISPOSED", () => ecs.count);
    expectError("MISSING_COMPONENT", () => position.x);
  }
});

test("M3 in the callback that disposed the world, using it is an error", () => {
  const ecs = new ECS();
  const [e] = positions(ecs, 3) as [Entity];
  let error: unknown;
  add(ecs, {
    watches: [Position],
    update(_, entities, dirty) {
      for (const _e of entities.keys()) ecs.dispose();
      for (const _e of dirty);
      error = thrownBy(() => ecs.getComponents(e));
    },
  });
  ecs.update();
  expectError("DISPOSED", () => {
    throw error;
  });
});

test("M3 an error that a callback throws after it disposed the world is rethrown", () => {
  const failure = new Error("failure");
  const ecs = new ECS();
  positions(ecs, 1);
  add(ecs, {
    update: () => {
      ecs.dispose();
      throw failure;
    },
  });
  expect(thrownBy(() => ecs.update())).toBe(failure);
  const other = new ECS();
  add(other, {
    onAdd: () => {
      other.dispose();
      other.addEntity();
    },
  });
  const e = other.addEntity();
  expectError("DISPOSED", () => other.addComponent(e, new Position()));
});

test("M3 no further handler is called after a handler disposed the world", () => {
  const ecs = new ECS();
  class Ping {}
  const log: string[] = [];
  ecs.events.subscribe(Ping, () => ecs.dispose());
  ecs.events.subscribe(Ping, () => log.push("called"));
  ecs.events.dispatch(new Ping());
  expect(log).toEqual([]);
});

test("M3 hundreds of worlds can be created and disposed without running out of memory", () => {
  const probe = world();
  positions(probe, 1);
  const sizeOf = () => probe.storage(Position).columns.x.buffer.byteLength;
  const cycle = () => {
    using ecs = new ECS();
    positions(ecs, 2_000);
    positions(ecs, 2_000, Packed);
    add(ecs, { watches: [Position] });
    ecs.update();
    for (const _e of ecs.storage(Position)) break;
    for (const _e of ecs.storage(Packed)) break;
  };
  for (let i = 0; i < 20; ++i) cycle();
  const before = sizeOf();
  for (let i = 0; i < 300; ++i) cycle();
  expect(sizeOf()).toBe(before);
});

test("M3 components of one class in several worlds have their own values and signals", () => {
  const worlds = [1, 2, 3].map((x) => {
    const ecs = world();
    const system = add(ecs, { watches: [Position] });
    entity(ecs, new Position({ x: 100 })); // so that the slots differ
    if (x === 2) entity(ecs, new Position());
    const e = entity(ecs, new Position({ x }));
    ecs.update();
    return { ecs, system, e, position: ecs.get(e, Position) };
  });
  for (const { ecs, system, e, position } of worlds) {
    position.x += 10;
    ecs.update();
    expect(system.lastRun).toEqual([e]);
  }
  expect(worlds.map(({ position }) => position.x)).toEqual([11, 12, 13]);
  worlds[1]!.ecs.dispose();
  const next = world();
  const position = next.addComponent(next.addEntity(), new Position({ x: 5 }));
  expect([worlds[0]!.position.x, worlds[2]!.position.x, position.x]).toEqual([11, 13, 5]);
});
