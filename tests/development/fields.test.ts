import { describe, expect, jest, test } from "@jest/globals";
import { type ECS, defineComponent, defineSystem } from "crateful";
import { Health, Position, Tag, entity, expectError, world } from "../bindings/world.js";

class Box extends defineComponent("Box", { width: "f32", height: "f32" }) {
  set size(size: number) {
    this.width = this.height = size;
  }
}

test("C9 B1 assigning an undeclared field of a component in an ECS is an error that lists the fields", () => {
  const ecs = world();
  const e = entity(ecs, new Position({ x: 1 }), new Tag());
  const message = "Position: there is no field z; its fields are x, y. Declare it in defineComponent";
  const assign = (component: object) => Object.assign(component, { z: 1 });
  expect(expectError("BAD_ARGUMENT", () => assign(ecs.get(e, Position))).message).toBe(message);
  expect(expectError("BAD_ARGUMENT", () => assign(ecs.storage(Position).at(e)!)).message).toBe(message);
  for (const { p } of ecs.query({ p: Position }))
    expect(expectError("BAD_ARGUMENT", () => assign(p)).message).toBe(message);
  expect(expectError("BAD_ARGUMENT", () => assign(ecs.get(e, Tag))).message).toBe(
    "Tag: there is no field z; it has none. Declare it in defineComponent",
  );
  expect(["z" in ecs.get(e, Position), ecs.get(e, Position).x]).toEqual([false, 1]);
});

test("C9 B1 declared fields, setters of the class, new components and object components are not affected", () => {
  const ecs = world();
  const box = new Box({ width: 1 });
  const health = Object.assign(new Health(), { shield: 1 });
  entity(ecs, box, health);
  box.size = 4;
  Object.assign(box, { height: 5 });
  Object.assign(health, { armour: 2 });
  expect([box.width, box.height]).toEqual([4, 5]);
  expect(health).toMatchObject({ shield: 1, armour: 2 });
  expect([box instanceof Box, Object.getPrototypeOf(box)]).toEqual([true, Box.prototype]);
});

test("C12 B1 assigning an element that a vector does not have is an error", () => {
  class Body extends defineComponent("Body", { at: "f32x3" }) {}
  const ecs = world();
  const e = ecs.addEntity(Body);
  for (const body of [new Body(), ecs.get(e, Body), ecs.storage(Body).at(e)!, ecs.query({ body: Body }).at(e)!.body]) {
    for (const name of [3, "w", "X"])
      expect(expectError("BAD_ARGUMENT", () => Object.assign(body.at, { [name]: 1 })).message).toBe(
        `at (f32x3): there is no element ${name}`,
      );
    Object.assign(body.at, { 1: 2, z: 3 });
    expect([...body.at]).toEqual([0, 2, 3]);
  }
});

/** The first uses of a class in an ECS. */
const uses: [string, (ecs: ECS, cls: new () => Box) => unknown][] = [
  ["addEntity(Class)", (ecs, cls) => ecs.addEntity(Tag, cls)],
  ["addEntity([Class, values])", (ecs, cls) => ecs.addEntity([cls, {}])],
  ["addEntity(new Class())", (ecs, cls) => ecs.addEntity(new cls())],
  ["addComponent", (ecs, cls) => ecs.addComponent(ecs.world, cls)],
  ["addComponents", (ecs, cls) => ecs.addComponents([ecs.world], cls)],
  ["prefab", (ecs, cls) => ecs.prefab([cls])],
  ["query", (ecs, cls) => ecs.query({ a: cls })],
  ["storage", (ecs, cls) => ecs.storage(cls)],
  [
    "addSystem",
    (ecs, cls) => {
      class Uses extends defineSystem({ a: cls }) {
        override update() {}
      }
      ecs.addSystem(0, new Uses());
    },
  ],
];

describe.each(uses)("C9 B1 at the first use of a class, by %s", (how, use) => {
  const [call] = how.split("(");

  test("a class field that hides a stored field is an error that says how to declare a default", () => {
    class Armour extends defineComponent("Armour", { points: "u8" }) {
      override points = 100;
    }
    const ecs = world();
    const { count } = ecs;
    for (let i = 0; i < 2; ++i) {
      const { message } = expectError("BAD_ARGUMENT", () => use(ecs, Armour as never));
      expect(message).toContain(`${call}: the class field points of Armour hides the stored field`);
      expect(message).toContain('declare a default as { points: { type: "u8", default: 100 } }');
    }
    expect([ecs.count, ecs.has(ecs.world, Armour), ecs.systems.length]).toEqual([count, false, 0]);
  });
  test("a class field that is no stored field is an error that says where to declare it", () => {
    class Armour extends defineComponent("Armour", { points: "u8" }) {
      note = "hello";
    }
    const ecs = world();
    for (let i = 0; i < 2; ++i)
      expect(expectError("BAD_ARGUMENT", () => use(ecs, Armour as never)).message).toBe(
        `${call}: the class field note of Armour is not stored, so that rows do not have it; its fields are points. Declare it ` +
          "in defineComponent, or put it into an object component",
      );
    expect([ecs.count, ecs.has(ecs.world, Armour), ecs.systems.length]).toEqual([0, false, 0]);
  });
});

test("C9 B1 a class is not checked by a constructor that throws without arguments, and private fields are allowed", () => {
  class Sized extends defineComponent("Sized", { size: "f32" }) {
    static made = 0;
    readonly #twice: number;
    constructor(of: { size: number }) {
      super({ size: of.size });
      this.#twice = 2 * of.size;
      Sized.made += 1;
    }
    get twice() {
      return this.#twice;
    }
  }
  const ecs = world();
  expect(ecs.get(ecs.addEntity([Sized, { size: 3 }]), Sized).size).toBe(3);
  expect(ecs.get(ecs.addEntity(new Sized({ size: 4 })), Sized).twice).toBe(8);
  expect(Sized.made).toBe(1);
  class Empty extends defineComponent("Empty") {
    note = 1;
  }
  expect(expectError("BAD_ARGUMENT", () => ecs.addEntity(Empty)).message).toContain("it has none. Declare it");
});

test("C9 B1 the constructor of a class is called once for the check, which may use the class", () => {
  let made = 0;
  class Eager extends defineComponent("Eager", { n: "u8" }) {
    constructor() {
      super();
      made += 1;
      ecs.storage(Eager);
    }
  }
  const ecs = world();
  ecs.addEntity(Eager);
  world().addEntity(Eager);
  expect(made).toBe(1);
});

test("B1 two component classes of one name in an ECS, as hot reload makes them, are reported once", () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  const evaluate = () => class Fuel extends defineComponent("Fuel", { left: "f32" }) {};
  const [First, Second] = [evaluate(), evaluate()];
  const [ecs, other] = [world(), world()];
  ecs.addEntity(First);
  other.addEntity(Second); // another ECS
  expect(warn).not.toHaveBeenCalled();
  for (let i = 0; i < 2; ++i) expect(ecs.query({ fuel: Second }).count).toBe(0);
  expect(warn.mock.calls).toEqual([
    [
      "crateful: this ECS uses two component classes named Fuel; neither finds the components of the other. If hot reload " +
        "has evaluated a module again, reload the page; otherwise rename one of them",
    ],
  ]);
  warn.mockRestore();
});
