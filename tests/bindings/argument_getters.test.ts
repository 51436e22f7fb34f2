// Rules X1 and X3: reading the values of a call can run code of the program, which changes the ECS or ends it.
import { expect, test } from "@jest/globals";
import { Component, ECS, defineComponent, type Entity } from "crateful";
import { Health, Position, Velocity, expectError, world } from "./world.js";

class Note extends Component {}
class Place extends defineComponent("Place", { at: "f32x2" }) {}
class Many extends defineComponent(
  "Many",
  Object.fromEntries(Array.from({ length: 64 }, (_, k) => [`f${k}`, "f64" as const])),
) {}

/** Values for `fields`, the first of which is read by calling `change`. */
const reading = (change: () => void, ...fields: string[]) =>
  Object.defineProperties(
    {},
    Object.fromEntries(fields.map((name, k) => [name, { enumerable: true, get: () => (k === 0 && change(), k) }])),
  );

/** A vector whose first element is read by calling `change`. */
const vectorReading = (change: () => void) => ({ at: reading(change, "x", "y") as { x: number; y: number } });

/** A list of a number for each entity, whose first element is read by calling `change`. */
const listReading = (change: () => void, n: number): number[] =>
  Object.defineProperty(
    Array.from({ length: n }, () => 1),
    0,
    { get: () => (change(), 1) },
  );

/** Every call that reads values; `e` has a Position. */
const calls: [string, (ecs: ECS, e: Entity, change: () => void) => unknown][] = [
  ["addComponent", (ecs, e, change) => ecs.addComponent(e, Velocity, reading(change, "x", "y"))],
  ["addComponent of one that it has", (ecs, e, change) => ecs.addComponent(e, Position, reading(change, "x", "y"))],
  ["addComponents", (ecs, e, change) => ecs.addComponents([e], Velocity, reading(change, "x", "y"))],
  ["addComponents of a list", (ecs, e, change) => ecs.addComponents([e], Velocity, { x: listReading(change, 1) })],
  ["addComponents of objects", (ecs, e, change) => ecs.addComponents([e], Health, () => (change(), new Health()))],
  ["addComponents to a list", (ecs, e, change) => ecs.addComponents(listReading(change, 1).fill(e, 1), Velocity)],
  ["addEntity", (ecs, _, change) => ecs.addEntity(Position, [Velocity, reading(change, "x", "y")])],
  ["addEntity with a factory", (ecs, _, change) => ecs.addEntity(Position, [Note, () => (change(), new Note())])],
  ["spawn", (ecs, _, change) => ecs.prefab({ p: Position, v: Velocity }).spawn({ v: reading(change, "x", "y") })],
  [
    "spawn, the values of a component",
    (ecs, _, change) => ecs.prefab({ p: Position, v: Velocity }).spawn(reading(change, "p") as never),
  ],
  [
    "spawn with a factory",
    (ecs, _, change) => ecs.prefab({ p: Position, n: [Note, () => (change(), new Note())] }).spawn(),
  ],
  ["spawn of many", (ecs, _, change) => ecs.prefab({ p: Position }).spawn(3, { p: reading(change, "x", "y") })],
  [
    "spawn of many with a list",
    (ecs, _, change) => ecs.prefab({ p: Position, v: Velocity }).spawn(3, { v: { x: listReading(change, 3) } }),
  ],
  ["addComponent of a vector", (ecs, e, change) => ecs.addComponent(e, Place, vectorReading(change))],
  ["addComponents of a vector", (ecs, e, change) => ecs.addComponents([e], Place, vectorReading(change))],
  ["addEntity with a vector", (ecs, _, change) => ecs.addEntity(Position, [Place, vectorReading(change)])],
  [
    "spawn with a vector",
    (ecs, _, change) => ecs.prefab({ p: Position, q: Place }).spawn({ q: vectorReading(change) }),
  ],
  ["markDirty", (ecs, e, change) => ecs.storage(Position).markDirty(listReading(change, 1).fill(e, 1))],
  ["removeEntities", (ecs, e, change) => ecs.removeEntities(listReading(change, 1).fill(e, 1))],
];

test.each(calls)("X1 M3 %s: an ECS that is disposed while values are read leaves all others intact", (_, call) => {
  const others = [world(), world()];
  for (const other of others) other.addEntity([Position, { x: 3 }]);
  const ecs = new ECS();
  const e = ecs.addEntity(Position);
  let error: unknown;
  try {
    call(ecs, e, () => ecs.dispose());
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ name: "EcsError" });
  expectError("DISPOSED", () => ecs.addEntity());
  for (const other of [...others, world()]) {
    const made = other.prefab({ p: Position, v: Velocity }).spawn(100, { p: { x: 5 } });
    expect(Array.from(made, (e) => other.get(e, Position).x)).toEqual(Array.from(made, () => 5));
    other.update();
  }
});

test.each(calls)("X1 X3 %s: another call while values are read never writes to memory of this one", (_, call) => {
  const ecs = world();
  const [e, f] = ecs.addEntities(2) as unknown as [Entity, Entity];
  ecs.addComponents([e, f], Position, { x: 2, y: 2 });
  const { count } = ecs;
  const change = () => {
    ecs.addEntity([Position, { x: 7, y: 7 }], [Velocity, { x: 7, y: 7 }]);
    ecs.addComponents(ecs.addEntities(5_000), Many, { f0: 9 }); // takes more memory for arguments
  };
  let error: unknown;
  try {
    call(ecs, e, change);
  } catch (thrown) {
    error = thrown;
  }
  // Either the call has written its values after the other one, or it has done nothing.
  if (error === undefined) expect(ecs.count).toBeGreaterThanOrEqual(count + 5_001);
  else {
    expect(error).toMatchObject({ code: "BAD_ARGUMENT" });
    expect([ecs.count, ecs.has(e, Velocity), ecs.get(e, Position).toJSON()]).toEqual([
      count + 5_001,
      false,
      { x: 2, y: 2 },
    ]);
  }
  expect(ecs.get(f, Position).toJSON()).toEqual({ x: 2, y: 2 });
  expect([...ecs.storage(Velocity).columns.x.subarray(0, 2)].filter((x) => x === 9)).toEqual([]);
  expect(ecs.get(ecs.addEntity([Position, { x: 4 }]), Position).toJSON()).toEqual({ x: 4, y: 0 });
});

test("X1 the message says that reading the values called the ECS", () => {
  const ecs = world();
  const e = ecs.addEntity();
  const values = reading(() => ecs.addComponent(ecs.addEntity(), Position, { x: 1 }), "x", "y");
  const { message } = expectError("BAD_ARGUMENT", () => ecs.addComponent(e, Position, values));
  expect(message).toMatch(/^addComponent: .*called the ECS/);
});

test("C5 a component that a factory or a getter has added elsewhere is refused", () => {
  const ecs = world();
  const note = new Note();
  const other = ecs.addEntity();
  const add = () => void ecs.addComponent(other, note);
  const { count } = ecs;
  expectError("BAD_ARGUMENT", () => ecs.addEntity(note, [Position, reading(add, "x")]));
  expect(ecs.get(other, Note)).toBe(note);
  ecs.removeComponent(other, Note);
  const prefab = ecs.prefab({ note: Note, health: [Health, () => (add(), new Health())] });
  expectError("BAD_ARGUMENT", () => prefab.spawn({ note }));
  expect([ecs.count, ecs.get(other, Note) === note]).toEqual([count, true]);
});
