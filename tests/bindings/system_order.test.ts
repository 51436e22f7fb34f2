// Filters, order and intervals of systems, and the entity of the world (rules S9 to S12, E10, E11).
import { describe, expect, test } from "@jest/globals";
import { type Aspect, Component, ECS, System, defineComponent, defineSystem, type SystemOptions } from "crateful";
import { inspect, type InspectAnswers } from "crateful/inspector";
import { Health, Position, Tag, Velocity, add, entities, expectError, positions, random, world } from "./world.js";

class Frozen extends defineComponent("Frozen") {}

describe("S9", () => {
  class Awake extends defineSystem({ position: Position }, { watch: [Position], without: [Frozen] }) {
    readonly added: number[] = [];
    readonly removed: number[] = [];
    changed: number[] = [];
    override update() {
      this.changed = entities(this.dirty);
    }
    override onAdd({ entity: e }: Aspect) {
      this.added.push(e);
    }
    override onRemove(aspect: Aspect) {
      this.removed.push(aspect.entity);
      expect([aspect.get(Position).x, aspect.has(Frozen)]).toEqual([0, true]);
    }
  }

  test("an entity with an excluded component is not tracked", () => {
    const ecs = world();
    const all = positions(ecs, 4);
    ecs.addComponent(all[3]!, Frozen);
    const system = ecs.addSystem(0, new Awake());
    ecs.update();
    expect(entities(system.rows)).toEqual(all.slice(0, 3));
    ecs.get(all[0]!, Position).y = 5;
    ecs.addComponent(all[0]!, Frozen);
    ecs.update();
    expect([system.removed, system.changed, entities(system.rows).length]).toEqual([[all[0]], [], 2]);
    ecs.removeComponent(all[0]!, Frozen);
    ecs.update();
    expect([system.added.at(-1), system.changed]).toEqual([all[0], [all[0]]]);
    expect(system.rows.at(all[3]!)).toBe(undefined);
    expect(entities(system.rows.of(all))).toEqual(all.slice(0, 3));
  });

  test("rows have the right components after an entity was excluded and another one was not", () => {
    const ecs = world();
    const all = positions(ecs, 64);
    class Quiet extends defineSystem({ position: Position }, { without: [Frozen] }) {
      override update() {}
    }
    const system = ecs.addSystem(0, new Quiet());
    ecs.addComponent(all[63]!, Frozen); // the others are in the order of the storage
    const pairs = () => Array.from(system.rows, ({ entity, position }) => [entity, position.x]);
    const right = () => entities(system.rows).map((e) => [e, ecs.get(e, Position).x]);
    pairs();
    expect(pairs()).toEqual(right());
    ecs.addComponent(all[3]!, Frozen);
    ecs.removeComponent(all[63]!, Frozen); // as many are tracked as before, in another order
    expect(pairs()).toEqual(right());
  });

  test("filters are members of a System too, and agree with their definition after random changes", () => {
    const next = random(9);
    const ecs = world();
    class Both extends System {
      readonly componentsRequired = new Set([Position]);
      override readonly componentsExcluded = new Set([Frozen]);
      override readonly componentsAny = new Set<typeof Velocity | typeof Health>([Velocity, Health]);
      override update() {}
    }
    const both = ecs.addSystem(0, new Both());
    class Rows extends defineSystem({ position: Position }, { without: [Frozen], any: [Velocity, Health] }) {
      override update() {}
    }
    const rows = ecs.addSystem(0, new Rows());
    void both;
    const all = [...ecs.addEntities(20)];
    const classes = [Position, Velocity, Frozen] as const;
    for (let i = 0; i < 3000; ++i) {
      const e = all[next(20)]!;
      const cls = classes[next(4)];
      if (cls === undefined) {
        if (!ecs.removeComponent(e, Health)) ecs.addComponent(e, new Health());
      } else if (!ecs.removeComponent(e, cls)) ecs.addComponent(e, cls as typeof Position);
      const selected = ecs.has(e, Position) && !ecs.has(e, Frozen) && (ecs.has(e, Velocity) || ecs.has(e, Health));
      if (rows.rows.has(e) !== selected) throw new Error(`step ${i}`);
    }
    expect(entities(rows.rows).length).toBe(ecs.systems[0]!.tracked);
  });

  test("X1 a class that is required and excluded is an error", () => {
    const ecs = world();
    class Never extends defineSystem({ position: Position }, { without: [Position] }) {
      override update() {}
    }
    const error = expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Never()));
    expect(error.message).toBe("addSystem: system Never both requires and excludes Position");
    expect(ecs.systems).toEqual([]);
  });
});

describe("S10", () => {
  const make = (log: string[], name: string, options: SystemOptions = {}) =>
    class extends defineSystem(undefined, { name, ...options }) {
      override update() {
        log.push(name);
      }
    };
  const run = (ecs: ReturnType<typeof world>, log: string[]) => {
    log.length = 0;
    ecs.update();
    return log.join(" ");
  };

  test("constraints decide within a priority, also for systems that are added later", () => {
    const ecs = world();
    const log: string[] = [];
    const A = make(log, "a");
    const B = make(log, "b", { before: [A] });
    const D = make(log, "d");
    const C = make(log, "c", { after: [D] });
    ecs.addSystem(0, new A());
    ecs.addSystem(0, new B());
    ecs.addSystem(0, new C());
    expect(run(ecs, log)).toBe("b a c");
    ecs.addSystem(0, new D());
    expect(run(ecs, log)).toBe("b a d c");
    class E extends make(log, "e") {
      override readonly before = [B];
    }
    ecs.addSystem(0, new E());
    expect(run(ecs, log)).toBe("e b a d c");
    ecs.removeSystem(D);
    ecs.addSystem(-1, new D());
    expect(run(ecs, log)).toBe("d e b a c");
  });

  test("a class stands for its subclasses, whether they are added later or earlier", () => {
    const ecs = world();
    const log: string[] = [];
    const Base = make(log, "base");
    class Sub extends Base {}
    class SubSub extends Sub {}
    const Before = make(log, "before", { before: [Base] });
    const After = make(log, "after", { after: [Base] });
    const Own = make(log, "own", { before: [SubSub] }); // not before its superclasses
    for (const system of [new After(), new Sub(), new Own(), new SubSub(), new Before()]) ecs.addSystem(0, system);
    expect(run(ecs, log)).toBe("before base own base after");
  });

  test("S10 constraints that name half characters, which no name has, leave the others as they are", () => {
    const ecs = world();
    const log: string[] = [];
    const halves = ["\ud83d", "\ude00"];
    for (const name of ["a", "b"]) ecs.addSystem(0, new (make(log, name))());
    ecs.addSystem(0, new (make(log, "first", { before: [...halves, "a"], after: halves }))());
    ecs.addSystem(0, new (make(log, "between", { before: [...halves, "b"], after: [...halves, "a"] }))());
    expect(run(ecs, log)).toBe("first a between b");
    expect(ecs.systems.map(({ name }) => name)).toEqual(["first", "a", "between", "b"]);
  });

  test("S4 names are any texts, and so are those that constraints name", () => {
    const ecs = world();
    const log: string[] = [];
    const names = ["a\x01b", "a", "b\0\x02", "é😀", "b"];
    const others = names.map((name, i) => new (make(log, name, { before: names.slice(0, i) }))());
    for (const system of others) ecs.addSystem(0, system);
    const last = ecs.addSystem(0, new (make(log, "last\x02", { before: ["a", "x\x01"], after: ["b\0\x02", "é😀"] }))());
    expect(ecs.systems.map(({ name }) => name)).toEqual(["b", "é😀", "b\0\x02", "last\x02", "a", "a\x01b"]);
    expect(ecs.getSystem("a\x01b")).toBe(others[0]);
    expect(ecs.getSystem("last\x02")).toBe(last);
  });

  test("a constraint against the priorities, and a cycle, are errors that name the systems and change nothing", () => {
    const ecs = world();
    const log: string[] = [];
    const A = make(log, "a");
    const B = make(log, "b", { before: [A] });
    const C = make(log, "c", { after: [A], before: [B] });
    ecs.addSystem(0, new A());
    const late = new B();
    expect(expectError("BAD_SYSTEM", () => ecs.addSystem(1, late)).message).toBe(
      "addSystem: system b: the priorities contradict the constraint b before a",
    );
    ecs.addSystem(0, late);
    class Earlier extends make(log, "earlier") {}
    class Before extends make(log, "before", { before: [Earlier] }) {}
    const before = ecs.addSystem(1, new Before());
    expect(expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Earlier())).message).toContain("before before earlier");
    ecs.removeSystem(before);
    expect(expectError("BAD_SYSTEM", () => ecs.addSystem(0, new C())).message).toBe(
      "addSystem: system c: the constraints contradict each other: a before c, c before b, b before a",
    );
    expect([run(ecs, log), ecs.systems.length]).toEqual(["b a", 2]);
    class Wrong extends make(log, "w") {
      override readonly before = [Position as never];
    }
    expect(expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Wrong())).message).toMatch(
      /addSystem: w: before must be a list of system classes/,
    );
    expectError("BAD_ARGUMENT", () => defineSystem({ p: Position }, { after: A as never }));
  });

  test("systems lists instances, names, constraints and state", () => {
    const ecs = world();
    const log: string[] = [];
    class First extends make(log, "first") {}
    class Last extends make(log, "last", { after: [First], interval: 0.25, disabled: true }) {}
    const last = ecs.addSystem(0, new Last());
    const first = ecs.addSystem(0, new First());
    expect(ecs.systems.map(({ system }) => system)).toEqual([first, last]);
    expect(ecs.systems[1]).toEqual({
      name: "last",
      priority: 0,
      enabled: false,
      debug: false,
      interval: 0.25,
      before: [],
      after: ["First"],
      tracked: 0,
      dirty: 0,
    });
  });
});

test("S11 a system with an interval runs when the time has passed, with the time since its last run", () => {
  const ecs = world();
  class Slow extends defineSystem({ position: Position }, { watch: [Position], interval: 0.5 }) {
    readonly runs: [number, number][] = [];
    override update(delta: number) {
      this.runs.push([Math.round(delta * 1000) / 1000, this.dirty.size]);
    }
  }
  const system = ecs.addSystem(0, new Slow());
  const [e] = positions(ecs, 3);
  for (let i = 0; i < 6; ++i) ecs.update(0.1);
  ++ecs.get(e!, Position).x;
  ecs.update(0.3);
  ecs.paused = true;
  ecs.update(5);
  ecs.paused = false;
  ecs.update(0.2);
  expect(system.runs).toEqual([
    [0.5, 3],
    [0.6, 1],
  ]);
  class Wrong extends defineSystem({ position: Position }, { interval: -1 }) {
    override update() {}
  }
  expect(expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Wrong())).message).toContain("interval");
  class NotANumber extends defineSystem({ position: Position }, { interval: "1" as never }) {
    override update() {}
  }
  expectError("BAD_SYSTEM", () => ecs.addSystem(0, new NotANumber()));
});

test("S11 a run that throws does not count: the system is due in the next update, with the time since it last returned", () => {
  const ecs = world();
  const deltas: number[] = [];
  let throws = false;
  class Slow extends defineSystem({ p: Position }, { interval: 1 }) {
    override update(delta: number) {
      deltas.push(delta);
      if (throws) throw new Error("slow");
    }
  }
  ecs.addSystem(0, new Slow());
  ecs.update(0.5);
  ecs.update(0.5);
  throws = true;
  ecs.update(0.75);
  expect(() => ecs.update(0.5)).toThrow("slow");
  expect(() => ecs.update(0.25)).toThrow("slow");
  throws = false;
  ecs.update(0.25);
  ecs.update(0.5);
  ecs.update(0.5);
  expect(deltas).toEqual([1, 1.25, 1.5, 1.75, 1]);
});

test("S11 time counts in a frame that an earlier system ends by throwing", () => {
  const ecs = world();
  const deltas: number[] = [];
  let throws = false;
  class Failing extends defineSystem({ p: Position }) {
    override update() {
      if (throws) throw new Error("failing");
    }
  }
  class Slow extends defineSystem({ p: Position }, { interval: 1 }) {
    override update(delta: number) {
      deltas.push(delta);
    }
  }
  ecs.addSystem(0, new Failing());
  ecs.addSystem(1, new Slow());
  ecs.update(0.5);
  throws = true;
  expect(() => ecs.update(0.5)).toThrow("failing");
  expect(() => ecs.update(0.25)).toThrow("failing");
  expect(deltas).toEqual([]);
  throws = false;
  ecs.update(0.25);
  expect(deltas).toEqual([1.5]);
});

test("S11 what has passed beyond the interval is not carried over, and clear does not restart the interval", () => {
  const ecs = world();
  const runs: number[] = [];
  class Slow extends defineSystem(undefined, { interval: 0.5 }) {
    override update() {
      runs.push(Math.round(ecs.gameTime * 1000) / 1000);
    }
  }
  ecs.addSystem(0, new Slow());
  for (let i = 0; i < 4; ++i) ecs.update(0.375);
  expect(runs).toEqual([0.75, 1.5]);
  ecs.update(0.375);
  ecs.clear();
  ecs.update(0.125);
  expect(runs).toEqual([0.75, 1.5, 2]);
});

test("S12 a system without a shape uses no entities", () => {
  const ecs = world();
  const deltas: number[] = [];
  class Ticker extends defineSystem() {
    override update(delta: number) {
      deltas.push(delta);
    }
  }
  const ticker = ecs.addSystem(0, new Ticker());
  positions(ecs, 3);
  ecs.update(0.5);
  ecs.clear();
  expect([deltas, ecs.systems[0]!.tracked]).toEqual([[0.5], 0]);
  expect(expectError("BAD_SYSTEM", () => ticker.dirty).message).toContain("Ticker");
  expectError("BAD_SYSTEM", () => ticker.rows.count);
  ecs.removeSystem(ticker);
  ecs.update(0.5);
  expect(deltas.length).toBe(1);
  class Watching extends defineSystem(undefined, { watch: [Position] }) {
    override update() {}
  }
  expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Watching()));
  class Empty extends defineSystem({}) {
    override update() {}
  }
  expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Empty()));
});

describe("E10", () => {
  class Score extends defineComponent("Score", { points: "u32" }) {}
  class Settings extends Component {
    volume = 1;
  }

  test("the world is an entity that exists once, with the handle 0", () => {
    const ecs = world();
    expect([ecs.world, ecs.alive(ecs.world), ecs.count]).toEqual([0, true, 0]);
    expect(ecs.addEntity()).not.toBe(0);
    ecs.addComponent(ecs.world, new Score({ points: 3 }));
    ecs.addComponent(ecs.world, new Settings());
    expect([ecs.get(ecs.world, Score).points, ecs.get(ecs.world, Settings).volume, ecs.count]).toEqual([3, 1, 1]);
    expect(entities(ecs.query({ score: Score }))).toEqual([0]);
    expect(entities(ecs.query({}, { any: [Score] }))).toEqual([0]);
    const others = ecs.query({}); // all entities, without the world
    expect([others.count, others.has(0), others.at(0), [...others.of([0])]]).toEqual([1, false, undefined, []]);
    expect(expectError("BAD_ARGUMENT", () => ecs.removeEntity(ecs.world)).message).toMatch(/^removeEntity: the world/);
    expectError("BAD_ARGUMENT", () => ecs.removeEntities([ecs.addEntity(), ecs.world]));
    ecs.update();
    expect(ecs.count).toBe(2);
  });

  test("messages call it the world", () => {
    const ecs = world();
    expect(expectError("MISSING_COMPONENT", () => ecs.get(ecs.world, Score)).message).toBe(
      "get: the world has no Score",
    );
    const score = ecs.addComponent(ecs.world, new Score());
    ecs.removeComponent(ecs.world, Score);
    expect(expectError("MISSING_COMPONENT", () => score.points).message).toBe(
      "Score: the world no longer has this component",
    );
  });

  test("systems track and watch it, events name it, and clear keeps it and its components", () => {
    const ecs = world();
    const removed: number[] = [];
    const system = add(ecs, {
      requires: [Score],
      watches: [Score],
      onRemove: ({ entity: e }) => removed.push(e),
    });
    class Scored {
      constructor(readonly entity: number) {}
    }
    const events: number[] = [];
    ecs.events.subscribe(Scored, ({ entity: e }) => events.push(e));
    const score = ecs.addComponent(ecs.world, new Score());
    const settings = ecs.addComponent(ecs.world, new Settings());
    const other = ecs.addEntity(Score);
    ecs.setParent(other, ecs.world);
    ecs.update();
    score.points = 7;
    ecs.clear();
    ecs.events.dispatch(new Scored(ecs.world));
    ecs.update();
    expect([removed, system.lastRun, events, ecs.count]).toEqual([[other], [0], [0], 0]);
    expect([ecs.get(0, Score), ecs.get(0, Settings), score.points]).toEqual([score, settings, 7]);
    expect([...ecs.children(ecs.world)]).toEqual([]);
  });
});

test("E11 removeMarked removes what is marked, outside of an update", () => {
  const ecs = world();
  const [a, b] = positions(ecs, 2) as [number, number];
  const removed: number[] = [];
  add(ecs, {
    update: () => expectError("REENTRANT_UPDATE", () => ecs.removeMarked()),
    onRemove({ entity: e }) {
      removed.push(e);
      expect(expectError("REENTRANT_UPDATE", () => ecs.removeMarked()).message).toMatch(/^removeMarked: /);
      ecs.removeEntity(b);
    },
  });
  ecs.addComponent(a, Tag);
  ecs.removeEntity(a);
  ecs.removeMarked();
  expect([removed, ecs.count]).toEqual([[a, b], 0]);
  ecs.removeMarked();
  ecs.update();
});

describe("S1 B1 with shuffle", () => {
  const named = (name: string, options: SystemOptions = {}) =>
    new (class extends defineSystem(undefined, { ...options, name }) {
      override update() {}
    })();
  /** The names of systems in the order in which they run. */
  const order = (options?: { shuffle?: number }, removes = false): string => {
    const ecs = new ECS(options);
    ecs.addSystem(1, named("y"));
    for (const name of ["a", "b", "c"]) ecs.addSystem(0, named(name));
    const removed = ecs.addSystem(0, named("x"));
    ecs.addSystem(0, named("d", { after: ["b"] }));
    ecs.addSystem(-1, named("f"));
    if (removes) ecs.removeSystem(removed);
    const names = ecs.systems.map(({ name }) => name).join("");
    ecs.dispose();
    return names;
  };

  test("systems run in a random order of the seed where nothing decides, and in the production build in that of addition", () => {
    expect(order()).toBe("fabcxdy");
    expect(order({})).toBe("fabcxdy");
    const seeds = [0, 1, 2 ** 32 - 1, ...Array.from({ length: 40 }, (_, seed) => seed + 2)];
    const orders = seeds.map((shuffle) => order({ shuffle }));
    expect(seeds.map((shuffle) => order({ shuffle }))).toEqual(orders);
    expect(seeds.map((shuffle) => order({ shuffle }, true))).toEqual(orders.map((names) => names.replace("x", "")));
    for (const names of orders) expect(names).toMatch(/^f(?=.*b.*d)[abcdx]{5}y$/);
    const { records } = inspect(world(), { ask: "world" }) as InspectAnswers["world"];
    if (records.includes("history")) expect(new Set(orders).size).toBeGreaterThan(20);
    else expect(new Set(orders)).toEqual(new Set(["fabcxdy"]));
  });

  test("another value is an error, and so is another option", () => {
    const refused = (options: unknown) => expectError("BAD_ARGUMENT", () => new ECS(options as never)).message;
    for (const shuffle of [-1, 0.5, 2 ** 32, Number.NaN, null, "1", true])
      expect(refused({ shuffle })).toMatch(/^new ECS: shuffle must be a whole number from 0 to 4294967295, not /);
    expect(refused({ shufle: 1 })).toBe("new ECS: there is no option shufle");
    expect(refused(null)).toBe("new ECS: the options must be an object, not null");
  });
});
