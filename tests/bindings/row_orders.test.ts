// Rules Q3, Q4, Q7, D7 and X2 for rows whose storages contain the entities in different orders.
import { describe, expect, test } from "@jest/globals";
import { defineComponent, type ECS, type Entity } from "crateful";
import { Packed, Position, Velocity, add, entities, expectError, growMemory, random, world } from "./world.js";

class Charge extends defineComponent("Charge", { amount: "i32" }) {}
class PackedCharge extends defineComponent("PackedCharge", { amount: "i32" }, { policy: "sparse" }) {}
const classes = [
  ["sparse", Packed as unknown as typeof Position, PackedCharge as unknown as typeof Charge],
  ["linear", Position, Charge],
] as const;

// Under `linear`, storages have one order, in whatever order components are added.
describe.each(classes)("Q4 in storages with different orders (%s)", (policy, Position, Charge) => {
  /** Entities whose components are added in different orders; the i-th one has the values i. */
  function mixed(ecs: ECS, n: number, cls: typeof Charge | typeof Velocity = Charge): Entity[] {
    const all = Array.from(ecs.addEntities(n));
    const next = random(n);
    const order = all.map((_, i) => i);
    ecs.addComponents(all, Position, { x: order });
    for (let i = n - 1; i > 0; i--) {
      const k = next(i + 1);
      [order[i], order[k]] = [order[k]!, order[i]!];
    }
    const list = order.map((i) => all[i]!);
    if (cls === Charge) ecs.addComponents(list, Charge, { amount: order });
    else ecs.addComponents(list, Velocity, { x: order });
    return all;
  }

  test.each([1, 3, 10, 100, 700])("each of %i rows has the values of its entity", (n) => {
    const ecs = world();
    const all = mixed(ecs, n);
    const seen: Entity[] = [];
    for (const { entity: e, p, c } of ecs.query({ p: Position, c: Charge })) {
      const i = all.indexOf(e);
      expect([p.x, c.amount]).toEqual([i, i]);
      p.y = c.amount += 1;
      seen.push(e);
    }
    expect(seen).toEqual(all);
    for (const [i, e] of all.entries()) {
      expect([ecs.get(e, Position).x, ecs.get(e, Position).y, ecs.get(e, Charge).amount]).toEqual([i, i + 1, i + 1]);
    }
  });
  test("rows of a linear class have the values of their entities", () => {
    const ecs = world();
    const all = mixed(ecs, 50, Velocity);
    for (const { entity: e, p, v } of ecs.query({ p: Position, v: Velocity }))
      expect([p.x, v.x]).toEqual([all.indexOf(e), all.indexOf(e)]);
  });
  test("entities that lack a component are omitted, wherever they are", () => {
    const next = random(5);
    for (let round = 0; round < 30; round++) {
      const ecs = world();
      const all = mixed(ecs, 90);
      const without = new Set(all.filter(() => next(1 + round) === 0));
      ecs.removeComponents([...without], Charge);
      const more = ecs.addEntities(200);
      ecs.addComponents(more, Charge); // so that Position is the rarest class
      expect(entities(ecs.query({ p: Position, c: Charge }))).toEqual(all.filter((e) => !without.has(e)));
    }
  });
  test("cursors follow their values when components and entities are removed", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed);
      const ecs = world();
      const all = mixed(ecs, 80);
      const visits = new Map<Entity, number>();
      const touched = new Set<Entity>();
      for (const { entity: e, p, c } of ecs.query({ p: Position, c: Charge })) {
        visits.set(e, (visits.get(e) ?? 0) + 1);
        const i = all.indexOf(e);
        expect([p.x, c.amount]).toEqual([i, i]);
        if (next(4) > 0) continue;
        const other = all[next(80)]!;
        if (other === e) continue;
        touched.add(other);
        if (next(3) === 0) ecs.removeEntity(other);
        else ecs.removeComponent(other, next(2) === 0 ? Position : Charge);
        expect([p.x, c.amount]).toEqual([i, i]);
        p.y = c.amount = i;
        expect([ecs.get(e, Position).y, ecs.get(e, Charge).amount]).toEqual([i, i]);
      }
      for (const e of all) if (!touched.has(e)) expect([seed, visits.get(e)]).toEqual([seed, 1]);
    }
  });
  test("the cursor of a component that was removed from the entity of the row throws", () => {
    const ecs = world();
    const all = mixed(ecs, 40);
    let removed = 0;
    for (const { entity: e, p, c } of ecs.query({ p: Position, c: Charge })) {
      if (all.indexOf(e) % 7 !== 3) continue;
      ecs.removeComponent(e, Charge);
      expectError("MISSING_COMPONENT", () => c.amount);
      expect(p.x).toBe(all.indexOf(e));
      removed += 1;
    }
    expect(removed).toBe(6);
  });
  test("an entity that gets its missing component before its turn may be visited, in its turn", () => {
    const ecs = world();
    const all = mixed(ecs, 40);
    ecs.addComponents(ecs.addEntities(100), Charge);
    ecs.removeComponent(all[20]!, Charge);
    const seen: Entity[] = [];
    for (const { entity: e, c } of ecs.query({ p: Position, c: Charge })) {
      if (e === all[10]) ecs.addComponent(all[20]!, Charge, { amount: 20 });
      seen.push(e);
      expect(c.amount).toBe(all.indexOf(e));
    }
    if (policy === "sparse") expect(seen).toEqual(all);
    else {
      // The iteration finds its entities in advance, so that this one may be omitted.
      const others = all.filter((e) => e !== all[20]);
      expect([others, all]).toContainEqual(seen);
    }
  });
  test("X2 the values and the memory can move", () => {
    const ecs = world();
    const all = mixed(ecs, 60);
    let rows = 0;
    for (const { entity: e, p, c } of ecs.query({ p: Position, c: Charge })) {
      const i = all.indexOf(e);
      if (i === 20) ecs.addComponents(ecs.addEntities(300), Position);
      if (i === 30) ecs.addComponents(ecs.addEntities(300), Charge);
      if (i === 40) growMemory(ecs);
      expect([p.x, c.amount]).toEqual([i, i]);
      p.x = c.amount = i + 1;
      expect([ecs.get(e, Position).x, ecs.get(e, Charge).amount]).toEqual([i + 1, i + 1]);
      if (++rows === 60) break;
    }
    expect(rows).toBe(60);
  });
  test.each([0, 1, 9, 38])("M3 a loop ends when the ECS is disposed in row %i", (at) => {
    const ecs = world();
    mixed(ecs, 40);
    let rows = 0;
    for (const { p, c } of ecs.query({ p: Position, c: Charge })) {
      if (rows++ !== at) continue;
      ecs.dispose();
      mixed(world(), 40); // uses the freed memory
      expectError("MISSING_COMPONENT", () => p.x);
      expectError("MISSING_COMPONENT", () => c.amount);
    }
    expect(rows).toBe(at + 1);
  });
  test("Q7 nested loops have their own rows, also when they are left early", () => {
    const ecs = world();
    const all = mixed(ecs, 40);
    const query = ecs.query({ p: Position, c: Charge });
    let rows = 0;
    for (const a of query) {
      const i = all.indexOf(a.entity);
      for (const b of query) {
        expect([b.p.x, b.c.amount]).toEqual([all.indexOf(b.entity), all.indexOf(b.entity)]);
        if (b.p.x > i) break;
      }
      expect([a.p.x, a.c.amount]).toEqual([i, i]);
      rows += 1;
    }
    expect(rows).toBe(40);
    expect(entities(query)).toEqual(all);
  });
  test.each([4, 12, 25])("D7 only the rows that were visited are cleared: %i of 30 new ones", (visited) => {
    const ecs = world();
    const all = mixed(ecs, 40);
    const query = ecs.query({ p: Position, c: Charge });
    const runs: Entity[][] = [];
    add(ecs, {
      requires: [Position, Charge],
      watches: [Position],
      update(_delta, _entities, dirty) {
        const seen: Entity[] = [];
        runs.push(seen);
        if (runs.length === 2) {
          for (const { p } of query.of(all.slice(5, 35))) p.y = 1; // not in the set at the start, so only visits clear them
        }
        for (const { entity: e, p, c } of query.of(dirty)) {
          expect(p.x).toBe(c.amount);
          seen.push(e);
          if (runs.length === 2 && seen.length === visited) break;
        }
      },
    });
    ecs.update();
    ecs.update();
    ecs.update();
    expect(runs).toEqual([all, all.slice(5, 5 + visited), all.slice(5 + visited, 35)]);
  });
});
