import { expect, test } from "@jest/globals";
import { defineComponent } from "crateful";
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
  class Noted extends defineComponent("Noted", { x: "f32" }) {
    declare note: string;
    constructor() {
      super();
      this.note = "plain"; // before it is added
    }
  }
  const noted = new Noted();
  const box = new Box({ width: 1 });
  const health = Object.assign(new Health(), { shield: 1 });
  entity(ecs, box, noted, health);
  box.size = 4;
  Object.assign(box, { height: 5 });
  noted.note = "added";
  Object.assign(health, { armour: 2 });
  expect([box.width, box.height, noted.note]).toEqual([4, 5, "added"]);
  expect(health).toMatchObject({ shield: 1, armour: 2 });
  expect([box instanceof Box, Object.getPrototypeOf(box)]).toEqual([true, Box.prototype]);
});
