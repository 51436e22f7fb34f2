// Rule X2: what stays valid when the memory grows.
import { expect, test } from "@jest/globals";
import { entityIndex, type Entity } from "crateful";
import {
  Health,
  Packed,
  Position,
  Tag,
  Velocity,
  add,
  entity,
  growMemory,
  policies,
  positions,
  world,
} from "./world.js";

test.each(policies)("X2 components, aspects and sets stay valid when the memory grows (%s)", (policy, cls) => {
  const ecs = world();
  const system = add(ecs, { requires: [cls, Velocity, Health], watches: [cls, Velocity] });
  const position = new cls({ x: 1, y: 2 });
  const velocity = new Velocity({ x: 3, y: 4 });
  const health = new Health(5);
  const e = entity(ecs, position, velocity, health, new Tag());
  ecs.update();
  const { entities, dirty } = system;
  const aspect = entities.get(e)!;
  const view = ecs.getComponents(e);
  const storage = ecs.storage(cls);
  const { columns } = storage;
  const slot = policy === "sparse" ? 0 : entityIndex(e);
  const ids = entities.ids;

  growMemory(ecs);

  expect(ids[0]).toBe(undefined); // only raw arrays must be read again
  expect([position.x, position.y, velocity.x, velocity.y, health.current]).toEqual([1, 2, 3, 4, 5]);
  position.x = 10;
  velocity.y = 40;
  expect([view.get(cls), aspect.get(Velocity), aspect.get(Health)]).toEqual([position, velocity, health]);
  expect([columns.x[slot], storage.columns.y[slot], storage.count, storage.slot(e)]).toEqual([10, 2, 1, slot]);
  expect([Array.from(storage.entities).slice(slot), [...storage]]).toEqual([[e], [e]]);
  expect([Array.from(entities.ids), [...entities.keys()], entities.has(e), entities.get(e), entities.size]).toEqual([
    [e],
    [e],
    true,
    aspect,
    1,
  ]);
  expect([[...dirty], dirty.size, dirty.has(e)]).toEqual([[e], 1, true]);
  ecs.update();
  expect(system.lastRun).toEqual([e]);
  health.dirty();
  ecs.removeComponent(e, cls);
  expect([entities.size, dirty.size]).toEqual([0, 0]);
});

test("X2 the memory may grow in a callback during iterations", () => {
  const ecs = world();
  const all = positions(ecs, 5);
  const visited: Entity[][] = [[], [], []];
  let grown = false;
  const system = add(ecs, {
    watches: [Position],
    update(_, entities, dirty) {
      for (const e of dirty) {
        visited[0]!.push(e);
        if (!grown) growMemory(ecs);
        grown = true;
        ecs.getComponents(e).get(Position).x += 1;
      }
      for (const [e, aspect] of entities) visited[1]!.push(e, aspect.get(Position).x);
      for (const e of ecs.storage(Position)) visited[2]!.push(e);
    },
  });
  ecs.update();
  expect(visited).toEqual([all, all.flatMap((e, i) => [e, i + 1]), all]);
  ecs.update();
  expect(system.lastRun).toEqual([]);
});

test("X2 an iteration in progress continues when the memory grows", () => {
  const ecs = world();
  const all = positions(ecs, 4);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  for (const e of all) ecs.getComponents(e).get(Position).dirty();
  const iterations = [system.entities.keys(), system.dirty.values(), ecs.storage(Position)[Symbol.iterator]()];
  for (const it of iterations) expect(it.next().value).toBe(all[0]);
  growMemory(ecs);
  ecs.removeComponent(all[0]!, Position);
  for (const it of iterations) expect([...it].sort()).toEqual(all.slice(1));
});

test("X2 onAdd, onRemove and onClear may make the memory grow", () => {
  const ecs = world();
  const log: unknown[] = [];
  add(ecs, {
    onAdd(a) {
      growMemory(ecs);
      log.push(a.get(Position).x);
    },
    onRemove(a) {
      log.push(a.get(Position).x);
      growMemory(ecs);
      log.push(a.get(Position).x);
    },
  });
  const position = new Position({ x: 5 });
  const e = ecs.addEntity();
  ecs.addComponent(e, position);
  position.x += 1;
  ecs.removeComponent(e, Position);
  expect(log).toEqual([5, 6, 6]);
});

test("X2 a list that is a view of memory is read completely by a call that changes that memory", () => {
  const ecs = world();
  positions(ecs, 10, Packed);
  const system = add(ecs, { requires: [Packed], onRemove: () => {} });
  expect(ecs.removeComponents(ecs.storage(Packed).entities, Packed)).toBe(10);
  ecs.update();
  expect(system.entities.size).toBe(0);
});

test("X2 growth in one world does not affect others", () => {
  const [one, two] = [world(), world()];
  const position = new Position({ x: 3 });
  const e = entity(two, position);
  const system = add(two, { watches: [Position] });
  two.update();
  positions(one, 1);
  growMemory(one);
  position.x = 4;
  two.update();
  expect([system.lastRun, two.getComponents(e).get(Position).x]).toEqual([[e], 4]);
});
