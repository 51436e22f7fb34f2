// Sorted queries (rule Q10).
import { describe, expect, test } from "@jest/globals";
import { defineComponent, defineSystem, entityIndex, type ComponentClass, type ECS, type Entity } from "crateful";
import { Health, Position, Tag, entities, expectError, random, world } from "./world.js";

const fields = {
  depth: "f32",
  time: "f64",
  small: "i8",
  level: "u8",
  row: "i16",
  cell: "u16",
  x: "i32",
  y: "u32",
  front: "bool",
} as const;
class Sprite extends defineComponent("Sprite", fields) {}
class PackedSprite extends defineComponent("PackedSprite", fields, { policy: "sparse" }) {}

function sprites(depths: number[], Class: typeof Sprite | typeof PackedSprite = Sprite) {
  const ecs = world();
  const all = depths.map((depth) => ecs.addEntity([Class as typeof Sprite, { depth }]));
  return { ecs, all, at: (...numbers: number[]) => numbers.map((k) => all[k]!) };
}

describe.each([
  ["sparse", PackedSprite as unknown as typeof Sprite],
  ["linear", Sprite],
] as const)("Q10 %s", (_, Class) => {
  test("rows are in the order of a field, and equal ones in that of indices", () => {
    const { ecs, at, all } = sprites([3, 1, 2, 1, -5], Class);
    const query = ecs.query({ sprite: Class }, { orderBy: [Class, "depth"] });
    expect(entities(query)).toEqual(at(4, 1, 3, 2, 0));
    expect(entities(ecs.query({ sprite: Class }, { orderBy: [Class, "depth", "descending"] }))).toEqual(
      at(0, 2, 1, 3, 4),
    );
    expect([...query.ids()]).toEqual(at(4, 1, 3, 2, 0));
    expect([query.first()!.entity, query.count, query.has(all[2]!)]).toEqual([all[4], 5, true]);
    expect([...query].length).toBe(5);
    expect(entities(query.of(all))).toEqual(all);
    for (const { sprite } of query) sprite.depth = -sprite.depth;
    expect(entities(query)).toEqual(at(0, 2, 1, 3, 4));
  });

  test("changes that signal count when the next iteration begins", () => {
    const { ecs, all, at } = sprites([1, 2, 3, 4], Class);
    const query = ecs.query({ sprite: Class }, { orderBy: [Class, "depth"] });
    expect(entities(query)).toEqual(at(0, 1, 2, 3));
    ecs.get(all[0]!, Class).depth = 5;
    expect(entities(query)).toEqual(at(1, 2, 3, 0));
    const { columns, slot } = { columns: ecs.storage(Class).columns, slot: ecs.storage(Class).slot(all[3]!) };
    columns.depth[slot] = -1;
    expect(entities(query)).toEqual(at(1, 2, 3, 0));
    ecs.storage(Class).markDirty(all[3]!);
    expect(entities(query)).toEqual(at(3, 1, 2, 0));
    ecs.removeComponent(all[1]!, Class);
    ecs.removeEntity(all[2]!);
    ecs.removeMarked();
    expect(entities(query)).toEqual(at(3, 0));
    all.push(ecs.addEntity([Class, { depth: 0 }]));
    expect(entities(query)).toEqual(at(3, 4, 0));
    ecs.clear();
    expect(entities(query)).toEqual([]);
  });

  test("T4 changes during an iteration, and a nested one", () => {
    const { ecs, all, at } = sprites([1, 2, 3, 4, 5, 6], Class);
    const query = ecs.query({ sprite: Class }, { orderBy: [Class, "depth"] });
    const visited: Entity[] = [];
    let inner: Entity[] = [];
    for (const { entity: e, sprite } of query) {
      visited.push(e);
      expect(sprite.depth).toBe(e === all[1] ? 9 : all.indexOf(e) + 1);
      if (e !== all[0]) continue;
      ecs.get(all[1]!, Class).depth = 9; // counts for the next iteration
      ecs.removeComponent(all[2]!, Class);
      ecs.removeComponent(all[3]!, Class);
      ecs.addComponent(all[3]!, Class, { depth: 4 }); // counts as added
      all.push(ecs.addEntity([Class, { depth: 4.5 }]));
      inner = entities(query);
    }
    expect(visited).toEqual(at(0, 1, 4, 5));
    expect(inner).toEqual(at(0, 3, 6, 4, 5, 1));
    expect(entities(query)).toEqual(inner);
  });

  test("T4 an entity that gets the index of a removed one during an iteration is not visited", () => {
    const ecs = world();
    const all = Array.from({ length: 200 }, (_, k) => ecs.addEntity([Class, { depth: (k * 37) % 200 }], Position));
    const query = ecs.query({ sprite: Class, position: Position }, { orderBy: [Class, "depth"] });
    const order = entities(query);
    const visited: Entity[] = [];
    for (const { entity: e } of query) {
      visited.push(e);
      if (visited.length !== 5) continue;
      for (const removed of order.slice(60, 90)) ecs.removeEntity(removed);
      ecs.removeMarked();
      for (let k = 0; k < 30; ++k) all.push(ecs.addEntity([Class, { depth: 70 }], Position));
    }
    expect(visited).toEqual([...order.slice(0, 60), ...order.slice(90)]);
  });

  test("T4 a loop that spawns what it visits ends, also when memory grows", () => {
    const { ecs } = sprites([1, 2, 3], Class);
    let steps = 0;
    for (const { sprite } of ecs.query({ sprite: Class }, { orderBy: [Class, "depth"] })) {
      ++steps;
      ecs.prefab({ sprite: Class }).spawn(20_000, { sprite: { depth: sprite.depth } });
    }
    expect([steps, ecs.count]).toEqual([3, 60_003]);
  });
});

describe("Q10", () => {
  test("NaN is last, -0 equals 0", () => {
    const { ecs, at } = sprites([NaN, 0, -0, Infinity, -Infinity, 1e-40, -1e-40]);
    const by = (direction: "ascending" | "descending") =>
      entities(ecs.query({ sprite: Sprite }, { orderBy: [Sprite, "depth", direction] }));
    expect(by("ascending")).toEqual(at(4, 6, 1, 2, 5, 3, 0));
    expect(by("descending")).toEqual(at(3, 5, 1, 2, 6, 4, 0));
  });

  test("enums are in the order of their names in the declaration", () => {
    class Layered extends defineComponent("Layered", { at: "f32x3", layer: ["floor", "crates", "effects"] }) {}
    const ecs = world();
    const all = (["effects", "floor", "crates", "floor"] as const).map((layer) => ecs.addEntity([Layered, { layer }]));
    const query = ecs.query({ layered: Layered }, { orderBy: [Layered, "layer"] });
    expect(entities(query)).toEqual([1, 3, 2, 0].map((k) => all[k]));
  });

  test("filters, other classes and objects apply", () => {
    const { ecs, all, at } = sprites([3, 1, 2, 0]);
    ecs.addComponent(all[0]!, new Position({ x: 7 }));
    ecs.addComponent(all[1]!, new Position({ x: 8 }));
    ecs.addComponent(all[1]!, new Tag());
    for (const k of [0, 2, 3]) ecs.addComponent(all[k]!, new Health(k));
    const order = { orderBy: [Sprite, "depth"] as const };
    expect([...ecs.query({ position: Position, sprite: Sprite }, order)].length).toBe(2);
    const xs = [];
    for (const { position, sprite } of ecs.query({ position: Position, sprite: Sprite }, order))
      xs.push([position.x, sprite.depth]);
    expect(xs).toEqual([
      [8, 1],
      [7, 3],
    ]);
    expect(entities(ecs.query({ sprite: Sprite }, { ...order, without: [Tag] }))).toEqual(at(3, 2, 0));
    const healths = [];
    for (const { health } of ecs.query({ sprite: Sprite, health: Health }, order)) healths.push(health.current);
    expect(healths).toEqual([3, 2, 0]);
    const optional = [];
    for (const { health } of ecs.query({ sprite: Sprite }, { ...order, optional: { health: Health } }))
      optional.push(health?.current);
    expect(optional).toEqual([3, undefined, 2, 0]);
  });

  test("equal sorted queries are one object; others are not", () => {
    const { ecs } = sprites([1]);
    const shape = { sprite: Sprite };
    const query = ecs.query(shape, { orderBy: [Sprite, "depth"] });
    expect(ecs.query({ sprite: Sprite }, { orderBy: [Sprite, "depth"] })).toBe(query);
    expect(ecs.query(shape)).not.toBe(query);
    expect(ecs.query(shape, { orderBy: [Sprite, "time"] })).not.toBe(query);
    expect(ecs.query(shape, { orderBy: [Sprite, "depth", "descending"] })).not.toBe(query);
  });

  test("the rows of a system are sorted, its dirty set is not", () => {
    const { ecs, all, at } = sprites([3, 1, 2]);
    const seen: Entity[][] = [];
    class Draw extends defineSystem(
      { sprite: Sprite },
      { watch: [Sprite], without: [Tag], orderBy: [Sprite, "depth"] },
    ) {
      override update() {
        seen.push(entities(this.rows), entities(this.dirty));
      }
    }
    ecs.addSystem(0, new Draw());
    ecs.update();
    expect(seen.splice(0)).toEqual([at(1, 2, 0), at(0, 1, 2)]);
    ecs.get(all[2]!, Sprite).depth = 0;
    ecs.addComponent(all[0]!, new Tag());
    ecs.update();
    expect(seen).toEqual([at(2, 1), at(2)]);
  });

  test("an iteration that is left early, or abandoned, and dispose", () => {
    const { ecs, all, at } = sprites([3, 1, 2]);
    const query = ecs.query({ sprite: Sprite }, { orderBy: [Sprite, "depth"] });
    for (const _ of query) break;
    const abandoned = query[Symbol.iterator]();
    expect(abandoned.next().value?.entity).toBe(all[1]);
    ecs.get(all[0]!, Sprite).depth = 0;
    expect(entities(query)).toEqual(at(0, 1, 2));
    expect(abandoned.next().value?.entity).toBe(all[2]);
    ecs.dispose();
    expect(abandoned.next().done).toBe(true);
  });

  test("X1 what can't be sorted is an error", () => {
    const { ecs } = sprites([1]);
    const query = (orderBy: unknown) =>
      expectError("BAD_ARGUMENT", () =>
        ecs.query({ sprite: Sprite, health: Health } as Record<string, ComponentClass>, { orderBy: orderBy as never }),
      ).message;
    expect(query([Sprite, "height"])).toBe(
      'query: orderBy: Sprite has no stored value "height"; it has depth, time, small, level, row, cell, x, y, front',
    );
    expect(query([Health, "current"])).toBe(
      'query: orderBy: Health has no stored value "current"; put it into a class of defineComponent',
    );
    class Placed extends defineComponent("Placed", { at: "f32x2", z: "f32" }) {}
    const placed = () => ecs.query({ placed: Placed }, { orderBy: [Placed, "at" as never] });
    expect(expectError("BAD_ARGUMENT", placed).message).toBe(
      'query: orderBy: Placed has no stored value "at"; it has z',
    );
    for (const wrong of [[Position, "x"], "depth", [], [undefined, "depth"], 3])
      expect(query(wrong)).toMatch(/^query: orderBy must be \[Class, "field"\] with a class of the shape, not /);
    expect(query([Sprite, "depth", "down"])).toBe(
      'query: orderBy: the direction must be "ascending" or "descending", not "down"',
    );
  });

  test("the order equals a sort after random changes", () => {
    const next = random(3);
    const ecs: ECS = world();
    const all: Entity[] = [];
    const any = () => all[next(all.length)]!;
    const number = () => [0, -0, 1.5, -3.25, 1e9, -1e9, NaN, next(100), -next(1000)][next(9)]!;
    const values = () => ({
      depth: number(),
      time: number(),
      small: next(256) - 128,
      level: next(256),
      row: next(65536) - 32768,
      cell: next(65536),
      x: next(2 ** 31) * (next(2) === 0 ? 1 : -1),
      y: next(2 ** 32),
      front: next(2) === 0,
    });
    const names = Object.keys(fields) as (keyof typeof fields)[];
    for (let step = 0; step < 150; ++step) {
      for (let k = next(10) === 0 ? 100 : next(4); k > 0; --k) {
        const what = next(8);
        if (what < 3 || all.length === 0) all.push(ecs.addEntity([Sprite, values()]));
        else if (what < 5) ecs.addComponent(any(), Sprite, values());
        else if (what < 6) Object.assign(ecs.tryGet(any(), Sprite) ?? {}, values());
        else if (what < 7) ecs.removeComponent(any(), Sprite);
        else {
          ecs.removeEntity(all.splice(next(all.length), 1)[0]!);
          ecs.removeMarked();
        }
      }
      const name = names[next(names.length)]!;
      const sign = next(2) === 0 ? 1 : -1;
      const value = (e: Entity) => Number(ecs.get(e, Sprite)[name]);
      const expected = entities(ecs.query({ sprite: Sprite })).sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        const byValue = Number.isNaN(x) || Number.isNaN(y) ? Number(Number.isNaN(x)) - Number(Number.isNaN(y)) : x - y;
        return (Number.isNaN(x) || Number.isNaN(y) ? byValue : sign * byValue) || entityIndex(a) - entityIndex(b);
      });
      const direction = sign === 1 ? "ascending" : "descending";
      expect(entities(ecs.query({ sprite: Sprite }, { orderBy: [Sprite, name, direction] }))).toEqual(expected);
    }
  });
});
