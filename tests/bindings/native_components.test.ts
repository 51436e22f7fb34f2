// C++ components and systems of a user's module (tests/bindings/native), used through the package.
import { expect, test } from "@jest/globals";
import {
  ECS,
  EcsError,
  NONE,
  System,
  defineSystem,
  init,
  nativeComponent,
  type Entity,
  type EntityMap,
  type Aspect,
  type RawWorld,
} from "crateful";

interface Fixture {
  allocate(megabytes: number): void;
  addBody(world: RawWorld, mass: number): Entity;
  addBodies(world: RawWorld, n: number): void;
  massOf(world: RawWorld, e: Entity): number;
  secretOf(world: RawWorld, e: Entity): number;
  setMass(world: RawWorld, e: Entity, mass: number): void;
  removeBody(world: RawWorld, e: Entity): boolean;
  setLabel(world: RawWorld, e: Entity, text: string): void;
  labelOf(world: RawWorld, e: Entity): string;
  addWeigher(world: RawWorld, priority: number): void;
  addGrower(world: RawWorld, priority: number, silent: boolean): void;
  addThrower(world: RawWorld, priority: number): void;
  removeThrower(world: RawWorld): void;
  addHoarder(world: RawWorld, priority: number): void;
  takeLog(world: RawWorld): string;
  addBodyGuarded(world: RawWorld, mass: number): Entity;
  massOfGuarded(world: RawWorld, e: Entity): number;
  parse(text: string): number;
  childOf(world: RawWorld, parent: Entity): Entity;
  none(): Entity;
}

// Before `init`, as in a file that only declares classes.
const Early = nativeComponent("Early", { hp: "u8" });
class Mismatch extends nativeComponent("Mismatch", { hp: "f32" }) {}
const Nowhere = nativeComponent("Nowhere");
const early = defineSystem({ early: Early });
const failuresBefore = [() => new Early({ hp: 1 }), () => new Nowhere()].map(codeOf);

// Built by tests/bindings/CMakeLists.txt.
const { default: create } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as {
  default: () => Promise<Fixture>;
};
const native = await create();
await init({ module: native });

class Body extends nativeComponent("Body", {
  mass: "f64",
  charge: "i8",
  solid: "bool",
  owner: "entity",
  radius: "f32",
  layer: "u16",
  mood: "u8",
}) {
  get heavy() {
    return this.mass > 100;
  }
}
const Tile = nativeComponent("Tile", { kind: "u32", height: "f32" });
const Frozen = nativeComponent("Frozen");
const Label = nativeComponent("Label", { length: "u32" });

class Watcher extends System {
  componentsRequired = new Set([Body]);
  override dirtyComponents = new Set([Body, Tile]);
  readonly runs: Entity[][] = [];
  readonly log: string[] = [];
  update(_delta: number, _entities: EntityMap<Aspect>, dirty: ReadonlySet<Entity>) {
    this.runs.push([...dirty]);
  }
  override onAdd(aspect: Aspect) {
    this.log.push(`+${aspect.get(Body).mass}`);
  }
  override onRemove(aspect: Aspect) {
    this.log.push(`-${aspect.get(Body).mass}`);
  }
}

function codeOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error instanceof EcsError ? error.code : error;
  }
  return undefined;
}
const logOf = (ecs: ECS) =>
  native
    .takeLog(ecs.raw)
    .split("\n")
    .filter((line) => line !== "");

test("C3 init accepts a module of the user and rejects another one afterwards", async () => {
  await init();
  await init({ module: native });
  await expect(init({ module: await create() })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
});

test("C3 native classes can be declared before init, and are found when they are first used", () => {
  expect(failuresBefore).toEqual(["NOT_INITIALISED", "NOT_INITIALISED"]);
  using ecs = new ECS();
  class Heal extends early {
    override update() {
      for (const row of this.rows) row.early.hp += 5;
    }
  }
  ecs.addSystem(0, new Heal());
  const e = ecs.addEntity([Early, { hp: 1 }]);
  ecs.addComponent(ecs.addEntity(), new Early());
  ecs.update();
  expect(ecs.get(e, Early)).toEqual({ hp: 6 });
  expect(nativeComponent("Early")).toBe(Early);
  expect(() => ecs.addEntity(Nowhere)).toThrow("the module has no C++ component Nowhere; describe it with");
  expect(() => new Nowhere()).toThrow("the module has no C++ component Nowhere");
  expect(() => ecs.addEntity(Mismatch)).toThrow('nativeComponent: Mismatch.hp is u8 in C++, not "f32"');
  expect(() => nativeComponent("Early", { hp: "f32" })).toThrow('nativeComponent: Early.hp is u8 in C++, not "f32"');
  expect(ecs.count).toBe(2);
});

test("C3 nested, inherited and repeated members of a struct are fields", () => {
  using ecs = new ECS();
  const Placed = nativeComponent("Placed", { layer: "u8", x: "f32", y: "f32", speed: "i16x2" });
  const e = ecs.addEntity(Placed);
  const placed = ecs.get(e, Placed);
  expect(placed).toEqual({ layer: 3, x: 4, y: 5, speed: [8, 9] });
  Object.assign(placed, { y: 50, speed: [8, -9], layer: 1 });
  expect(ecs.get(e, Placed)).toEqual({ layer: 1, x: 4, y: 50, speed: [8, -9] });
});

test("X1 a guarded function throws errors that JavaScript can read", () => {
  using ecs = new ECS();
  expect(native.parse("12")).toBe(12);
  expect(() => native.parse("twelve")).toThrow(new Error("stoi: no conversion"));
  expect(() => native.massOfGuarded(ecs.raw, 77 as Entity)).toThrow(EcsError);
  expect(codeOf(() => native.massOfGuarded(ecs.raw, 77 as Entity))).toBe("STALE_ENTITY");
  const failure = new RangeError("from onAdd");
  class Failing extends System {
    componentsRequired = new Set([Body]);
    update() {}
    override onAdd() {
      throw failure;
    }
  }
  ecs.addSystem(0, new Failing());
  expect(codeOf(() => native.addBodyGuarded(ecs.raw, 3))).toBe(failure);
  expect(ecs.storage(Body).count).toBe(1); // the operation was completed (S7)
});

test("E1 bound functions take and return entities as numbers", () => {
  using ecs = new ECS();
  const parent = ecs.addEntity();
  const child = native.childOf(ecs.raw, parent);
  expect([ecs.alive(child), ecs.parent(child), native.none()]).toEqual([true, parent, NONE]);
  expect(codeOf(() => native.childOf(ecs.raw, 99 as Entity))).toBe("STALE_ENTITY");
});

test("C3 a native component is created, read and written like a stored one", () => {
  using ecs = new ECS();
  const e = ecs.addEntity();
  const body = new Body({ mass: 2.5, charge: -3, solid: true, owner: e, layer: 9 });
  expect([body.mass, body.radius]).toEqual([2.5, 0.5]); // rule C7: the default of the struct
  ecs.addComponent(e, body);
  expect([body.mass, body.charge, body.solid, body.owner, body.radius, body.layer, body.mood]).toEqual([
    2.5,
    -3,
    true,
    e,
    0.5,
    9,
    0,
  ]);
  expect(native.massOf(ecs.raw, e)).toBe(2.5);
  body.mass = 1e300;
  body.charge = 200;
  body.radius = 0.1;
  body.mood = 1;
  expect([native.massOf(ecs.raw, e), body.charge, body.radius, body.mood, body.heavy]).toEqual([
    1e300,
    -56,
    Math.fround(0.1),
    1,
    true,
  ]);
  expect(native.secretOf(ecs.raw, e)).toBe(4711); // a field that is not described keeps its C++ default
  expect(ecs.getComponents(e).get(Body)).toBe(body);
});

test("C3 components that C++ adds are visible immediately, with the defaults of C++", () => {
  using ecs = new ECS();
  const e = native.addBody(ecs.raw, 7);
  const body = ecs.getComponents(e).get(Body);
  expect(body).toBeInstanceOf(Body);
  expect([body.mass, body.charge, body.solid, body.owner, body.radius, body.layer, body.mood]).toEqual([
    7,
    0,
    false,
    NONE,
    0.5,
    7,
    0,
  ]);
  native.setMass(ecs.raw, e, 8);
  expect(body.mass).toBe(8);
  native.addBodies(ecs.raw, 100);
  expect([ecs.storage(Body).count, body.mass]).toEqual([101, 8]);
  expect(native.removeBody(ecs.raw, e)).toBe(true);
  expect([ecs.getComponents(e).has(Body), codeOf(() => body.mass)]).toEqual([false, "MISSING_COMPONENT"]);
});

test("C7 a native component has the defaults of its struct, however it is created", () => {
  using ecs = new ECS();
  const [a, b, c] = Array.from(ecs.addEntities(3)) as [Entity, Entity, Entity];
  ecs.addComponent(a, new Body());
  ecs.addComponent(b, Body, {});
  ecs.addComponents([c], Body);
  const prefab = ecs.prefab([Body]);
  const all = [a, b, c, ecs.addEntity(Body), ecs.addEntity([Body, {}]), prefab.spawn(), prefab.spawn(1)[0]!];
  for (const e of all) {
    const { mass, owner, radius } = ecs.get(e, Body);
    expect([mass, owner, radius, native.secretOf(ecs.raw, e)]).toEqual([new Body().mass, NONE, 0.5, 4711]);
  }
});

test("C8, C9 a native component is compared by its fields, and a class field must not hide one", () => {
  using ecs = new ECS();
  class Heavy extends Body {
    override mass = 1000;
  }
  expect(ecs.get(ecs.addEntity([Tile, { kind: 2 }]), Tile)).toEqual({ kind: 2, height: new Tile().height });
  const e = ecs.addEntity();
  let message = "";
  try {
    ecs.addComponent(e, new Heavy());
  } catch (error) {
    if (error instanceof EcsError && error.code === "BAD_ARGUMENT") ({ message } = error);
  }
  expect(message).toMatch(/^addComponent: .*mass of Heavy.* C\+\+ struct$/);
  expect(ecs.has(e, Heavy)).toBe(false);
});

test("C3 bulk values, defaults and tags work for native classes", () => {
  using ecs = new ECS();
  const all = ecs.addEntities(3);
  ecs.addComponents(all, Body, {
    mass: [1, 2, 3],
    charge: Int8Array.of(-1, -2, -3),
    solid: [true, false, true],
    layer: 5,
  });
  ecs.addComponents(all, Frozen);
  ecs.addComponents(all.subarray(1), Tile, { kind: 6 });
  const bodies = Array.from(all, (e) => ecs.getComponents(e).get(Body));
  expect(bodies.map((b) => [b.mass, b.charge, b.solid, b.layer])).toEqual([
    [1, -1, true, 5],
    [2, -2, false, 5],
    [3, -3, true, 5],
  ]);
  expect(bodies.map((b) => native.massOf(ecs.raw, b.owner === NONE ? all[bodies.indexOf(b)]! : 0))).toEqual([1, 2, 3]);
  expect(ecs.getComponents(all[0]!).has(Frozen)).toBe(true);
  expect(Array.from(all, (e) => ecs.getComponents(e).tryGet(Tile)?.kind)).toEqual([undefined, 6, 6]);
  expect(ecs.removeComponents(all, Frozen)).toBe(3);
});

test("T1 columns of a C++ struct have strides", () => {
  using ecs = new ECS();
  for (const mass of [1, 2, 3]) native.addBody(ecs.raw, mass);
  const { columns, strides, count } = ecs.storage(Body);
  const read = (column: ArrayLike<number>, stride: number) =>
    Array.from({ length: count }, (_, i) => column[i * stride]);
  expect(read(columns.mass, strides.mass)).toEqual([1, 2, 3]);
  expect(read(columns.layer, strides.layer)).toEqual([7, 7, 7]);
  expect(read(columns.owner, strides.owner)).toEqual([NONE, NONE, NONE]);
  expect([strides.mass > 1, strides.charge === 8 * strides.mass]).toEqual([true, true]);
  columns.mass[2 * strides.mass] = 9;
  expect(native.massOf(ecs.raw, ecs.storage(Body).entities[2]!)).toBe(9);
});

test("T2 a native class can be linear", () => {
  using ecs = new ECS();
  const all = ecs.addEntities(40);
  ecs.addComponents([all[3]!, all[39]!], Tile, { kind: [1, 2], height: 0.5 });
  const storage = ecs.storage(Tile);
  expect([storage.policy, storage.extent, storage.count, [...storage]]).toEqual(["linear", 41, 2, [all[3], all[39]]]);
  expect([storage.columns.kind[40 * storage.strides.kind], storage.columns.height[4 * storage.strides.height]]).toEqual(
    [2, 0.5],
  );
  expect(Object.fromEntries(ecs.memoryReport().map((r) => [r.name, r])).Tile).toMatchObject({
    policy: "linear",
    count: 2,
  });
});

test("C5 a native component stays valid when its value moves, and is detached when it is removed", () => {
  using ecs = new ECS();
  const all = Array.from(ecs.addEntities(3));
  const bodies = all.map((e, i) => ecs.addComponent(e, new Body({ mass: i })));
  ecs.removeComponent(all[0]!, Body);
  expect([codeOf(() => bodies[0]!.mass), bodies[1]!.mass, bodies[2]!.mass]).toEqual(["MISSING_COMPONENT", 1, 2]);
  expect(codeOf(() => ecs.addComponent(all[0]!, bodies[1]!))).toBe("BAD_ARGUMENT");
  ecs.addComponent(all[1]!, new Body({ mass: 5 }));
  expect([codeOf(() => bodies[1]!.mass), native.massOf(ecs.raw, all[1]!)]).toEqual(["MISSING_COMPONENT", 5]);
});

test("A2 in onRemove a native component can be read, whether it had an object before or not", () => {
  using ecs = new ECS();
  const watcher = ecs.addSystem(0, new Watcher());
  const e = ecs.addEntity();
  ecs.addComponent(e, new Body({ mass: 1 }));
  ecs.removeComponent(e, Body);
  const f = native.addBody(ecs.raw, 2);
  native.removeBody(ecs.raw, f);
  ecs.addComponents([f], Body, { mass: 3 });
  ecs.removeEntity(f);
  ecs.update();
  expect(watcher.log).toEqual(["+1", "-1", "+2", "-2", "+3", "-3"]);
});

test("A2 in onRemove a native component that owns memory has its last value", () => {
  using ecs = new ECS();
  const log: unknown[] = [];
  class Reader extends System {
    componentsRequired = new Set([Label]);
    update() {}
    override onRemove(aspect: Aspect) {
      log.push(aspect.get(Label).length);
    }
  }
  ecs.addSystem(0, new Reader());
  const e = ecs.addEntity();
  native.setLabel(ecs.raw, e, "a label too long for any small-string buffer");
  expect(ecs.getComponents(e).get(Label).length).toBe(44);
  expect(native.labelOf(ecs.raw, e)).toMatch(/^a label/);
  ecs.removeComponent(e, Label);
  native.setLabel(ecs.raw, e, "short");
  ecs.clear();
  expect(log).toEqual([44, 5]);
});

test("D2 a change by TypeScript makes the entity dirty for a C++ system that watches the native component", () => {
  using ecs = new ECS();
  native.addWeigher(ecs.raw, 0);
  const e = ecs.addEntity();
  const body = ecs.addComponent(e, new Body({ mass: 10 }));
  const f = native.addBody(ecs.raw, 20);
  ecs.update();
  expect(logOf(ecs)).toEqual(["init", "add 10", "add 20", "update 10 20"]);
  body.mass = 11;
  body.mass = 11;
  const { columns, strides } = ecs.storage(Body);
  columns.radius[strides.radius] = 3;
  ecs.update();
  ecs.update();
  expect(logOf(ecs)).toEqual(["update 11", "update"]);
  ecs.addComponent(f, new Tile());
  ecs.storage(Body).markDirty(e);
  ecs.update();
  expect(logOf(ecs)).toEqual(["update 20 11"]);
  ecs.getComponents(f).get(Tile).height = 3;
  ecs.removeComponent(e, Body);
  ecs.update();
  ecs.clear();
  expect(logOf(ecs)).toEqual(["remove 11 was 11", "update 20", "remove 20 was 20", "clear"]);
});

test("D2 a setter of a native component stores nothing if the values are equal", () => {
  using ecs = new ECS();
  native.addWeigher(ecs.raw, 0);
  const e = ecs.addEntity(Body, Tile);
  ecs.addComponent(e, Body, { mass: -0, radius: 0 });
  ecs.update();
  logOf(ecs);
  ecs.get(e, Body).mass = 0;
  ecs.get(e, Body).radius = -0;
  for (const { body, tile } of ecs.query({ body: Body, tile: Tile })) {
    body.mass = 0;
    body.radius = -0;
    tile.height = -0;
  }
  ecs.update();
  expect(logOf(ecs)).toEqual(["update"]);
  expect([ecs.get(e, Body).mass, ecs.get(e, Body).radius]).toEqual([-0, 0]);
});

test("D2 C++ modify makes the entity dirty for a TypeScript system, a raw write does not", () => {
  using ecs = new ECS();
  const watcher = ecs.addSystem(10, new Watcher());
  native.addGrower(ecs.raw, 0, false);
  native.addGrower(ecs.raw, 1, true);
  const all = [native.addBody(ecs.raw, 1), native.addBody(ecs.raw, 2)];
  const body = ecs.getComponents(all[0]!).get(Body);
  ecs.update();
  ecs.update();
  expect([watcher.runs, body.mass]).toEqual([[all, all], 5]);
  native.setMass(ecs.raw, all[1]!, 2);
  const [grower] = ecs.systems;
  expect(grower).toMatchObject({ name: "Grower", priority: 0, enabled: true, tracked: 2 });
});

test("S4, S10 TypeScript orders, disables, enables and removes C++ systems by their names", () => {
  using ecs = new ECS();
  const order: string[] = [];
  class First extends defineSystem({ body: Body }, { before: ["Grower"] }) {
    override update() {
      for (const { body } of this.rows) order.push(`first ${body.mass}`);
    }
  }
  class Last extends defineSystem({ body: Body }, { after: ["Grower", "First"] }) {
    override update() {
      for (const { body } of this.rows) order.push(`last ${body.mass}`);
    }
  }
  ecs.addSystem(0, new Last());
  native.addGrower(ecs.raw, 0, false);
  ecs.addSystem(0, new First());
  native.addBody(ecs.raw, 1);
  expect(ecs.systems.map(({ name, before, after }) => [name, before, after])).toEqual([
    ["First", ["Grower"], []],
    ["Grower", [], []],
    ["Last", [], ["Grower", "First"]],
  ]);
  ecs.update();
  ecs.disableSystem("Grower");
  ecs.update();
  expect(ecs.systems.map(({ enabled }) => enabled)).toEqual([true, false, true]);
  ecs.toggleSystem("Grower");
  ecs.update();
  ecs.removeSystem("Grower");
  ecs.update();
  ecs.disableSystem("First");
  ecs.update();
  expect(order).toEqual(["first 1", "last 2", "first 2", "last 2", "first 2", "last 3", "first 3", "last 3", "last 3"]);
  expect(codeOf(() => ecs.enableSystem("Grower"))).toBe("BAD_SYSTEM");
  expect(codeOf(() => ecs.getSystem("Grower"))).toBe("BAD_SYSTEM");
  const cycle = class extends defineSystem({ body: Body }, { name: "Cycle", before: ["First"], after: ["Last"] }) {
    override update() {}
  };
  expect(() => ecs.addSystem(0, new cycle())).toThrow("contradict each other");
});

test("S4 S14 of two systems with one name in two languages, calls by name concern the first one added", () => {
  using ecs = new ECS();
  class Grower extends defineSystem({ body: Body }) {
    override update() {}
  }
  native.addGrower(ecs.raw, 1, false);
  const second = ecs.addSystem(0, new Grower());
  expect(ecs.getSystem(Grower)).toBe(second);
  expect(codeOf(() => ecs.getSystem("Grower"))).toBe("BAD_SYSTEM");
  expect(() => ecs.getSystem("Grower")).toThrow(
    "getSystem: the first system added with the name Grower is written in C++",
  );
  ecs.disableSystem("Grower");
  expect([second.disabled, ...ecs.systems.map(({ enabled }) => enabled)]).toEqual([false, true, false]);
  ecs.toggleSystem("Grower");
  expect([second.disabled, ...ecs.systems.map(({ enabled }) => enabled)]).toEqual([false, true, true]);
  ecs.removeSystem("Grower");
  expect(ecs.systems.map(({ system }) => system)).toEqual([second]);
  expect(ecs.getSystem("Grower")).toBe(second);
  native.addGrower(ecs.raw, -1, false);
  expect(ecs.getSystem("Grower")).toBe(second);
  ecs.disableSystem("Grower");
  expect(second.disabled).toBe(true);
});

test("D9 signals from both languages keep their order", () => {
  using ecs = new ECS();
  const watcher = ecs.addSystem(0, new Watcher());
  const [a, b, c] = [1, 2, 3].map((mass) => native.addBody(ecs.raw, mass)) as [Entity, Entity, Entity];
  ecs.update();
  ecs.getComponents(c).get(Body).mass = 30;
  native.setMass(ecs.raw, a, 10);
  ecs.getComponents(b).get(Body).mass = 20;
  native.setMass(ecs.raw, c, 31);
  ecs.update();
  expect(watcher.runs.at(-1)).toEqual([c, a, b]);
});

test("S1 systems of both languages run in one order, and S7 a C++ system that throws ends the frame", () => {
  using ecs = new ECS();
  const before = ecs.addSystem(0, new Watcher());
  native.addThrower(ecs.raw, 1);
  const after = ecs.addSystem(2, new Watcher());
  const e = native.addBody(ecs.raw, 1);
  ecs.removeEntity(e);
  expect(() => ecs.update()).toThrow("the thrower threw");
  expect([before.runs.length, after.runs.length, ecs.alive(e)]).toEqual([1, 0, true]);
  native.removeThrower(ecs.raw);
  ecs.update();
  expect([after.runs, ecs.alive(e)]).toEqual([[[e]], false]);
  expect(ecs.systems.map((s) => s.name)).toEqual(["Watcher", "Watcher"]);
});

test("S4 getSystem, enableSystem and disableSystem find TypeScript systems only", () => {
  using ecs = new ECS();
  native.addWeigher(ecs.raw, 0);
  expect(codeOf(() => ecs.getSystem(Watcher))).toBe("BAD_SYSTEM");
  expect(ecs.systems).toHaveLength(1);
});

test("X2 C++ code may make the memory grow, in a call and in a system", () => {
  using ecs = new ECS();
  const watcher = ecs.addSystem(0, new Watcher());
  const e = ecs.addEntity();
  const body = ecs.addComponent(e, new Body({ mass: 4 }));
  ecs.update();
  for (let i = 0; i < 3; ++i) {
    const before = ecs.storage(Body).columns.mass;
    native.allocate(48);
    expect(before[0]).toBe(undefined);
    body.mass += 1;
    expect([body.mass, ecs.storage(Body).columns.mass[0]]).toEqual([5 + i, 5 + i]);
  }
  native.addHoarder(ecs.raw, -1);
  const last = ecs.addSystem(1, new Watcher());
  for (let i = 0; i < 3; ++i) {
    body.mass += 1;
    ecs.update();
    expect(watcher.runs.at(-1)).toEqual([e]);
  }
  expect([body.mass, last.runs, native.massOf(ecs.raw, e)]).toEqual([10, [[e], [e], [e]], 10]);
});

test("M3 passing a disposed world to a C++ function is an error", () => {
  let ecs = new ECS();
  ecs.dispose();
  expect(codeOf(() => native.addBody(ecs.raw, 1))).toBe("DISPOSED");
  const { raw } = (ecs = new ECS());
  expect(ecs.raw).toBe(raw);
  native.addBody(raw, 1);
  ecs.dispose();
  expect(() => native.addBody(raw, 1)).toThrow("deleted object");
});

test("X1 nativeComponent with an unknown name or a different schema is an error", () => {
  expect(codeOf(() => nativeComponent("Unknown"))).toBe("BAD_ARGUMENT");
  for (const bad of [undefined, null, 3, {}]) expect(codeOf(() => nativeComponent(bad as never))).toBe("BAD_ARGUMENT");
  expect(codeOf(() => nativeComponent("Body", { mass: "f32" }))).toBe("BAD_ARGUMENT");
  expect(codeOf(() => nativeComponent("Body", { secret: "i32" }))).toBe("BAD_ARGUMENT");
  expect(nativeComponent("Tile", { height: "f32" })).toBe(Tile);
  using ecs = new ECS();
  const e = ecs.addEntity();
  expect(codeOf(() => new Body({ mass: "1" as never }))).toBe("BAD_ARGUMENT");
  expect(codeOf(() => ecs.addComponents([e], Body, { secret: 3 } as never))).toBe("BAD_ARGUMENT");
});

test("C1 classes derived from one native class refer to the same C++ component", () => {
  const Plain = nativeComponent("Body", { mass: "f64" });
  using ecs = new ECS();
  const e = ecs.addEntity();
  ecs.addComponent(e, new Body({ mass: 1 }));
  expect(ecs.getComponents(e).get(Plain).mass).toBe(1);
  expect(ecs.storage(Plain).count).toBe(1);
});

test("Q2 Q4 rows read and write the structs of C++, while C++ adds and removes others", () => {
  using ecs = new ECS();
  const all = Array.from({ length: 40 }, (_, i) => native.addBody(ecs.raw, i));
  all.forEach((e, i) => i % 3 !== 0 && ecs.addComponent(e, new Tile({ kind: i })));
  const watcher = ecs.addSystem(0, new Watcher());
  ecs.update();
  const query = ecs.query({ body: Body, tile: Tile }, { optional: { frozen: Frozen } });
  const seen: Entity[] = [];
  for (const { entity: e, body, tile, frozen } of query) {
    const i = all.indexOf(e);
    if (i === 1) native.addBodies(ecs.raw, 3_000); // the values of bodies move
    if (i === 20) expect(native.removeBody(ecs.raw, all[31]!)).toBe(true);
    if (i === 25) {
      expect(native.removeBody(ecs.raw, e)).toBe(true);
      expect(codeOf(() => body.mass)).toBe("MISSING_COMPONENT");
      continue;
    }
    expect([body.mass, body.heavy, tile.kind, frozen]).toEqual([i, false, i, undefined]);
    body.mass += 0.5;
    body.charge = i;
    body.owner = e;
    expect(native.massOf(ecs.raw, e)).toBe(i + 0.5);
    seen.push(e);
  }
  const tiled = all.filter((_, i) => i % 3 !== 0);
  expect(seen.sort((a, b) => a - b)).toEqual(tiled.filter((e) => e !== all[25] && e !== all[31]));
  ecs.update();
  expect(
    watcher.runs
      .at(-1)!
      .filter((e) => tiled.includes(e))
      .sort((a, b) => a - b),
  ).toEqual(seen);
  const { body } = query.at(all[4]!)!;
  expect([body.mass, body.charge, body.owner]).toEqual([4.5, 4, all[4]]);
});

test("C15 a link of a native component is one of a stored component", () => {
  const Aim = nativeComponent("Aim", { target: "link" });
  using ecs = new ECS();
  const [target, ...others] = [...ecs.addEntities(4)] as [Entity, Entity, Entity, Entity];
  ecs.addComponents(others, Aim, { target: [target, others[0], target] });
  expect([...ecs.linked(Aim, target)]).toEqual([others[0], others[2]]);
  ecs.get(others[1], Aim).target = target;
  expect([...ecs.linked(Aim, target)]).toEqual(others);
  ecs.removeEntity(target);
  ecs.removeMarked();
  expect(others.map((e) => ecs.get(e, Aim).target)).toEqual([NONE, NONE, NONE]);
});
