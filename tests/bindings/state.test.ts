// Snapshots: crateful/state (rules N1 to N4, N8).
import { describe, expect, test } from "@jest/globals";
import { type ECS, NONE, Parent, System, defineComponent, defineObject, type Aspect, type Entity } from "crateful";
import { restore, snapshot } from "./with_state.js";
import { indexOfText, withChecksum } from "./state_bytes.js";
import { Position, Tag, Velocity, expectError, policies, values, world } from "./world.js";

class Unit extends defineComponent("Unit", {
  state: ["idle", "walk", "attack"],
  name: { type: "string", default: "nobody" },
  at: "f32x3",
  target: "link",
  owner: "entity",
  alert: "bool",
}) {}
class Bag extends defineObject("Bag", { items: [] as string[], gold: 1 }) {}

/** A world with components of all kinds. */
function scene() {
  const ecs = world();
  const hero = ecs.addEntity(new Unit({ name: "Ann", at: [1, 2, 3], state: "walk" }), Position, [Bag, { gold: 7 }]);
  const gone = ecs.addEntity(Tag);
  const pet = ecs.addEntity([Unit, { target: hero, owner: hero, name: "Rex" }], Velocity);
  ecs.setParent(pet, hero);
  ecs.removeEntity(gone);
  ecs.update(0.5);
  ecs.addComponent(ecs.world, Unit, { name: "clock" });
  return { ecs, hero, pet };
}

test("N1 a snapshot is a copy, and equal states have equal bytes", () => {
  const { ecs } = scene();
  const bytes = snapshot(ecs);
  expect(bytes).toBeInstanceOf(Uint8Array);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
  expect(snapshot(ecs)).toEqual(bytes);
  expect(snapshot(scene().ecs)).toEqual(bytes);
});

test("N1 N2 C15 a snapshot contains a link to an entity that does not exist", () => {
  const ecs = world();
  const [e, dead] = [ecs.addEntity(), ecs.addEntity()];
  ecs.removeEntity(dead);
  ecs.removeMarked();
  for (const to of [e, ecs.world]) ecs.addComponent(to, Unit, { target: dead });
  const bytes = snapshot(ecs);
  const other = world();
  restore(other, bytes);
  expect([other.get(e, Unit).target, other.get(other.world, Unit).target]).toEqual([dead, dead]);
  expect([...other.linked(Unit, dead)]).toEqual([]);
  expect(snapshot(other)).toEqual(bytes);
});

test("N2 a new world is equal to the snapshot", () => {
  const { ecs, hero, pet } = scene();
  const bytes = snapshot(ecs);
  const other = world();
  restore(other, bytes);
  expect(other.alive(hero) && other.alive(pet)).toBe(true);
  expect(other.count).toBe(2);
  expect(other.get(hero, Unit).toJSON()).toEqual({ ...ecs.get(hero, Unit).toJSON() });
  expect(other.get(pet, Unit).name).toBe("Rex");
  expect(other.get(other.world, Unit).name).toBe("clock");
  expect(other.parent(pet)).toBe(hero);
  expect([...other.linked(Unit, hero)]).toEqual([pet]);
  expect(other.has(pet, Velocity, Parent)).toBe(true);
  expect(other.gameTime).toBe(0.5);
  expect(other.frame).toBe(1);
  expect(other.get(hero, Bag).gold).toBe(7);
  expect(snapshot(other)).toEqual(bytes);
  expect(other.addEntity()).toBe(ecs.addEntity());
});

/** A system that records its callbacks and what they read. */
class Watch extends System {
  readonly componentsRequired = new Set([Unit]);
  override readonly dirtyComponents = new Set([Unit]);
  log: string[] = [];
  aspects = new Map<Entity, Aspect>();
  override onAdd(aspect: Aspect): void {
    this.aspects.set(aspect.entity, aspect);
    this.log.push(`+${aspect.entity} ${aspect.get(Unit).name}`);
  }
  override onRemove(aspect: Aspect): void {
    this.aspects.delete(aspect.entity);
    this.log.push(`-${aspect.entity} ${aspect.get(Unit).name} ${this.ecs.alive(aspect.entity)}`);
  }
  override update(_delta: number, _entities: unknown, dirty: { ids: Iterable<Entity> }): void {
    this.log.push(`dirty ${[...dirty.ids]}`);
  }
  take(): string[] {
    return this.log.splice(0);
  }
}

describe("over a world that has changed", () => {
  test("N2 systems get exactly what differs, onRemove reads the old values and onAdd the new ones", () => {
    const ecs = world();
    const watch = ecs.addSystem(0, new Watch());
    const [a, b, c] = ["a", "b", "c"].map((name) => ecs.addEntity([Unit, { name }]));
    ecs.update();
    const bytes = snapshot(ecs);
    watch.take();
    const aspect = watch.aspects.get(a!);
    ecs.get(b!, Unit).name = "B";
    ecs.removeEntity(c!);
    ecs.update();
    const d = ecs.addEntity([Unit, { name: "d" }]);
    expect(d).not.toBe(c);
    ecs.update();
    watch.take();
    restore(ecs, bytes);
    expect(watch.take()).toEqual([`-${d} d true`, `+${c} c`]);
    expect(ecs.alive(d)).toBe(false);
    expect(watch.aspects.get(a!)).toBe(aspect);
    ecs.update();
    expect(watch.take()).toEqual([`dirty ${b},${c}`]);
    expect(ecs.get(b!, Unit).name).toBe("b");
    restore(ecs, bytes);
    expect(watch.take()).toEqual([]);
    ecs.update();
    expect(watch.take()).toEqual(["dirty "]);
  });

  test("N2 D13 what is dirty because of an ancestor follows when it is the turn of the ancestor", () => {
    class Below extends System {
      readonly componentsRequired = new Set([Unit]);
      override readonly dirtyComponents = new Set([Unit]);
      readonly dirtyFromAncestors = new Set([Position]);
      seen: Entity[] = [];
      override update(_delta: number, _entities: unknown, dirty: { ids: Iterable<Entity> }): void {
        this.seen = [...dirty.ids];
      }
    }
    const ecs = world();
    const below = ecs.addSystem(0, new Below());
    const [first, second, before] = [ecs.addEntity(Unit), ecs.addEntity(Unit), ecs.addEntity(Unit)];
    const parent = ecs.addEntity(Position); // its descendants are not in the order of indices
    const after = ecs.addEntity(Unit);
    ecs.setParent(second, parent);
    ecs.setParent(first, second);
    ecs.update();
    const saved = snapshot(ecs);
    ecs.get(parent, Position).x = 1;
    for (const e of [after, before]) ecs.get(e, Unit).alert = true;
    ecs.update();
    restore(ecs, saved);
    ecs.update();
    expect(below.seen).toEqual([before, second, first, after]);
  });

  test.each(policies)(
    "N2 component objects that the program keeps stay those of their entity, others are detached (%s)",
    (_, Position) => {
      const ecs = world();
      const [a, b] = ecs.addEntities(2) as unknown as [Entity, Entity];
      const kept = ecs.addComponent(a, new Position({ x: 1 }));
      ecs.addComponent(b, new Position({ x: 2 }));
      const linear = ecs.addComponent(a, new Velocity({ x: 3 }));
      const bytes = snapshot(ecs);
      ecs.removeEntity(b);
      ecs.update();
      const c = ecs.addEntity(); // the index of b
      const lost = ecs.addComponent(c, new Position({ x: 9 }));
      const view = ecs.getComponents(c);
      kept.x = 5;
      linear.x = 6;
      restore(ecs, bytes);
      expect([kept.x, linear.x]).toEqual([1, 3]);
      expect(ecs.get(a, Position)).toBe(kept);
      expect(ecs.get(b, Position).x).toBe(2);
      expect(ecs.get(b, Position) === lost).toBe(false);
      expect(() => lost.x).toThrow("no longer has");
      expect(() => view.get(Position)).toThrow();
      expect(ecs.getComponents(b)).not.toBe(view);
      kept.x = 7;
      expect(ecs.storage(Position).columns.x[ecs.storage(Position).slot(a)]).toBe(7);
    },
  );

  test.each(policies)("N2 components are in the order of the snapshot, and objects follow them (%s)", (_, Position) => {
    const ecs = world();
    const all = Array.from(ecs.addEntities(8));
    const objects = all.map((e, x) => ecs.addComponent(e, new Position({ x })));
    const bytes = snapshot(ecs);
    ecs.removeComponent(all[0]!, Position);
    ecs.removeComponent(all[3]!, Position);
    ecs.addComponent(all[0]!, Position, { x: 100 });
    const query = ecs.query({ position: Position });
    expect(query.count).toBe(7);
    restore(ecs, bytes);
    expect(values(ecs, Position, "x")).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(Array.from(query, ({ entity, position }) => [entity, position.x])).toEqual(all.map((e, x) => [e, x]));
    expect(query.count).toBe(8);
    expect(objects.map((o, i) => (i % 3 ? o.x : -1))).toEqual([-1, 1, 2, -1, 4, 5, -1, 7]);
    expect(ecs.get(all[6]!, Position)).toBe(objects[6]);
    expect(objects[6]!.x).toBe(6);
  });

  test("N2 a loop over children goes on with those that are still there", () => {
    const ecs = world();
    const [parent, a, b, c] = [...ecs.addEntities(4)] as [Entity, Entity, Entity, Entity];
    for (const e of [a, c]) ecs.setParent(e, parent);
    const bytes = snapshot(ecs);
    ecs.setParent(b, parent, c);
    const visited: Entity[] = [];
    for (const e of ecs.children(parent)) {
      visited.push(e);
      restore(ecs, bytes);
    }
    expect(visited).toEqual([a, c]);
  });

  test.each(policies)("N2 sorted queries, links, runs and children are right afterwards (%s)", (_, Position) => {
    const ecs = world();
    const all = Array.from(ecs.addEntities(20));
    all.forEach((e, i) => {
      ecs.addComponent(e, Position, { x: (i * 7) % 20, y: i });
      ecs.addComponent(e, Velocity, {});
      ecs.addComponent(e, Unit, { target: all[i >> 1]! });
      if (i > 0) ecs.setParent(e, all[(i - 1) >> 1]!);
    });
    const sorted = ecs.query({ position: Position }, { orderBy: [Position, "x"] });
    const runs = ecs.runs(Position, Velocity);
    const read = () => ({
      sorted: Array.from(sorted, ({ position }) => [position.x, position.y]),
      runs: runs.list.map(({ count, starts }) => [count, [...starts]]),
      linked: all.map((e) => (ecs.alive(e) ? [...ecs.linked(Unit, e)] : [])),
      children: all.map((e) => (ecs.alive(e) ? [...ecs.children(e)] : [])),
      parents: all.map((e) => ecs.parent(e)),
    });
    const before = read();
    const bytes = snapshot(ecs);
    ecs.get(all[4]!, Position).x = 50;
    ecs.get(all[5]!, Unit).target = all[19]!;
    ecs.removeComponent(all[2]!, Velocity);
    ecs.setParent(all[8]!, NONE);
    ecs.setParent(all[3]!, all[0]!, all[1]!);
    ecs.removeEntity(all[9]!);
    ecs.update();
    ecs.addEntity([Position, { x: -1 }], Velocity, [Unit, { target: all[0]! }]);
    expect(read()).not.toEqual(before);
    restore(ecs, bytes);
    expect(read()).toEqual(before);
    expect(snapshot(ecs)).toEqual(bytes);
  });

  test.each(policies)(
    "N2 rows and columns that were used before find the values afterwards, also when memory has grown (%s)",
    (_, Position) => {
      const ecs = world();
      const few = ecs.addEntity([Position, { x: 1 }]);
      const query = ecs.query({ position: Position });
      const row = query.at(few)!;
      expect(row.position.x).toBe(1);
      const small = snapshot(ecs);
      const other = world();
      for (let i = 0; i < 50_000; ++i) other.addEntity([Position, { x: i }], [Velocity, { y: i }]);
      const large = snapshot(other);
      restore(ecs, large);
      expect(query.count).toBe(50_000);
      let sum = 0;
      for (const { position } of query) sum += position.x;
      expect(sum).toBe((50_000 * 49_999) / 2);
      expect(ecs.storage(Velocity).columns.y[49_999]).toBe(49_998);
      const again = snapshot(ecs);
      expect(again).toHaveLength(large.length);
      expect(again.every((byte, i) => byte === large[i])).toBe(true); // `toEqual` takes seconds
      restore(ecs, small);
      expect(Array.from(query, ({ position }) => position.x)).toEqual([1]);
      expect(snapshot(ecs)).toEqual(small);
    },
  );

  test("N2 changing the world in callbacks is an error, and what they throw is rethrown at the end", () => {
    const ecs = world();
    const e = ecs.addEntity([Unit, { name: "e" }]);
    const empty = snapshot(world());
    const full = snapshot(ecs);
    const errors: unknown[] = [];
    let armed = false;
    class Changes extends Watch {
      override onAdd(aspect: Aspect): void {
        this.#try(aspect.entity);
      }
      override onRemove(aspect: Aspect): void {
        this.#try(aspect.entity);
        throw new Error("own");
      }
      #try(entity: Entity): void {
        if (!armed) return;
        for (const change of [
          () => ecs.addEntity(),
          () => ecs.removeEntity(entity),
          () => ecs.addComponent(entity, new Position()),
          () => ecs.addComponent(entity, Bag),
          () => ecs.setParent(entity, ecs.world),
          () => ecs.clear(),
          () => ecs.update(),
          () => snapshot(ecs),
          () => restore(ecs, full),
        ])
          try {
            change();
            errors.push("nothing");
          } catch (error) {
            errors.push((error as { code: string }).code);
          }
      }
    }
    ecs.addSystem(0, new Changes());
    armed = true;
    expect(() => restore(ecs, empty)).toThrow("own");
    const refused = [...Array(6).fill("BAD_ARGUMENT"), ...Array(3).fill("REENTRANT_UPDATE")];
    expect(errors).toEqual(refused);
    expect(ecs.count).toBe(0);
    restore(ecs, full);
    expect(errors).toEqual([...refused, ...refused]);
    expect(ecs.alive(e)).toBe(true);
    expect(ecs.has(e, Position) || ecs.has(e, Bag)).toBe(false);
    expect(snapshot(ecs)).toEqual(full);
  });

  test("N2 an ECS that is disposed in a callback of restore calls nothing else", () => {
    const ecs = world();
    for (let i = 0; i < 3; ++i) ecs.addEntity([Unit, { name: "e" }], Bag);
    const bytes = snapshot(ecs);
    let calls = 0;
    for (const target of [world(), world()]) {
      calls = 0;
      class Ends extends Watch {
        override onAdd(): void {
          ++calls;
          target.dispose();
        }
      }
      target.addSystem(0, new Ends());
      restore(target, bytes);
      expect(calls).toBe(1);
      expect(() => target.count).toThrow("disposed");
    }
  });
});

test("N3 the same calls issue the same handles after restoring, and entities marked for removal stay marked", () => {
  const ecs = world();
  const all = Array.from(ecs.addEntities(6));
  ecs.removeEntities(all.slice(1, 3));
  ecs.update();
  ecs.removeEntity(all[4]!);
  const bytes = snapshot(ecs);
  const play = (): unknown => {
    const made = [ecs.addEntity(Tag), ecs.addEntity(Tag), ecs.addEntity(Tag)];
    ecs.removeEntity(made[1]!);
    ecs.update();
    return [made, ecs.alive(all[4]!), Array.from(ecs.addEntities(2)), Array.from(snapshot(ecs))];
  };
  const first = play();
  restore(ecs, bytes);
  expect(play()).toEqual(first);
});

test("N1 time, pause and slow motion are part of a snapshot", () => {
  const ecs = world();
  ecs.timeScale = 0.5;
  ecs.update(2);
  ecs.paused = true;
  ecs.slowMotion.style = "step";
  ecs.slowMotion.request(4, 10);
  const bytes = snapshot(ecs);
  const other = world();
  restore(other, bytes);
  expect([other.timeScale, other.gameTime, other.wallTime, other.frame, other.paused]).toEqual([0.5, 1, 2, 1, true]);
  expect([other.slowMotion.style, other.slowMotion.factor]).toEqual(["step", 4]);
  expect(snapshot(other)).toEqual(bytes);
});

describe("classes that have changed", () => {
  /** A snapshot with one entity of each class. */
  const saved = (fill: (ecs: ECS, e: Entity) => unknown) => {
    const ecs = world();
    const e = ecs.addEntity();
    fill(ecs, e);
    return { e, bytes: snapshot(ecs) };
  };

  test("N4 fields are found by name, and missing ones get their defaults", () => {
    class Old extends defineComponent("Mover", { gone: "f32", dx: "f32", speed: "u8", state: ["a", "b"] }) {}
    const { e, bytes } = saved((ecs, e) => ecs.addComponent(e, Old, { gone: 1, dx: 2, speed: 3, state: "b" }));
    class New extends defineComponent("Mover", {
      state: ["c", "b", "a"],
      x: { type: "f64", default: 7 },
      speed: "f64",
      label: { type: "string", default: "none" },
      level: { type: "u16", default: 4 },
    }) {}
    const ecs = world();
    restore(ecs, bytes, { components: [New], rename: { "Mover.dx": "x" } });
    expect(ecs.get(e, New).toJSON()).toEqual({ state: "b", x: 2, speed: 3, label: "none", level: 4 });
    expect(ecs.has(e, Old)).toBe(false);
  });

  test("N4 classes are renamed, ignored, or an error that names them", () => {
    class Old extends defineComponent("OldName", { value: "f32" }) {}
    class New extends defineComponent("NewName", { amount: "f32" }) {}
    const { e, bytes } = saved((ecs, e) => ecs.addComponent(e, Old, { value: 3 }));
    const ecs = world();
    restore(ecs, bytes, { components: [New], rename: { OldName: "NewName", "OldName.value": "NewName.amount" } });
    expect(ecs.get(e, New).amount).toBe(3);
    restore(ecs, bytes, { ignore: [Old] });
    expect([ecs.alive(e), ecs.has(e, New)]).toEqual([true, false]);
    restore(ecs, bytes, { ignore: ["OldName"] });
    expect(() => restore(ecs, bytes, { rename: { OldName: "Nothing" } })).toThrow("there is no class Nothing");
  });

  test('N4 with "unknown", classes and names of enums that do not exist are left out', () => {
    class Coin extends defineComponent("UnknownCoin", { value: "f32" }) {}
    class Before extends defineComponent("UnknownMode", { mode: ["hunt", "flee", "idle"] }) {}
    class Purse extends defineObject("UnknownPurse", { gold: 1 }) {}
    const { e, bytes } = saved((ecs, e) => ecs.add(e, [Coin, { value: 3 }], Purse, [Before, { mode: "flee" }]));
    class Mode extends defineComponent("UnknownMode", { mode: { type: ["idle", "hunt"], default: "hunt" } }) {}
    const ecs = world();
    const names = ["UnknownCoin", "UnknownPurse"].map((name) => indexOfText(bytes, name));
    const older = withChecksum(bytes.map((byte, i) => (names.includes(i) ? 0x75 : byte))); // "unknownCoin"
    expectError("BAD_ARGUMENT", () => restore(ecs, older, { components: [Mode] }));
    expectError("BAD_ARGUMENT", () => restore(ecs, older, { components: [Mode], ignore: ["unknownCoin"] })); // and the other one
    restore(ecs, older, { components: [Mode], ignore: "unknown" });
    expect(ecs.get(e, Mode).mode).toBe("hunt");
    expect(ecs.has(e, Coin, Purse)).toBe(false);
  });

  test("N4 a value that a field cannot store is an error that names it", () => {
    class Wide extends defineComponent("Narrowed", { value: "i32" }) {}
    const { bytes } = saved((ecs, e) => ecs.addComponent(e, Wide, { value: 300 }));
    class Narrow extends defineComponent("Narrowed", { value: "u8" }) {}
    const ecs = world();
    expect(() => restore(ecs, bytes, { components: [Narrow] })).toThrow("Narrowed.value");
    expect(ecs.count).toBe(0);
  });

  test("N1 without leaves classes out, and restoring keeps their components with their entities", () => {
    const ecs = world();
    const e = ecs.addEntity([Position, { x: 1 }], [Velocity, { x: 2 }]);
    const bytes = snapshot(ecs, { without: [Velocity] });
    expect(snapshot(ecs, { without: ["Velocity"] })).toEqual(bytes);
    ecs.get(e, Velocity).x = 5;
    ecs.get(e, Position).x = 6;
    restore(ecs, bytes);
    expect([ecs.get(e, Position).x, ecs.get(e, Velocity).x]).toEqual([1, 5]);
    expect(() => snapshot(ecs, { without: [Parent] })).toThrow("Parent");
  });
});
