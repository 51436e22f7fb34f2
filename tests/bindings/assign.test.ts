// Writing saved and sent values into object components that exist: `static assign` (rules N2, N6, N7).
import { describe, expect, test } from "@jest/globals";
import { Vector3 } from "three";
import { Component, ECS, defineComponent, defineObject, defineSystem, type Aspect, type Entity } from "crateful";
import { Changes, Replica, Rewind, restore, snapshot } from "crateful/state";
import "./with_state.js";
import { expectError } from "./world.js";

class Place extends defineComponent("AssignPlace", { x: "f32" }) {}
/** With an object that a scene keeps. */
class Spot extends Component {
  static readonly typeName = "AssignSpot";
  static assigning: (spot: Spot, data: number[]) => void = () => {};
  readonly at = new Vector3();
  constructor(x = 0) {
    super();
    this.at.x = x;
  }
  static encode = ({ at }: Spot) => at.toArray();
  static decode = ([x]: number[]): Spot => new Spot(x);
  static assign(spot: Spot, data: number[]): void {
    spot.at.fromArray(data);
    Spot.assigning(spot, data);
  }
}
class Bag extends defineObject("AssignBag", { items: [] as string[], gold: 0 }) {
  static assign(bag: Bag, { items, gold }: { items: string[]; gold: number }): void {
    bag.items.splice(0, bag.items.length, ...items);
    bag.gold = gold;
  }
}

class Watch extends defineSystem({ spot: Spot }) {
  override readonly dirtyComponents = new Set([Spot]);
  readonly log: string[] = [];
  override onAdd({ entity }: Aspect): void {
    this.log.push(`+${entity}`);
  }
  override onRemove({ entity }: Aspect): void {
    this.log.push(`-${entity}`);
  }
  override update(_delta: number, _entities: unknown, dirty: { ids: Iterable<Entity> }): void {
    for (const e of dirty.ids) this.log.push(`dirty ${e}`);
  }
  take = () => this.log.splice(0);
}

function room() {
  Spot.assigning = () => {};
  const ecs = new ECS();
  const watch = new Watch();
  ecs.addSystem(0, watch);
  const all = [1, 2, 3].map((x) => ecs.addEntity(new Spot(x), [Bag, { items: [`i${x}`], gold: x }], [Place, { x }]));
  ecs.update();
  watch.take();
  return { ecs, watch, all, spots: all.map((e) => ecs.get(e, Spot)), bags: all.map((e) => ecs.get(e, Bag)) };
}
type Room = ReturnType<typeof room>;

/** Each of them goes back to the state of `room()`, after `change` has changed it. */
const ways: Record<string, (r: Room, change: () => void) => () => void> = {
  restore({ ecs }, change) {
    const saved = snapshot(ecs, { systems: true });
    change();
    return () => restore(ecs, saved);
  },
  rewind({ ecs }, change) {
    const rewind = new Rewind(ecs);
    ecs.update();
    const frame = rewind.newest;
    change();
    ecs.update();
    return () => rewind.to(frame);
  },
};

/** The entities of an ECS, as if they had come from a sender. */
function copyOf(ecs: ECS) {
  const from = new ECS();
  const receiver = new Changes(from, { components: [Spot, Bag, Place] }).receiver();
  const replica = new Replica(ecs);
  const all = [1, 2, 3].map((x) => from.addEntity(new Spot(x), [Bag, { items: [`i${x}`], gold: x }], [Place, { x }]));
  replica.apply(receiver.take());
  return { from, receiver, replica, all, sent: all.map((e) => replica.entity(e)) };
}

describe.each(["restore", "rewind"])("%s", (way) => {
  test("N2 N7 writes into the objects that exist, which are dirty if they differ", () => {
    const r = room();
    const { ecs, watch, all, spots, bags } = r;
    const back = ways[way]!(r, () => {
      spots[1]!.at.x = 7;
      spots[1]!.dirty();
      bags[0]!.items.push("more");
      bags[0]!.dirty();
      ecs.removeComponent(all[2]!, Spot);
    });
    const { at } = spots[1]!;
    ecs.update();
    watch.take();
    const assigned: Spot[] = [];
    Spot.assigning = (spot) => void assigned.push(spot);
    back();
    expect(ecs.get(all[1]!, Spot)).toBe(spots[1]);
    expect(spots[1]!.at).toBe(at);
    expect(at.x).toBe(2);
    expect(assigned).toEqual([spots[1]]); // the others have their values, or do not exist
    expect(ecs.get(all[0]!, Bag)).toBe(bags[0]);
    expect(bags[0]!.toJSON()).toEqual({ items: ["i1"], gold: 1 });
    expect(ecs.get(all[2]!, Spot).at.x).toBe(3);
    expect(ecs.get(all[2]!, Spot)).not.toBe(spots[2]);
    ecs.update();
    expect(watch.take()).toEqual([`+${all[2]}`, `dirty ${all[1]}`, `dirty ${all[2]}`]);
  });

  test("N2 what assign throws is rethrown at the end, and everything else is exchanged", () => {
    const r = room();
    const { ecs, watch, all, spots } = r;
    const back = ways[way]!(r, () => {
      spots.forEach((spot) => {
        spot.at.x += 10;
        spot.dirty();
      });
      ecs.get(all[0]!, Place).x = 9;
    });
    ecs.update();
    watch.take();
    Spot.assigning = (_, [x]) => {
      if (x !== 3) throw new Error(`spot ${x}`);
    };
    expect(back).toThrow("spot 1");
    expect(spots.map(({ at }) => at.x)).toEqual([1, 2, 3]);
    expect(ecs.get(all[0]!, Place).x).toBe(1);
    ecs.update();
    expect(watch.take()).toEqual(all.map((e) => `dirty ${e}`));
  });

  test("N2 assign must not change the ECS", () => {
    const r = room();
    const { ecs, spots } = r;
    const back = ways[way]!(r, () => {
      spots[0]!.at.x = 10;
      spots[0]!.dirty();
    });
    Spot.assigning = () => void ecs.addEntity();
    expectError("BAD_ARGUMENT", back);
    expect(spots[0]!.at.x).toBe(1);
    expect(ecs.count).toBe(3);
    Spot.assigning = () => {};
    ecs.addEntity();
  });
});

test("N2 nothing is assigned if restore fails", () => {
  const { ecs, all, spots } = room();
  class Other extends Component {
    static readonly typeName = "AssignOther";
    static encode = () => null;
    static decode = (): Other => {
      throw new Error("no other");
    };
  }
  ecs.addComponent(all[0]!, new Other());
  const saved = snapshot(ecs);
  spots[1]!.at.x = 5;
  spots[1]!.dirty();
  ecs.removeComponent(all[0]!, Other);
  expect(() => restore(ecs, saved)).toThrow("no other");
  expect(spots[1]!.at.x).toBe(5);
});

test("N4 renamed fields of defineObject are assigned under their new names, missing ones with their defaults", () => {
  class Before extends defineObject("AssignOld", { coins: 3, gone: 1 }) {}
  const older = new ECS();
  const e = older.addEntity(Before);
  const saved = snapshot(older);
  const ecs = new ECS();
  ecs.addEntity([Bag, { items: ["more"], gold: 50 }]);
  const bag = ecs.get(e, Bag);
  restore(ecs, saved, { rename: { AssignOld: "AssignBag", "AssignOld.coins": "gold" } });
  expect(ecs.get(e, Bag)).toBe(bag);
  expect(bag.toJSON()).toEqual({ items: [], gold: 3 });
});

describe("N6 apply and reset", () => {
  test("write into the objects that exist, before onAdd", () => {
    const ecs = new ECS();
    Spot.assigning = () => {};
    const { from, receiver, replica, all, sent } = copyOf(ecs);
    const watch = new Watch();
    ecs.addSystem(0, watch);
    ecs.update();
    watch.take();
    const spots = sent.map((e) => ecs.get(e, Spot));
    from.get(all[0]!, Spot).at.x = 20;
    from.get(all[0]!, Spot).dirty();
    from.get(all[1]!, Bag).gold = 8;
    const late = from.addEntity(new Spot(4));
    const seen: number[] = [];
    watch.onAdd = () => void seen.push(spots[0]!.at.x);
    replica.apply(receiver.take());
    expect(seen).toEqual([20]);
    expect(sent.map((e) => ecs.get(e, Spot))).toEqual(spots);
    expect(ecs.get(sent[1]!, Bag).gold).toBe(8);
    ecs.update();
    expect(watch.take()).toEqual([`dirty ${sent[0]}`, `dirty ${replica.entity(late)}`]);

    replica.predict(sent[1]!);
    spots[1]!.at.x = 6;
    ecs.get(sent[1]!, Bag).items.push("guess");
    const bag = ecs.get(sent[1]!, Bag);
    replica.reset();
    expect([ecs.get(sent[1]!, Spot), ecs.get(sent[1]!, Bag)]).toEqual([spots[1], bag]);
    expect([spots[1]!.at.x, bag.items]).toEqual([2, ["i2"]]);
  });

  test("rethrow at the end what assign throws, and keep it from changing the ECS", () => {
    for (const change of ["throws", "changes", "disposes the replica", "disposes the ECS"] as const) {
      const ecs = new ECS();
      Spot.assigning = () => {};
      const { from, receiver, replica, all, sent } = copyOf(ecs);
      const added: Entity[] = [];
      ecs.addSystem(
        0,
        new (class extends defineSystem({ place: Place, spot: Spot }) {
          override onAdd({ entity }: Aspect) {
            added.push(entity);
          }
        })(),
      );
      added.length = 0;
      for (const e of all.slice(0, 2)) {
        from.get(e, Spot).at.x += 30;
        from.get(e, Spot).dirty();
      }
      from.addEntity(new Spot(5), [Place, { x: 5 }]);
      Spot.assigning = () => {
        if (change === "changes") ecs.addEntity();
        else if (change === "disposes the replica") replica.dispose();
        else if (change === "disposes the ECS") ecs.dispose();
        throw new Error("in assign");
      };
      expect(() => replica.apply(receiver.take())).toThrow(
        change === "changes" ? "callbacks must not change it" : "in assign",
      );
      if (change === "disposes the ECS") {
        expectError("DISPOSED", () => ecs.count);
        continue;
      }
      expect(sent.map((e) => ecs.get(e, Spot).at.x)).toEqual([31, 32, 3]);
      expect(added).toHaveLength(1);
      expect(ecs.count).toBe(4);
    }
  });
});

test("N1 assign that is no function is an error", () => {
  class Odd extends Component {
    static readonly typeName = "AssignOdd";
    static assign = 3;
    static encode = () => null;
    static decode = () => new Odd();
  }
  const ecs = new ECS();
  ecs.addEntity(new Odd());
  expect(expectError("BAD_ARGUMENT", () => snapshot(ecs)).message).toBe(
    "snapshot: Odd.assign must be a function, not 3",
  );
});
