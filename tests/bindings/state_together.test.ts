// Recordings, snapshots and clones beside each other (rules N2, N7, N8, N9, E13).
import { expect, test } from "@jest/globals";
import { NONE, defineComponent, defineSystem, type ECS, type Entity } from "crateful";
import { Rewind, merge, restore, snapshot } from "crateful/state";
import "./with_state.js";
import { Packed, Position, expectError, world } from "./world.js";

class Cable extends defineComponent("TogetherCable", { to: "link" }) {}
class PackedCable extends defineComponent("TogetherPackedCable", { to: "link" }, { policy: "sparse" }) {}

const creating: [string, (ecs: ECS, e: Entity, bytes: Uint8Array) => unknown][] = [
  ["addEntity", (ecs) => ecs.addEntity(Position)],
  ["addComponent", (ecs) => ecs.addComponent(ecs.addEntity(), Position)],
  ["add", (ecs) => ecs.add(ecs.addEntity(), Position, Packed)],
  ["addComponents", (ecs) => ecs.addComponents(ecs.addEntities(3), Position)],
  ["spawn", (ecs) => ecs.prefab([Position]).spawn()],
  ["spawn of many", (ecs) => ecs.prefab([Position]).spawn(3)],
  ["clone", (ecs, e) => ecs.clone(e)],
  ["clone with children", (ecs, e) => ecs.clone(e, [], { children: true })],
  ["merge", (ecs, _, bytes) => merge(ecs, bytes)],
];
test.each(creating)("N7 S7 frames stay recorded if onAdd throws: %s", (_, create) => {
  const ecs = world();
  let throws = false;
  class Throws extends defineSystem({ position: Position }) {
    override onAdd(): void {
      if (throws) throw new Error("from onAdd");
    }
  }
  ecs.addSystem(0, new Throws());
  const e = ecs.addEntity(Position);
  ecs.setParent(ecs.addEntity(Position), e);
  const bytes = snapshot(ecs);
  const rewind = new Rewind(ecs);
  ecs.update();
  ecs.update();
  const saved = snapshot(ecs);
  throws = true;
  expect(() => create(ecs, e, bytes)).toThrow("from onAdd");
  throws = false;
  expect(ecs.count).toBeGreaterThan(2);
  expect([rewind.oldest, rewind.newest]).toEqual([0, 2]);
  rewind.to(2);
  expect(snapshot(ecs)).toEqual(saved);
  rewind.to(0);
  expect(ecs.count).toBe(2);
});

test.each(["Rewind", "restore"])("N2 N7 C15 links of a class that is left out end with their targets: %s", (how) => {
  for (const cls of [Cable, PackedCable as unknown as typeof Cable]) {
    const ecs = world();
    const dirty: Entity[][] = [];
    class Watches extends defineSystem({ cable: cls }, { watch: [cls] }) {
      override update(): void {
        dirty.push([...this.dirty.ids]);
      }
    }
    ecs.addSystem(0, new Watches());
    const target = ecs.addEntity(Position);
    const [a, b, c] = [0, 1, 2].map(() => ecs.addEntity(cls)) as [Entity, Entity, Entity];
    const rewind = new Rewind(ecs, { without: [cls] });
    ecs.update();
    const bytes = snapshot(ecs, { without: [cls] });
    const later = ecs.addEntity(Position, cls);
    for (const from of [a, c, later]) ecs.get(from, cls).to = later;
    ecs.get(b, cls).to = target;
    ecs.update();
    ecs.update();
    dirty.length = 0;
    if (how === "Rewind") rewind.to(1);
    else restore(ecs, bytes);
    expect([a, b, c].map((from) => ecs.get(from, cls).to)).toEqual([NONE, target, NONE]);
    expect(ecs.alive(later)).toBe(false);
    expect([...ecs.linked(cls, target)]).toEqual([b]);
    ecs.update();
    expect(dirty).toEqual([[a, c]]);
    const other = ecs.addEntity(Packed);
    expect(other).toBe(later); // its handle is issued again
    expect([...ecs.linked(cls, other)]).toEqual([]);
  }
});

test("N8 N9 limits count the entities of a snapshot that is equal to the world", () => {
  const ecs = world();
  ecs.addEntities(20);
  const bytes = snapshot(ecs);
  for (const call of [merge, restore]) {
    const error = expectError("BAD_DATA", () => call(ecs, bytes, { limits: { entities: 19 } }));
    expect(error.message).toMatch(/^(merge|restore): .*limits: there are more entities/);
    expect(ecs.count).toBe(20);
  }
  restore(ecs, bytes, { limits: { entities: 20 } });
  expect(merge(ecs, bytes, { limits: { entities: 20 } }).size).toBe(20);
});

test.each(["linear", "sparse"] as const)(
  "N7 what was restored is the first frame, also if nobody asks: %s",
  (policy) => {
    class Point extends defineComponent(`Together_${policy}`, { x: "f32" }, { policy }) {}
    for (const how of ["restore", "another Rewind"])
      for (const asks of [false, true]) {
        const ecs = world();
        const e = ecs.addEntity([Point, { x: 1 }]);
        const rewind = new Rewind(ecs);
        const other = new Rewind(ecs);
        ecs.update();
        if (how === "restore") restore(ecs, snapshot(ecs));
        else other.to(1);
        const { gameTime } = ecs;
        if (asks) expect([rewind.oldest, rewind.newest]).toEqual([1, 1]);
        ecs.update(0.5);
        ecs.get(e, Point).x = 2;
        ecs.update(0.5);
        expect([rewind.oldest, rewind.newest]).toEqual([1, 3]);
        rewind.to(1);
        expect([ecs.get(e, Point).x, ecs.gameTime, ecs.frame]).toEqual([1, gameTime, 1]);
      }
  },
);
