import { expect, test } from "@jest/globals";
import { Component } from "crateful";
import { Health, Position, Tag, add, entity, expectError, world } from "./world.js";

class Inventory extends Component {
  readonly items: string[] = [];
  owner: { name: string } | undefined;
  put(item: string) {
    this.items.push(item);
    this.dirty();
  }
}

test("C3 an object component can be of any class; its fields are ordinary fields", () => {
  const ecs = world();
  const inventory = new Inventory();
  inventory.owner = { name: "Ada" };
  const e = entity(ecs, inventory);
  ecs.getComponents(e).get(Inventory).put("key");
  expect(ecs.getComponents(e).get(Inventory)).toBe(inventory);
  expect([inventory.items, inventory.owner.name]).toEqual([["key"], "Ada"]);
});

test("C3 the class can have private fields, accessors and a constructor", () => {
  const ecs = world();
  const health = new Health(3);
  const e = entity(ecs, health);
  const system = add(ecs, { requires: [Health], watches: [Health] });
  ecs.update();
  health.current -= 1;
  ecs.update();
  expect([system.lastRun, ecs.getComponents(e).get(Health).current]).toEqual([[e], 2]);
});

test("C5 a removed object component can be added again; before that its dirty() has no effect", () => {
  const ecs = world();
  const other = world();
  const health = new Health(3);
  const e = entity(ecs, health);
  const f = ecs.addEntity();
  const system = add(ecs, { requires: [Health], watches: [Health] });
  ecs.update();
  ecs.removeComponent(e, Health);
  health.current = 5;
  ecs.update();
  expect(system.lastRun).toEqual([]);
  ecs.addComponent(f, health);
  health.current = 6;
  ecs.update();
  expect(system.lastRun).toEqual([f]);
  ecs.removeComponent(f, Health);
  const g = entity(other, health);
  expect(other.getComponents(g).get(Health)).toBe(health);
  health.current = 7;
  ecs.update();
  expect(system.lastRun).toEqual([]);
});

test("C5 a replaced object component can be added again", () => {
  const ecs = world();
  const [one, two] = [new Health(1), new Health(2)];
  const e = entity(ecs, one);
  ecs.addComponent(e, two);
  const f = entity(ecs, one);
  expect([ecs.getComponents(e).get(Health), ecs.getComponents(f).get(Health)]).toEqual([two, one]);
  ecs.addComponents([e, f], Health, [new Health(8), new Health(9)]);
  expect([e, f].map((x) => ecs.getComponents(x).get(Health).current)).toEqual([8, 9]);
  entity(ecs, two);
});

test("C5 object components are detached when their entity is removed or their world disposed", () => {
  const ecs = world();
  const [a, b, c] = [new Health(), new Health(), new Health()];
  const e = entity(ecs, a);
  entity(ecs, b);
  ecs.removeEntity(e);
  ecs.update();
  ecs.clear();
  entity(ecs, c);
  ecs.dispose();
  const other = world();
  for (const health of [a, b, c]) {
    const x = entity(other, health);
    expect(other.getComponents(x).get(Health)).toBe(health);
  }
});

test("E7 addComponents accepts a list of objects, or a function that creates the i-th", () => {
  const ecs = world();
  const all = ecs.addEntities(3);
  const list = [new Health(1), new Health(2), new Health(3)];
  ecs.addComponents(all, Health, list);
  expect(Array.from(all, (e) => ecs.getComponents(e).get(Health))).toEqual(list);
  ecs.addComponents(all, Inventory, (i) => Object.assign(new Inventory(), { owner: { name: `n${i}` } }));
  expect(Array.from(all, (e) => ecs.getComponents(e).get(Inventory).owner?.name)).toEqual(["n0", "n1", "n2"]);
});

test("C5 addComponents rejects an object that belongs to an entity, is in the list twice or is of another class", () => {
  const ecs = world();
  const all = ecs.addEntities(2);
  const taken = new Health();
  entity(ecs, taken);
  class Mana extends Health {}
  const health = new Health();
  for (const bad of [
    [taken, new Health()],
    [health, health],
    [new Mana(), new Mana()],
    [new Tag(), new Tag()],
    [undefined, null],
    [{}, {}],
  ]) {
    expectError("BAD_ARGUMENT", () => ecs.addComponents(all, Health, bad as never));
  }
  for (const bad of [undefined, null, 3, "ab", { length: 3 }])
    expectError("BAD_ARGUMENT", () => ecs.addComponents(all, Health, bad as never));
  expectError("BAD_ARGUMENT", () => ecs.addComponents(all, Health, () => health));
  expect(ecs.storage(Health).count).toBe(1);
  ecs.addComponents(all, Health, [health, new Health()]);
});

test("S7 addComponents adds nothing if the function that creates the objects throws", () => {
  const ecs = world();
  const all = ecs.addEntities(3);
  expect(() =>
    ecs.addComponents(all, Health, (i) => {
      if (i === 2) throw new Error("no third");
      return new Health();
    }),
  ).toThrow("no third");
  expect(ecs.storage(Health).count).toBe(0);
});

test("C5 the function that creates the objects may remove entities, which are then stale", () => {
  const ecs = world();
  const all = ecs.addEntities(2);
  expectError("STALE_ENTITY", () =>
    ecs.addComponents(all, Health, () => {
      ecs.clear();
      return new Health();
    }),
  );
  expectError("DISPOSED", () =>
    ecs.addComponents(ecs.addEntities(2), Health, () => {
      ecs.dispose();
      return new Health();
    }),
  );
});

test("D2 adding an object again signals, and an object may call dirty() in its constructor", () => {
  class Eager extends Component {
    constructor() {
      super();
      this.dirty();
    }
  }
  const ecs = world();
  const eager = new Eager();
  const e = entity(ecs, eager, new Position());
  const system = add(ecs, { watches: [Eager] });
  ecs.update();
  ecs.addComponent(e, eager);
  ecs.update();
  expect(system.runs).toEqual([[e], [e]]);
});
