// Parents and children, and the dirty sets that follow from them (rules H1 to H4, D12, D13).
import { describe, expect, test } from "@jest/globals";
import { NONE, Parent, defineSystem, type ECS, type Entity } from "crateful";
import {
  Health,
  PackedTag,
  Position,
  Tag,
  Velocity,
  add,
  entities,
  entity,
  expectError,
  kinds,
  positions,
  random,
  world,
} from "./world.js";

class Transforms extends defineSystem(
  { position: Position },
  { watch: [Position], watchAncestors: [Position, Velocity] },
) {
  seen: Entity[] = [];
  override update() {
    this.seen = entities(this.dirty.topDown());
  }
}

/** Entities with a position: 0 with the children 1 and 2; 1 with 3 and 4; 4 with 5; 6 alone. */
function tree(): { ecs: ECS; all: Entity[]; at: (...numbers: number[]) => Entity[] } {
  const ecs = world();
  const all = positions(ecs, 7);
  for (const [child, parent] of [
    [1, 0],
    [2, 0],
    [3, 1],
    [4, 1],
    [5, 4],
  ] as const)
    ecs.setParent(all[child]!, all[parent]!);
  return { ecs, all, at: (...numbers) => numbers.map((i) => all[i]!) };
}
const children = (ecs: ECS, e: Entity) => [...ecs.children(e)];
const sorted = (list: Iterable<Entity>) => [...list].sort((a, b) => a - b);

describe("H1", () => {
  test("an entity has a parent and children in their order", () => {
    const { ecs, all, at } = tree();
    expect([ecs.parent(all[4]!), ecs.parent(all[0]!), ecs.parent(all[6]!)]).toEqual([all[1], NONE, NONE]);
    expect([children(ecs, all[0]!), children(ecs, all[6]!)]).toEqual([at(1, 2), []]);
    ecs.setParent(all[6]!, all[0]!, all[2]);
    expect(children(ecs, all[0]!)).toEqual(at(1, 6, 2));
    ecs.setParent(all[1]!, all[0]!);
    expect(children(ecs, all[0]!)).toEqual(at(6, 2, 1));
    ecs.setParent(all[4]!, all[6]!);
    expect([children(ecs, all[1]!), children(ecs, all[6]!), children(ecs, all[4]!)]).toEqual([at(3), at(4), at(5)]);
    ecs.setParent(all[4]!, NONE);
    expect([ecs.parent(all[4]!), children(ecs, all[6]!)]).toEqual([NONE, []]);
  });

  test("E10 NONE as the parent of the world has no effect", () => {
    const { ecs, all } = tree();
    ecs.setParent(all[0]!, ecs.world);
    ecs.setParent(ecs.world, NONE);
    expect([ecs.parent(ecs.world), ecs.parent(all[0]!)]).toEqual([NONE, ecs.world]);
  });

  test("an error changes nothing, and its message names the call and the entities", () => {
    const { ecs, all, at } = tree();
    const stale = ecs.addEntity();
    ecs.removeEntity(stale);
    ecs.removeMarked();
    const bad: [unknown, unknown, unknown?][] = [
      [all[0], all[0]],
      [all[0], all[5]],
      [all[6], all[0], all[3]],
      [all[6], all[0], all[6]],
      [all[6], NONE, all[1]],
      [ecs.world, all[0]],
    ];
    for (const [child, parent, before] of bad) {
      const error = expectError("BAD_ARGUMENT", () =>
        ecs.setParent(child as Entity, parent as Entity, before as Entity),
      );
      expect(error.message).toMatch(/^setParent: entity \d+ /);
    }
    for (const wrong of [stale, -1, 1.5] as never[]) {
      expectError("STALE_ENTITY", () => ecs.setParent(wrong, all[0]!));
      expectError("STALE_ENTITY", () => ecs.setParent(all[6]!, wrong));
      expectError("STALE_ENTITY", () => ecs.setParent(all[6]!, all[0]!, wrong));
    }
    for (const wrong of ["1", null, {}] as never[]) {
      expectError("BAD_ARGUMENT", () => ecs.setParent(wrong, all[0]!));
      expectError("BAD_ARGUMENT", () => ecs.setParent(all[6]!, wrong));
      expectError("BAD_ARGUMENT", () => ecs.setParent(all[6]!, all[0]!, wrong));
      expectError("BAD_ARGUMENT", () => ecs.parent(wrong));
    }
    expect([children(ecs, all[0]!), children(ecs, all[1]!), ecs.parent(all[6]!)]).toEqual([at(1, 2), at(3, 4), NONE]);
  });

  test("children can change during an iteration", () => {
    const { ecs, all, at } = tree();
    const visited: Entity[] = [];
    for (const child of ecs.children(all[1]!)) {
      visited.push(child);
      ecs.setParent(child, NONE);
    }
    expect([visited, children(ecs, all[1]!)]).toEqual([at(3, 4), []]);
    visited.length = 0;
    for (const child of ecs.children(all[0]!)) {
      visited.push(child);
      ecs.setParent(all[2]!, all[6]!);
      ecs.setParent(all[3]!, all[0]!, child);
    }
    expect(visited).toEqual(at(1));
    const [first, second] = positions(ecs, 2);
    for (const child of [first!, second!]) ecs.setParent(child, all[5]!);
    visited.length = 0;
    for (const child of ecs.children(all[5]!)) {
      visited.push(child);
      ecs.removeEntity(second!);
      ecs.removeMarked();
      ecs.setParent(ecs.addEntity(), all[5]!); // with the index of the removed one
    }
    expect(visited).toEqual([first]);
    visited.length = 0;
    for (const child of ecs.children(all[0]!)) {
      visited.push(child);
      ecs.clear();
      const again = positions(ecs, 7); // the same indices
      ecs.setParent(again[1]!, again[0]!);
    }
    expect(visited.length).toBe(1);
  });

  test("an iteration that begins after the entity was removed visits nothing", () => {
    const { ecs, all } = tree();
    const iterator = ecs.children(all[4]!);
    ecs.removeEntity(all[4]!);
    ecs.removeMarked();
    for (const parent of ecs.addEntities(2)) ecs.setParent(ecs.addEntity(), parent); // one has its index
    expect([...iterator]).toEqual([]);
  });
});

test("H2 removing an entity removes its descendants, ancestors first", () => {
  const { ecs, all, at } = tree();
  const removed: Entity[] = [];
  add(ecs, { onRemove: ({ entity: e }) => removed.push(e) });
  ecs.removeEntity(all[6]!);
  ecs.removeEntity(all[1]!);
  ecs.update();
  expect(removed).toEqual(at(6, 1, 3, 4, 5));
  expect([ecs.count, children(ecs, all[0]!)]).toEqual([2, at(2)]);
});

test("H2 H3 a child of a removed entity has Parent, and is removed though it gets another parent", () => {
  const { ecs, all } = tree();
  const seen: unknown[] = [];
  add(ecs, {
    onRemove({ entity: e }) {
      if (e !== all[3]) return;
      seen.push(ecs.has(e, Parent), ecs.parent(e));
      ecs.setParent(all[4]!, all[6]!);
    },
  });
  ecs.removeEntity(all[1]!);
  ecs.update();
  expect(seen).toEqual([true, NONE]);
  expect([ecs.alive(all[4]!), children(ecs, all[6]!)]).toEqual([false, []]);
});

describe("H3", () => {
  test("systems require, exclude and watch Parent", () => {
    const { ecs, all, at } = tree();
    const held = add(ecs, { requires: [Parent], watches: [Parent] });
    class Roots extends defineSystem({ position: Position }, { without: [Parent] }) {
      override update() {}
    }
    const roots = ecs.addSystem(0, new Roots());
    ecs.update();
    expect([sorted(held.lastRun!), sorted(entities(roots.rows))]).toEqual([at(1, 2, 3, 4, 5), at(0, 6)]);
    ecs.setParent(all[6]!, all[3]!);
    ecs.setParent(all[4]!, all[0]!);
    ecs.update();
    expect([held.lastRun, entities(roots.rows)]).toEqual([at(6, 4), at(0)]);
    const parent = ecs.get(all[4]!, Parent);
    expect(parent.entity).toBe(all[0]);
    ecs.setParent(all[4]!, all[2]!);
    expect(parent.entity).toBe(all[2]);
    expect(ecs.query({ parent: Parent }).at(all[4]!)!.parent.entity).toBe(all[2]);
  });

  test("only setParent writes it", () => {
    const { ecs, all } = tree();
    const parent = ecs.get(all[1]!, Parent);
    for (const call of [
      () => Object.assign(parent, { entity: all[6] }),
      () => Object.assign(ecs.query({ p: Parent }).at(all[1]!)!.p, { entity: all[6] }),
      () => new Parent({ entity: all[6]! }),
      () => ecs.addComponent(all[6]!, new Parent()),
      () => ecs.addComponent(all[6]!, Parent),
      () => ecs.addComponents(all, Parent),
      () => ecs.addEntity(Parent),
      () => ecs.prefab([Parent]).spawn(),
      () => ecs.removeComponent(all[1]!, Parent),
      () => ecs.removeComponents(all, Parent),
      () => ecs.addComponents([], Parent),
      () => ecs.removeComponents([], Parent),
      () => ecs.prefab([Parent]).spawn(0),
      () => ecs.prefab([Parent]).spawn(3),
    ])
      expect(expectError("BAD_ARGUMENT", call).message).toContain("Parent");
    expect([ecs.count, parent.entity, ecs.parent(all[1]!), ecs.has(all[6]!, Parent)]).toEqual([
      7,
      all[0],
      all[0],
      false,
    ]);
  });

  test("every call that names it is an error, also before there is a hierarchy; a stale entity is reported first", () => {
    const ecs = world();
    const e = ecs.addEntity();
    class Mine extends Parent {}
    for (const cls of [Parent, Mine])
      for (const list of [[], [e], Uint32Array.of(e)]) {
        expectError("BAD_ARGUMENT", () => ecs.removeComponents(list, cls));
        expectError("BAD_ARGUMENT", () => ecs.addComponents(list, cls));
        expectError("BAD_ARGUMENT", () => ecs.removeComponent(e, cls));
        expectError("BAD_ARGUMENT", () => ecs.addComponent(e, cls));
        expectError("BAD_ARGUMENT", () => ecs.addComponent(e, new cls()));
      }
    const gone = ecs.addEntity();
    ecs.removeEntity(gone);
    ecs.removeMarked();
    for (const list of [[e, gone], Uint32Array.of(e, gone)]) {
      expectError("STALE_ENTITY", () => ecs.removeComponents(list, Parent));
      expectError("STALE_ENTITY", () => ecs.addComponents(list, Parent));
    }
    expectError("STALE_ENTITY", () => ecs.removeComponent(gone, Parent));
    expectError("STALE_ENTITY", () => ecs.addComponent(gone, Parent));
    expectError("STALE_ENTITY", () => ecs.addComponent(gone, new Parent()));
    expect(JSON.stringify(ecs.getComponents(e))).toBe(JSON.stringify({ entity: e }));
  });

  test("C8 getComponents lists it, also if it was not used before", () => {
    const ecs = world();
    const [parent, child] = [ecs.addEntity(), ecs.addEntity(Position)];
    ecs.setParent(child, parent);
    const listed = { entity: child, Parent: { entity: parent }, Position: { x: 0, y: 0 } };
    expect(JSON.parse(JSON.stringify(ecs.getComponents(child)))).toEqual(listed);
    expect(ecs.getComponents(child)).toMatchObject({ Parent: { entity: parent } });
    expect(JSON.parse(JSON.stringify(ecs.getComponents(parent)))).toEqual({ entity: parent });
  });

  test("clear removes the hierarchy", () => {
    const { ecs } = tree();
    ecs.clear();
    for (const e of positions(ecs, 7)) expect([ecs.parent(e), children(ecs, e)]).toEqual([NONE, []]);
  });
});

test("H4 a hierarchy of 100,000 levels", () => {
  const ecs = world();
  const system = ecs.addSystem(0, new Transforms());
  const all = positions(ecs, 100_000);
  for (let i = 1; i < all.length; ++i) ecs.setParent(all[i]!, all[i - 1]!);
  ecs.update();
  for (const e of [...all].reverse()) ++ecs.storage(Position).at(e)!.x;
  ecs.update();
  expect(system.seen).toEqual(all);
  ++ecs.get(all[0]!, Position).x;
  ecs.update();
  expect(system.seen).toEqual(all);
  ecs.removeEntity(all[0]!);
  ecs.update();
  expect(ecs.count).toBe(0);
});

describe("D13", () => {
  test("a signal makes the descendants dirty", () => {
    const { ecs, all, at } = tree();
    const system = ecs.addSystem(0, new Transforms());
    ecs.update();
    const runs: Entity[][] = [];
    const changes = [
      () => ++ecs.get(all[1]!, Position).x,
      () => ecs.addComponent(all[1]!, Velocity), // its own signals do not count
      () => ecs.storage(Position).markDirty(at(5, 0)),
      () => ecs.setParent(all[4]!, all[2]!),
      () => ecs.setParent(all[4]!, NONE),
      () => ecs.setParent(all[4]!, NONE),
    ];
    for (const change of changes) {
      change();
      ecs.update();
      runs.push(sorted(system.seen));
    }
    expect(runs).toEqual([at(1, 3, 4, 5), at(3, 4, 5), at(0, 1, 2, 3, 4, 5), at(4, 5), at(4, 5), []]);
  });

  test("topDown iterates ancestors before descendants, in systems and queries of either form", () => {
    const { ecs, all, at } = tree();
    const orders: Entity[][] = [];
    const query = ecs.query({ position: Position });
    const system = add(ecs, {
      watches: [Position],
      update(_, __, dirty) {
        orders.push([...dirty.topDown()], entities(query.of(dirty.topDown())));
      },
    });
    ecs.update();
    for (const i of [5, 3, 0, 4, 6, 1]) ++ecs.get(all[i]!, Position).x;
    ecs.update();
    expect(system.runs.at(-1)).toEqual(at(5, 3, 0, 4, 6, 1));
    for (const order of orders.slice(2)) {
      expect(sorted(order)).toEqual(at(0, 1, 3, 4, 5, 6));
      const [zero, one, three, four, five] = at(0, 1, 3, 4, 5).map((e) => order.indexOf(e)) as [
        number,
        number,
        number,
        number,
        number,
      ];
      expect([zero < one, one < three, one < four, four < five]).toEqual([true, true, true, true]);
    }
    expect(orders[2]).toEqual(orders[3]);
    ecs.removeSystem(system);
    expect([...system.dirty.topDown()]).toEqual([]);
  });

  test("an iteration in progress visits every entity once while another one sorts", () => {
    const { ecs, all, at } = tree();
    const visited: Entity[] = [];
    let ready = false;
    add(ecs, {
      watches: [Position],
      update(_, __, dirty) {
        if (!ready) return;
        for (const e of dirty) {
          visited.push(e);
          if (visited.length === 2) expect(sorted(dirty.topDown())).toEqual(at(0, 1, 3, 4, 5));
        }
      },
    });
    ecs.update();
    ready = true;
    for (const i of [5, 3, 4, 1, 0]) ++ecs.get(all[i]!, Position).x;
    ecs.update();
    expect(sorted(visited)).toEqual(at(0, 1, 3, 4, 5));
  });

  test.each(kinds)(
    "adding and removing a $kind component that is read from parents makes their children dirty",
    ({ cls, make }) => {
      const { ecs, all, at } = tree();
      const read = { parent: { above: cls } };
      class Below extends defineSystem({ tag: Tag }, { watchAncestors: [PackedTag], ...read }) {
        override update() {
          for (const _ of this.dirty);
        }
      }
      class Reader extends defineSystem({ tag: Tag }, { watch: [PackedTag], ...read }) {
        override update() {
          for (const _ of this.dirty);
        }
      }
      for (const e of all) {
        ecs.removeComponent(e, Position);
        ecs.addComponent(e, new Tag());
      }
      const [below, reader] = [ecs.addSystem(0, new Below()), ecs.addSystem(0, new Reader())];
      const dirty = () => {
        expect(reader.dirty.size).toBe(0); // it watches no class from ancestors
        const found = sorted(below.dirty.ids);
        ecs.update();
        return found;
      };
      ecs.update();
      ecs.addComponent(all[1]!, make(1));
      expect(dirty()).toEqual(at(3, 4, 5));
      ecs.addComponent(all[1]!, make(2)); // replaces it
      expect(dirty()).toEqual([]);
      ecs.addComponent(all[2]!, make(1)); // it has no children
      expect(dirty()).toEqual([]);
      ecs.removeComponent(all[1]!, cls);
      expect(dirty()).toEqual(at(3, 4, 5));
      ecs.add(all[4]!, make(1), new Position());
      expect(dirty()).toEqual(at(5));
      ecs.removeComponent(all[4]!, Position, cls);
      expect(dirty()).toEqual(at(5));
    },
  );

  test("world transforms are those of a recomputation after random changes", () => {
    const next = random(13);
    const ecs = world();
    class WorldPositions extends defineSystem(
      { local: Position, world: Velocity },
      { watch: [Position], watchAncestors: [Position], parent: { above: Velocity } },
    ) {
      updates = 0;
      override update() {
        for (const { local, world: own, above } of this.dirty.topDown()) {
          own.x = local.x + (above?.x ?? 0);
          ++this.updates;
        }
      }
    }
    const system = ecs.addSystem(0, new WorldPositions());
    const all = positions(ecs, 60);
    ecs.addComponents(all, Velocity);
    const expected = (e: Entity): number => {
      const parent = ecs.parent(e);
      return ecs.get(e, Position).x + (parent !== NONE && ecs.has(parent, Velocity) ? expected(parent) : 0);
    };
    for (let frame = 0; frame < 200; ++frame) {
      for (let i = 0; i < 3; ++i) {
        const [child, parent] = [all[next(60)]!, all[next(60)]!];
        let above = parent;
        while (above !== NONE && above !== child) above = ecs.parent(above);
        if (above === NONE) ecs.setParent(child, next(4) === 0 ? NONE : parent);
        ecs.get(all[next(60)]!, Position).x = next(100);
        const e = all[next(60)]!;
        if (ecs.has(e, Velocity)) ecs.removeComponent(e, Velocity);
        else ecs.addComponent(e, new Velocity());
      }
      ecs.update();
      const placed = all.filter((e) => ecs.has(e, Velocity));
      expect(placed.map((e) => ecs.get(e, Velocity).x)).toEqual(placed.map(expected));
    }
    expect(system.updates).toBeLessThan(200 * 60);
  });
});

describe("D12", () => {
  test("keep keeps the entity for the next run", () => {
    const { ecs, all, at } = tree();
    let keeps = true;
    const system = add(ecs, {
      watches: [Position],
      update(_, __, dirty) {
        for (const e of dirty) if (keeps && e === all[3]) dirty.keep(e);
      },
    });
    ecs.update();
    keeps = false;
    ecs.update();
    ecs.update();
    expect(system.runs.slice(1)).toEqual([at(3), []]);
    ecs.get(all[3]!, Position).dirty();
    system.dirty.keep(all[3]!); // outside of a run, it is in the set for the next one in any case
    ecs.update();
    ecs.update();
    expect(system.runs.slice(3)).toEqual([at(3), []]);
    for (const wrong of [all[3], 1.5, "x", undefined] as never[])
      expectError("BAD_ARGUMENT", () => system.dirty.keep(wrong));
  });

  test("leaving the set ends the keeping", () => {
    const { ecs, all } = tree();
    let visited: Entity[] = [];
    const system = add(ecs, { watches: [Position] });
    ecs.update();
    ecs.get(all[3]!, Position).x = 8;
    const other = add(ecs, {
      watches: [Position],
      update(_, __, dirty) {
        dirty.keep(all[3]!);
        ecs.removeComponent(all[3]!, Position);
        ecs.addComponent(all[3]!, new Position());
        visited = [...dirty];
      },
    });
    ecs.update();
    expect(visited).toContain(all[3]);
    expect([...other.dirty]).toEqual([]);
    expect([...system.dirty]).toEqual([all[3]]);
  });

  test("keep of a system with rows", () => {
    const ecs = world();
    class Twice extends defineSystem({ position: Position }, { watch: [Position] }) {
      readonly sizes: number[] = [];
      override update() {
        this.sizes.push(this.dirty.size);
        if (this.sizes.length < 3) for (const row of this.dirty) this.dirty.keep(row.entity);
      }
    }
    const system = ecs.addSystem(0, new Twice());
    entity(ecs, new Position());
    for (let i = 0; i < 4; ++i) ecs.update();
    expect(system.sizes).toEqual([1, 1, 1, 0]);
  });
});

describe("H5", () => {
  test("rows contain components of the parent", () => {
    const { ecs, all } = tree();
    const health = new Health(7);
    ecs.addComponent(all[1]!, health);
    const query = ecs.query({ position: Position }, { parent: { above: Position, health: Health } });
    const seen = new Map(Array.from(query, (row) => [row.entity, [row.above?.x, row.health]]));
    expect(all.map((e) => seen.get(e))).toEqual([
      [undefined, undefined],
      [0, undefined],
      [0, undefined],
      [1, health],
      [1, health],
      [4, undefined],
      [undefined, undefined],
    ]);
    const row = query.at(all[5]!)!;
    row.above!.x = 40;
    expect(ecs.get(all[4]!, Position).x).toBe(40);
    ecs.setParent(all[5]!, all[6]!);
    expect(query.at(all[5]!)!.above!.x).toBe(6);
    ecs.removeComponent(all[6]!, Position);
    expect(query.at(all[5]!)!.above).toBe(undefined);
    ecs.setParent(all[5]!, NONE);
    expect(query.at(all[5]!)!.above).toBe(undefined);
    expect(ecs.query({ position: Position }, { parent: { above: Position, health: Health } })).toBe(query);
    expectError("BAD_ARGUMENT", () => ecs.query({ position: Position }, { parent: { position: Position } }));
    expectError("BAD_ARGUMENT", () => ecs.query({ position: Position }, { parent: [Position] as never }));
  });

  test("a change of a parent's component signals", () => {
    const { ecs, all, at } = tree();
    const system = ecs.addSystem(1, new Transforms());
    ecs.update();
    for (const { above } of ecs.query({ position: Position }, { parent: { above: Position } }).of(at(4))) above!.x += 9;
    ecs.update();
    expect(sorted(system.seen)).toEqual(at(1, 3, 4, 5));
    expect(ecs.get(all[1]!, Position).x).toBe(10);
  });
});
