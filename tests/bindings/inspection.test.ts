// Rules C8 and C9: components as objects.
import { inspect } from "node:util";
import { deepStrictEqual, deepEqual, notDeepEqual } from "node:assert/strict";
import { describe, expect, test } from "@jest/globals";
import { Component, defineComponent, type ECS, type Entity } from "crateful";
import { Position, Tag, Velocity, add, entity, expectError, policies, thrownBy, values, world } from "./world.js";

class Inventory extends Component {
  readonly items: string[] = ["key"];
  owner: string | undefined;
}
const fails = (call: () => unknown): boolean => {
  try {
    call();
  } catch {
    return true;
  }
  return false;
};
const inspected = (value: unknown) => inspect(value, { breakLength: Infinity });

const atCursor = (ecs: ECS, x: number, y: number) => ecs.storage(Position).at(ecs.addEntity([Position, { x, y }]))!;

/** A component with these values, as it can be held: plain, a view of memory, at a cursor. */
const holders: [string, (ecs: ECS, x: number, y: number) => Position][] = [
  ["plain", (_, x, y) => new Position({ x, y })],
  ["added", (ecs, x, y) => ecs.addComponent(ecs.addEntity(), new Position({ x, y }))],
  ["found", (ecs, x, y) => ecs.get(ecs.addEntity([Position, { x, y }]), Position)],
  ["of policy linear", (ecs, x, y) => ecs.get(ecs.addEntity([Velocity, { x, y }]), Velocity) as unknown as Position],
  ["at a cursor", (_, x, y) => atCursor(world(), x, y)],
];

describe.each(holders)("C8 a stored component that is %s", (holder, make) => {
  const name = holder === "of policy linear" ? "Velocity" : "Position";

  test("is inspected and written as JSON with its fields", () => {
    const ecs = world();
    const component = make(ecs, 1, 2);
    for (let i = 0; i < 2; ++i) {
      expect(inspected(component)).toBe(`${name} { x: 1, y: 2 }`);
      expect(inspected({ a: [component] })).toBe(`{ a: [ ${name} { x: 1, y: 2 } ] }`);
      expect(inspect({ a: { b: { c: component } } }, { breakLength: Infinity })).toContain(`[${name}]`);
      expect(JSON.stringify({ component })).toBe('{"component":{"x":1,"y":2}}');
      expect(component.toJSON()).toEqual({ x: 1, y: 2 });
      expect(component).toEqual({ x: 1, y: 2 }); // from now on the fields are own properties
    }
  });

  test("is compared by its fields", () => {
    const ecs = world();
    const component = make(ecs, 1, 2);
    expect(component).toEqual({ x: 1, y: 2 });
    expect({ x: 1, y: 2 }).toEqual(make(ecs, 1, 2));
    expect(make(ecs, 1, 2)).toEqual(new Position({ x: 1, y: 2 }));
    expect([make(ecs, 1, 2)]).toEqual([{ x: 1, y: expect.anything() }]);
    expect(make(ecs, 1, 2)).toMatchObject({ y: 2 });
    expect({ x: 1, y: 2, z: 3 }).toMatchObject(make(ecs, 1, 2));
    expect(new Position({ x: 1, y: 2 })).toMatchObject(make(ecs, 1, 2));
    for (const other of [{ x: 1, y: 3 }, { x: 1 }, { x: 1, y: 2, z: 3 }, {}]) {
      expect(make(ecs, 1, 2)).not.toEqual(other);
      expect(other).not.toEqual(make(ecs, 1, 2));
      expect(fails(() => expect(make(ecs, 1, 2)).toEqual(other))).toBe(true);
    }
    expect(make(ecs, 1, 2)).not.toEqual(make(ecs, 1, 3));
    expect({ x: 1, y: 2 }).not.toMatchObject(make(ecs, 1, 3));
    expect(make(ecs, 1, 2)).not.toMatchObject(make(ecs, 1, 3));
    expect(make(ecs, 1, 2)).not.toStrictEqual({ x: 1, y: 2 }); // it is of another class
    notDeepEqual(make(ecs, 1, 3), make(ecs, 1, 2));
  });

  test("has own enumerable fields once a tool has compared it, and is used as before", () => {
    const ecs = world();
    const component = make(ecs, 1, 2);
    expect(component).toEqual({ x: 1, y: 2 });
    expect(Object.keys(component)).toEqual(["x", "y"]);
    expect(Object.entries(component)).toEqual([
      ["x", 1],
      ["y", 2],
    ]);
    expect({ ...component }).toEqual({ x: 1, y: 2 });
    component.x = 4;
    Object.assign(component, { y: 5 });
    expect([component.x, component.y, component.constructor.name]).toEqual([4, 5, name]);
    expect(component).toEqual({ x: 4, y: 5 });
    expectError("BAD_ARGUMENT", () => (component.x = "1" as never));
  });

  test("can be copied into another one", () => {
    const ecs = world();
    const component = make(ecs, 1, 2);
    const prefab = ecs.prefab({ position: Position });
    for (let i = 0; i < 2; ++i) {
      const e = ecs.addEntity();
      ecs.addComponent(e, Position, component);
      const [f] = Array.from(ecs.addEntities(1)) as [Entity];
      ecs.addComponents([f], Position, component as {});
      const all = [
        new Position(component),
        ecs.get(e, Position),
        ecs.get(f, Position),
        ecs.get(prefab.spawn({ position: component }), Position),
        Object.assign(new Position({ x: 9 }), component.toJSON()),
      ];
      component.x = 7;
      expect(all.map(({ x, y }) => [x, y])).toEqual([0, 1, 2, 3, 4].map(() => [1, 2]));
      component.x = 1;
      expect(component).toEqual({ x: 1, y: 2 });
    }
  });
});

test("C8 components of one class are strictly equal if their fields are", () => {
  const ecs = world();
  const make = (x: number) => ecs.get(ecs.addEntity([Position, { x }]), Position);
  expect(make(1)).toStrictEqual(make(1));
  expect(make(1)).toStrictEqual(new Position({ x: 1 }));
  expect(make(1)).not.toStrictEqual(make(2));
  deepStrictEqual(make(1), make(1));
  deepStrictEqual(new Position({ x: 1 }), make(1));
  const compared = make(1);
  for (let i = 0; i < 2; ++i) deepStrictEqual(compared, make(1)); // also if one of them was compared before
  expect(new Tag()).toEqual({});
  expect(inspected(new Tag())).toBe("Tag {}");
});

test.each(policies)(
  "C8 a component that was compared moves in memory, signals and is detached as any other (%s)",
  (_, Position) => {
    const ecs = world();
    const [a, b, c] = [1, 2, 3].map((x) => ecs.addEntity([Position, { x }])) as [Entity, Entity, Entity];
    const last = ecs.get(c, Position);
    const first = ecs.get(a, Position);
    expect(last).toEqual({ x: 3, y: 0 });
    const system = add(ecs, { requires: [Position], watches: [Position] }); // replaces the setters of the class
    ecs.update();
    ecs.removeComponent(b, Position);
    last.x = 5;
    ecs.update();
    expect(system.lastRun).toEqual([c]);
    last.dirty();
    ecs.update();
    expect(system.lastRun).toEqual([c]);
    expect(values(ecs, Position, "x")).toEqual([1, 5]);
    expect([ecs.get(c, Position) === last, last.x, first.x]).toEqual([true, 5, 1]);
    ecs.removeComponent(c, Position);
    expectError("MISSING_COMPONENT", () => last.x);
    expectError("MISSING_COMPONENT", () => ecs.addComponent(a, last));
    const plain = new Position({ x: 8 });
    expect(plain).toEqual({ x: 8, y: 0 });
    const e = entity(ecs, plain);
    expect([values(ecs, Position, "x")[1], ecs.get(e, Position) === plain]).toEqual([8, true]);
    expect(expectError("BAD_ARGUMENT", () => ecs.addComponent(a, plain)).message).toContain(`entity ${e}`);
  },
);

test("C8 after the removal of a component, showing it says so, and comparing or copying it is an error", () => {
  const ecs = world();
  const e = ecs.addEntity();
  for (const compared of [false, true]) {
    const position = ecs.addComponent(e, new Position({ x: 1 }));
    if (compared) expect(position).toEqual({ x: 1, y: 0 });
    ecs.removeComponent(e, Position);
    expect(inspected([position])).toMatch(/^\[ \[Position: entity \d+ .* no longer has this component\] \]$/);
    for (const use of [
      () => JSON.stringify(position),
      () => position.toJSON(),
      () => new Position(position),
      () => expect(position).toEqual({ x: 1, y: 0 }),
      () => expect({ x: 1, y: 0 }).toEqual(position),
    ])
      expectError("MISSING_COMPONENT", use);
    expect(String(position)).toBe("[object Object]");
  }
});

test("C8 the fields of an object component are its own properties, whether an entity has it or not", () => {
  const ecs = world();
  const plain = { items: ["key"], owner: undefined };
  const inventory = new Inventory();
  const check = () => {
    expect(Reflect.ownKeys(inventory)).toEqual(["items", "owner"]);
    expect({ ...inventory }).toStrictEqual(plain);
    expect(structuredClone(inventory)).toStrictEqual(plain);
    expect(inspected(inventory)).toBe("Inventory { items: [ 'key' ], owner: undefined }");
    expect(JSON.stringify(inventory)).toBe('{"items":["key"]}');
    expect(inventory).toEqual(plain);
    expect(inventory).toStrictEqual(new Inventory());
    expect(inventory).not.toEqual({ items: ["lock"] });
    deepStrictEqual(inventory, new Inventory());
  };
  check();
  const e = entity(ecs, inventory);
  check();
  ecs.removeComponent(e, Inventory);
  check();
  entity(world(), inventory);
  check();
});

test("C8 a row shows its entity and its components", () => {
  const ecs = world();
  const e = ecs.addEntity([Position, { x: 1 }], new Inventory());
  let rows = 0;
  for (const row of ecs.query({ position: Position, inventory: Inventory }, { optional: { velocity: Velocity } })) {
    expect(inspected(row)).toBe(
      `{ entity: ${e}, position: Position { x: 1, y: 0 }, inventory: Inventory { items: [ 'key' ], owner: undefined }, velocity: undefined }`,
    );
    expect(JSON.stringify(row)).toBe(`{"entity":${e},"position":{"x":1,"y":0},"inventory":{"items":["key"]}}`);
    expect(row).toEqual({ entity: e, position: { x: 1, y: 0 }, inventory: { items: ["key"] } });
    expect(row).not.toEqual({ entity: e, position: { x: 2, y: 0 }, inventory: { items: ["key"] } });
    row.position.x = 3;
    expect([row.position.x, ecs.get(e, Position).x]).toEqual([3, 3]);
    rows += 1;
  }
  expect(rows).toBe(1);
  const others = ecs.query({ position: Position });
  const [a, b] = [0, 1].map((x) => ecs.addEntity([Position, { x }])) as [Entity, Entity];
  for (const row of others) if (row.entity === a) expect(row).toEqual({ entity: a, position: { x: 0, y: 0 } });
  for (const row of others) if (row.entity === b) expect(row).toEqual({ entity: b, position: { x: 1, y: 0 } });
});

test("C8 getComponents shows the entity and its components by the names of their classes", () => {
  const ecs = world();
  const e = ecs.addEntity([Position, { x: 1 }], Tag);
  const components = ecs.getComponents(e);
  expect(inspected(components)).toBe(
    `EntityComponents { entity: ${e}, Position: Position { x: 1, y: 0 }, Tag: Tag {} }`,
  );
  expect(JSON.stringify(components)).toBe(`{"entity":${e},"Position":{"x":1,"y":0},"Tag":{}}`);
  for (let i = 0; i < 2; ++i) {
    expect(components).toEqual({ entity: e, Position: { x: 1, y: 0 }, Tag: {} });
    expect(components).not.toEqual({ entity: e, Position: { x: 2, y: 0 }, Tag: {} });
  }
  ecs.removeComponent(e, Tag);
  ecs.addComponent(e, Velocity);
  expect(components).toEqual({ entity: e, Position: { x: 1, y: 0 }, Velocity: { x: 0, y: 0 } });
  expect([components.get(Position).x, components.tryGet(Tag), components.has(Velocity)]).toEqual([1, undefined, true]);
  ecs.removeEntity(e);
  ecs.update();
  expect(inspected(components)).toBe(`EntityComponents { entity: ${e} }`);
  expectError("STALE_ENTITY", () => components.get(Position));
});

test("C8 showing a prototype or a frozen component changes nothing", () => {
  const position = Object.freeze(new Position({ x: 1 }));
  const before = Reflect.ownKeys(Position.prototype);
  for (const value of [Position.prototype, Object.getPrototypeOf(Position.prototype), position]) String(value);
  expect(Reflect.ownKeys(Position.prototype)).toEqual(before);
  expect([position.x, inspected(position)]).toEqual([1, "Position { x: 1, y: 0 }"]);
  expect(new Position({ x: 1 })).toEqual({ x: 1, y: 0 });
});

test("C8 accessors of a subclass are used, and undeclared properties are shown", () => {
  class Doubled extends defineComponent("Doubled", { x: "f32", y: "f32" }) {
    note = "n";
    override get x(): number {
      return 2 * super.x;
    }
    override set x(value: number) {
      super.x = value;
    }
  }
  const doubled = new Doubled({ x: 2 });
  expect(inspected(doubled)).toBe("Doubled { note: 'n', x: 4, y: 0 }");
  for (let i = 0; i < 2; ++i) {
    expect(doubled).toEqual({ x: 4, y: 0, note: "n" });
    expect(doubled.x).toBe(4);
  }
  deepEqual({ ...doubled }, { x: 4, y: 0, note: "n" });
});

describe("C9 a class field that hides a stored field", () => {
  class Shadowed extends defineComponent("Shadowed", { hp: "f32", awake: "bool" }) {
    override hp = 100;
  }
  const added: [string, (ecs: ECS, e: Entity, component: Shadowed) => unknown][] = [
    ["addComponent", (ecs, e, component) => ecs.addComponent(e, component)],
    ["addEntity", (ecs, _, component) => ecs.addEntity(Tag, component)],
  ];
  test.each(added)("is an error of %s, which says how to declare a default", (call, addTo) => {
    const ecs = world();
    const e = ecs.addEntity();
    const component = new Shadowed();
    for (let i = 0; i < 2; ++i) {
      const { message } = expectError("BAD_ARGUMENT", () => addTo(ecs, e, component));
      expect(message).toContain(call);
      expect(message).toContain("hp of Shadowed");
      expect(message).toContain('{ hp: { type: "f32", default: 100 } }');
      expect([ecs.count, ecs.has(e, Shadowed), component.hp]).toEqual([1, false, 100]);
      expect(component).toEqual({ hp: 100, awake: false });
    }
  });

  test("is one also without a value", () => {
    class Redeclared extends defineComponent("Redeclared", { hp: "f32", awake: "bool" }) {
      override awake!: boolean;
    }
    const ecs = world();
    const { message } = expectError("BAD_ARGUMENT", () => entity(ecs, new Redeclared()));
    expect(message).toContain('{ awake: { type: "bool", default: false } }');
  });

  test("is found also if the first instance of its base class was correct", () => {
    class Base extends defineComponent("Base", { hp: "f32" }) {}
    class Derived extends Base {
      override hp = 5;
    }
    const ecs = world();
    entity(ecs, new Base());
    expect(expectError("BAD_ARGUMENT", () => entity(ecs, new Derived())).message).toContain("default: 5");
  });
});

test("C9 a constructor may assign stored fields, and a component may have been shown before", () => {
  class Assigned extends defineComponent("Assigned", { hp: "f32", awake: "bool" }) {
    constructor() {
      super({ awake: true });
      this.hp = 100;
    }
  }
  const ecs = world();
  const component = new Assigned();
  expect(component).toEqual({ hp: 100, awake: true });
  expect(thrownBy(() => entity(ecs, component, new Assigned(), component))).toBeDefined(); // added twice
  expect(ecs.get(ecs.addEntity(new Assigned()), Assigned)).toEqual({ hp: 100, awake: true });
  expect(values(ecs, Assigned, "hp")).toEqual([100, 100]);
});
