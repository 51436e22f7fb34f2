// Copies of entities (rule E13).
import { describe, expect, test } from "@jest/globals";
import { Component, Parent, defineComponent, defineObject, defineSystem, type ECS, type Entity } from "crateful";
import { Health, PackedTag, Position, Tag, Velocity, expectError, kinds, world } from "./world.js";

class Aim extends defineComponent("Aim", { target: "entity", leader: "link", at: "f32x3", name: "string" }) {}
class Bag extends defineObject("Bag", { gold: 1, items: [] as string[] }) {}
/** An object class that can be encoded; a system of a test can make its functions do something else. */
class Brain extends Component {
  static encoding: (brain: Brain) => unknown = ({ thoughts }) => thoughts;
  static encode(brain: Brain): unknown {
    return Brain.encoding(brain);
  }
  static decode(data: unknown): Brain {
    return new Brain(data as string[]);
  }
  constructor(readonly thoughts: string[] = []) {
    super();
  }
}

const pick = ({ x, y }: Position) => ({ x, y });
const children = (ecs: ECS, e: Entity) => [...ecs.children(e)];

describe("E13", () => {
  test.each(kinds.filter(({ cls }) => cls !== Health))(
    "a clone has a copy of a $kind component",
    ({ cls, make, read }) => {
      const ecs = world();
      const e = ecs.addEntity(make(7), Tag);
      const clone = ecs.clone(e);
      expect(clone).not.toBe(e);
      expect(ecs.has(clone, cls, Tag)).toBe(true);
      expect(read(ecs.get(clone, cls))).toBe(7);
      expect(ecs.get(clone, cls)).not.toBe(ecs.get(e, cls));
    },
  );

  test("a clone has copies of strings, vectors, references, tags and objects", () => {
    const ecs = world();
    const other = ecs.addEntity();
    const e = ecs.addEntity(
      [Aim, { target: other, leader: other, at: [1, 2, 3], name: "crate" }],
      PackedTag,
      new Bag({ gold: 5, items: ["key"] }),
      new Brain(["eat"]),
    );
    const clone = ecs.clone(e);
    const aim = ecs.get(clone, Aim);
    expect([aim.target, aim.leader, [...aim.at], aim.name]).toEqual([other, other, [1, 2, 3], "crate"]);
    expect([...ecs.linked(Aim, other)]).toEqual([e, clone]);
    const [bag, brain] = [ecs.get(clone, Bag), ecs.get(clone, Brain)];
    expect([bag.gold, bag.items, brain.thoughts, ecs.has(clone, PackedTag)]).toEqual([5, ["key"], ["eat"], true]);
    expect([bag.items === ecs.get(e, Bag).items, brain.thoughts === ecs.get(e, Brain).thoughts]).toEqual([
      false,
      false,
    ]);
    ecs.get(clone, Aim).name = "barrel";
    bag.gold = 6;
    expect([ecs.get(e, Aim).name, ecs.get(e, Bag).gold]).toEqual(["crate", 5]);
    ecs.removeEntity(e);
    ecs.removeMarked();
    expect([ecs.get(clone, Aim).name, bag.gold]).toEqual(["barrel", 6]);
    expect([ecs.getComponents(ecs.clone(ecs.addEntity())).has(Aim), ecs.count]).toEqual([false, 4]);
  });

  test("overrides are parts that replace copies, and add components", () => {
    const ecs = world();
    const e = ecs.addEntity([Position, { x: 1, y: 2 }], new Health(3), new Bag({ gold: 4 }));
    expect(expectError("BAD_ARGUMENT", () => ecs.clone(e)).message).toContain("Health");
    expect(ecs.count).toBe(1);
    const health = new Health(9);
    const clone = ecs.clone(e, [health, [Position, { x: 5 }], [Bag, { items: ["a"] }], new Velocity({ x: 8 })]);
    expect(ecs.get(clone, Health)).toBe(health);
    expect([pick(ecs.get(clone, Position)), ecs.get(clone, Velocity).x]).toEqual([{ x: 5, y: 0 }, 8]);
    expect([ecs.get(clone, Bag).gold, ecs.get(clone, Bag).items]).toEqual([1, ["a"]]);
    expect(ecs.has(e, Velocity)).toBe(false);
    for (const bad of [[Position, Position], [health], [Parent], [{}], 5, null] as never[])
      expectError("BAD_ARGUMENT", () => ecs.clone(e, bad));
  });

  test("a clone is the last child of the same parent, without the children", () => {
    const ecs = world();
    const [parent, a, b, below] = Array.from({ length: 4 }, () => ecs.addEntity(Position)) as [
      Entity,
      Entity,
      Entity,
      Entity,
    ];
    for (const e of [a, b]) ecs.setParent(e, parent);
    ecs.setParent(below, a);
    const clone = ecs.clone(a);
    expect([children(ecs, parent), children(ecs, clone), ecs.parent(clone)]).toEqual([[a, b, clone], [], parent]);
  });

  test("with children, references inside of the tree refer to the clones", () => {
    const ecs = world();
    const outside = ecs.addEntity();
    const root = ecs.addEntity(new Bag({ gold: 1 }));
    const [left, right] = [ecs.addEntity(Position), ecs.addEntity(new Bag({ gold: 2 }), new Brain(["left"]))];
    const leaf = ecs.addEntity([Aim, { target: root, leader: right }]);
    for (const e of [left, right]) ecs.setParent(e, root);
    ecs.setParent(leaf, left);
    ecs.addComponent(root, Aim, { target: leaf, leader: outside });
    const clone = ecs.clone(root, [[Bag, { gold: 10 }]], { children: true });
    const [madeLeft, madeRight] = children(ecs, clone) as [Entity, Entity];
    const [madeLeaf] = children(ecs, madeLeft) as [Entity];
    expect(ecs.count).toBe(9);
    const { target, leader } = ecs.get(madeLeaf, Aim);
    expect([target, leader]).toEqual([clone, madeRight]);
    expect([ecs.get(clone, Aim).target, ecs.get(clone, Aim).leader]).toEqual([madeLeaf, outside]);
    expect([ecs.get(clone, Bag).gold, ecs.get(madeRight, Bag).gold, ecs.get(madeRight, Brain).thoughts]).toEqual([
      10,
      2,
      ["left"],
    ]);
    expect([...ecs.linked(Aim, madeRight)]).toEqual([madeLeaf]);
    expect(ecs.get(ecs.clone(root), Aim).target).toBe(leaf);
  });

  test("systems are notified when all clones are complete", () => {
    const ecs = world();
    class Watcher extends defineSystem({ tag: Tag }, { watch: [Tag] }) {
      readonly seen: unknown[] = [];
      override onAdd({ entity }: { entity: Entity }) {
        this.seen.push([entity, this.ecs.count, this.ecs.tryGet(entity, Bag)?.gold]);
      }
    }
    const watcher = ecs.addSystem(0, new Watcher());
    const root = ecs.addEntity(Tag, new Bag({ gold: 3 }));
    ecs.setParent(ecs.addEntity(Tag), root);
    ecs.update();
    watcher.seen.length = 0;
    const clone = ecs.clone(root, [], { children: true });
    const [below] = children(ecs, clone) as [Entity];
    expect(watcher.seen).toEqual([
      [clone, 4, 3],
      [below, 4, undefined],
    ]);
    expect([...watcher.dirty.ids]).toEqual([clone, below]);
  });

  test("functions that it calls must not change what is cloned", () => {
    const ecs = world();
    const e = ecs.addEntity(new Brain(["a"]), Position);
    const child = ecs.addEntity(new Bag());
    const before = Brain.encoding;
    for (const change of [
      () => ecs.setParent(child, e),
      () => ecs.addComponent(e, new Bag()),
      () => ecs.addComponent(e, new Brain()),
      () => ecs.removeComponent(e, Brain),
      () => (ecs.removeEntity(e), ecs.removeMarked()),
    ]) {
      Brain.encoding = ({ thoughts }) => (change(), thoughts);
      expectError(change.toString().includes("removeMarked") ? "STALE_ENTITY" : "BAD_ARGUMENT", () =>
        ecs.clone(e, [], { children: true }),
      );
      if (ecs.alive(e)) ecs.addComponent(e, new Brain(["a"]));
    }
    expect(ecs.count).toBe(0); // the child, too
    Brain.encoding = before;
  });

  test("each clone needs an object of its own", () => {
    const ecs = world();
    class Mesh extends Component {
      static shared: Mesh | undefined;
      static encode = () => 1;
      static decode = () => Mesh.shared ?? new Mesh();
    }
    const ship = ecs.addEntity(new Mesh());
    const gun = ecs.addEntity(new Mesh());
    ecs.setParent(gun, ship);
    const { count } = ecs;
    Mesh.shared = new Mesh();
    expect(expectError("BAD_ARGUMENT", () => ecs.clone(ship, [], { children: true })).message).toContain(
      "Mesh.decode must return a new component",
    );
    expectError("BAD_ARGUMENT", () => ecs.clone(ship, [Mesh.shared!], { children: true }));
    expect([ecs.count, ecs.has(ship, Mesh), [...ecs.children(ship)]]).toEqual([count, true, [gun]]);
    ecs.addComponent(ecs.addEntity(), Mesh.shared); // it belongs to nothing
  });

  test("a hole in a list of parts is no component class, and is not remembered", () => {
    const ecs = world();
    const e = ecs.addEntity(Position);
    const holes = Object.assign([Velocity], { length: 2 }) as unknown as [typeof Velocity];
    for (let k = 0; k < 2; ++k) {
      expect(expectError("BAD_ARGUMENT", () => ecs.clone(e, holes)).message).toContain("not undefined");
      expectError("BAD_ARGUMENT", () => ecs.addEntity(Velocity, undefined as never));
      expectError("BAD_ARGUMENT", () => ecs.prefab(holes));
      ecs.clone(e, [Velocity, Tag]);
    }
    expectError("BAD_SYSTEM", () => ecs.run(new Array(1)));
  });

  test("errors change nothing", () => {
    const ecs = world();
    const e = ecs.addEntity(new Brain(["a"]), Position);
    const { encoding } = Brain;
    Brain.encoding = () => {
      throw new RangeError("encode");
    };
    expect(() => ecs.clone(e)).toThrow(RangeError);
    Brain.encoding = encoding;
    const { decode } = Brain;
    Brain.decode = () => 5 as never;
    expectError("BAD_ARGUMENT", () => ecs.clone(e));
    Brain.decode = decode;
    expectError("BAD_ARGUMENT", () => ecs.clone(ecs.world));
    expectError("BAD_ARGUMENT", () => ecs.clone(e, [], { child: true } as never));
    expectError("BAD_ARGUMENT", () => ecs.clone(e, [], { children: 1 } as never));
    expectError("BAD_ARGUMENT", () => ecs.clone(e, [], null as never));
    const dead = ecs.addEntity();
    ecs.removeEntity(dead);
    ecs.removeMarked();
    expectError("STALE_ENTITY", () => ecs.clone(dead));
    expectError("BAD_ARGUMENT", () => ecs.clone("x" as never));
    expect(ecs.count).toBe(1);
  });
});
