// Rules C7, E8 and E9: default values, and entities that are created together with their components.
import { describe, expect, test } from "@jest/globals";
import { Component, NONE, Parent, Prefab, defineComponent, type Entity, type FieldType } from "crateful";
import { Health, Position, Tag, Velocity, add, expectError, values, world } from "./world.js";

class Enemy extends defineComponent("Enemy", {
  hp: { type: "f32", default: 100 },
  level: { type: "u8", default: 44 },
  awake: { type: "bool", default: true },
  target: { type: "entity" },
  speed: "f64",
}) {}
class Sleeper extends defineComponent("Sleeper", { hp: { type: "i16", default: -7 } }, { policy: "linear" }) {}
const defaults = { hp: 100, level: 44, awake: true, target: NONE, speed: 0 };
const valuesOf = ({ hp, level, awake, target, speed }: Enemy) => ({ hp, level, awake, target, speed });

describe("C7 a default value", () => {
  test("is that of a new component, rounded to its type", () => {
    class Third extends defineComponent("Third", { value: { type: "f32", default: 1 / 3 } }) {}
    expect(new Third().value).toBe(Math.fround(1 / 3));
    expect(valuesOf(new Enemy())).toEqual(defaults);
    expect(valuesOf(new Enemy({ hp: 1, awake: false }))).toEqual({ ...defaults, hp: 1, awake: false });
  });
  test("applies to components that are created as plain values, in bulk, and by prefabs", () => {
    const ecs = world();
    const [a, b, c] = Array.from(ecs.addEntities(3)) as [Entity, Entity, Entity];
    ecs.addComponent(a, Enemy);
    ecs.addComponent(b, Enemy, { level: 2, hp: undefined as never });
    ecs.addComponents([c], Enemy, { speed: [3] });
    const d = ecs.addEntity(Enemy);
    const [e] = ecs.prefab([Enemy]).spawn(1) as unknown as [Entity];
    expect([a, b, c, d, e].map((entity) => valuesOf(ecs.get(entity, Enemy)))).toEqual([
      defaults,
      { ...defaults, level: 2 },
      { ...defaults, speed: 3 },
      defaults,
      defaults,
    ]);
    ecs.addComponent(a, Sleeper);
    ecs.addComponents([b], Sleeper);
    expect([a, b].map((entity) => ecs.get(entity, Sleeper).hp)).toEqual([-7, -7]);
  });
  test("must be a value of the field", () => {
    expectError("BAD_ARGUMENT", () => defineComponent("Bad", { hp: { type: "f32", default: true as never } }));
    expectError("BAD_ARGUMENT", () => defineComponent("Bad", { hp: { type: "f99" as never, default: 1 } }));
    expectError("BAD_ARGUMENT", () => defineComponent("Bad", { hp: null as never }));
  });
  const impossible: [FieldType, unknown][] = [
    ["u8", 300],
    ["u8", -1],
    ["i8", 128],
    ["i16", 1.5],
    ["u16", 65_536],
    ["i32", NaN],
    ["i32", 2 ** 31],
    ["u32", Infinity],
    ["f32", 1e39],
    ["f32", -1e39],
    ["entity", 1.5],
    ["entity", -1],
    ["link", 7],
  ];
  test.each(impossible)("of type %s can't be %p", (type, value) => {
    const schema = { hp: { type: type as "f32", default: value as number } };
    const { message } = expectError("BAD_ARGUMENT", () => defineComponent("Bad", schema));
    for (const part of ["hp", type, String(value)]) expect(message).toContain(part);
  });
  const possible: [FieldType, unknown][] = [
    ["u8", 255],
    ["i8", -128],
    ["i32", -0],
    ["u32", 2 ** 32 - 1],
    ["f32", NaN],
    ["f32", -Infinity],
    ["f32", 0.1],
    ["f64", 1e300],
    ["f64", NaN],
    ["bool", false],
    ["entity", 7],
    ["entity", NONE],
    ["link", NONE],
  ];
  test.each(possible)("of type %s can be %p", (type, value) => {
    const cls = defineComponent("Good", { value: { type: type as "f32", default: value as number } });
    const ecs = world();
    const stored = type === "f32" ? Math.fround(value as number) : value === 0 ? 0 : value;
    expect([new cls().value, ecs.get(ecs.addEntity(cls), cls).value]).toEqual([stored, stored]);
  });
});

describe("E8 an entity with components", () => {
  test("has all of them: objects, classes with default values, classes with values", () => {
    const ecs = world();
    const position = new Position({ x: 1 });
    const health = new Health(3);
    const e = ecs.addEntity(position, [Velocity, { y: 2 }], Tag, health, Enemy);
    expect(ecs.get(e, Position)).toBe(position);
    expect(ecs.get(e, Health)).toBe(health);
    expect([position.x, ecs.get(e, Velocity).y, ecs.has(e, Tag), ecs.get(e, Enemy).hp]).toEqual([1, 2, true, 100]);
    position.x = 5;
    expect(values(ecs, Position, "x")).toEqual([5]);
    expect(ecs.get(ecs.addEntity([Health, () => new Health(8)]), Health).current).toBe(8);
    expect(ecs.count).toBe(2);
  });

  test("is seen complete by systems, once by each, in their order", () => {
    const ecs = world();
    const log: unknown[] = [];
    const listen = (name: string, requires: (typeof Position | typeof Velocity | typeof Health)[]) => ({
      requires,
      watches: [Position],
      onAdd({ entity }: { entity: Entity }) {
        log.push([name, ecs.has(entity, Position, Velocity, Health), ecs.get(entity, Health).current]);
      },
    });
    const second = add(ecs, listen("second", [Velocity]), 2);
    const first = add(ecs, listen("first", [Health, Position]), 1);
    const quiet = add(ecs, { requires: [Position, Tag], watches: [Position] }, 0);
    const e = ecs.addEntity(Velocity, new Health(4), Position);
    expect(log).toEqual([
      ["first", true, 4],
      ["second", true, 4],
    ]);
    ecs.update();
    expect([first.lastRun, second.lastRun, quiet.lastRun]).toEqual([[e], [e], []]);
    ecs.removeSystem(second);
    add(ecs, listen("third", [Velocity, Position]), 3);
    log.length = 0;
    ecs.addEntity(Velocity, new Health(4), Position);
    expect((log as [string][]).map(([name]) => name)).toEqual(["first", "third"]);
  });

  test("H3 uses up no number if Parent is among the parts", () => {
    const ecs = world();
    const next = ecs.addEntity();
    ecs.removeEntity(next);
    ecs.removeMarked();
    const position = new Position();
    for (let i = 0; i < 3; ++i) {
      expectError("BAD_ARGUMENT", () => ecs.addEntity(position, Parent));
      expectError("BAD_ARGUMENT", () => ecs.addEntity(Tag, new Parent()));
    }
    expect(ecs.addEntity(position)).toBe(next + 2 ** 22);
  });

  test("is not created if a part is refused; objects can be used again", () => {
    const ecs = world();
    const position = new Position({ x: 1 });
    const used = new Health(1);
    ecs.addEntity(used);
    const removed = new Velocity();
    ecs.removeComponent(ecs.addEntity(removed), Velocity);
    for (const parts of [
      [position, used],
      [position, Position],
      [position, [Velocity, { z: 1 }]],
      [position, [Velocity, { x: "1" }]],
      [position, 3],
      [position, class {}],
      [position, [Health, () => 5]],
      [position, [Health, 5]],
    ])
      expectError("BAD_ARGUMENT", () => ecs.addEntity(...(parts as never[])));
    expectError("MISSING_COMPONENT", () => ecs.addEntity(position, removed));
    expect(ecs.count).toBe(2);
    expect([position.x, ecs.get(ecs.addEntity(position), Position)]).toEqual([1, position]);
  });

  test("may dispose of its world, or clear it, in a callback", () => {
    const ecs = world();
    add(ecs, { requires: [Position], onAdd: () => ecs.dispose() });
    const position = new Position({ x: 1 });
    ecs.addEntity(position, Tag);
    expectError("DISPOSED", () => ecs.addEntity(Tag));
    expectError("MISSING_COMPONENT", () => position.x);
    const other = world();
    add(other, {
      requires: [Position],
      onAdd() {
        other.clear();
        throw new Error("cleared");
      },
    });
    const cleared = new Position({ x: 1 });
    expect(() => other.addEntity(cleared, Tag)).toThrow("cleared");
    expect(other.count).toBe(0);
    expectError("MISSING_COMPONENT", () => cleared.x);
  });

  test("is complete if a callback throws; then the first error is thrown", () => {
    const ecs = world();
    const fail = (name: string) => () => {
      throw new Error(name);
    };
    const one = add(ecs, { requires: [Position], onAdd: fail("one") }, 1);
    const two = add(ecs, { requires: [Tag], onAdd: fail("two") }, 2);
    const position = new Position({ x: 2 });
    expect(() => ecs.addEntity(Tag, position)).toThrow("one");
    ecs.update();
    const e = one.entities.keys().next().value!;
    expect([one.entities.size, two.entities.has(e), ecs.get(e, Position)]).toEqual([1, true, position]);
  });
});

describe("E14 ecs.add", () => {
  test("adds all parts to an entity: objects, classes with default values, classes with values", () => {
    const ecs = world();
    const e = ecs.addEntity([Position, { x: 1 }]);
    const health = new Health(3);
    const velocity = new Velocity({ x: 4 });
    ecs.add(e, health, velocity, Tag, [Enemy, { hp: 7 }]);
    expect(ecs.get(e, Health)).toBe(health);
    expect(ecs.get(e, Velocity)).toBe(velocity);
    velocity.y = 9;
    expect(values(ecs, Velocity, "y")).toEqual([9]);
    expect([ecs.has(e, Tag), ecs.get(e, Enemy).hp, ecs.get(e, Position).x]).toEqual([true, 7, 1]);
    ecs.add(e);
    ecs.add(e, [Health, () => new Health(8)]);
    expect(ecs.get(e, Health).current).toBe(8);
  });

  test("replaces components of the same classes; their objects are detached", () => {
    const ecs = world();
    const old = new Position({ x: 1 });
    const oldHealth = new Health(1);
    const e = ecs.addEntity(old, oldHealth, Tag);
    const position = new Position({ x: 2 });
    ecs.add(e, position, new Health(2), [Velocity, { x: 3 }]);
    expect([ecs.get(e, Position), position.x, ecs.get(e, Health).current]).toEqual([position, 2, 2]);
    expectError("MISSING_COMPONENT", () => old.x);
    ecs.add(e, [Position, { x: 5 }], Tag);
    expect([ecs.get(e, Position).x, ecs.count]).toEqual([5, 1 + 1 - 1]);
    expectError("MISSING_COMPONENT", () => position.x);
    ecs.addEntity(oldHealth); // it is free again
  });

  test("only signals for components of the entity itself", () => {
    const ecs = world();
    const position = new Position({ x: 1 });
    const e = ecs.addEntity(position);
    const system = add(ecs, { requires: [Position], watches: [Position] });
    ecs.update();
    ecs.add(e, position, [Velocity, { x: 2 }]);
    ecs.update();
    expect([system.lastRun, position.x, ecs.get(e, Velocity).x]).toEqual([[e], 1, 2]);
    expectError("BAD_ARGUMENT", () => ecs.add(e, position, Position));
  });

  test("is seen complete by systems, once by each, in their order", () => {
    const ecs = world();
    const log: unknown[] = [];
    const listen = (name: string, requires: (typeof Position | typeof Velocity | typeof Health)[]) => ({
      requires,
      watches: [Position],
      onAdd({ entity }: { entity: Entity }) {
        log.push([name, ecs.has(entity, Position, Velocity, Health), ecs.get(entity, Health).current]);
      },
    });
    const second = add(ecs, listen("second", [Velocity]), 2);
    const first = add(ecs, listen("first", [Health, Position]), 1);
    const stopped = add(ecs, { requires: [Tag], excludes: [Velocity] }, 0);
    const e = ecs.addEntity(Tag, Position);
    ecs.update();
    expect(stopped.entities.has(e)).toBe(true);
    ecs.add(e, Velocity, new Health(4), Position);
    expect(log).toEqual([
      ["first", true, 4],
      ["second", true, 4],
    ]);
    ecs.update();
    expect([first.lastRun, second.lastRun, stopped.entities.has(e)]).toEqual([[e], [e], false]);
  });

  test("adds nothing if a part is refused; objects can be used again", () => {
    const ecs = world();
    const e = ecs.addEntity([Velocity, { x: 1 }]);
    const position = new Position({ x: 1 });
    const used = new Health(1);
    ecs.addEntity(used);
    for (const parts of [
      [position, used],
      [position, Position],
      [position, Parent],
      [position, [Velocity, { z: 1 }]],
      [position, 3],
      [position, [Health, () => 5]],
    ])
      expectError("BAD_ARGUMENT", () => ecs.add(e, ...(parts as never[])));
    const gone = ecs.addEntity();
    ecs.removeEntity(gone);
    ecs.removeMarked();
    expect(expectError("STALE_ENTITY", () => ecs.add(gone, position)).message).toContain("add: ");
    expect([ecs.has(e, Position), ecs.get(e, Velocity).x, position.x]).toEqual([false, 1, 1]);
    ecs.add(e, position, Tag);
    expect(ecs.get(e, Position)).toBe(position);
  });

  test("adds nothing if a part's function or getter removes the entity, also if another one has its index then", () => {
    for (const read of ["function", "getter"]) {
      const ecs = world();
      const e = ecs.addEntity(new Health(1), [Position, { x: 1 }]);
      const kept = new Health(2);
      let other: Entity = NONE;
      const replaceEntity = (): void => {
        ecs.removeEntity(e);
        ecs.removeMarked();
        other = ecs.addEntity(kept, [Position, { x: 2 }]);
      };
      const make = (): Health => {
        if (read === "function") replaceEntity();
        return new Health(3);
      };
      const values = {
        get x(): number {
          if (read === "getter") replaceEntity();
          return 3;
        },
      };
      const velocity = new Velocity({ x: 4 });
      const code = read === "function" ? "STALE_ENTITY" : "BAD_ARGUMENT"; // X3
      expectError(code, () => ecs.add(e, velocity, [Health, make], [Position, values]));
      expect([ecs.get(other, Health), kept.current, ecs.get(other, Position).x]).toEqual([kept, 2, 2]);
      const system = add(ecs, { requires: [Health], watches: [Health] });
      ecs.update();
      kept.dirty(); // it is still that of the other entity
      ecs.update();
      expect([system.lastRun, ecs.get(other, Health), ecs.has(other, Velocity)]).toEqual([[other], kept, false]);
      ecs.add(other, velocity);
      expect(ecs.get(other, Velocity)).toBe(velocity);
    }
  });

  test("is complete if a callback throws; then the first error is thrown", () => {
    const ecs = world();
    const fail = (name: string) => () => {
      throw new Error(name);
    };
    const two = add(ecs, { requires: [Tag], onAdd: fail("two") }, 2);
    const one = add(ecs, { requires: [Position], onAdd: fail("one") }, 1);
    const e = ecs.addEntity();
    ecs.update();
    const position = new Position({ x: 2 });
    expect(() => ecs.add(e, Tag, position)).toThrow("one");
    expect([one.entities.has(e), two.entities.has(e), ecs.get(e, Position)]).toEqual([true, true, position]);
  });

  test("goes on if a callback removes what was added, or the entity", () => {
    const ecs = world();
    const first = add(ecs, { requires: [Position], onAdd: ({ entity }) => ecs.removeComponent(entity, Velocity) }, 1);
    const second = add(ecs, { requires: [Velocity] }, 2);
    const e = ecs.addEntity();
    ecs.update();
    const velocity = new Velocity({ x: 3 });
    ecs.add(e, velocity, Position);
    expect([first.entities.has(e), second.entities.has(e), ecs.has(e, Velocity)]).toEqual([true, false, false]);
    expectError("MISSING_COMPONENT", () => velocity.x);
    ecs.removeSystem(first);
    add(ecs, { requires: [Position], onAdd: () => ecs.clear() }, 1);
    const f = ecs.addEntity();
    ecs.add(f, new Position(), new Health(1), [Velocity, {}]);
    expect([ecs.alive(f), second.entities.size]).toEqual([false, 0]);
  });
});

describe("C2 removeComponent of several classes", () => {
  test("removes them in this order, and returns whether there was one", () => {
    const ecs = world();
    const log: string[] = [];
    for (const cls of [Position, Velocity, Tag]) add(ecs, { requires: [cls], onRemove: () => void log.push(cls.name) });
    const e = ecs.addEntity(Position, Velocity, Tag);
    expect(ecs.removeComponent(e, Tag, Health, Position)).toBe(true);
    expect([log, ecs.has(e, Velocity)]).toEqual([["Tag", "Position"], true]);
    expect(ecs.removeComponent(e, Tag, Position)).toBe(false);
    expectError("BAD_ARGUMENT", () => ecs.removeComponent(e, Velocity, Parent));
    expect(ecs.has(e, Velocity)).toBe(true);
  });
  test("removes them although callbacks remove others", () => {
    const ecs = world();
    const others = ecs.addEntities(9);
    ecs.addComponents(others, Position);
    add(ecs, { requires: [Tag], onRemove: () => void ecs.removeComponents(others, Position) });
    const e = ecs.addEntity(Position, Velocity, Tag);
    expect(ecs.removeComponent(e, Tag, Position, Velocity)).toBe(true);
    expect([ecs.storage(Position).count, ecs.has(e, Velocity)]).toEqual([0, false]);
  });
  test("removes all of them if callbacks throw, and none of a dead entity", () => {
    const ecs = world();
    const fail = (name: string) => () => {
      throw new Error(name);
    };
    add(ecs, { requires: [Position], onRemove: fail("one") });
    add(ecs, { requires: [Velocity], onRemove: fail("two") });
    const e = ecs.addEntity(Position, Velocity, Tag);
    expect(() => ecs.removeComponent(e, Velocity, Position, Tag)).toThrow("two");
    expect([ecs.has(e, Position), ecs.has(e, Velocity), ecs.has(e, Tag)]).toEqual([false, false, false]);
    ecs.removeEntity(e);
    ecs.removeMarked();
    expectError("STALE_ENTITY", () => ecs.removeComponent(e, Tag, Position));
  });
});

describe("E9 a prefab", () => {
  test("spawns entities with its values and with overrides, by position or by name", () => {
    const ecs = world();
    const list = ecs.prefab([Position, [Velocity, { x: 2 }], Tag]);
    const named = ecs.prefab({ position: [Position, { y: 3 }], enemy: [Enemy, { level: 2 }], tag: Tag });
    expect(list).toBeInstanceOf(Prefab);
    const a = list.spawn();
    const b = list.spawn([{ x: 7 }, { y: 8 }]);
    const c = named.spawn({ position: { x: 1 }, enemy: undefined });
    const position = (e: Entity) => [ecs.get(e, Position).x, ecs.get(e, Position).y];
    expect([position(a), position(b), position(c)]).toEqual([
      [0, 0],
      [7, 0],
      [1, 3],
    ]);
    expect([a, b].map((e) => [ecs.get(e, Velocity).x, ecs.get(e, Velocity).y])).toEqual([
      [2, 0],
      [2, 8],
    ]);
    expect(valuesOf(ecs.get(c, Enemy))).toEqual({ ...defaults, level: 2 });
    expect([a, b, c].every((e) => ecs.has(e, Tag))).toBe(true);
  });

  test("spawns many entities in one step, with columns", () => {
    const ecs = world();
    const system = add(ecs, { requires: [Position, Tag], watches: [Position] });
    const prefab = ecs.prefab({ position: [Position, { y: 3 }], tag: Tag, velocity: Velocity });
    const all = Array.from(prefab.spawn(100, { position: { x: Float32Array.from({ length: 100 }, (_, i) => i) } }));
    expect(all.map((e) => [ecs.get(e, Position).x, ecs.get(e, Position).y, ecs.get(e, Velocity).x])).toEqual(
      all.map((_, i) => [i, 3, 0]),
    );
    ecs.update();
    expect(system.lastRun).toEqual(all);
    expect([prefab.spawn(0).length, ecs.count]).toEqual([0, 100]);
  });

  test.each([
    ["linear", [4, 1, 7, 2, 5]],
    ["sparse", [4, 1, 7, 2, 5]],
    ["linear", [1, 2, 3, 4, 5]],
    ["linear", [5, 4, 3, 2, 1]],
  ] as const)("writes columns under %s to entities with indices that were free: %j", (policy, freed) => {
    class Mixed extends defineComponent(
      "Mixed",
      {
        a: "u8",
        b: "i16",
        c: "f32",
        d: "f64",
        e: "f32x3",
        f: ["no", "yes"],
        g: "string",
        h: { type: "u8", default: 7 },
      },
      { policy },
    ) {}
    const ecs = world();
    ecs.addEntities(9);
    for (const e of freed) {
      ecs.removeEntity(e as Entity);
      ecs.removeMarked();
    }
    const list = [1, 2, 3, 4, 5, 6, 7];
    const columns = {
      a: list,
      b: Int16Array.from(list, (x) => -x),
      c: list,
      d: 0.1,
      e: list.map((x) => [x, x, -x] as const),
      f: list.map((x) => (x % 2 ? "yes" : "no")),
      g: list.map(String),
    } as const;
    const check = (entities: Iterable<Entity>) => {
      let x = 0;
      for (const e of entities) {
        const { at, ...rest } = { ...ecs.get(e, Mixed).toJSON(), at: [...ecs.get(e, Mixed).e] };
        ++x;
        expect(at).toEqual([x, x, -x]);
        expect(rest).toMatchObject({ a: x, b: -x, c: x, d: 0.1, f: x % 2 ? "yes" : "no", g: String(x), h: 7 });
      }
    };
    const made = ecs.prefab([Mixed, Tag]).spawn(7, [columns]);
    check(made);
    expect(Array.from(made, (e) => ecs.has(e, Mixed, Tag))).toEqual(list.map(() => true));
    const others = ecs.addEntities(7);
    ecs.addComponents(others.reverse(), Mixed, columns);
    check(others);
    ecs.addComponents([...made].reverse(), Mixed, columns); // replaces them
    check([...made].reverse());
  });
  test("creates an object for each entity of an object class", () => {
    const ecs = world();
    let made = 0;
    class Item extends Component {
      number = ++made;
    }
    const prefab = ecs.prefab([Position, Item, [Health, () => new Health(9)]]);
    const [a, b] = Array.from(prefab.spawn(2)) as [Entity, Entity];
    const own = new Health(1);
    const c = prefab.spawn([undefined, undefined, own]);
    const [d] = Array.from(
      prefab.spawn(1, [{ x: 2 }, (i: number) => Object.assign(new Item(), { number: i + 50 })]),
    ) as [Entity];
    expect([a, b, c, d].map((e) => [ecs.get(e, Item).number, ecs.get(e, Health).current])).toEqual([
      [1, 9],
      [2, 9],
      [3, 1],
      [50, 9],
    ]);
    expect(ecs.get(c, Health)).toBe(own);
    expectError("BAD_ARGUMENT", () => prefab.spawn([undefined, undefined, own]));
    expect(ecs.count).toBe(4);
  });

  test("sees systems that are added and removed later", () => {
    const ecs = world();
    const prefab = ecs.prefab([Position]);
    prefab.spawn();
    const system = add(ecs, { requires: [Position], watches: [Position] });
    ecs.update();
    const e = prefab.spawn();
    ecs.update();
    expect(system.lastRun).toEqual([e]);
    ecs.removeSystem(system);
    prefab.spawn();
    const other = add(ecs, { requires: [Position, Velocity] });
    prefab.spawn();
    ecs.update();
    expect(other.entities.size).toBe(0);
  });

  test("can be used in a callback of its own spawn", () => {
    const ecs = world();
    const bullets = ecs.prefab([Position]);
    const spawned: Entity[] = [];
    add(ecs, {
      requires: [Position],
      onAdd({ entity }) {
        spawned.push(entity);
        if (spawned.length < 10) bullets.spawn(2, [{ x: spawned.length }]);
      },
    });
    const [a, b] = Array.from(bullets.spawn(2, [{ x: -1 }])) as [Entity, Entity];
    expect([a, b].map((e) => ecs.get(e, Position).x)).toEqual([-1, -1]);
    expect([new Set(spawned).size, ecs.count]).toEqual([spawned.length, spawned.length]);
  });

  test("refuses what it can't contain, and values that its classes don't have; nothing is created", () => {
    const ecs = world();
    for (const parts of [
      [],
      null,
      5,
      [Position, Position],
      [5],
      [[Position, { z: 1 }]],
      [[Position, 5]],
      [new Health(1)],
    ])
      expectError("BAD_ARGUMENT", () => ecs.prefab(parts as never));
    const prefab = ecs.prefab({ position: Position, velocity: Velocity });
    for (const bad of [
      5.5,
      -1,
      "x",
      null,
      { tag: {} },
      { position: { z: 1 } },
      { position: { x: "1" } },
      { position: 4 },
    ])
      expectError("BAD_ARGUMENT", () => prefab.spawn(bad as never));
    for (const bad of [{ position: { x: [1] } }, { position: { x: ["a", "b"] } }, { tag: {} }, 7])
      expectError("BAD_ARGUMENT", () => prefab.spawn(2, bad as never));
    expectError("OUT_OF_MEMORY", () => prefab.spawn(5_000_000));
    expect([ecs.count, ecs.storage(Position).count]).toEqual([0, 0]);
    ecs.dispose();
    expectError("DISPOSED", () => prefab.spawn());
    expectError("DISPOSED", () => ecs.prefab([Position]));
    expectError("DISPOSED", () => ecs.addEntity(Position));
  });
});

test("E8 the parts of a known list are followed by a class that is used for the first time", () => {
  const ecs = world();
  class Unused extends defineComponent("Unused", { n: "u8" }) {}
  class UnusedObject extends Component {}
  for (const parts of [[[Unused, { n: 7 }]], [new UnusedObject()]] as never[][]) {
    ecs.addEntity([Position, { x: 1 }]);
    const e = ecs.addEntity([Position, { x: 2 }], ...(parts as []));
    expect(ecs.get(e, Position).x).toBe(2);
    expect(
      ecs.has(e, Position, parts[0] === undefined ? Position : Array.isArray(parts[0]) ? Unused : UnusedObject),
    ).toBe(true);
  }
});
