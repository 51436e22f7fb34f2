// Rule X1 for every public method: an invalid argument is a typed error, and the state does not change.
import { expect, test } from "@jest/globals";
import {
  Component,
  EcsError,
  defineComponent,
  defineSystem,
  entityIndex,
  startLoop,
  type ComponentClass,
  type ECS,
  type Entity,
} from "crateful";
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

const notClasses: unknown[] = [
  undefined,
  null,
  "Position",
  3,
  {},
  [],
  Symbol("s"),
  () => {},
  class {},
  Date,
  Map,
  Component,
  Scripted,
  new Position(),
];
const notObjects: unknown[] = [null, 3, true, "ab", Symbol("s"), () => {}];
const notLists: unknown[] = [undefined, null, 3, true, "ab", {}, Symbol("s"), () => {}];

/** Everything that can be read from a world. */
function stateOf(ecs: ECS, all: Entity[]): unknown {
  return [
    ecs.count,
    ecs.systems,
    ecs.gameTime,
    ecs.wallTime,
    ecs.paused,
    ecs.slowMotion.factor,
    ecs.profiler.enabled,
    [Position, Velocity, Health].map((cls) => [...ecs.storage(cls as ComponentClass)]),
    all.map((e) => {
      const c = ecs.getComponents(e);
      return [ecs.alive(e), c.tryGet(Position)?.x, c.tryGet(Velocity)?.y, c.tryGet(Health)?.current];
    }),
  ];
}

test("X1 every misuse is an EcsError with a code and a message that names the call, and changes nothing", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  const e = all[0]!;
  ecs.addComponent(e, new Health());
  ecs.addComponents([all[1]!], Velocity, { y: 5 });
  const system = add(ecs, { watches: [Position, Velocity, Health] });
  ecs.update();
  ecs.update();
  const before = JSON.stringify(stateOf(ecs, all));
  const cases: [string, (bad: never) => unknown, unknown[]][] = [
    [
      "addComponent",
      (bad) => ecs.addComponent(e, bad),
      [undefined, null, 3, "Position", {}, Health, [new Position()], Object.create(null)],
    ],
    ["addComponent", (bad) => ecs.addComponent(e, Position, bad), [null, 3, "x", () => ({})]],
    ["new Position", (bad) => ecs.addComponent(e, bad), [Position.prototype, Object.create(Position.prototype)]],
    ["new Position", (bad) => ecs.addEntity(bad), [Position.prototype, Object.create(Position.prototype)]],
    ["slots", (bad) => ecs.storage(Position).slots(bad), notLists],
    ["options", (bad) => ecs.events.subscribe(Date, () => {}, bad), notObjects],
    ["options", (bad) => defineComponent("A", {}, bad), notObjects],
    ["schema", (bad) => defineComponent("A", bad), notObjects],
    ["options", (bad) => defineSystem({}, bad), notObjects],
    ["options", (bad) => startLoop(ecs, bad), notObjects],
    ["startLoop: there is no option fixStep", (bad) => startLoop(ecs, bad), [{ fixStep: 0.1 }]],
    ["defineComponent: A: there is no option polcy", (bad) => defineComponent("A", {}, bad), [{ polcy: "linear" }]],
    ["entityIndex", (bad) => entityIndex(bad), [undefined, null, "1", 1n, Symbol("s"), {}]],
    ["x", (bad) => ecs.addComponent(e, Position, bad), [{ x: "1" }, { x: null }]],
    ["class", (bad) => ecs.addComponent(e, bad), [Date, class {}]],
    ["field", (bad) => ecs.addComponent(e, Position, bad), [{ z: 1 }]],
    ["addComponents", (bad) => ecs.addComponents(bad, Position), notLists],
    ["class", (bad) => ecs.addComponents([e], bad), notClasses],
    ["addComponents", (bad) => ecs.addComponents([e], Position, bad), [3, "x", true, () => ({})]],
    ["class", (bad) => ecs.removeComponent(e, bad), notClasses],
    ["class", (bad) => ecs.removeComponents([e], bad), notClasses],
    ["removeComponents", (bad) => ecs.removeComponents(bad, Position), notLists],
    ["removeEntities", (bad) => ecs.removeEntities(bad), notLists],
    ["class", (bad) => ecs.getComponents(e).get(bad), notClasses],
    ["class", (bad) => ecs.getComponents(e).tryGet(bad), notClasses],
    ["class", (bad) => ecs.getComponents(e).has(Position, bad), notClasses],
    ["class", (bad) => ecs.storage(bad), notClasses],
    ["class", (bad) => system.entities.get(e)!.get(bad), notClasses],
    ["class", (bad) => system.entities.get(e)!.has(bad), notClasses],
    ["update", (bad) => ecs.update(bad), [null, "1", {}, [], true, 1n, Symbol("s")]],
  ];
  for (const [call, use, invalid] of cases) {
    for (const bad of invalid) {
      const error = expectError("BAD_ARGUMENT", () => use(bad as never));
      if (call !== "class") expect(error.message).toContain(call);
      expect(error.message.length).toBeGreaterThan(10);
    }
  }
  for (const bad of [
    undefined,
    null,
    3,
    "Mover",
    {},
    Position,
    class {},
    new Position(),
    new Scripted({}),
    Date,
    () => 1,
  ]) {
    for (const call of [ecs.removeSystem, ecs.getSystem, ecs.enableSystem, ecs.disableSystem, ecs.toggleSystem]) {
      expectError("BAD_SYSTEM", () => call.call(ecs, bad as never));
    }
  }
  expect(JSON.stringify(stateOf(ecs, all))).toBe(before);
  ecs.update();
  expect(system.lastRun).toEqual([]);
});

test("X1 a system with a name or a method of another type is refused, and is not added", () => {
  const ecs = world();
  const e = entity(ecs, new Position());
  for (const method of ["update", "init", "makeAspect", "onAdd", "onRemove", "onEnabled", "onDisabled", "onClear"]) {
    for (const bad of [null, 3, {}]) {
      const system = Object.assign(new Scripted({}), { [method]: bad });
      expect(expectError("BAD_SYSTEM", () => ecs.addSystem(0, system)).message).toContain(`${method} must be a method`);
    }
  }
  for (const bad of [null, 3, Symbol("s"), Object.create(null)]) {
    const system = Object.defineProperty(new Scripted({}), "name", { value: bad });
    expect(expectError("BAD_SYSTEM", () => ecs.addSystem(0, system)).message).toContain("name must be a string");
  }
  expect([ecs.systems, ecs.alive(e)]).toEqual([[], true]);
});

test("X1 an EcsError is an Error with a name, a code and a stack", () => {
  const error = thrownBy(() => world().removeEntity(5)) as EcsError;
  expect(error).toBeInstanceOf(EcsError);
  expect(error).toBeInstanceOf(Error);
  expect([error.name, error.code]).toEqual(["EcsError", "STALE_ENTITY"]);
  expect(String(error)).toMatch(/^EcsError: removeEntity: entity 5 .*not alive/);
  expect(error.stack).toContain("errors.test");
});

test("X1 messages name the entity with its index and generation, the component and the call", () => {
  const ecs = world();
  const e = entity(ecs, new Position());
  expect(expectError("MISSING_COMPONENT", () => ecs.getComponents(e).get(Health)).message).toMatch(
    /get: entity 1 \(index 1, generation 0\) has no Health; it has Position$/,
  );
  ecs.addComponent(e, Tag);
  expect(() => ecs.get(e, Health)).toThrow("has no Health; it has Position, Tag");
  expect(() => ecs.get(ecs.addEntity(), Health)).toThrow(/has no Health$/);
  expect(expectError("MISSING_COMPONENT", () => ecs.storage(Health).markDirty(e)).message).toMatch(
    /markDirty: entity 1.*Health/,
  );
  expect(expectError("STALE_ENTITY", () => ecs.getComponents((3 << 22) + 7)).message).toMatch(
    /getComponents: entity 12582919 \(index 7, generation 3\)/,
  );
  expect(expectError("STALE_ENTITY", () => ecs.addComponent(1.5, new Position())).message).toContain("1.5");
  expect(expectError("BAD_SYSTEM", () => ecs.addSystem(NaN, new Scripted({}))).message).toMatch(
    /addSystem: Scripted: .*NaN/,
  );
});

test("X1 objects that throw or return a handle when they are converted to a number are rejected", () => {
  const ecs = world();
  const e = entity(ecs, new Position());
  const convertible = { valueOf: () => e, toString: () => String(e) };
  expect(ecs.alive(convertible as never)).toBe(false);
  expectError("BAD_ARGUMENT", () => ecs.removeEntity(convertible as never));
  expectError("BAD_ARGUMENT", () => ecs.update(convertible as never));
  expectError("BAD_ARGUMENT", () => new Position({ x: convertible as never }));
  const symbol = Symbol("e") as never;
  expect(ecs.alive(symbol)).toBe(false);
  expectError("BAD_ARGUMENT", () => ecs.getComponents(symbol));
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  for (const bad of [symbol, convertible, 0n, "0", undefined, null, 1.5, -1, NaN, 2 ** 32]) {
    expect([
      system.entities.has(bad as never),
      system.entities.get(bad as never),
      system.dirty.has(bad as never),
    ]).toEqual([false, undefined, false]);
  }
});

test("X1 update inside an update is REENTRANT_UPDATE, and the frame continues", () => {
  const ecs = world();
  positions(ecs, 1);
  let error: unknown;
  const system = add(ecs, { update: () => void (error = thrownBy(() => ecs.update(5))) });
  ecs.update(1);
  expect([(error as EcsError).code, system.runs.length, ecs.wallTime]).toEqual(["REENTRANT_UPDATE", 1, 1]);
});

test("X1 a list with missing elements is rejected as a whole", () => {
  const ecs = world();
  const [e] = positions(ecs, 1) as [Entity];
  expectError("BAD_ARGUMENT", () => ecs.removeEntities({ length: 2, 0: e }));
  // biome-ignore lint/suspicious/noSparseArray: the test needs a missing element
  expectError("BAD_ARGUMENT", () => ecs.removeEntities([e, , e] as never));
  expectError("BAD_ARGUMENT", () => ecs.addComponents([e], Position, { x: [] }));
  ecs.update();
  expect(ecs.alive(e)).toBe(true);
});

test("X1 a message can be written for every value, also if reading it throws", () => {
  const ecs = world();
  const throws = () => {
    throw new Error("in a trap");
  };
  const proxy = new Proxy({}, { get: throws, has: throws, getPrototypeOf: () => null });
  const values = [proxy, Object.create(null), { [Symbol.for("crateful.copy")]: {}, constructor: undefined }];
  for (const value of values)
    expect(expectError("BAD_SYSTEM", () => ecs.addSystem(0, value as never)).message).toContain("not an object");
});
