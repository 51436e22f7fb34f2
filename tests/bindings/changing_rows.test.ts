// Rules Q3 and Q4: what a row shows when the components of its entity change while it is used.
import { describe, expect, test } from "@jest/globals";
import {
  Aspect,
  defineComponent,
  defineSystem,
  entityIndex,
  type ECS,
  type Entity,
  type EntityMap,
  type Query,
} from "crateful";
import { Health, Position, Velocity, add, expectError, kinds, world } from "./world.js";

class Charge extends defineComponent("Charge", { amount: "i32" }) {}
class PackedCharge extends defineComponent("PackedCharge", { amount: "i32" }, { policy: "sparse" }) {}
const pairs = kinds.flatMap((kind) => [
  { ...kind, policy: "sparse", Charge: PackedCharge as unknown as typeof Charge },
  { ...kind, policy: "linear", Charge },
]);

/** Removes an entity; returns a new one, which has its index. */
function replaced(ecs: ECS, e: Entity): Entity {
  ecs.removeEntity(e);
  ecs.removeMarked();
  const other = ecs.addEntity();
  expect(entityIndex(other)).toBe(entityIndex(e));
  return other;
}

describe.each(pairs)("Q4 a row with a $kind component, of a query with a $policy class", (pair) => {
  const { cls, make, read, kind, policy, Charge } = pair;
  const lost = (component: () => unknown) => {
    if (kind === "object") expect(component()).toBeUndefined();
    else expectError("MISSING_COMPONENT", () => read(component() as never));
  };
  /** Entities with the component, which has their number; 40, so that there are stretches and look-ups ahead. */
  const make40 = (ecs: ECS, mixed: boolean): Entity[] => {
    const all = Array.from(ecs.addEntities(40));
    all.forEach((e, i) => ecs.addComponent(e, make(i)));
    const order = mixed ? all.map((_, i) => all[(i * 7) % 40]!) : all;
    ecs.addComponents(order, Charge, { amount: order.map((e) => all.indexOf(e)) });
    return all;
  };
  const queries: [string, (ecs: ECS) => Query, boolean][] = [
    ["in one order", (ecs) => ecs.query({ c: cls, n: Charge }) as never, false],
    ["in mixed orders", (ecs) => ecs.query({ c: cls, n: Charge }) as never, true],
    ["with a filter", (ecs) => ecs.query({ c: cls, n: Charge }, { without: [Aura] }) as never, true],
    ["optional", (ecs) => ecs.query({ n: Charge }, { optional: { c: cls } }) as never, false],
  ];
  class Aura extends defineComponent("Aura") {}

  test("Q3 never shows that of another entity, which has the index of the removed one", () => {
    const ecs = world();
    const all = make40(ecs, false);
    for (const { entity: e, c } of ecs.query({ c: cls })) {
      if (e !== all[5]) continue;
      const row = ecs.query({ c: cls, n: Charge }).at(e)!;
      const other = replaced(ecs, e);
      ecs.addComponent(other, make(99));
      ecs.addComponent(other, Charge);
      lost(() => row.c);
      if (kind !== "object") lost(() => c);
      expect(row.entity).toBe(e);
      break;
    }
    const row = ecs.query({ n: Charge }, { optional: { c: cls } }).at(all[6]!)!;
    ecs.addComponent(replaced(ecs, all[6]!), make(99));
    expect(row.c).toBeUndefined();
  });

  test.each(queries)("shows what its entity has when it is read: %s", (_, queryOf, mixed) => {
    const ecs = world();
    const all = make40(ecs, mixed);
    const visited = new Set<Entity>();
    for (const row of queryOf(ecs) as unknown as Iterable<{ entity: Entity; c: never; n: Charge }>) {
      const e = row.entity;
      const i = all.indexOf(e);
      visited.add(e);
      expect([read(row.c), row.n.amount]).toEqual([i, i]);
      if (i % 3 !== 0) continue;
      const before = row.c;
      ecs.removeComponent(e, cls);
      if (_ === "optional") expect(row.c).toBeUndefined();
      else lost(() => row.c);
      ecs.addComponent(e, make(100 + i));
      expect([read(row.c), row.n.amount]).toEqual([100 + i, i]);
      if (kind !== "object") expect(read(before)).toBe(100 + i); // the cursor is that of the row
      ecs.removeComponent(all[(i + 3) % 40]!, Charge); // of another entity, so that slots change
      ecs.addComponent(all[(i + 3) % 40]!, Charge, { amount: (i + 3) % 40 });
      ecs.removeComponents([e], cls);
      ecs.addComponents([e], cls as typeof Health, (kind === "object" ? [make(200 + i)] : { x: 200 + i }) as never);
      expect([read(row.c), row.n.amount]).toEqual([200 + i, i]);
      ecs.addComponent(e, make(i));
    }
    // Where the components that are removed and added again decide, they count as added, and are not visited again.
    // Under `sparse`, the last entities move to the front, so that others are visited before that.
    expect(visited.size).toBe(_ !== "optional" ? 40 : policy === "sparse" ? 35 : 33);
    all.forEach((e, i) => expect(read(ecs.get(e, cls))).toBe(i));
  });

  test("as an optional one is there when the loop's body adds it", () => {
    const ecs = world();
    const all = Array.from(ecs.addEntities(6));
    ecs.addComponents(all, Charge);
    for (const row of ecs.query({ n: Charge }, { optional: { c: cls } })) {
      expect(row.c).toBeUndefined();
      ecs.addComponent(row.entity, make(all.indexOf(row.entity)));
      expect(read(row.c!)).toBe(all.indexOf(row.entity));
      const other = all[(all.indexOf(row.entity) + 1) % 6]!;
      if (ecs.removeComponent(other, cls)) ecs.addComponent(other, make(all.indexOf(other)));
      expect(read(row.c!)).toBe(all.indexOf(row.entity));
      if (entityIndex(row.entity) % 2 === 0) continue;
      ecs.removeComponent(row.entity, cls);
      expect(row.c).toBeUndefined();
    }
  });

  test("signals when a component that was added again is written", () => {
    if (kind === "object") return;
    const ecs = world();
    const e = ecs.addEntity(make(1), Charge);
    const system = add(ecs, { requires: [Charge], watches: [cls] });
    ecs.update();
    for (const row of ecs.query({ c: cls as typeof Position })) {
      ecs.removeComponent(e, cls);
      ecs.addComponent(e, make(1));
      ecs.update();
      row.c.x = 1;
      ecs.update();
      expect(system.lastRun).toEqual([]);
      row.c.x = 2;
      break;
    }
    ecs.update();
    expect(system.lastRun).toEqual([e]);
  });
});

test("Q4 storage.at follows the component of its entity, also one that was added again", () => {
  const ecs = world();
  const e = ecs.addEntity([Position, { x: 1 }]);
  const cursor = ecs.storage(Position).at(e)!;
  ecs.removeComponent(e, Position);
  expectError("MISSING_COMPONENT", () => cursor.x);
  ecs.addComponent(e, Position, { x: 5 });
  expect(cursor.x).toBe(5);
  ecs.addComponent(replaced(ecs, e), Position, { x: 9 });
  expectError("MISSING_COMPONENT", () => (cursor.x = 1));
});

test("Q3 S13 the aspect of a row is never that of another entity, and none is made for an entity that is not tracked", () => {
  const ecs = world();
  let made = 0;
  class Counted extends Aspect {
    number = ++made;
  }
  class Rows extends defineSystem({ p: Position }, { aspect: Counted }) {
    entities!: EntityMap<Counted>;
    override update(_: number, tracked: EntityMap<Counted>) {
      this.entities = tracked;
    }
  }
  const system = ecs.addSystem(0, new Rows());
  ecs.update();
  const e = ecs.addEntity(Position);
  const row = system.rows.at(e)!;
  expect(row.aspect).toBe(system.entities.get(e));
  const other = replaced(ecs, e);
  expect(row.aspect).toBeUndefined();
  ecs.addComponent(other, Position);
  const { aspect } = system.rows.at(other)!;
  for (const next of system.rows) {
    expect(next.aspect).toBe(aspect);
    const third = replaced(ecs, other);
    expect(next.aspect).toBeUndefined();
    ecs.addComponent(third, Position);
    expect(next.aspect).toBeUndefined();
    expect(system.entities.get(third)!.entity).toBe(third);
    break;
  }
  expect(made).toBe(3);
});

test("Q3 H5 a row shows no parent of another entity, which has the index of the removed one", () => {
  const ecs = world();
  const parent = ecs.addEntity(new Health(7), [Velocity, { x: 7 }]);
  const e = ecs.addEntity(Position);
  const row = ecs.query({ p: Position }, { parent: { health: Health, velocity: Velocity } }).at(e)!;
  expect([row.health, row.velocity]).toEqual([undefined, undefined]);
  ecs.setParent(e, parent);
  expect([row.health?.current, row.velocity?.x]).toEqual([7, 7]);
  const other = replaced(ecs, e);
  ecs.setParent(other, parent);
  expect([row.health, row.velocity]).toEqual([undefined, undefined]);
});
