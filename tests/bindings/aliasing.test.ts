// Rule X3: arguments that are views of memory of the ECS, which moves or changes during the call. growth_lists.test.ts
// has lists while the memory of the whole module grows.
import { expect, test } from "@jest/globals";
import { Packed, PackedTag, Position, Tag, Velocity, add, policies, positions, world } from "./world.js";

test.each(policies)("X3 columns of a class are the values of a bulk addition of the same class (%s)", (_, cls) => {
  const ecs = world();
  const first = ecs.addEntities(16);
  ecs.addComponents(first, cls, { x: Float32Array.from(first, (_, i) => i), y: 2 });
  // New components, so that the columns move.
  const more = ecs.addEntities(16);
  const storage = ecs.storage(cls);
  const start = storage.slot(first[0]!); // from here on, all slots are filled
  const x = storage.columns.x.subarray(start);
  ecs.addComponents(more, cls, { x, y: x });
  expect([...storage.columns.y].slice(start + 16)).toEqual(Array.from(first, (_, i) => i));
  // Replaced ones: each entity gets the value of the one before it.
  const all = storage.entities.subarray(start);
  ecs.addComponents(all.slice(1), cls, { x: storage.columns.x.subarray(start, start + 31) });
  expect([...storage.columns.x].slice(start)).toEqual([0, ...Array.from({ length: 31 }, (_, i) => i % 16)]);
});

test.each(policies)("X3 columns of a class are the values of a prefab (%s)", (_, cls) => {
  const ecs = world();
  const prefab = ecs.prefab({ position: cls, tag: Tag });
  const first = prefab.spawn(100, { position: { x: Float32Array.from({ length: 100 }, (_, i) => i) } });
  const storage = ecs.storage(cls);
  const next = prefab.spawn(100, { position: { x: storage.columns.x.subarray(storage.slot(first[0]!)) } });
  const values = (list: Uint32Array) => Array.from(list, (e) => ecs.get(e, cls).x);
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
  const system = add(ecs, { requires: [Packed], watches: [Packed] });
  const all = positions(ecs, 50, Packed);
  ecs.addComponents(all, Position);
  ecs.update();
  ecs.storage(Packed).markDirty(system.entities.ids);
  ecs.addComponents(system.entities.ids, Velocity);
  ecs.storage(Packed).markDirty(system.dirty.ids);
  ecs.addComponents(ecs.storage(Packed).entities, PackedTag);
  expect(ecs.removeComponents(ecs.storage(PackedTag).entities, PackedTag)).toBe(50);
  // Under linear, the list is filled from slot 1 on.
  const list = () => ecs.storage(Position).entities.subarray(1);
  expect([...list()]).toEqual(all);
  ecs.storage(Position).markDirty(list());
  ecs.addComponents(list(), Tag);
  expect(ecs.removeComponents(ecs.storage(Tag).entities.subarray(1), Tag)).toBe(50);
  expect(ecs.removeComponents(list(), Position)).toBe(50);
  expect(ecs.removeComponents(system.entities.ids, Velocity)).toBe(50);
  ecs.removeEntities(ecs.storage(Packed).entities);
  ecs.update();
  expect(ecs.count).toBe(0);
});

test("C2 an entity that is twice in a list loses one component, and no other entity loses one", () => {
  const ecs = world();
  const [a, b, c] = [ecs.addEntity(Position), ecs.addEntity(Position), ecs.addEntity(Position)];
  expect(ecs.removeComponents([a, b, a], Position)).toBe(2);
  expect([a, b, c].map((e) => ecs.has(e, Position))).toEqual([false, false, true]);
});
