// Changes and replicas in TypeScript (rules N5, N6).
import { describe, expect, test } from "@jest/globals";
import {
  ECS,
  NONE,
  System,
  defineComponent,
  defineObject,
  defineSystem,
  type Aspect,
  type ComponentClass,
  type Entity,
} from "crateful";
import { Changes, Replica, Rewind, restore, snapshot } from "crateful/state";
import { indexOfText, withPacketChecksum } from "./state_bytes.js";
import "./with_state.js";
import { Position, expectError, world } from "./world.js";

class Place extends defineComponent("Place", { x: "f32", y: "f32" }) {}
class Life extends defineComponent("Life", { points: "i32", hurt: "bool" }, { policy: "sparse" }) {}
class Called extends defineComponent("Called", { name: { type: "string", default: "nobody" } }) {}
class Aim extends defineComponent("Aim", { at: "entity", prey: "link", way: "f32x3", mode: ["idle", "hunt"] }) {}
class Cell extends defineComponent("Cell", { level: "u16" }, { policy: "linear" }) {}
class PackedAim extends defineComponent("PackedAim", { at: "entity", prey: "link" }, { policy: "sparse" }) {}
const classes: ComponentClass[] = [Place, Life, Called, Aim, Cell];

/** Records what is dirty, and what appears and disappears. */
class Watch extends System {
  readonly componentsRequired;
  override readonly dirtyComponents;
  log: string[] = [];
  at: (aspect: Aspect) => void = () => {};
  constructor(readonly cls: ComponentClass) {
    super();
    this.componentsRequired = this.dirtyComponents = new Set([cls]);
  }
  override onAdd(aspect: Aspect): void {
    this.log.push(`+${aspect.entity}`);
    this.at(aspect);
  }
  override onRemove(aspect: Aspect): void {
    this.log.push(`-${aspect.entity}`);
  }
  override update(_delta: number, _entities: unknown, dirty: { ids: Iterable<Entity> }): void {
    const all = [...dirty.ids];
    if (all.length > 0) this.log.push(`dirty ${all}`);
  }
  take(): string[] {
    return this.log.splice(0);
  }
}

/** A source with one receiver, and a replica in another ECS. */
function pair(components: ComponentClass[] = classes) {
  const from = new ECS();
  const to = new ECS();
  for (let i = 0; i < 3; ++i) to.addEntity(); // so that handles differ
  const changes = new Changes(from, { components });
  const receiver = changes.receiver();
  const replica = new Replica(to);
  const send = () => {
    const bytes = receiver.take();
    replica.apply(bytes);
    return bytes.length;
  };
  return { from, to, changes, receiver, replica, send, copy: (e: Entity) => replica.entity(e) };
}

describe("sources", () => {
  test("N5 N6 what was created, changed and removed arrives, and nothing is sent if nothing changed", () => {
    const { from, to, replica, send, copy } = pair();
    expect(send()).toBe(0);
    const e = from.addEntity([Place, { x: 1, y: 2 }], [Called, { name: "Änne" }], [Cell, { level: 3 }]);
    expect(send()).toBeGreaterThan(0);
    const there = copy(e);
    expect(there).not.toBe(e);
    expect(to.get(there, Place).toJSON()).toEqual({ x: 1, y: 2 });
    expect(to.get(there, Called).name).toBe("Änne");
    expect(to.get(there, Cell).level).toBe(3);
    expect(replica.remote(there)).toBe(e);
    from.get(e, Place).x = 5;
    from.removeComponent(e, Cell);
    expect(send()).toBeGreaterThan(0);
    expect(to.get(there, Place).toJSON()).toEqual({ x: 5, y: 2 });
    expect(to.has(there, Cell)).toBe(false);
    from.get(e, Place).dirty();
    expect(send()).toBe(0);
    from.removeEntity(e);
    from.update();
    expect(send()).toBeGreaterThan(0);
    expect(to.alive(there)).toBe(false);
    expect(copy(e)).toBe(NONE);
    expect(replica.remote(there)).toBe(NONE);
    expect(send()).toBe(0);
  });

  test("N5 only the fields that changed are sent", () => {
    const { from, to, send, copy } = pair();
    const e = from.addEntity([Place, { x: 1, y: 2 }]);
    send();
    to.get(copy(e), Place).y = 7;
    from.get(e, Place).x = 3;
    const one = send();
    expect(to.get(copy(e), Place).toJSON()).toEqual({ x: 3, y: 7 });
    from.get(e, Place).x = 4;
    from.get(e, Place).y = 8;
    expect(send()).toBe(one + 4);
  });

  test("N5 the bytes are a copy", () => {
    const { from, receiver } = pair();
    from.addEntity([Place, { x: 1 }]);
    const first = receiver.take();
    const saved = Uint8Array.from(first);
    from.addEntities(100_000);
    from.addEntity([Place, { x: 2 }]);
    const second = receiver.take();
    expect(first).toEqual(saved);
    expect(first.buffer.byteLength).toBe(first.length);
    expect(second.buffer).not.toBe(first.buffer);
  });

  test("N5 writes to columns count after markDirty", () => {
    const { from, to, send, copy } = pair();
    const e = from.addEntity([Place, { x: 1 }]);
    send();
    const storage = from.storage(Place);
    storage.columns.x[storage.slot(e)] = 9;
    expect(send()).toBe(0);
    storage.markDirty([e]);
    send();
    expect(to.get(copy(e), Place).x).toBe(9);
  });

  test("N5 each receiver starts with everything, and gets its own changes", () => {
    const { from, changes, receiver } = pair();
    const e = from.addEntity([Place, { x: 1 }]);
    const worlds = [0, 1, 2].map(() => {
      const ecs = new ECS();
      return { ecs, replica: new Replica(ecs) };
    });
    const receivers = [receiver, changes.receiver()];
    const send = (k: number) => worlds[k]!.replica.apply(receivers[k]!.take());
    send(0);
    from.get(e, Place).x = 2;
    send(1);
    send(0);
    from.get(e, Place).x = 3;
    from.get(e, Place).y = 4;
    receivers.push(changes.receiver({}));
    for (const k of [0, 1, 2]) {
      send(k);
      const { ecs, replica } = worlds[k]!;
      expect(ecs.get(replica.entity(e), Place).toJSON()).toEqual({ x: 3, y: 4 });
      expect(receivers[k]!.take()).toHaveLength(0);
    }
  });

  test("N5 an entity is part of it while it has a component of the classes, or a parent", () => {
    const { from, to, send, copy } = pair([Place]);
    const parent = from.addEntity();
    const child = from.addEntity();
    const other = from.addEntity([Life, {}]);
    expect(send()).toBe(0);
    from.setParent(child, parent);
    send();
    expect(copy(child)).not.toBe(NONE);
    expect(copy(parent)).toBe(NONE);
    expect(copy(other)).toBe(NONE);
    from.addComponent(parent, Place);
    send();
    expect(to.parent(copy(child))).toBe(copy(parent));
    from.setParent(child, NONE);
    const there = copy(child);
    send();
    expect(to.alive(there)).toBe(false);
    from.removeComponent(parent, Place);
    send();
    expect(copy(parent)).toBe(NONE);
    expect(to.count).toBe(3);
  });

  test("N5 the components of the world are sent", () => {
    const { from, to, send } = pair();
    from.addComponent(from.world, Life, { points: 5 });
    send();
    expect(to.get(to.world, Life).points).toBe(5);
    from.removeComponent(from.world, Life);
    send();
    expect(to.has(to.world, Life)).toBe(false);
  });

  test("N5 without `components`, the classes are those that the ECS has used, except those of `without`", () => {
    class Goal extends defineComponent("Goal", { n: "u8" }) {}
    const ecs = new ECS();
    for (const without of [[], [Goal], ["Any"]])
      expect(expectError("BAD_ARGUMENT", () => new Changes(ecs, { without })).message).toContain("`components`");
    ecs.addSystem(
      0,
      new (class extends defineSystem({ place: Place }, { watch: [Place] }) {
        override update() {}
      })(),
    );
    ecs.query({ goal: Goal });
    ecs.prefab({ aim: Aim });
    ecs.storage(Cell);
    const of = [new Changes(ecs).receiver()];
    const e = ecs.addEntity([Place, {}], [Life, {}], [Called, {}], [Goal, {}], [Aim, {}], [Cell, {}]);
    of.push(
      new Changes(ecs).receiver(),
      new Changes(ecs, { without: [Life, "Called", Aim] }).receiver(),
      new Changes(ecs, { components: ["Life", Place], without: ["Place"] }).receiver(),
    );
    const sent = of.map((receiver) => {
      const to = new ECS();
      const replica = new Replica(to);
      replica.apply(receiver.take());
      return [...classes, Goal].filter((cls) => to.has(replica.entity(e), cls));
    });
    expect(sent).toEqual([[Place, Aim, Cell, Goal], [...classes, Goal], [Place, Cell, Goal], [Life]]);
  });

  test("N5 a class that nobody has used yet can be a part of it", () => {
    class Later extends defineComponent("Later", { n: "u8" }) {}
    const { from, to, send, copy } = pair([Later]);
    const e = from.addEntity([Later, { n: 3 }]);
    send();
    expect(to.get(copy(e), Later).n).toBe(3);
  });

  test("N5 X1 mistakes are errors", () => {
    const ecs = new ECS();
    class Twin extends defineComponent("Place", {}) {}
    expectError("BAD_ARGUMENT", () => new Changes(ecs, { components: ["Nothing"] }));
    expectError("BAD_ARGUMENT", () => new Changes(ecs, { components: [Place, Twin] }));
    new Changes(new ECS(), { components: [Place] }); // another one of the name does not matter
    expectError("BAD_ARGUMENT", () => new Changes({} as ECS));
    expectError("BAD_ARGUMENT", () => new Changes(ecs, { components: {} as [] }));
    class Above extends defineComponent("Parent", {}) {}
    expectError("BAD_ARGUMENT", () => new Changes(new ECS(), { components: [Above] }));
    expectError("BAD_ARGUMENT", () => new Changes(ecs, { classes: [] } as object));
    expectError("BAD_ARGUMENT", () => new Changes(ecs, null as never));
    const changes = new Changes(ecs, { components: [Life] });
    for (const options of [null, 1, { select: 1 }, { select: null }, { selects: [] }])
      expectError("BAD_ARGUMENT", () => changes.receiver(options as object));
    expectError("STALE_ENTITY", () => changes.receiver({ select: [77] }));
    expectError("BAD_ARGUMENT", () => changes.receiver({ select: ["1" as never] }));
    const receiver = changes.receiver();
    for (const maxBytes of [0, -1, NaN, "9", null])
      expectError("BAD_ARGUMENT", () => receiver.take({ maxBytes } as object));
    expectError("BAD_ARGUMENT", () => receiver.take({ most: 3 } as object));
    expectError("BAD_ARGUMENT", () => receiver.select(0));
    expectError("BAD_ARGUMENT", () => receiver.deselect(0));
    const near = changes.receiver({ select: [] });
    expectError("STALE_ENTITY", () => near.select(77));
    expectError("BAD_ARGUMENT", () => near.select("1" as never));
    expectError("BAD_ARGUMENT", () => near.deselect({} as never));
    near.deselect(77);
    near.deselect(1.5);
    expect(near.take()).toHaveLength(0);
  });
});

describe("limits", () => {
  test("N5 what does not fit into maxBytes stays for the next call", () => {
    const { from, to, receiver, replica, copy } = pair();
    const all = Array.from({ length: 60 }, (_, i) => from.addEntity([Place, { x: i }]));
    let packets = 0;
    for (;;) {
      const bytes = receiver.take({ maxBytes: 300.5 });
      if (bytes.length === 0) break;
      expect(bytes.length).toBeLessThanOrEqual(300);
      replica.apply(bytes);
      if (++packets === 1) {
        from.removeEntity(all.pop()!);
        from.update();
        from.get(all[0]!, Place).x = -1;
      }
    }
    expect(packets).toBeGreaterThan(1);
    for (const e of all) expect(to.get(copy(e), Place).x).toBe(from.get(e, Place).x);
    from.get(all[0]!, Place).x = 8;
    expectError("BAD_ARGUMENT", () => receiver.take({ maxBytes: 10 }));
    replica.apply(receiver.take({ maxBytes: Infinity }));
    expect(to.get(copy(all[0]!), Place).x).toBe(8);
  });

  test.each([false, true])("N5 an entity that is larger than maxBytes does not hold up others (lossy: %s)", (lossy) => {
    const { from, to, changes } = pair();
    const receiver = changes.receiver({ lossy });
    const replica = new Replica(to);
    const send = (options = {}) => {
      const bytes = receiver.take(options);
      replica.apply(bytes);
      if (lossy) receiver.acknowledge(replica.acknowledgement());
      return bytes.length;
    };
    const all = Array.from({ length: 30 }, () => from.addEntity([Place, {}]));
    send();
    const large = [3, 4, 20, 29].map((k) => all[k]!);
    for (const e of large) from.addComponent(e, Called, { name: "x".repeat(200 + e) });
    for (const e of all) from.get(e, Place).x = 7;
    const errors = new Set<string>();
    const sendSmall = (calls: number) => {
      for (let call = 0; call < calls; ++call) {
        try {
          send({ maxBytes: 80 });
        } catch (error) {
          expect(error).toMatchObject({ code: "BAD_ARGUMENT" });
          errors.add((error as Error).message);
        }
      }
    };
    sendSmall(60);
    for (const e of all) expect(to.get(replica.entity(e), Place).x).toBe(large.includes(e) ? 0 : 7);
    expect(errors.size).toBe(large.length);
    for (const e of large) expect([...errors].filter((text) => text.includes(`entity ${e} (`))).toHaveLength(1);
    from.get(large[0]!, Called).name = "short";
    sendSmall(10);
    expect(to.get(replica.entity(large[0]!), Called).name).toBe("short");
    expect(send()).toBeGreaterThan(0);
    for (const e of all) expect(to.tryGet(replica.entity(e), Called)?.name).toBe(from.tryGet(e, Called)?.name);
    expect(send({ maxBytes: 80 })).toBe(0);
  });

  test("N5 N6 N7 a class can have any number of fields", () => {
    const numbers = Object.fromEntries(Array.from({ length: 70 }, (_, k) => [`f${k}`, "u8"]));
    const named = numbers as Record<"f3" | "f69", "u8">; // the others are used by name
    class Wide extends defineComponent("Wide70", { ...named, at: "entity", prey: "link", name: "string" } as const) {}
    const { from, to, replica, send, copy } = pair([Wide]);
    const rewind = new Rewind(from);
    const e = from.addEntity([Wide, { f3: 1 }]);
    const late = from.addEntity();
    from.update();
    send();
    const fields = from.get(e, Wide) as unknown as Record<string, number>;
    const here = () => to.get(copy(e), Wide).toJSON() as unknown as Record<string, unknown>;
    for (const k of [0, 61, 62, 63, 64, 69]) {
      fields[`f${k}`] = k + 1;
      send();
      expect(here()).toMatchObject({ [`f${k}`]: k + 1, f3: 1 });
    }
    from.update();
    from.get(e, Wide).name = "far";
    from.get(e, Wide).at = from.get(e, Wide).prey = late;
    send();
    expect(here()).toMatchObject({ name: "far", at: NONE, prey: NONE });
    replica.predict(copy(e));
    from.addComponent(late, Wide);
    send();
    expect(here()).toMatchObject({ at: copy(late), prey: copy(late) });
    to.get(copy(e), Wide).f69 = 200;
    to.get(copy(e), Wide).prey = NONE;
    replica.reset();
    expect(here()).toMatchObject({ f69: 70, prey: copy(late) });
    from.update();
    rewind.to(1);
    expect(from.get(e, Wide)).toMatchObject({ f3: 1, f69: 0, name: "", prey: NONE });
    rewind.to(3);
    expect(from.get(e, Wide)).toMatchObject({ f3: 1, f69: 70, name: "far", prey: late });
    send();
    expect(here()).toMatchObject({ f3: 1, f69: 70, name: "far", prey: copy(late) });
  });

  test("N5 each entity gets its turn if all change and few fit", () => {
    const { from, to, receiver, replica, send, copy } = pair();
    const all = Array.from({ length: 30 }, () => from.addEntity([Place, {}]));
    send();
    for (let step = 1; step <= 20; ++step) {
      for (const e of all) from.get(e, Place).x = step;
      replica.apply(receiver.take({ maxBytes: 80 }));
    }
    for (const e of all) expect(to.get(copy(e), Place).x).toBeGreaterThan(5);
  });
});

describe("interest", () => {
  test("N5 a receiver with `select` gets the entities that are selected", () => {
    const { from, to, changes } = pair();
    const [a, b, c] = [1, 2, 3].map((x) => from.addEntity([Place, { x }])) as [Entity, Entity, Entity];
    const near = changes.receiver({ select: new Set([a]) });
    const replica = new Replica(to);
    const send = () => {
      const bytes = near.take();
      replica.apply(bytes);
      return bytes.length;
    };
    send();
    expect([a, b, c].map((e) => replica.entity(e) !== NONE)).toEqual([true, false, false]);
    from.get(b, Place).x = 20;
    expect(send()).toBe(0);
    near.select(b);
    near.select(b);
    near.deselect(a);
    near.deselect(c);
    const gone = replica.entity(a);
    send();
    expect(to.alive(gone)).toBe(false);
    expect(to.get(replica.entity(b), Place).x).toBe(20);
    near.select(a);
    send();
    expect(replica.entity(a)).not.toBe(gone);
    from.removeEntity(b);
    from.update();
    send();
    expect(replica.entity(b)).toBe(NONE);
    const again = from.addEntity([Place, {}]);
    send();
    expect(replica.entity(again)).toBe(NONE); // the selection of `b` has ended with it
  });

  test.each([false, true])("N5 what is kept costs nothing while it is out of sight (lossy: %s)", (lossy) => {
    const { from, to, changes } = pair();
    const coins = Array.from({ length: 200 }, (_, x) => from.addEntity([Place, { x }]));
    const near = changes.receiver({ select: coins, lossy });
    const replica = new Replica(to);
    let meshes = 0;
    class Meshes extends System {
      readonly componentsRequired = new Set([Place]);
      override onAdd(): void {
        ++meshes;
      }
      override update(): void {}
    }
    to.addSystem(0, new Meshes());
    const send = () => {
      from.update();
      const bytes = near.take();
      replica.apply(bytes);
      if (lossy) near.acknowledge(replica.acknowledgement());
      return bytes.length;
    };
    send();
    send();
    const copies = coins.map((e) => replica.entity(e));
    const { count } = to;
    for (let round = 0; round < 10; ++round) {
      for (const e of coins) near.deselect(e, { keep: true });
      expect(send()).toBe(0);
      for (const e of coins) near.select(e);
      expect(send()).toBe(0);
    }
    expect(meshes).toBe(200);
    expect(coins.map((e) => replica.entity(e))).toEqual(copies);

    for (const e of coins) near.deselect(e, { keep: true });
    from.get(coins[3]!, Place).x = 55;
    from.removeEntity(coins[4]!);
    send();
    expect(to.get(copies[3]!, Place).x).toBe(3);
    expect(to.alive(copies[4]!)).toBe(false);
    near.deselect(coins[5]!);
    near.select(coins[3]!);
    send();
    expect(to.get(copies[3]!, Place).x).toBe(55);
    expect(to.alive(copies[5]!)).toBe(false);
    expect(to.count).toBe(count - 2);
    for (const options of [null, 3, { keep: 1 }, { keeps: true }])
      expectError("BAD_ARGUMENT", () => near.deselect(coins[6]!, options as never));
  });

  test("N5 a reference to an entity outside of the selection is NONE until it is selected", () => {
    const { from, to, changes } = pair();
    const target = from.addEntity([Place, {}]);
    const e = from.addEntity([Aim, { at: target, prey: target }]);
    from.setParent(e, target);
    const near = changes.receiver({ select: [e] });
    const replica = new Replica(to);
    replica.apply(near.take());
    const copy = replica.entity(e);
    expect(to.get(copy, Aim).toJSON()).toMatchObject({ at: NONE, prey: NONE });
    expect(to.parent(copy)).toBe(NONE);
    near.select(target);
    replica.apply(near.take());
    const there = replica.entity(target);
    expect(to.get(copy, Aim).toJSON()).toMatchObject({ at: there, prey: there });
    expect(to.parent(copy)).toBe(there);
    near.deselect(target);
    replica.apply(near.take());
    expect(to.get(copy, Aim).toJSON()).toMatchObject({ at: NONE, prey: NONE });
    expect(to.parent(copy)).toBe(NONE);
  });
});

describe.each([Aim, PackedAim])("%p", (cls) => {
  test.each([
    ["nothing", false],
    ["another one", false],
    ["nothing", true],
    ["another one", true],
  ])("N6 a reference signals only if it differs: its target arrives when it refers to %s (lossy: %s)", (now, lossy) => {
    const { from, to, changes } = pair([Place, cls]);
    const [target, other] = [from.addEntity(Place), from.addEntity(Place)];
    const e = from.addEntity([cls as typeof PackedAim, { at: target, prey: target }]);
    const receiver = changes.receiver({ select: [e], lossy });
    const replica = new Replica(to);
    const watch = new Watch(cls);
    to.addSystem(0, watch);
    const send = () => {
      replica.apply(receiver.take());
      if (lossy) receiver.acknowledge(replica.acknowledgement());
      to.update();
      return watch.take().map((line) => line.replace(String(replica.entity(e)), "e"));
    };
    const refer = (where: Entity) => Object.assign(from.get(e, cls as typeof PackedAim), { at: where, prey: where });
    expect(send()).toEqual(["+e", "dirty e"]);
    refer(now === "nothing" ? NONE : other);
    receiver.select(target);
    expect(send()).toEqual([]); // NONE before and after
    const here = replica.entity(target);
    expect(here).not.toBe(NONE);
    refer(target);
    expect(send()).toEqual(["dirty e"]);
    expect(to.get(replica.entity(e), cls as typeof PackedAim).toJSON()).toMatchObject({ at: here, prey: here });
  });
});

describe("replicas", () => {
  test("N6 handles are mapped in entity and link fields, vectors and enums arrive", () => {
    const { from, to, send, copy } = pair();
    const prey = from.addEntity([Place, {}]);
    const e = from.addEntity([Aim, { at: prey, prey, way: [1, 2, 3], mode: "hunt" }]);
    send();
    const aim = to.get(copy(e), Aim);
    expect(aim.at).toBe(copy(prey));
    expect([...to.linked(Aim, copy(prey), "prey")]).toEqual([copy(e)]);
    expect([...aim.way]).toEqual([1, 2, 3]);
    expect(aim.mode).toBe("hunt");
    from.get(e, Aim).at = e;
    send();
    expect(to.get(copy(e), Aim).at).toBe(copy(e));
    from.removeEntity(prey);
    from.update();
    send();
    expect(aim.prey).toBe(NONE);
  });

  test("N6 siblings have the sender's order, and parents that arrive later get their children", () => {
    const { from, to, replica, send, copy } = pair();
    const top = from.addEntity();
    const children = [1, 2, 3, 4].map(() => {
      const e = from.addEntity([Place, {}]);
      from.setParent(e, top);
      return e;
    });
    send();
    expect(to.parent(copy(children[0]!))).toBe(NONE);
    from.addComponent(top, Place);
    send();
    const order = () => Array.from(to.children(copy(top)), (e) => replica.remote(e));
    expect(order()).toEqual(children);
    from.setParent(children[3]!, top, children[0]!);
    from.setParent(children[1]!, top);
    send();
    expect(order()).toEqual([...from.children(top)]);
  });

  test("N6 what differs signals, so that systems process exactly this", () => {
    const { from, to, send, copy } = pair();
    const watch = new Watch(Place);
    to.addSystem(0, watch);
    const [a, b, c] = [1, 2, 3].map((x) => from.addEntity([Place, { x }])) as [Entity, Entity, Entity];
    send();
    const there = [a, b, c].map(copy);
    expect(watch.take()).toEqual(there.map((e) => `+${e}`));
    to.update();
    watch.take();
    from.get(b, Place).x = 9;
    from.get(c, Place).dirty();
    to.get(there[0]!, Place).x = 5;
    to.update();
    watch.take();
    from.get(a, Place).x = 5; // the value that is there already
    send();
    to.update();
    expect(watch.take()).toEqual([`dirty ${there[1]}`]);
    from.removeComponent(c, Place);
    from.addComponent(c, Life);
    send();
    expect(watch.take()).toEqual([`-${there[2]}`]);
  });

  test("N6 other entities stay untouched, and the own children of one that is removed lose their parent", () => {
    const { from, to, send, copy } = pair();
    const e = from.addEntity([Place, {}]);
    send();
    const own = to.addEntity([Place, { x: 4 }]);
    const child = to.addEntity([Life, { points: 1 }]);
    to.setParent(child, copy(e));
    from.removeEntity(e);
    from.update();
    send();
    expect(to.get(own, Place).x).toBe(4);
    expect(to.parent(child)).toBe(NONE);
    expect(to.get(child, Life).points).toBe(1);
  });

  test("N6 E3 entities that are marked for removal stay marked", () => {
    const { from, to, send, copy } = pair();
    const [a, b] = [from.addEntity([Place, {}]), from.addEntity([Place, {}])];
    send();
    const there = [copy(a), copy(b)] as const;
    to.removeEntity(there[1]);
    from.removeEntity(a);
    from.update();
    send();
    expect(there.map((e) => to.alive(e))).toEqual([false, true]);
    to.update();
    expect(to.alive(there[1])).toBe(false);
    from.get(b, Place).x = 3;
    send();
    expect(copy(b)).toBe(NONE);
  });

  test("N6 bytes that were applied already have no effect, others than the next ones are BAD_DATA", () => {
    const { from, to, changes, receiver, replica, copy } = pair();
    const e = from.addEntity([Place, { x: 1 }]);
    const packets = [2, 3].map((x) => {
      const bytes = receiver.take();
      from.get(e, Place).x = x;
      return bytes;
    });
    packets.push(receiver.take());
    expectError("BAD_DATA", () => replica.apply(packets[1]!));
    replica.apply(packets[0]!);
    replica.apply(packets[0]!);
    expectError("BAD_DATA", () => replica.apply(packets[2]!));
    for (const k of [1, 0, 2, 1, 2]) replica.apply(packets[k]!);
    expect(to.get(copy(e), Place).x).toBe(3);
    expectError("BAD_DATA", () => replica.apply(changes.receiver().take()));
    replica.apply(new Uint8Array(0));
    expect(to.get(copy(e), Place).x).toBe(3);
  });

  test("N5 N6 after a restart, what was lost arrives, entities keep their handles, and what is the same is not dirty", () => {
    class Bag extends defineObject("RestartBag", { items: [] as string[] }) {}
    const { from, to, receiver, replica, send, copy } = pair([...classes, Bag]);
    const all = [1, 2, 3, 4].map((x) => from.addEntity([Place, { x }], [Called, { name: `n${x}` }], Bag));
    const [first, second, third, fourth] = all as [Entity, Entity, Entity, Entity];
    from.setParent(second, first);
    send();
    const watch = to.addSystem(0, new Watch(Place));
    to.update();
    watch.take();
    const there = all.map(copy);
    const bag = to.get(copy(first), Bag);

    from.get(first, Place).x = 9;
    from.removeComponent(second, Called);
    from.setParent(second, NONE);
    from.removeEntity(third);
    from.get(fourth, Bag).items = ["coin"];
    from.get(fourth, Bag).dirty();
    from.update();
    expect(receiver.take().length).toBeGreaterThan(0); // is lost
    from.get(second, Place).y = 5;
    expectError("BAD_DATA", send);
    receiver.restart();
    send();
    expect(all.map(copy)).toEqual([there[0], there[1], NONE, there[3]]);
    expect(to.alive(there[2]!)).toBe(false);
    expect([to.get(there[0]!, Place).x, to.has(there[1]!, Called), to.parent(there[1]!)]).toEqual([9, false, NONE]);
    expect(to.get(there[3]!, Bag).items).toEqual(["coin"]);
    expect(to.get(there[0]!, Bag)).toBe(bag); // the same object, because its bytes are the same
    to.update();
    expect(watch.take().sort()).toEqual([`-${there[2]}`, `dirty ${there[0]},${there[1]}`].sort());
    expect(receiver.take()).toHaveLength(0);
    from.get(second, Place).y = 6;
    send();
    expect(to.get(there[1]!, Place).y).toBe(6);

    const late = new Replica(to, { components: [...classes, Bag] });
    receiver.restart();
    late.apply(receiver.take());
    expect(to.get(late.entity(first), Bag).items).toEqual([]);
    expect(replica.entity(first)).toBe(there[0]);
  });
  test("N5 a lossy channel needs no restart", () => {
    const { changes } = pair();
    expectError("BAD_ARGUMENT", () => changes.receiver({ lossy: true }).restart());
  });
  test("N6 any buffer or view is accepted", () => {
    const { from, to, receiver, replica, copy } = pair();
    const e = from.addEntity([Place, { x: 1 }]);
    replica.apply(receiver.take().buffer);
    from.get(e, Place).x = 2;
    const bytes = receiver.take();
    const wide = new Uint8Array(bytes.length + 9);
    wide.set(bytes, 5);
    replica.apply(new DataView(wide.buffer, 5, bytes.length));
    expect(to.get(copy(e), Place).x).toBe(2);
    for (const data of ["text", 5, null, undefined, [1, 2]])
      expectError("BAD_ARGUMENT", () => replica.apply(data as never));
  });

  test("N6 `frame` is the sender's number of updates", () => {
    const { from, replica, send } = pair();
    expect(replica.frame).toBe(0);
    from.addEntity([Place, {}]);
    for (let i = 0; i < 5; ++i) from.update();
    send();
    expect(replica.frame).toBe(5);
  });

  test("N6 `entity` and `remote` are NONE for others", () => {
    const { from, to, replica, send } = pair();
    from.addEntity([Place, {}]);
    send();
    for (const e of [NONE, 77, 1.5, -1]) {
      expect(replica.entity(e)).toBe(NONE);
      expect(replica.remote(e)).toBe(NONE);
    }
    expect(replica.remote(to.addEntity())).toBe(NONE);
    for (const odd of ["1", undefined, null, {}]) {
      expectError("BAD_ARGUMENT", () => replica.entity(odd as never));
      expectError("BAD_ARGUMENT", () => replica.remote(odd as never));
    }
  });

  test("N6 classes that do not exist in the program are an error, and `components` lists those that were not used yet", () => {
    const name = "Unknown";
    const { from, receiver } = pair([Place]);
    class Old extends defineComponent(name, { x: "f32" }) {}
    const other = new Changes(from, { components: [Old] }).receiver();
    const e = from.addEntity([Place, { x: 1 }], [Old, { x: 2 }]);
    const to = new ECS();
    const replica = new Replica(to, { components: [Place] });
    replica.apply(receiver.take());
    expect(to.get(replica.entity(e), Place).x).toBe(1);
    const bytes = other.take();
    const text = Array.from(name, (c) => c.charCodeAt(0));
    expect(bytes.some((_, at) => text.every((code, i) => bytes[at + i] === code))).toBe(true);
    expectError("BAD_ARGUMENT", () => new Replica(to, { components: ["Place"] as never }));
    expectError("BAD_ARGUMENT", () => new Replica(to, { limits: { seconds: 1 } as object }));
    expectError("BAD_ARGUMENT", () => new Replica(to, { limits: { index: -1 } }));
    expectError("BAD_ARGUMENT", () => new Replica(to, { other: 1 } as object));
    expectError("BAD_ARGUMENT", () => new Replica(1 as never));
  });

  test("N4 N6 a value that a field cannot store is an error that names it, and asks for the versions of the programs", () => {
    class Wide extends defineComponent("NarrowedThere", { value: "f32" }) {}
    const { from, receiver } = pair([Wide]);
    from.addEntity([Wide, { value: 1.5 }]);
    class Narrow extends defineComponent("NarrowedThere", { value: "u8" }) {}
    const to = new ECS();
    const replica = new Replica(to, { components: [Narrow] });
    expect(() => replica.apply(receiver.take())).toThrow(
      "apply: NarrowedThere.value: the field cannot store 1.5; is the sender another version of the program?",
    );
    expect(to.count).toBe(0);
  });

  test("N8 `limits` bound what the bytes may ask for", () => {
    const { from, to, receiver } = pair();
    for (let i = 0; i < 10; ++i) from.addEntity([Place, {}]);
    const bytes = receiver.take();
    const before = to.count;
    expectError("BAD_DATA", () => new Replica(to, { limits: { entities: 9 } }).apply(bytes));
    expectError("BAD_DATA", () => new Replica(to, { limits: { index: 10 } }).apply(bytes));
    expect(to.count).toBe(before);
    new Replica(to, { limits: { entities: 10, index: 11 } }).apply(bytes);
    expect(to.count).toBe(before + 10);
  });

  test("N6 classes, fields and names of enums that do not exist are passed over", () => {
    class Coin extends defineComponent("PassedCoin", { value: "f32", name: "string" }) {}
    class Purse extends defineObject("PassedPurse", { gold: 1 }) {}
    class Newer extends defineComponent("PassedMode", { mode: ["hunt", "flee", "idle"], speed: "f32" }) {}
    const from = new ECS();
    const receiver = new Changes(from, { components: [Coin, Purse, Newer, Life] }).receiver();
    const e = from.addEntity(
      [Coin, { value: 2, name: "a" }],
      Purse,
      [Newer, { mode: "flee", speed: 4 }],
      [Life, { points: 1 }],
    );
    const bytes = receiver.take();
    class Mode extends defineComponent("PassedMode", { mode: { type: ["idle", "hunt"], default: "hunt" } }) {}
    const to = new ECS();
    const older = withPacketChecksum(bytes.map((byte, i) => (i === indexOfText(bytes, "PassedCoin") ? 0x70 : byte))); // "passedCoin"
    const components = [Mode, Life];
    expectError("BAD_ARGUMENT", () => new Replica(to, { components }).apply(older));
    expectError("BAD_ARGUMENT", () => new Replica(to, { components, ignore: [Purse] }).apply(older));
    const replica = new Replica(to, { components, ignore: "unknown" });
    expect(replica.ignored).toEqual([]);
    replica.apply(older);
    const there = replica.entity(e);
    expect(to.get(there, Mode).mode).toBe("hunt");
    expect([to.get(there, Life).points, to.has(there, Coin)]).toEqual([1, false]);
    expect(replica.ignored).toEqual(["passedCoin", "PassedMode.mode: flee", "PassedMode.speed"]);
    from.get(e, Coin).name = "b";
    from.get(e, Life).points = 3;
    replica.apply(receiver.take());
    expect(to.get(there, Life).points).toBe(3);

    const named = new Replica(new ECS(), { components: [Newer, Life], ignore: [Coin, "PassedPurse"] });
    named.apply(bytes);
    expect(named.ignored).toEqual(["PassedCoin", "PassedPurse"]);
    expectError("BAD_ARGUMENT", () => new Replica(to, { ignore: "Coin" as never }));
    expectError("BAD_DATA", () => new Replica(to, { components, ignore: ["Parent"] }).apply(bytes));
  });

  test("N6 onRemove finds everything as before, onAdd as afterwards", () => {
    const { from, to, send } = pair();
    class Sees extends defineSystem({ place: Place }) {
      readonly log: unknown[] = [];
      see(e: Entity) {
        const target = to.tryGet(e, Aim)?.at ?? NONE;
        return [
          to.get(e, Place).x,
          to.tryGet(e, Called)?.name,
          to.tryGet(e, Cell)?.level,
          to.tryGet(target, Life)?.points,
        ];
      }
      override onAdd({ entity }: Aspect) {
        this.log.push(["+", ...this.see(entity), to.tryGet(to.parent(entity), Life)?.points]);
      }
      override onRemove({ entity }: Aspect) {
        this.log.push(["-", ...this.see(entity), to.tryGet(to.parent(entity), Life)?.points]);
      }
    }
    const sees = new Sees();
    to.addSystem(0, sees);
    const e = from.addEntity([Place, { x: 1 }]);
    const parent = from.addEntity([Life, { points: 6 }]); // classes and entities behind
    from.add(e, [Called, { name: "Ada" }], [Cell, { level: 4 }], [Aim, { at: parent }]);
    from.setParent(e, parent);
    send();
    from.get(parent, Life).points = 8;
    from.get(e, Cell).level = 5;
    from.removeComponent(e, Called);
    from.removeComponent(e, Place);
    send();
    from.addComponent(e, Place, { x: 2 });
    send();
    from.removeEntity(parent);
    from.update();
    send();
    expect(sees.log).toEqual([
      ["+", 1, "Ada", 4, 6, 6],
      ["-", 1, "Ada", 4, 6, 6],
      ["+", 2, undefined, 5, 8, 8],
      ["-", 2, undefined, 5, 8, 8],
    ]);
  });

  test("N6 onRemove must not change the ECS, and everything else is applied", () => {
    const { from, to, receiver, replica, send, copy } = pair();
    const e = from.addEntity([Place, { x: 1 }], [Life, { points: 2 }]);
    send();
    to.addSystem(
      0,
      new (class extends defineSystem({ place: Place }) {
        override onRemove() {
          to.addEntity();
        }
      })(),
    );
    from.removeComponent(e, Place);
    from.get(e, Life).points = 5;
    const other = from.addEntity([Called, { name: "b" }]);
    const { count } = to;
    expectError("BAD_ARGUMENT", () => replica.apply(receiver.take()));
    expect([to.has(copy(e), Place), to.get(copy(e), Life).points, to.get(copy(other), Called).name]).toEqual([
      false,
      5,
      "b",
    ]);
    expect(to.count).toBe(count + 1);
  });

  test("N6 onAdd may change anything, and what it throws is rethrown at the end", () => {
    const { from, to, receiver, replica, copy } = pair();
    const watch = new Watch(Place);
    to.addSystem(0, watch);
    const all = [1, 2, 3].map((x) => from.addEntity([Place, { x }], [Life, { points: x }]));
    watch.at = ({ entity }) => {
      if (to.get(entity, Place).x === 2) {
        to.addEntity([Place, { x: 50 }]);
        to.removeEntity(entity);
        throw new Error("a callback");
      }
    };
    expect(() => replica.apply(receiver.take())).toThrow("a callback");
    for (const e of all) expect(to.get(copy(e), Life).points).toBe(from.get(e, Life).points);
    to.update();
    expect(all.map((e) => copy(e) !== NONE)).toEqual([true, false, true]);
    from.get(all[1]!, Place).x = 7;
    from.get(all[2]!, Place).x = 8;
    replica.apply(receiver.take());
    expect(to.get(copy(all[2]!), Place).x).toBe(8);
  });

  test("N5 N6 take, apply and reset inside an update or a callback are REENTRANT_UPDATE", () => {
    const { from, to, receiver, replica, send, copy } = pair();
    const e = from.addEntity([Place, { x: 1 }]);
    const bytes = receiver.take();
    const errors: unknown[] = [];
    const attempt = (call: () => unknown) => {
      try {
        call();
      } catch (error) {
        errors.push((error as { code: string }).code);
      }
    };
    const watch = new Watch(Life);
    watch.at = () => {
      attempt(() => replica.apply(bytes));
      attempt(() => replica.reset());
      attempt(() => new Changes(to, { components: [Life] }).receiver().take());
    };
    to.addSystem(0, watch);
    to.addEntity([Life, {}]);
    expect(errors).toEqual(["REENTRANT_UPDATE", "REENTRANT_UPDATE", "REENTRANT_UPDATE"]);
    replica.apply(bytes);
    from.get(e, Place).x = 2;
    send();
    expect(to.get(copy(e), Place).x).toBe(2);
  });

  test("N6 predicted entities go back to the last received values with reset", () => {
    const { from, to, replica, send, copy } = pair();
    const late = from.addEntity();
    const e = from.addEntity([Place, { x: 1, y: 2 }], [Called, { name: "received" }], [Aim, { at: late }]);
    send();
    const there = copy(e);
    replica.predict(there);
    replica.predict(there);
    const predict = () => {
      to.get(there, Place).x = 7;
      to.get(there, Place).y = 8;
      to.get(there, Called).name = "predicted";
      to.removeComponent(there, Aim);
    };
    predict();
    const watch = new Watch(Place);
    to.addSystem(0, watch);
    to.update();
    watch.take();
    replica.reset();
    expect(to.get(there, Place).toJSON()).toEqual({ x: 1, y: 2 });
    expect(to.get(there, Called).name).toBe("received");
    expect(to.get(there, Aim).at).toBe(NONE);
    to.update();
    expect(watch.take()).toEqual([`dirty ${there}`]);
    replica.reset();
    to.update();
    expect(watch.take()).toEqual([]);
    predict();
    from.get(e, Place).y = 5;
    from.addComponent(late, Life);
    send();
    replica.reset();
    expect(to.get(there, Place).toJSON()).toEqual({ x: 1, y: 5 });
    expect(to.get(there, Aim).at).toBe(copy(late));
    replica.stopPredicting(there);
    replica.stopPredicting(NONE);
    predict();
    replica.reset();
    expect(to.get(there, Place).toJSON()).toEqual({ x: 7, y: 8 });
    for (const odd of [to.addEntity(), 77]) expectError("BAD_ARGUMENT", () => replica.predict(odd));
    for (const odd of ["1", undefined]) {
      expectError("BAD_ARGUMENT", () => replica.predict(odd as never));
      expectError("BAD_ARGUMENT", () => replica.stopPredicting(odd as never));
    }
  });

  test.each([
    ["deselected", "reliable"],
    ["deselected", "lossy"],
    ["without components", "reliable"],
    ["without components", "lossy"],
  ])("N6 the world stays predicted while it is not sent [%s %s]", (how, channel) => {
    for (const atOnce of [false, true]) {
      const { from, to, changes } = pair();
      const lossy = channel === "lossy";
      const receiver = changes.receiver({ lossy, select: [from.world] });
      const replica = new Replica(to);
      const { world } = to;
      const send = () => {
        from.update();
        replica.apply(receiver.take());
        if (lossy) receiver.acknowledge(replica.acknowledgement());
      };
      const addAll = () => {
        from.addComponent(from.world, Place, { x: 1, y: 2 });
        from.addComponent(from.world, Called, { name: "received" });
        from.addComponent(from.world, Cell, { level: 5 });
      };
      const values = () => classes.map((cls) => JSON.stringify(to.tryGet(world, cls)));
      const vanish = () => {
        if (how === "deselected") receiver.deselect(from.world);
        else for (const cls of [Place, Called, Cell]) from.removeComponent(from.world, cls as typeof Place);
        if (atOnce) return;
        send();
        replica.reset();
        expect(values().join("")).toBe("");
      };
      const appear = () => {
        if (how === "deselected") receiver.select(from.world);
        else addAll();
        send();
        to.get(world, Place).x = 7;
        to.get(world, Called).name = "predicted";
        to.removeComponent(world, Cell);
      };
      addAll();
      send();
      const received = values();
      replica.predict(world);
      vanish();
      appear();
      expect(values()).not.toEqual(received);
      replica.reset();
      expect(values()).toEqual(received);
      vanish();
      replica.stopPredicting(world);
      appear();
      const predicted = values();
      replica.reset();
      expect(values()).toEqual(predicted);
    }
  });

  test("N6 components that the sender removes and adds again stay predicted", () => {
    for (const atOnce of [false, true]) {
      const { from, to, replica, send, copy } = pair();
      const addAll = () => {
        from.addComponent(e, Place, { x: 1, y: 2 });
        from.addComponent(e, Called, { name: "received" });
        from.addComponent(e, Cell, { level: 5 });
      };
      const e = from.addEntity(Life);
      addAll();
      send();
      const there = copy(e);
      const values = () => classes.map((cls) => JSON.stringify(to.tryGet(there, cls)));
      const received = values();
      replica.predict(there);
      for (const cls of [Place, Called, Cell]) from.removeComponent(e, cls as typeof Place);
      if (!atOnce) send();
      addAll();
      send();
      to.get(there, Place).x = 7;
      to.get(there, Called).name = "predicted";
      to.removeComponent(there, Cell);
      replica.reset();
      expect(values()).toEqual(received);
    }
  });

  test("N6 reset does not change parents", () => {
    const { from, to, replica, send, copy } = pair();
    const parent = from.addEntity([Place, {}]);
    const child = from.addEntity([Place, {}]);
    from.setParent(child, parent);
    send();
    const there = copy(child);
    replica.predict(there);
    to.setParent(there, NONE);
    to.get(there, Place).x = 7;
    replica.reset();
    expect([to.get(there, Place).x, to.parent(there)]).toEqual([0, NONE]);
  });

  test("N6 callbacks of apply find the entities and the frame of the bytes", () => {
    const { from, to, replica, send, copy } = pair();
    const [a, b] = [from.addEntity([Place, {}]), from.addEntity()];
    const log: string[] = [];
    const note = (what: string, e: Entity) => {
      const remote = replica.remote(e);
      expect(copy(remote)).toBe(e);
      const here = [a, b].filter((other) => copy(other) !== NONE);
      log.push(`${what}${remote} in ${replica.frame}, here: ${here}`);
    };
    to.addSystem(
      0,
      new (class extends defineSystem({ place: Place }) {
        override onAdd({ entity }: Aspect) {
          note("+", entity);
        }
        override onRemove({ entity }: Aspect) {
          note("-", entity);
        }
      })(),
    );
    from.update();
    send();
    const there = copy(a);
    from.addComponent(b, Place);
    from.removeEntity(a);
    from.update();
    send();
    expect(log).toEqual([`+${a} in 1, here: ${a}`, `-${a} in 2, here: ${a}`, `+${b} in 2, here: ${b}`]);
    expect([replica.remote(there), copy(a)]).toEqual([NONE, NONE]);
  });

  test("N6 after restore and Rewind, a replica finds no entity, and its frame stays", () => {
    for (const rewinds of [false, true]) {
      const { from, to, replica, send, copy } = pair();
      const e = from.addEntity([Place, { x: 1 }]);
      from.update();
      send();
      const there = copy(e);
      const found: Entity[] = [];
      const asks = new (class extends defineSystem({ place: Place }) {
        override onAdd() {
          found.push(copy(e));
        }
        override onRemove() {
          found.push(copy(e));
        }
      })();
      to.addSystem(0, asks);
      to.update();
      const rewind = new Rewind(to);
      const saved = snapshot(to);
      to.removeComponent(there, Place);
      to.addEntity([Place, {}]);
      to.update();
      found.length = 0;
      if (rewinds) rewind.to(1);
      else restore(to, saved);
      expect(found).toEqual([there, NONE]); // onRemove is called for the state before
      expect([copy(e), replica.remote(there), replica.frame]).toEqual([NONE, NONE, 1]);
      expectError("BAD_ARGUMENT", () => replica.predict(there));
      replica.stopPredicting(there);
    }
  });

  test("N6 callbacks of reset may end predictions and remove entities", () => {
    const { from, to, replica, send, copy } = pair();
    const all = [1, 2, 3].map((x) => from.addEntity([Place, { x }], [Life, { points: x }]));
    send();
    const there = all.map(copy);
    for (const e of there) replica.predict(e);
    const watch = new Watch(Life);
    to.addSystem(0, watch);
    for (const e of there) {
      to.removeComponent(e, Life);
      to.get(e, Place).x = 9;
    }
    watch.at = () => {
      for (const e of there) replica.stopPredicting(e);
      throw new Error("a callback");
    };
    expect(() => replica.reset()).toThrow("a callback");
    expect(there.map((e) => to.get(e, Life).points)).toEqual([1, 2, 3]); // they were written before
    to.removeComponents(there, Life);
    replica.reset();
    expect(there.some((e) => to.has(e, Life))).toBe(false);
  });
});

describe("the life of sources, receivers and replicas", () => {
  test("N5 N6 M3 after dispose, their methods throw DISPOSED", () => {
    for (const end of ["ecs", "each", "using"] as const) {
      const { from, to, changes, receiver, replica } = pair();
      const near = changes.receiver({ select: [] });
      const e = from.addEntity([Place, {}]);
      replica.apply(receiver.take());
      const there = replica.entity(e);
      const bytes = changes.receiver().take();
      const all = [changes, receiver, near, replica];
      const dispose: symbol = Symbol.dispose ?? Symbol.for("Symbol.dispose");
      for (let twice = 0; twice < 2; ++twice) {
        if (end === "ecs") for (const ecs of [from, to]) ecs.dispose();
        else if (end === "each") for (const each of all) each.dispose();
        else for (const each of all) (each as unknown as Record<symbol, () => void>)[dispose]!();
      }
      const calls: (() => unknown)[] = [
        () => changes.receiver(),
        () => receiver.take(),
        () => near.select(e),
        () => near.deselect(e),
        () => near.restart(),
        () => replica.apply(bytes),
        () => replica.apply(new Uint8Array(0)),
        () => replica.entity(e),
        () => replica.remote(there),
        () => replica.frame,
        () => replica.predict(there),
        () => replica.stopPredicting(there),
        () => replica.reset(),
      ];
      for (const call of calls) expectError("DISPOSED", call);
      if (end === "ecs") {
        for (const each of all) each.dispose();
        expectError("DISPOSED", () => new Changes(from));
        expectError("DISPOSED", () => new Replica(to));
      } else {
        expect(to.get(there, Place).x).toBe(0);
        from.get(e, Place).x = 3;
        expect(from.get(e, Place).x).toBe(3);
      }
    }
  });

  test("N5 a receiver can be used longer than its source", () => {
    const { from, to, changes, receiver, replica, copy } = pair();
    changes.dispose();
    const e = from.addEntity([Place, { x: 4 }]);
    replica.apply(receiver.take());
    expect(to.get(copy(e), Place).x).toBe(4);
  });

  test("N6 M3 callbacks of apply and reset may dispose the replica and the ECS", () => {
    for (const what of ["replica", "ecs"] as const) {
      for (const call of ["apply", "reset"] as const) {
        const { from, to, receiver, replica } = pair();
        const watch = new Watch(Place);
        to.addSystem(0, watch);
        const all = [1, 2, 3].map((x) => from.addEntity([Place, { x }], [Life, {}]));
        let bytes = receiver.take();
        if (call === "reset") {
          replica.apply(bytes);
          bytes = new Uint8Array(0);
          for (const e of all) {
            replica.predict(replica.entity(e));
            to.removeComponent(replica.entity(e), Place);
          }
        }
        watch.at = () => (what === "replica" ? replica.dispose() : to.dispose());
        if (call === "apply") replica.apply(bytes);
        else replica.reset();
        expectError("DISPOSED", () => replica.reset());
        if (what === "ecs") expectError("DISPOSED", () => to.count);
        else expect(to.count).toBe(6);
      }
    }
  });

  test("N5 N6 snapshots can be restored on both sides", () => {
    const { from, to, send, copy } = pair();
    const e = from.addEntity([Place, { x: 1 }]);
    const saved = snapshot(from);
    from.get(e, Place).x = 2;
    const late = from.addEntity([Place, { x: 3 }]);
    send();
    restore(from, saved);
    send();
    expect(to.get(copy(e), Place).x).toBe(1);
    expect(copy(late)).toBe(NONE);
  });

  test("N5 N6 memory may grow at any time", () => {
    const { from, to, receiver, replica, copy } = pair();
    const e = from.addEntity([Called, { name: "x".repeat(1000) }]);
    const bytes = receiver.take();
    const watch = new Watch(Called);
    let names = "";
    watch.at = ({ entity }) => {
      to.addEntities(200_000);
      names = to.get(entity, Called).name;
    };
    to.addSystem(0, watch);
    replica.apply(bytes);
    expect(names).toBe("x".repeat(1000));
    expect(to.get(copy(e), Called).name).toBe("x".repeat(1000));
    replica.apply(bytes);
  });
});

test("N5 an empty list of components is an error, because it would not mean all", () => {
  const ecs = world();
  ecs.addEntity(Position);
  expect(expectError("BAD_ARGUMENT", () => new Changes(ecs, { components: [] })).message).toContain("is empty");
});
