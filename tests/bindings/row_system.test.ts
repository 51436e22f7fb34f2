// Rules S13 and S14: systems whose entities are rows, their queries, order and names.
import { describe, expect, test } from "@jest/globals";
import { Aspect, Component, System, defineSystem, type Entity, type Query } from "crateful";
import { Health, Position, Tag, Velocity, add, entities, entity, expectError, positions, world } from "./world.js";

class Mover extends defineSystem({ position: Position, velocity: Velocity }, { optional: { health: Health } }) {
  override update(delta: number) {
    for (const { position, velocity, health } of this.rows) {
      position.x += velocity.x * delta;
      if (health !== undefined) health.current -= 1;
    }
  }
}
class Drawn extends Aspect {
  draws = 0;
}
class Draw extends defineSystem({ position: Position }, { watch: [Position, Health], aspect: Drawn, name: "draw" }) {
  readonly drawn: [Entity, number, number][] = [];
  override update() {
    for (const { entity: e, position, aspect } of this.dirty) this.drawn.push([e, position.x, ++aspect.draws]);
  }
}

describe("S13 defineSystem", () => {
  test("requires the classes of the shape; rows are its tracked entities", () => {
    const ecs = world();
    const mover = ecs.addSystem(0, new Mover());
    expect(Array.from(mover.componentsRequired)).toEqual([Position, Velocity]);
    const health = new Health(7);
    const both = entity(ecs, new Position({ x: 1 }), new Velocity({ x: 2 }), health);
    const other = entity(ecs, new Position({ x: 1 }));
    ecs.update(2);
    expect([ecs.get(both, Position).x, ecs.get(other, Position).x, health.current]).toEqual([5, 1, 6]);
    expect(mover.rows.count).toBe(1);
    expect(Object.keys(Object.getPrototypeOf(mover.rows.first()!) as object)).toEqual([
      "entity",
      "position",
      "velocity",
      "health",
    ]);
    expect(mover.rows.at(both)!.position.x).toBe(5);
    expect(mover.rows.at(other)).toBeUndefined();
    expect(entities(mover.rows.of([other, both]))).toEqual([both]);
    expect([mover.rows.has(both), mover.rows.has(other), mover.rows.first()!.entity]).toEqual([true, false, both]);
  });
  test("dirty yields rows; D7 what was visited is cleared, and the rest stays", () => {
    const ecs = world();
    const all = positions(ecs, 4);
    const draw = ecs.addSystem(0, new Draw());
    ecs.update();
    expect(draw.drawn).toEqual(all.map((e, i) => [e, i, 1]));
    draw.drawn.length = 0;
    ecs.get(all[2]!, Position).x = 9;
    ecs.addComponent(all[1]!, new Health());
    expect([draw.dirty.size, draw.dirty.has(all[2]!), draw.dirty.has(all[3]!)]).toEqual([2, true, false]);
    expect(Array.from(draw.dirty.ids)).toEqual([all[2], all[1]]);
    ecs.update();
    expect(draw.drawn).toEqual([
      [all[2], 9, 2],
      [all[1], 1, 2],
    ]);
    expect(draw.dirty.size).toBe(0);
  });
  test("rows are in tracking order, also when storages have another one, and change with removals", () => {
    const ecs = world();
    const all = positions(ecs, 300);
    ecs.addComponents(all.slice().reverse(), Velocity, { x: all.slice().reverse() });
    const mover = ecs.addSystem(0, new Mover());
    const tracked = () => entities(mover.rows);
    expect(tracked()).toEqual(all);
    const seen: Entity[] = [];
    for (const { entity: e, position, velocity } of mover.rows) {
      expect([position.x, velocity.x]).toEqual([all.indexOf(e), e]);
      seen.push(e);
      if (seen.length === 51) ecs.removeComponents(all.slice(40, 60), Velocity);
      if (e === all[100]) ecs.addComponents(all.slice(40, 60), Velocity, { x: all.slice(40, 60) });
    }
    expect(seen.slice(0, 51)).toEqual(all.slice(0, 51));
    expect(seen.slice(51).sort((a, b) => a - b)).toEqual(all.slice(60)); // without those that were added again
    expect(entities(mover.rows).sort((a, b) => a - b)).toEqual(all);
    expect(entities(mover.rows).slice(280)).toEqual(all.slice(40, 60));
    expect(mover.rows.count).toBe(300);
  });
  test("an entity that is untracked while it still has the components is no row", () => {
    const ecs = world();
    const all = positions(ecs, 6);
    const counts: number[] = [];
    class Leaving extends defineSystem({ position: Position }) {
      override update() {}
      override onRemove(aspect: Aspect) {
        counts.push(this.rows.count, entities(this.rows).length, entities(this.rows.of(all)).length);
        for (const { entity: e, position } of this.rows) expect(position.x).toBe(all.indexOf(e));
        expect(this.rows.has(aspect.entity)).toBe(false);
        expect(this.rows.at(aspect.entity)).toBeUndefined();
      }
    }
    const leaving = ecs.addSystem(0, new Leaving());
    expect(entities(leaving.rows)).toEqual(all);
    ecs.clear();
    expect(counts).toEqual([5, 4, 3, 2, 1, 0].flatMap((n) => [n, n, n]));
  });
  test("its options are those of a system", () => {
    const ecs = world();
    class Options extends defineSystem(
      { tag: Tag },
      { onlyWhenDirty: true, ordered: true, whilePaused: true, disabled: true, name: "o" },
    ) {
      override update() {}
    }
    const system = ecs.addSystem(3, new Options());
    expect([system.onlyWhenDirty, system.ordered, system.debug, system.disabled, system.name]).toEqual([
      true,
      true,
      true,
      true,
      "o",
    ]);
    expect(ecs.systems[0]).toMatchObject({ name: "o", enabled: false });
    class Plain extends defineSystem({ tag: Tag }) {
      override update() {}
    }
    const plain = ecs.addSystem(3, new Plain());
    expect([plain.onlyWhenDirty, plain.ordered, plain.debug, plain.disabled, plain.name]).toEqual([
      false,
      false,
      false,
      false,
      "Plain",
    ]);
  });
  test("creates an aspect of its class when it is used, and makeAspect can be overridden", () => {
    const ecs = world();
    const made: unknown[] = [];
    class Counted extends Aspect {
      constructor(readonly by = "new") {
        super();
        made.push(this);
      }
    }
    class ByClass extends defineSystem({ p: Position }, { aspect: Counted }) {
      readonly seen: string[] = [];
      override update() {
        for (const { aspect } of this.rows.of([1])) this.seen.push(aspect.by);
      }
    }
    class ByMethod extends ByClass {
      override makeAspect() {
        return new Counted("method");
      }
    }
    const all = positions(ecs, 3);
    const byClass = ecs.addSystem(0, new ByClass());
    ecs.update();
    expect([byClass.seen, made.length]).toEqual([["new"], 1]);
    const byMethod = ecs.addSystem(0, new ByMethod());
    ecs.update();
    expect([byMethod.seen, made.length]).toEqual([["method"], 4]);
    class ByFunction extends defineSystem({ p: Position }, { aspect: () => new Counted("function") }) {
      readonly seen: string[] = [];
      override update() {
        for (const { aspect } of this.rows) this.seen.push(aspect.by);
      }
    }
    const byFunction = ecs.addSystem(0, new ByFunction());
    ecs.update();
    expect([byFunction.seen, new Set(made).size]).toEqual([["function", "function", "function"], 7]);
    expect(all[0]).toBe(1);
  });
  test("X1 mistakes are errors that say what is wrong", () => {
    const ecs = world();
    expectError("BAD_ARGUMENT", () => defineSystem(5 as never));
    expectError("BAD_ARGUMENT", () => defineSystem([Position] as never));
    const error = expectError("BAD_ARGUMENT", () => defineSystem({ p: Position }, { watches: [Position] } as never));
    expect(error.message).toContain("watches");
    expectError("BAD_ARGUMENT", () => defineSystem({ p: Position }, { watch: Position as never }));
    expectError("BAD_ARGUMENT", () => defineSystem({ p: Position }, { aspect: new Drawn() as never }));
    class Numbered extends defineSystem({ p: Position }, { name: 5 as never }) {
      override update() {}
    }
    expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Numbered()));
    class Empty extends defineSystem({}) {
      override update() {}
    }
    expectError("BAD_SYSTEM", () => ecs.addSystem(0, new Empty())); // S2
    class Twice extends defineSystem({ p: Position }, { optional: { p: Velocity } }) {
      override update() {}
    }
    expectError("BAD_ARGUMENT", () => ecs.addSystem(0, new Twice()));
    class Reserved extends defineSystem({ aspect: Position }) {
      override update() {}
    }
    expectError("BAD_ARGUMENT", () => ecs.addSystem(0, new Reserved()));
    expect(ecs.systems).toEqual([]);
    const draw = new Draw();
    for (const use of [() => [...draw.rows], () => draw.rows.at(0), () => draw.dirty, () => draw.rows.count])
      expectError("BAD_SYSTEM", use);
  });
  test("M3 S3 a removed system and a disposed world have no rows", () => {
    const ecs = world();
    positions(ecs, 10);
    const draw = ecs.addSystem(0, new Draw());
    let rows = 0;
    for (const { position } of draw.rows) {
      rows += 1;
      if (rows !== 5) continue;
      ecs.removeSystem(draw);
      expect(position.x).toBe(4); // the entity still has the component
    }
    expect(rows).toBe(5);
    expectError("BAD_SYSTEM", () => draw.dirty);
    const other = world();
    const [e] = positions(other, 1);
    other.addSystem(0, draw);
    expect(entities(draw.rows)).toEqual([e]);
    for (const { position } of draw.rows) {
      other.dispose();
      expectError("MISSING_COMPONENT", () => position.x);
    }
    expectError("DISPOSED", () => [...draw.rows]);
  });
});

test("S3 S13 a removed system leaves no cursors of its rows and queries, which can still be used", () => {
  const ecs = world();
  class Parents extends Component {}
  class Rows extends defineSystem(
    { p: Position },
    { watch: [Tag], optional: { v: Velocity }, parent: { above: Velocity } },
  ) {
    readonly others = this.query({ p: Position, v: Velocity });
    override update() {
      for (const { p, v, above } of this.rows) p.x += v?.x ?? above?.x ?? 1;
      for (const { p } of this.dirty) p.x += 1;
      for (const { p, v } of this.others) p.x += v.x;
      this.rows.at(all[0]!)!.p.x += 1;
    }
  }
  const all = positions(ecs, 10);
  ecs.addComponents(all.slice(4), Velocity);
  const { $world } = ecs as unknown as { $world: { table(cls: unknown): { placed: unknown[] } } };
  const cursors = () => [Position, Velocity].map((cls) => $world.table(cls).placed.length);
  const before = cursors();
  for (let i = 0; i < 20; ++i) {
    const system = ecs.addSystem(0, new Rows());
    ecs.update();
    ecs.removeSystem(system);
  }
  expect(cursors()).toEqual(before);

  const system = ecs.addSystem(0, new Rows());
  ecs.addComponents(all, Parents, () => new Parents());
  const seen: number[] = [];
  for (const row of system.rows) {
    ecs.removeSystem(system);
    const x = row.p.x;
    ecs.removeComponent(all[9]!, Position);
    ecs.removeComponent(all[8]!, Velocity);
    expect(row.p.x).toBe(x);
    const watcher = add(ecs, { watches: [Position] }); // the class is watched for the first time
    ecs.update();
    row.p.x += 1;
    ecs.update();
    expect(watcher.lastRun).toEqual([row.entity]);
    seen.push(row.entity);
  }
  expect(seen).toEqual([all[0]]);
});

describe("S13 this.query in a field initialiser", () => {
  class Chase extends System {
    componentsRequired = new Set([Position]);
    readonly targets = this.query({ position: Position, health: Health }, { without: [Tag] });
    readonly seen: number[] = [];
    update() {
      for (const { position } of this.targets) this.seen.push(position.x);
    }
  }
  test("can be used when the system was added", () => {
    const ecs = world();
    const chase = new Chase();
    expectError("BAD_SYSTEM", () => [...chase.targets]);
    entity(ecs, new Position({ x: 1 }));
    entity(ecs, new Position({ x: 2 }), new Health());
    entity(ecs, new Position({ x: 3 }), new Health(), new Tag());
    ecs.addSystem(0, chase);
    ecs.update();
    expect(chase.seen).toEqual([2]);
    expect(chase.query({ position: Position })).toBe(ecs.query({ position: Position }));
    ecs.removeSystem(chase);
    const other = world();
    other.addSystem(0, chase);
    expect(chase.targets.count).toBe(0);
  });
  test("X1 if it is invalid, the system is not added", () => {
    const ecs = world();
    class Wrong extends Chase {
      readonly wrong: Query<{}> = this.query({ position: 5 as never });
    }
    const wrong = new Wrong();
    expectError("BAD_ARGUMENT", () => ecs.addSystem(0, wrong));
    expect(ecs.systems).toEqual([]);
    expectError("BAD_SYSTEM", () => wrong.ecs);
    expectError("BAD_SYSTEM", () => [...wrong.targets]);
  });
});

describe("S14", () => {
  test("entities are in tracking order; with ordered, removals do not change it", () => {
    const ecs = world();
    class Ordered extends defineSystem({ position: Position }, { ordered: true }) {
      override update() {}
    }
    class OrderedMember extends System {
      componentsRequired = new Set([Position]);
      override readonly ordered = true;
      ids: Entity[] = [];
      update(_delta: number, tracked: ReadonlyMap<Entity, Aspect>) {
        this.ids = [...tracked.keys()];
      }
    }
    const plain = add(ecs, {});
    const ordered = ecs.addSystem(0, new Ordered());
    const member = ecs.addSystem(0, new OrderedMember());
    const all = positions(ecs, 6);
    ecs.removeComponent(all[1]!, Position);
    ecs.update();
    expect(Array.from(plain.entities.keys())).toEqual([0, 5, 2, 3, 4].map((i) => all[i]));
    expect(entities(ordered.rows)).toEqual([0, 2, 3, 4, 5].map((i) => all[i]));
    expect(member.ids).toEqual(entities(ordered.rows));
    const seen: Entity[] = [];
    for (const { entity: e } of ordered.rows) {
      seen.push(e);
      if (e === all[2]) ecs.removeComponents([all[0]!, all[2]!, all[4]!], Position);
      if (e === all[3]) ecs.addComponent(all[4]!, new Position());
    }
    expect(seen).toEqual([0, 2, 3, 5].map((i) => all[i]));
    expect(entities(ordered.rows)).toEqual([3, 5, 4].map((i) => all[i]));
  });
  test("the dirty set of an ordered system keeps the order of first signals", () => {
    const orders: Record<string, Entity[]> = {};
    for (const ordered of [false, true]) {
      const ecs = world();
      class Watcher extends defineSystem({ position: Position }, { watch: [Position], ordered }) {
        override update() {}
      }
      const watcher = ecs.addSystem(0, new Watcher());
      const all = positions(ecs, 6);
      ecs.update();
      for (const i of [4, 2, 5, 1, 3]) ecs.get(all[i]!, Position).x += 1;
      ecs.removeComponent(all[2]!, Position);
      ecs.get(all[4]!, Position).x += 1; // not its first signal
      ecs.removeEntities([all[0]!, all[5]!]);
      ecs.removeMarked();
      orders[String(ordered)] = Array.from(watcher.dirty.ids, (e) => all.indexOf(e));
    }
    expect(orders).toEqual({ true: [4, 1, 3], false: [4, 3, 1] });
  });
  test("every system has a name, and is found by it", () => {
    const ecs = world();
    class Named extends System {
      override readonly name = "the named one";
      componentsRequired = new Set([Position]);
      update() {}
    }
    const named = ecs.addSystem(0, new Named());
    const draw = ecs.addSystem(1, new Draw());
    const first = ecs.addSystem(9, new Mover());
    ecs.addSystem(0, new Mover());
    expect(ecs.getSystem("the named one")).toBe(named);
    expect(ecs.getSystem("draw")).toBe(draw);
    expect(ecs.getSystem("Mover")).toBe(first);
    expect(ecs.systems.map(({ name }) => name)).toEqual(["the named one", "Mover", "draw", "Mover"]);
    expect(expectError("BAD_SYSTEM", () => ecs.getSystem("Named")).message).toContain("Named");
    ecs.removeSystem(first);
    expect(ecs.getSystem("Mover")).not.toBe(first);
  });
});

test("S5 update may declare Map and Set, as in the articles; they are read-only", () => {
  const ecs = world();
  const [e] = positions(ecs, 1);
  class Article extends System {
    componentsRequired = new Set([Position]);
    override dirtyComponents = new Set([Position]);
    update(_delta: number, tracked: Map<Entity, Aspect>, dirty: Set<Entity>) {
      expect([[...tracked.keys()], [...dirty]]).toEqual([[e], [e]]);
      for (const change of [
        () => tracked.set(1, new Aspect()),
        () => tracked.delete(e!),
        () => tracked.clear(),
        () => dirty.add(1),
        () => dirty.delete(e!),
        () => dirty.clear(),
      ])
        expectError("BAD_ARGUMENT", change);
      expect([tracked.size, dirty.size]).toEqual([1, 1]);
    }
  }
  ecs.addSystem(0, new Article());
  ecs.update();
});

test("S13 A1 the aspect of a system can be the class Aspect itself", () => {
  const ecs = world();
  const system = ecs.addSystem(
    0,
    new (class extends defineSystem({ position: Position }, { aspect: Aspect }) {
      override update() {}
    })(),
  );
  const e = ecs.addEntity(Position);
  expect(Array.from(system.rows, ({ aspect }) => [aspect.constructor, aspect.entity])).toEqual([[Aspect, e]]);
});
