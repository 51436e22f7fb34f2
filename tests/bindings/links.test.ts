// Links: references of which the core keeps the reverse (rule C15, and D2 for what signals).
import { describe, expect, test } from "@jest/globals";
import { NONE, defineComponent, defineSystem, entityIndex, type ECS, type Entity } from "crateful";
import { Position, add, entity, expectError, random, world } from "./world.js";

class Targeting extends defineComponent("Targeting", { target: "link", weight: "f32" }) {}
class PackedTargeting extends defineComponent("PackedTargeting", { target: "link" }, { policy: "sparse" }) {}
class Cable extends defineComponent("Cable", { from: "link", length: "i32", to: { type: "link" } }) {}
const kinds = [
  ["sparse", PackedTargeting as unknown as typeof Targeting],
  ["linear", Targeting],
] as const;

const linked = (ecs: ECS, e: Entity) => [...ecs.linked(Targeting, e)];
function make(n = 8): { ecs: ECS; all: Entity[] } {
  const ecs = world();
  return { ecs, all: [...ecs.addEntities(n)] };
}

describe.each(kinds)("C15 %s", (_, Class) => {
  test("linked lists the entities that refer to one, in the order of their indices", () => {
    const { ecs, all } = make();
    for (const k of [5, 2, 7]) ecs.addComponent(all[k]!, Class, { target: all[0]! });
    ecs.addComponent(all[4]!, new Class({ target: all[1]! }));
    expect([...ecs.linked(Class, all[0]!)]).toEqual([all[2], all[5], all[7]]);
    expect([...ecs.linked(Class, all[1]!, "target")]).toEqual([all[4]]);
    expect([...ecs.linked(Class, all[2]!)]).toEqual([]);
    expect(ecs.get(all[4]!, Class).target).toBe(all[1]);
    expect(new Class().target).toBe(NONE);
  });

  test("it follows every change: setters, rows, cursors, replacing, bulk and prefabs", () => {
    const { ecs, all } = make();
    const [a, b] = all as [Entity, Entity];
    const who = () => [[...ecs.linked(Class, a)], [...ecs.linked(Class, b)]];
    ecs.addComponents([all[2]!, all[3]!], Class, { target: a });
    expect(who()).toEqual([[all[2], all[3]], []]);
    ecs.get(all[2]!, Class).target = b;
    expect(who()).toEqual([[all[3]], [all[2]]]);
    for (const { link } of ecs.query({ link: Class })) link.target = b;
    expect(who()).toEqual([[], [all[2], all[3]]]);
    ecs.storage(Class).at(all[3]!)!.target = a;
    expect(who()).toEqual([[all[3]], [all[2]]]);
    ecs.addComponent(all[3]!, new Class({ target: b }));
    expect(who()).toEqual([[], [all[2], all[3]]]);
    const spawned = ecs.prefab({ link: [Class, { target: a }] }).spawn();
    expect(who()).toEqual([[spawned], [all[2], all[3]]]);
    ecs.removeComponents([all[2]!, spawned], Class);
    expect(who()).toEqual([[], [all[3]]]);
  });

  test("D2 when an entity is removed, what refers to it becomes NONE and signals", () => {
    const { ecs, all } = make();
    class Aim extends defineSystem({ link: Class }, { watch: [Class] }) {
      seen: Entity[] = [];
      override update() {
        this.seen = [...this.dirty.ids];
      }
    }
    const aim = ecs.addSystem(0, new Aim());
    for (const [k, to] of [
      [2, 0],
      [3, 0],
      [4, 1],
    ] as const)
      ecs.addComponent(all[k]!, Class, { target: all[to]! });
    ecs.update();
    ecs.removeEntity(all[0]!);
    ecs.update();
    expect(ecs.get(all[2]!, Class).target).toBe(NONE);
    ecs.update();
    expect(aim.seen).toEqual([all[2], all[3]]);
    expect(ecs.get(all[4]!, Class).target).toBe(all[1]);
    ecs.addComponent(ecs.world, Class, { target: all[1]! });
    ecs.clear();
    expect(ecs.get(ecs.world, Class).target).toBe(NONE);
  });

  test("links to removed entities signal in the order of removal, and to each in the order of indices", () => {
    const { ecs, all } = make(10);
    const [a, b] = [all[8]!, all[9]!];
    ecs.addComponents(all, Position);
    class Watch extends defineSystem({ position: Position }, { watch: [Class, Cable] }) {
      override update(): void {}
    }
    const watch = ecs.addSystem(0, new Watch());
    ecs.addComponent(all[1]!, Cable, { to: a });
    ecs.addComponent(all[2]!, Cable, { from: a });
    ecs.addComponent(all[0]!, Class, { target: a });
    ecs.addComponent(all[3]!, Class, { target: a });
    ecs.addComponent(all[4]!, Cable, { from: a, to: b });
    ecs.addComponent(all[5]!, Class, { target: b });
    ecs.update();
    for (const e of [b, a]) ecs.removeEntity(e);
    ecs.removeMarked();
    expect([...watch.dirty.ids]).toEqual([4, 5, 0, 1, 2, 3].map((k) => all[k]));
    expect(ecs.get(all[4]!, Cable).toJSON()).toEqual({ from: NONE, length: 0, to: NONE });
  });

  test("K1 clear leaves a link of the world to an entity that was removed before, and resets others", () => {
    const { ecs, all } = make();
    class Watch extends defineSystem({ link: Class }, { watch: [Class] }) {
      override update(): void {}
    }
    const watch = ecs.addSystem(0, new Watch());
    const dead = all[0]!;
    ecs.removeEntity(dead);
    ecs.removeMarked();
    ecs.addComponent(ecs.world, Class, { target: dead });
    ecs.update();
    ecs.clear();
    expect(ecs.get(ecs.world, Class).target).toBe(dead);
    expect([...watch.dirty.ids]).toEqual([]);
    ecs.addComponent(ecs.addEntity(), Position);
    add(ecs, {
      requires: [Position],
      onRemove: () => (ecs.get(ecs.world, Class).target = ecs.addEntity()),
    });
    ecs.clear();
    expect(ecs.get(ecs.world, Class).target).toBe(NONE);
  });

  test("T4 any change is allowed while linked is iterated", () => {
    const { ecs, all } = make();
    for (const k of [2, 3, 4, 5]) ecs.addComponent(all[k]!, Class, { target: all[0]! });
    const visited: Entity[] = [];
    for (const e of ecs.linked(Class, all[0]!)) {
      visited.push(e);
      if (e === all[2]) ecs.removeComponent(all[3]!, Class);
      if (e === all[2]) ecs.get(all[4]!, Class).target = all[1]!;
      ecs.addComponent(all[6]!, Class, { target: all[0]! });
    }
    expect(visited).toEqual([all[2], all[5]]);
    expect([...ecs.linked(Class, all[0]!)]).toEqual([all[2], all[5], all[6]]);
  });
  test("what refers to the entity at the beginning, and again when it is its turn, is visited", () => {
    const { ecs, all } = make();
    for (const k of [2, 3, 4]) ecs.addComponent(all[k]!, Class, { target: all[0]! });
    const visited: Entity[] = [];
    for (const e of ecs.linked(Class, all[0]!)) {
      visited.push(e);
      if (e !== all[2]) continue;
      ecs.removeComponent(all[3]!, Class);
      ecs.addComponent(all[3]!, Class, { target: all[0]! });
      ecs.get(all[4]!, Class).target = NONE;
      ecs.get(all[4]!, Class).target = all[0]!;
    }
    expect(visited).toEqual([all[2], all[3], all[4]]);
  });
});

describe("C15", () => {
  test("onRemove of the target finds what refers to it", () => {
    const { ecs, all } = make();
    let found: Entity[] = [];
    add(ecs, { requires: [Position], onRemove: (aspect) => (found = linked(ecs, aspect.entity)) });
    ecs.addComponent(all[0]!, new Position());
    ecs.addComponent(all[2]!, Targeting, { target: all[0]! });
    ecs.removeEntity(all[0]!);
    ecs.update();
    expect([found, ecs.get(all[2]!, Targeting).target]).toEqual([[all[2]], NONE]);
  });

  test("values that were written to columns count after markDirty", () => {
    const { ecs, all } = make();
    ecs.addComponent(all[2]!, Targeting, { target: all[0]! });
    expect(linked(ecs, all[0]!)).toEqual([all[2]]);
    const { columns } = ecs.storage(Targeting);
    (columns.target as unknown as Uint32Array)[ecs.storage(Targeting).slot(all[2]!)] = all[1]!;
    expect([linked(ecs, all[0]!), linked(ecs, all[1]!)]).toEqual([[], []]);
    ecs.storage(Targeting).markDirty(all[2]!);
    expect([linked(ecs, all[0]!), linked(ecs, all[1]!)]).toEqual([[], [all[2]]]);
  });

  test("several link fields are named; other classes and fields are errors", () => {
    const { ecs, all } = make();
    ecs.addComponent(all[2]!, Cable, { from: all[0]!, to: all[1]! });
    expect([...ecs.linked(Cable, all[1]!, "to")]).toEqual([all[2]]);
    expect([...ecs.linked(Cable, all[1]!, "from")]).toEqual([]);
    const message = (call: () => unknown) => expectError("BAD_ARGUMENT", call).message;
    expect(message(() => ecs.linked(Cable, all[0]!, undefined as never))).toBe(
      "linked: Cable has several link fields; name one: from, to",
    );
    expect(message(() => ecs.linked(Position as unknown as typeof Targeting, all[0]!))).toBe(
      "linked: Position has no such link field",
    );
    expect(message(() => ecs.linked(Cable, all[0]!, "length" as "to"))).toBe("linked: Cable has no such link field");
    expect(message(() => ecs.linked(Cable, all[0]!, "near" as "to"))).toBe('linked: Cable has no field "near"');
    expect(message(() => new Targeting({ target: -1 }))).toBe("field target (link) takes an entity, not -1");
  });

  test("E5 a stale handle and NONE have none; what is no number is an error", () => {
    const { ecs, all } = make();
    ecs.addComponent(all[2]!, Targeting, { target: all[0]! });
    ecs.removeEntity(all[0]!);
    ecs.removeMarked();
    expect([linked(ecs, all[0]!), linked(ecs, NONE)]).toEqual([[], []]);
    expectError("BAD_ARGUMENT", () => ecs.linked(Targeting, "1" as unknown as Entity));
    const again = entity(ecs);
    expect(linked(ecs, again)).toEqual([]);
  });

  test.each(["sparse", "linear"] as const)("its memory follows the number of links (%s)", (policy) => {
    const ecs = world();
    class Plain extends defineComponent("PlainReference", { to: "entity" }, { policy }) {}
    class Link extends defineComponent("MemoryLink", { to: "link" }, { policy }) {}
    const all = ecs.addEntities(1_000_000);
    const at = (i: number) => all[999_999 - i * 9973]!;
    for (let i = 0; i < 50; ++i) {
      ecs.addComponent(at(i), Plain, { to: at(99 - i) });
      ecs.addComponent(at(i), Link, { to: at(99 - i) });
    }
    const bytes = (name: string) => ecs.memoryReport().find((each) => each.name === name)!.bytes;
    expect([...ecs.linked(Link, at(99))]).toEqual([at(0)]);
    expect(bytes("MemoryLink") - bytes("PlainReference")).toBeLessThan(250_000);
    for (let i = 0; i < 50; ++i) ecs.get(at(i), Link).to = ecs.get(at(i), Plain).to = at(0); // so that slots have flags
    expect([...ecs.linked(Link, at(0))].length).toBe(50);
    ecs.clear();
    const again = ecs.addEntities(10_000);
    ecs.addComponents(again, Link, { to: again });
    expect([...ecs.linked(Link, again[77]!)]).toEqual([again[77]]);
    expect((bytes("MemoryLink") - bytes("PlainReference")) / again.length).toBeLessThan(50);
  });

  test("a random sequence of changes equals a search of all components", () => {
    const ecs = world();
    const next = random(5);
    const all: Entity[] = [];
    const any = () => all[next(Math.max(1, all.length))] ?? ecs.world;
    for (let step = 0; step < 2000; ++step) {
      const e = any();
      const what = next(20);
      if (what < 6 && all.length < 50) all.push(entity(ecs));
      else if (what < 10) ecs.addComponent(e, Targeting, { target: any() });
      else if (what < 15 && ecs.has(e, Targeting)) ecs.get(e, Targeting).target = any();
      else if (what < 17) ecs.removeComponent(e, Targeting);
      else if (what < 18 && e !== ecs.world) {
        ecs.removeEntity(e);
        ecs.update();
        all.splice(all.indexOf(e), 1);
      }
      const target = any();
      const expected: Entity[] = [];
      const stale: Entity[] = [];
      for (const { entity, link } of ecs.query({ link: Targeting })) {
        if (link.target === target) expected.push(entity);
        if (link.target !== NONE && !ecs.alive(link.target)) stale.push(entity);
      }
      expect([linked(ecs, target), stale]).toEqual([expected.sort((a, b) => entityIndex(a) - entityIndex(b)), []]);
    }
  });
});
