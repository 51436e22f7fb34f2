// Object components whose fields signal (rule C16).
import { describe, expect, test } from "@jest/globals";
import { inspect } from "node:util";
import { defineObject, defineSystem, type Entity } from "crateful";
import { Position, entities, expectError, world } from "./world.js";

class Health extends defineObject("Health", {
  points: 3,
  name: "crate",
  effects: [] as string[],
  target: undefined as Entity | undefined,
  born: () => ({ at: 7 }),
}) {
  get alive(): boolean {
    return this.points > 0;
  }
  hurt(by: number): void {
    this.points -= by;
  }
}
class Bars extends defineSystem({ health: Health }, { watch: [Health] }) {
  found: Entity[] = [];
  public override update(): void {
    this.found = entities(this.dirty);
  }
}
function room() {
  const ecs = world();
  const bars = ecs.addSystem(0, new Bars());
  const e = ecs.addEntity(Health);
  ecs.update();
  const dirtyAfter = (change: () => void) => {
    change();
    ecs.update();
    return bars.found.length > 0;
  };
  return { ecs, bars, e, health: ecs.get(e, Health), dirtyAfter };
}

describe("C16", () => {
  test("a field signals when another value is assigned, compared by Object.is", () => {
    const { e, ecs, health, dirtyAfter } = room();
    expect(dirtyAfter(() => (health.points = 2))).toBe(true);
    expect(dirtyAfter(() => (health.points = 2))).toBe(false);
    expect(dirtyAfter(() => health.hurt(1))).toBe(true);
    expect(dirtyAfter(() => (health.points = Number.NaN))).toBe(true);
    expect(dirtyAfter(() => (health.points = Number.NaN))).toBe(false);
    expect(dirtyAfter(() => (health.points = 0))).toBe(true);
    expect(dirtyAfter(() => (health.points = -0))).toBe(true);
    const { effects } = health;
    expect(dirtyAfter(() => (health.effects = effects))).toBe(false);
    expect(dirtyAfter(() => (health.effects = [...health.effects]))).toBe(true);
    expect(dirtyAfter(() => health.effects.push("burns"))).toBe(false);
    expect(dirtyAfter(() => health.dirty())).toBe(true);
    for (const row of ecs.query({ health: Health })) row.health.name = "barrel";
    expect(ecs.get(e, Health).name).toBe("barrel");
    expect(dirtyAfter(() => {})).toBe(true);
  });

  test("defaults that are objects are made for each component", () => {
    const [a, b] = [new Health(), new Health()];
    a.effects.push("burns");
    a.born.at = 8;
    expect([b.effects, b.born]).toEqual([[], { at: 7 }]);
    expect([a.effects, a.born, a.points, a.name, a.target]).toEqual([["burns"], { at: 8 }, 3, "crate", undefined]);
    class Bag extends defineObject("Bag", {
      items: new Map([["key", { uses: 1 }]]),
      seen: new Set([1]),
      since: new Date(5),
    }) {}
    const [c, d] = [new Bag(), new Bag()];
    c.items.get("key")!.uses = 2;
    expect([d.items.get("key")!.uses, d.seen, d.since]).toEqual([1, new Set([1]), new Date(5)]);
    expect(c.seen).not.toBe(d.seen);
  });

  test("the constructor takes values, or another component", () => {
    const effects = ["burns"];
    const health = new Health({ points: 5, effects, name: undefined as never });
    expect([health.points, health.effects, health.name]).toEqual([5, effects, "crate"]);
    expect(health.effects).toBe(effects);
    expect(new Health(health)).toEqual(health);
    expect(expectError("BAD_ARGUMENT", () => new Health({ hp: 1 } as never)).message).toBe(
      "new Health: there is no field hp",
    );
    expectError("BAD_ARGUMENT", () => new Health(3 as never));
  });

  test("it can be added in every way, removed, and added to systems that require it", () => {
    const { ecs, bars, e } = room();
    const other = ecs.addEntity(new Health({ points: 9 }), Position);
    ecs.addEntity([Health, () => new Health()]);
    ecs.addComponents(ecs.addEntities(2), Health, [new Health(), new Health()]);
    ecs.update();
    expect([ecs.query({ health: Health }).count, bars.found.length]).toEqual([5, 4]);
    const health = ecs.get(other, Health);
    ecs.removeComponent(other, Health);
    health.points = 1; // of no entity any more
    ecs.update();
    expect([bars.found, health.points, ecs.get(e, Health).alive]).toEqual([[], 1, true]);
    expect(ecs.memoryReport().map(({ name }) => name)).toContain("Health");
  });

  test("tools see its fields, and nothing internal", () => {
    const health = new Health({ points: 4 });
    const fields = { points: 4, name: "crate", effects: [], target: undefined, born: { at: 7 } };
    expect(health.toJSON()).toEqual(fields);
    expect(JSON.parse(JSON.stringify(health))).toEqual({ points: 4, name: "crate", effects: [], born: { at: 7 } });
    expect(health).toEqual(new Health({ points: 4 }));
    expect(health).not.toEqual(new Health({ points: 5 }));
    expect(health).toMatchObject({ points: 4 });
  });

  test("printing a component shows its fields", () => {
    expect(inspect(new Health({ points: 4 }), { breakLength: Infinity })).toBe(
      "Health { points: 4, name: 'crate', effects: [], target: undefined, born: { at: 7 } }",
    );
  });

  test("a class field that hides one of its fields is an error when it is added", () => {
    class Wrong extends defineObject("Wrong", { points: 3 }) {}
    const wrong = Object.defineProperty(new Wrong(), "points", { value: 5, writable: true, enumerable: true });
    const ecs = world();
    const e = ecs.addEntity();
    const message =
      "addComponent: the class field points of Wrong hides the field of defineObject; remove it, and declare a default there: { points: 5 }";
    expect(expectError("BAD_ARGUMENT", () => ecs.addComponent(e, wrong)).message).toBe(message);
    expect(ecs.has(e, Wrong)).toBe(false);
    ecs.addComponent(e, new Wrong());
  });

  test("invalid names, fields and defaults are errors", () => {
    const define = (name: unknown, fields: unknown) =>
      expectError("BAD_ARGUMENT", () => defineObject(name as string, fields as Record<string, unknown>)).message;
    expect(define("", {})).toContain("the name must be a string that is not empty");
    expect(define(3, {})).toContain("the name must be a string that is not empty");
    expect(define("A", undefined)).toContain("A: the fields");
    for (const field of ["dirty", "$entity", "constructor", "toJSON"])
      expect(define("A", { [field]: 1 })).toBe(`defineObject: A: the field name ${field} is reserved`);
    expect(define("A", { at: new (class Vector {})() })).toContain("A.at: the default");
    expect(define("A", { at: new (class Vector {})() })).toContain("pass a function that creates one");
  });
});
