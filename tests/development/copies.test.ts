import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { defineObject } from "crateful";
import { Health, Position, Tag, Velocity, entity, expectError, positions, values, world } from "../bindings/world.js";

const copied = (name: string) =>
  `${name}: spread syntax, Object.assign and structuredClone copy no fields; use toJSON(), as in { ...component.toJSON() }`;

/** What copies the own properties of a component. */
const copies: [string, (component: object) => unknown][] = [
  ["{ ...component }", (component) => ({ ...component })],
  ["Object.assign({}, component)", (component) => Object.assign({}, component)],
  ["Object.assign(other, component)", (component) => Object.assign(new Position(), component)],
  ["Object.entries(component)", (component) => Object.entries(component)],
  [
    "const { x, ...rest } = component",
    (component) => {
      const { x, ...rest } = component as Position;
      return [x, rest];
    },
  ],
];

describe.each(copies)("C8 B1 %s is an error that names toJSON", (_, copy) => {
  test("of a component that an entity has, and before", () => {
    const ecs = world();
    const e = entity(ecs, new Position({ x: 1 }), new Velocity());
    expect(expectError("BAD_ARGUMENT", () => copy(ecs.get(e, Position))).message).toBe(copied("Position"));
    expect(expectError("BAD_ARGUMENT", () => copy(ecs.get(e, Velocity))).message).toBe(copied("Velocity"));
    expectError("BAD_ARGUMENT", () => copy(new Position()));
    expectError("BAD_ARGUMENT", () => copy(ecs.get(ecs.addEntity(Position), Position)));
  });
  test("of a component of a row or a storage", () => {
    const ecs = world();
    const [e] = positions(ecs, 1);
    for (let i = 0; i < 2; ++i) {
      for (const { p } of ecs.query({ p: Position }))
        expect(expectError("BAD_ARGUMENT", () => copy(p)).message).toBe(copied("Position"));
      expectError("BAD_ARGUMENT", () => copy(ecs.storage(Position).at(e!)!));
    }
  });
});

class Burn extends defineObject("Burn", { left: 3, at: [] as number[] }) {}

test.each(copies.slice(0, 4))("C16 B1 %s of a component of defineObject is an error that names toJSON", (_, copy) => {
  const ecs = world();
  const burn = ecs.get(ecs.addEntity(Burn), Burn);
  expect(expectError("BAD_ARGUMENT", () => copy(burn)).message).toBe(copied("Burn"));
  expectError("BAD_ARGUMENT", () => copy(new Burn()));
});

test("C16 B1 components of defineObject are copied by their fields, and accept some", () => {
  const [a, b] = [new Burn(), new Burn({ left: 2 })];
  expectError("BAD_ARGUMENT", () => Object.assign(a, b));
  expectError("BAD_ARGUMENT", () => new Burn({ ...b, left: 1 }));
  expectError("BAD_ARGUMENT", () => structuredClone(b));
  expectError("BAD_ARGUMENT", () => {
    const { left, ...rest } = b;
    return [left, rest];
  });
  expect([a.left, b.left]).toEqual([3, 2]);
  expect(inspect(new Burn(b))).toBe("Burn { left: 2, at: [] }");
  expect(new Burn({ ...b.toJSON(), left: 1 })).toEqual(new Burn({ left: 1 }));
  expect(Object.assign(new Burn(), { left: 1 }).left).toBe(1);
  expect(JSON.stringify(b)).toBe('{"left":2,"at":[]}');
  expect(b).toMatchObject({ left: 2 });
});

test("C5 C8 B1 assigning one component to another changes neither", () => {
  const ecs = world();
  const [a, b] = positions(ecs, 2).map((e) => ecs.get(e, Position)) as [Position, Position];
  expectError("BAD_ARGUMENT", () => Object.assign(a, b));
  a.x = 5;
  expect([a.x, b.x]).toEqual([5, 1]);
  Object.assign(a, b.toJSON());
  expect([a.x, b.x]).toEqual([1, 1]);
  for (const { p } of ecs.query({ p: Position })) expectError("BAD_ARGUMENT", () => Object.assign(p, a));
  expect(values(ecs, Position, "x")).toEqual([1, 1]);
});

test("C8 B1 structuredClone of a component is an error that names toJSON", () => {
  expect(expectError("BAD_ARGUMENT", () => structuredClone(new Position())).message).toBe(copied("Position"));
  expect(structuredClone(new Position({ x: 1 }).toJSON())).toEqual({ x: 1, y: 0 });
});

test("Q3 B1 copying the properties of a row is an error that says how to name them", () => {
  const ecs = world();
  positions(ecs, 2);
  const query = ecs.query({ p: Position }, { optional: { v: Velocity } });
  const message =
    "row: spread syntax, Object.assign and structuredClone copy no components; name them, as in const { entity, p, v } = row";
  for (const row of query) expect(expectError("BAD_ARGUMENT", () => ({ ...row })).message).toBe(message);
  expect(
    expectError("BAD_ARGUMENT", () => {
      const { entity: e, ...rest } = query.first()!;
      return [e, rest];
    }).message,
  ).toBe(message);
});

test("C8 B1 components that are copied by their fields, printed or compared, and object components, are not affected", () => {
  const ecs = world();
  const e = entity(ecs, new Position({ x: 1 }), new Tag(), Object.assign(new Health(), { shield: 1 }));
  const position = ecs.get(e, Position);
  expect(inspect(position)).toBe("Position { x: 1, y: 0 }");
  expect({ ...position.toJSON() }).toEqual({ x: 1, y: 0 });
  expect({ ...ecs.get(e, Health) }).toEqual({ shield: 1 });
  for (const { p } of ecs.query({ p: Position })) {
    expect(new Position(p).x).toBe(1);
    expect(JSON.stringify(p)).toBe('{"x":1,"y":0}');
  }
  expect(new Position(position)).toEqual({ x: 1, y: 0 });
  expect(position).toEqual({ x: 1, y: 0 });
  expect({ ...position }).toEqual({ x: 1, y: 0 }); // its fields are own properties since it was compared
  for (const row of ecs.query({ p: Position })) {
    expect(row).toEqual({ entity: e, p: { x: 1, y: 0 } });
    expect({ ...row }.p.x).toBe(1);
  }
  expect(ecs.get(e, Tag)).toEqual({});
});
