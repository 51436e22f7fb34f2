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
    class Other extends defineObject("Other", { hp: 1 }) {}
    expect(expectError("BAD_ARGUMENT", () => new Health(new Other() as never)).message).toBe(
      "new Health: there is no field hp",
    );
  });

  test("another component's values are copied, with what is inside, and toJSON() copies them too", () => {
    class Weapon {
      uses = 1;
    }
    class Bag extends defineObject("Bag", {
      lists: [[1], [2]],
      at: () => ({ path: [{ x: 1 }] }),
      seen: new Set([1]),
      items: new Map([["key", { uses: 1 }]]),
      since: new Date(5),
      bytes: () => new Uint8Array([1]),
      weapon: () => new Weapon(),
      weapons: [] as Weapon[],
    }) {}
    const bag = new Bag();
    bag.weapons.push(bag.weapon);
    const before = { ...bag.toJSON() };
    const copies = [new Bag(bag), bag.toJSON()];
    bag.lists[0]!.push(9);
    bag.at.path[0]!.x = 9;
    bag.seen.add(9);
    bag.items.get("key")!.uses = 9;
    bag.since.setTime(9);
    bag.bytes[0] = 9;
    for (const copy of copies) {
      expect([copy.lists, copy.at, copy.seen, copy.items, copy.since, copy.bytes]).toEqual([
        [[1], [2]],
        { path: [{ x: 1 }] },
        new Set([1]),
        new Map([["key", { uses: 1 }]]),
        new Date(5),
        new Uint8Array([1]),
      ]);
      expect([copy.weapon === bag.weapon, copy.weapons[0] === bag.weapon]).toEqual([true, true]); // of a class
      expect(copy.weapons).not.toBe(bag.weapons);
    }
    expect(before).toEqual(copies[1]);
  });

  test("what contains itself can be copied", () => {
    interface Node {
      links: Node[];
    }
    const links: Node = { links: [] };
    links.links.push(links);
    class Maze extends defineObject("Maze", { start: links }) {}
    const maze = new Maze();
    const { start } = maze.toJSON();
    expect([start === maze.start, start === links, start.links[0] === start]).toEqual([false, false, true]);
  });

  test("printing a component that contains itself ends", () => {
    class Cyclic extends defineObject("Cyclic", { list: [] as unknown[] }) {}
    const cyclic = new Cyclic();
    cyclic.list.push(cyclic.list);
    expect(inspect(cyclic)).toContain("Circular");
  });

  test("no two components share values", () => {
    const { health, dirtyAfter } = room();
    const other = new Health({ points: 9 });
    try {
      Object.assign(health, other); // an error in the development build
    } catch {}
    other.points = 1;
    expect([health.points, other.points]).toEqual([3, 1]);
    expect(dirtyAfter(() => Object.assign(health, { points: 2 }))).toBe(true);
    expect(dirtyAfter(() => Object.assign(health, other.toJSON()))).toBe(true);
    expect([health.points, other.points]).toEqual([1, 1]);
    expect(Object.keys(health).filter((key) => key !== "$guard")).toEqual([]);
  });

  test("fields of a component that was compared remain what they are", () => {
    const health = new Health();
    const { effects } = health;
    expect(health).toEqual(new Health());
    health.effects.push("burns");
    expect([health.effects === effects, effects, health.toJSON().effects]).toEqual([true, ["burns"], ["burns"]]);
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
    expect(define("A", { at: [{ x: new (class Vector {})() }] })).toContain("A.at: the default");
    expect(define("A", { at: new (class Vector {})() })).toContain("pass a function that creates one");
  });
});

describe("C16 values of a class of defineObject", () => {
  test("are taken by addComponent, which returns the component", () => {
    const { ecs } = room();
    const e = ecs.addEntity();
    const health = ecs.addComponent(e, Health, { points: 7 });
    expect([health === ecs.get(e, Health), health.toJSON()]).toEqual([true, new Health({ points: 7 }).toJSON()]);
    expect(ecs.addComponent(ecs.addEntity(), Health).points).toBe(3);
    expectError("BAD_ARGUMENT", () => ecs.addComponent(e, Health, { point: 7 } as never));
    expect(ecs.get(e, Health)).toBe(health);
  });

  test("E8 are taken by addEntity", () => {
    const { ecs } = room();
    const e = ecs.addEntity([Health, { points: 5 }], [Position, { x: 1 }]);
    expect([ecs.get(e, Health).points, ecs.get(e, Health).name]).toEqual([5, "crate"]);
    const { count } = ecs;
    for (const values of [{ point: 1 }, 3]) expectError("BAD_ARGUMENT", () => ecs.addEntity([Health, values as never]));
    expect(ecs.count).toBe(count);
  });

  test("E9 are copied for each entity of a prefab, and those of spawn are assigned", () => {
    const { ecs } = room();
    const crates = ecs.prefab({ health: [Health, { points: 5, effects: ["hot"] }] });
    const of = (e: Entity) => ecs.get(e, Health);
    const [a, b] = [of(crates.spawn()), of(crates.spawn({ health: { points: 6, name: undefined } }))];
    expect([a.points, b.points, b.name, b.effects]).toEqual([5, 6, "crate", ["hot"]]);
    expect(a.effects).not.toBe(b.effects);
    expect([...crates.spawn(2)].map((e) => of(e).points)).toEqual([5, 5]);
    const whole = new Health({ points: 8 });
    expect(of(crates.spawn({ health: whole }))).toBe(whole);
    expectError("BAD_ARGUMENT", () => crates.spawn({ health: { point: 6 } as never }));
    expectError("BAD_ARGUMENT", () => ecs.prefab([[Health, { point: 6 } as never]]));
    const made = ecs.prefab([[Health, () => new Health({ points: 9, name: "box" })]]);
    expect(of(made.spawn([{ points: 1 }])).toJSON()).toMatchObject({ points: 1, name: "box" });
    expect(of(ecs.prefab([Health]).spawn([{ points: 1 }])).points).toBe(1);
  });
});
