// What TypeScript holds while C++ sorts the components of a class (rule T6).
import { expect, test } from "@jest/globals";
import { ECS, EcsError, defineSystem, init, nativeComponent, type Entity, type RawWorld } from "crateful";

interface Fixture {
  sortBodies(world: RawWorld, ascending: boolean): void;
}
// Built by tests/bindings/CMakeLists.txt.
const { default: create } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as { default: () => Promise<Fixture> };
const native = await create();
await init({ module: native });

class Body extends nativeComponent("Body", {
  mass: "f64",
  charge: "i8",
  solid: "bool",
  owner: "entity",
  radius: "f32",
  layer: "u16",
  mood: "u8",
}) {}
const Tile = nativeComponent("Tile", { kind: "u32", height: "f32" });
class Watcher extends defineSystem({ body: Body }, { watch: [Body] }) {
  readonly runs: Entity[][] = [];
  override update() {
    const run: Entity[] = [];
    for (const { entity } of this.dirty) run.push(entity);
    this.runs.push(run);
  }
}

/** The masses of the bodies, by entity: in another order than that of the entities. */
const masses = [5, 3, 8, 1, 9, 2, 7, 4, 6, 0, 15, 11, 13, 19, 12, 18, 10, 16, 14, 17];
function bodies(ecs: ECS): Entity[] {
  return masses.map((mass) => ecs.addEntity([Body, { mass }], [Tile, { kind: mass }]));
}
function massesOf(ecs: ECS): number[] {
  const all: number[] = [];
  for (const { body } of ecs.query({ body: Body })) all.push(body.mass);
  return all;
}

test("T6 queries follow the order, and components stay those of their entities", () => {
  using ecs = new ECS();
  const all = bodies(ecs);
  const held = ecs.get(all[1]!, Body);
  const cursor = ecs.storage(Body).at(all[2]!)!;
  expect(massesOf(ecs)).toEqual(masses); // remembers that both orders agree
  native.sortBodies(ecs.raw, true);
  expect(massesOf(ecs)).toEqual([...masses.keys()]);
  expect([held.mass, cursor.mass, ecs.get(all[4]!, Body).mass]).toEqual([3, 8, 9]);
  expect(ecs.get(all[1]!, Body)).toBe(held);
  ecs.removeComponent(all[0]!, Body);
  expect([held.mass, cursor.mass]).toEqual([3, 8]);
  ecs.removeComponent(all[1]!, Body);
  expect(() => held.mass).toThrow(EcsError);
});

test("T6 what has signalled before counts for its entity", () => {
  using ecs = new ECS();
  const all = bodies(ecs);
  const watcher = new Watcher();
  ecs.addSystem(0, watcher);
  ecs.update();
  const held = ecs.get(all[4]!, Body);
  held.charge = 1;
  native.sortBodies(ecs.raw, false);
  ecs.update();
  held.charge = 2;
  ecs.get(all[7]!, Body).charge = 3;
  ecs.update();
  expect(watcher.runs.slice(1)).toEqual([[all[4]], [all[4], all[7]]]);
});

test.each([true, false])("T6 T4 rows of loops over other sets stay at their entities (same order: %s)", (same) => {
  using ecs = new ECS();
  const all = bodies(ecs);
  if (!same) native.sortBodies(ecs.raw, true);
  ecs.addComponent(ecs.addEntity(), new Body()); // so that tiles are rarer
  const seen: Entity[] = [];
  for (const { entity, body, tile } of ecs.query({ body: Body, tile: Tile })) {
    expect(body.mass).toBe(tile.kind);
    if (seen.length % 3 === 1) native.sortBodies(ecs.raw, seen.length % 2 === 0);
    expect(body.mass).toBe(tile.kind);
    body.charge = tile.kind;
    seen.push(entity);
  }
  expect(seen).toEqual(all);
  expect(all.map((e) => ecs.get(e, Body).charge)).toEqual(masses);
});

test("T6 a loop over the components themselves must end first, and an iterator be finished after its second step", () => {
  using ecs = new ECS();
  bodies(ecs);
  const sort = () => native.sortBodies(ecs.raw, true);
  for (const _ of ecs.query({ body: Body })) expect(sort).toThrow("an iteration over Body has not ended");
  expect(massesOf(ecs)).toEqual(masses);
  for (const _ of ecs.query({ body: Body })) break;
  const iterator = ecs.storage(Body)[Symbol.iterator]();
  iterator.next();
  iterator.next();
  expect(sort).toThrow("sort: an iteration over Body");
  iterator.return!();
  const rows = ecs.query({ body: Body })[Symbol.iterator]();
  rows.next();
  rows.next();
  expect(sort).toThrow("sort: an iteration over Body");
  rows.return!();
  const begun = ecs.storage(Body)[Symbol.iterator]();
  begun.next();
  sort();
  expect(begun.next().done).toBe(true);
  expect(massesOf(ecs)).toEqual([...masses.keys()]);
});

test("Q11 an index of a native class", () => {
  const ecs = new ECS();
  const all = bodies(ecs);
  const byMass = ecs.index(Body, "mass");
  expect(byMass.first(8)).toBe(all[2]);
  native.sortBodies(ecs.raw, true); // moves them
  expect([...byMass.get(8)]).toEqual([all[2]]);
  ecs.get(all[5]!, Body).mass = 8;
  ecs.get(all[2]!, Body).mood = 9;
  expect([[...byMass.get(8)], ecs.index(Body, "mood").first(9)]).toEqual([[all[2], all[5]], all[2]]);
  expect(ecs.index(Tile, "kind").first(8)).toBe(all[2]);
});
