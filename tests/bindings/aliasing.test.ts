// Rule X3: arguments that are views of memory of the ECS, which moves or changes during the call. growth_lists.test.ts
// has lists while the memory of the whole module grows.
import { expect, test } from "@jest/globals";
import { Position, Tag, Velocity, add, positions, world } from "./world.js";

test("X3 columns of a class are the values of a bulk addition of the same class", () => {
  const ecs = world();
  const first = ecs.addEntities(16);
  ecs.addComponents(first, Position, { x: Float32Array.from(first, (_, i) => i), y: 2 });
  // New components, so that the columns move.
  const more = ecs.addEntities(16);
  const { columns } = ecs.storage(Position);
  ecs.addComponents(more, Position, { x: columns.x, y: columns.x });
  expect([...ecs.storage(Position).columns.y].slice(16)).toEqual(Array.from(first, (_, i) => i));
  // Replaced ones: each entity gets the value of the one before it.
  const all = ecs.storage(Position).entities;
  ecs.addComponents(all.slice(1), Position, { x: ecs.storage(Position).columns.x.subarray(0, 31) });
  expect([...ecs.storage(Position).columns.x]).toEqual([0, ...Array.from({ length: 31 }, (_, i) => i % 16)]);
});

test("X3 columns of a class are the values of a prefab", () => {
  const ecs = world();
  const prefab = ecs.prefab({ position: Position, tag: Tag });
  const first = prefab.spawn(100, { position: { x: Float32Array.from({ length: 100 }, (_, i) => i) } });
  const next = prefab.spawn(100, { position: { x: ecs.storage(Position).columns.x } });
  const values = (list: Uint32Array) => Array.from(list, (e) => ecs.get(e, Position).x);
  expect(values(next)).toEqual(values(first));
});

test("X3 a component of the ECS is the value of a prefab, of addEntity and of addComponent", () => {
  const ecs = world();
  const prefab = ecs.prefab({ position: Position });
  const position = ecs.addComponent(ecs.addEntity(), new Position({ x: 7 }));
  for (let i = 0; i < 100; ++i) {
    expect(ecs.get(prefab.spawn({ position }), Position).x).toBe(7);
    expect(ecs.get(ecs.addEntity([Position, position.toJSON()]), Position).x).toBe(7);
    const other = ecs.addEntity();
    ecs.addComponent(other, Position, position);
    expect(ecs.get(other, Position).x).toBe(7);
  }
});

test("X3 lists of the ECS are lists of entities, also where the call changes them", () => {
  const ecs = world();
  const system = add(ecs, { watches: [Position] });
  positions(ecs, 50);
  ecs.update();
  ecs.storage(Position).markDirty(system.entities.ids);
  ecs.addComponents(system.entities.ids, Velocity);
  ecs.storage(Position).markDirty(system.dirty.ids);
  ecs.addComponents(ecs.storage(Position).entities, Tag);
  expect(ecs.removeComponents(ecs.storage(Tag).entities, Tag)).toBe(50);
  expect(ecs.removeComponents(system.entities.ids, Velocity)).toBe(50);
  ecs.removeEntities(ecs.storage(Position).entities);
  ecs.update();
  expect(ecs.count).toBe(0);
});

test("C2 an entity that is twice in a list loses one component, and no other entity loses one", () => {
  const ecs = world();
  const [a, b, c] = [ecs.addEntity(Position), ecs.addEntity(Position), ecs.addEntity(Position)];
  expect(ecs.removeComponents([a, b, a], Position)).toBe(2);
  expect([a, b, c].map((e) => ecs.has(e, Position))).toEqual([false, false, true]);
});
