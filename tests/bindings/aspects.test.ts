import { describe, expect, test } from "@jest/globals";
import { Aspect, Component, System, type ComponentClass, type Entity } from "crateful";
import {
  Health,
  Packed,
  Position,
  type Scripted,
  Tag,
  Velocity,
  add,
  entity,
  expectError,
  kinds,
  positions,
  world,
} from "./world.js";

class Memory extends Aspect {
  lastX = 0;
}

test("A1 each system has one aspect per entity, always the same object", () => {
  const ecs = world();
  let made = 0;
  const own = add<Memory>(ecs, {
    makeAspect: () => (++made, new Memory()),
    onAdd: (a) => (a.lastX = a.get(Position).x),
  });
  const plain = add(ecs, {});
  const all = positions(ecs, 3);
  ecs.update();
  const aspects = all.map((e) => own.entities.get(e)!);
  expect([...own.entities.values()]).toEqual(aspects);
  expect(aspects.map((a) => [a.entity, a.lastX, a instanceof Memory])).toEqual(all.map((e, i) => [e, i, true]));
  expect(plain.entities.get(all[0]!)).toBe(plain.entities.get(all[0]!));
  expect(plain.entities.get(all[0]!)).not.toBe(aspects[0]);
  expect(made).toBe(3);
  positions(ecs, 3_000);
  ecs.removeComponent(all[0]!, Position);
  expect(all.map((e) => own.entities.get(e))).toEqual([undefined, aspects[1], aspects[2]]);
  ecs.addComponent(all[0]!, new Position());
  expect(own.entities.get(all[0]!)).not.toBe(aspects[0]);
});

test("A1 onAdd, update and onRemove receive the same aspect", () => {
  const ecs = world();
  const received = new Set<Aspect>();
  const note = (a: Aspect) => void received.add(a);
  add(ecs, { onAdd: note, onRemove: note, update: (_, entities) => entities.forEach(note) });
  const e = entity(ecs, new Position());
  ecs.update();
  ecs.removeEntity(e);
  ecs.update();
  expect(received.size).toBe(1);
});

test("A1 onRemove receives the default aspect that was created by an earlier read", () => {
  const ecs = world();
  let removed: Aspect | undefined;
  const system = add(ecs, { onRemove: (a) => void (removed = a) });
  const e = entity(ecs, new Position());
  ecs.update();
  const aspect = system.entities.get(e);
  ecs.removeComponent(e, Position);
  expect(removed).toBe(aspect);
});

/** A system that notes its calls; `change` is called once, in `makeAspect`. */
function making(ecs: ReturnType<typeof world>, change: (system: Scripted) => void) {
  const log: string[] = [];
  let next: typeof change | undefined = change;
  const system: Scripted = add(ecs, {
    makeAspect() {
      log.push("make");
      const call = next;
      next = undefined;
      call?.(system);
      return new Aspect();
    },
    onAdd: (a) => log.push(ecs.has(a.entity, Position) ? "add" : "add?"),
    onRemove: () => log.push("remove"),
    update() {},
  });
  ecs.update(); // from now on, system.entities is known
  return { system, log };
}

test.each<[string, (ecs: ReturnType<typeof world>, e: Entity, system: Scripted) => void]>([
  ["removeComponent", (ecs, e) => ecs.removeComponent(e, Position)],
  ["clear", (ecs) => ecs.clear()],
  ["removeSystem", (ecs, _, system) => ecs.removeSystem(system)],
])(
  "A3 a makeAspect that ends the tracking by %s leaves no aspect: neither onAdd nor onRemove is called",
  (_, change) => {
    const ecs = world();
    const e = ecs.addEntity();
    const { system, log } = making(ecs, () => change(ecs, e, system));
    ecs.addComponent(e, Position);
    expect(log).toEqual(["make"]);
    expect(system.entities.has(e)).toBe(false);
    ecs.update();
    expect(log).toEqual(["make"]);
  },
);

test("A3 an entity that is tracked again in makeAspect has one aspect", () => {
  const ecs = world();
  const e = ecs.addEntity();
  const { system, log } = making(ecs, () => {
    ecs.removeComponent(e, Position);
    ecs.addComponent(e, Position);
  });
  ecs.addComponent(e, Position);
  expect(log).toEqual(["make", "make", "add"]);
  ecs.removeComponent(e, Position);
  expect(log).toEqual(["make", "make", "add", "remove"]);
  expect(system.entities.size).toBe(0);
});

test("A1 a makeAspect that asks for its aspect makes one", () => {
  const ecs = world();
  const e = ecs.addEntity();
  let asked: Aspect | undefined;
  const { system, log } = making(ecs, ({ entities }) => void (asked = entities.get(e)));
  ecs.addComponent(e, Position);
  expect(log).toEqual(["make", "make", "add"]);
  expect(asked).toBeInstanceOf(Aspect);
  expect(system.entities.get(e)).toBe(asked);
});

test("A3 an entity whose makeAspect threw has no onRemove, unless its aspect was made later", () => {
  for (const later of [false, true]) {
    const ecs = world();
    const e = ecs.addEntity();
    const { system, log } = making(ecs, () => {
      throw new Error("make");
    });
    expect(() => ecs.addComponent(e, Position)).toThrow("make");
    expect(system.entities.has(e)).toBe(true);
    if (later) expect(system.entities.get(e)?.entity).toBe(e);
    ecs.removeComponent(e, Position);
    expect(log).toEqual(later ? ["make", "make", "remove"] : ["make"]);
  }
});

test("S6 E11 makeAspect is a callback, also when the aspect is made later than the entity is tracked", () => {
  const ecs = world();
  let throws = true;
  const system = add<Memory>(ecs, {
    makeAspect() {
      if (throws) throw new Error("later");
      expectError("REENTRANT_UPDATE", () => ecs.update());
      expectError("REENTRANT_UPDATE", () => ecs.removeMarked());
      return new Memory();
    },
  });
  ecs.update();
  const e = ecs.addEntity();
  expect(() => ecs.addComponent(e, Position)).toThrow("later");
  expect(() => system.entities.get(e)).toThrow("later");
  throws = false;
  expect(system.entities.get(e)).toBeInstanceOf(Memory);
  ecs.update();
});

test("A2 in onAdd the entity is in entities, in onRemove it is not", () => {
  const ecs = world();
  const log: unknown[] = [];
  const system = add(ecs, {
    watches: [Position],
    onAdd: (a) =>
      system?.entities &&
      log.push([system.entities.has(a.entity), system.entities.get(a.entity) === a, system.dirty.has(a.entity)]),
    onRemove: (a) =>
      log.push([
        system.entities.has(a.entity),
        system.entities.get(a.entity),
        system.dirty.has(a.entity),
        system.entities.size,
      ]),
  });
  ecs.update();
  const e = entity(ecs, new Position());
  ecs.removeComponent(e, Position);
  expect(log).toEqual([
    [true, true, true],
    [false, undefined, false, 0],
  ]);
});

const removals: Record<
  string,
  (w: { ecs: ReturnType<typeof world>; e: Entity; cls: ComponentClass; system: ReturnType<typeof add> }) => void
> = {
  removeComponent: ({ ecs, e, cls }) => void ecs.removeComponent(e, cls),
  removeComponents: ({ ecs, e, cls }) => void ecs.removeComponents([e], cls),
  "the removal of its entity": ({ ecs, e }) => (ecs.removeEntity(e), void ecs.update()),
  "clear()": ({ ecs }) => ecs.clear(),
  removeSystem: ({ ecs, system }) => ecs.removeSystem(system),
};

describe.each(Object.entries(removals))("A2 after %s", (way, stopTracking) => {
  test.each(kinds.flatMap((kind) => [true, false].map((held) => ({ ...kind, held }))))(
    "every component is readable in onRemove: $kind, an object of it exists: $held",
    ({ cls, make, read, held, kind }) => {
      const ecs = world();
      const log: unknown[] = [];
      const system = add(ecs, {
        requires: [cls, Tag],
        onRemove: (a) =>
          log.push([
            read(a.get(cls)),
            a.has(cls, Tag, Position),
            a.get(cls) === a.tryGet(cls),
            a.get(cls) instanceof cls,
            a.get(Position).y,
            a.tryGet(Velocity) === undefined || kind === "linear",
          ]),
      });
      const second = add(ecs, { requires: [cls], onRemove: (a) => log.push(read(a.get(cls))) }, 1);
      const e = ecs.addEntity();
      if (held || kind === "object") ecs.addComponent(e, make(41));
      else ecs.addComponents([e], cls as typeof Position, { x: 41 });
      ecs.addComponents([e], Position, { y: 6 });
      ecs.addComponent(e, new Tag());
      stopTracking({ ecs, e, cls, system });
      expect(log).toEqual(
        way === "removeSystem" ? [[41, true, true, true, 6, true]] : [[41, true, true, true, 6, true], 41],
      );
      ecs.update();
      if (way !== "removeSystem") expect([system.entities.size, second.entities.size]).toEqual([0, 0]);
    },
  );
});

test.each(kinds.flatMap((kind) => ["componentsRequired", "componentsAny"].map((member) => ({ ...kind, member }))))(
  "A2 after removeComponent, onRemove reads the object of a $kind component that the system names in $member",
  ({ cls, make, read, member }) => {
    const ecs = world();
    const log: unknown[] = [];
    const component = make(5);
    class Noting extends System {
      readonly componentsRequired = new Set<ComponentClass>(member === "componentsRequired" ? [Tag, cls] : [Tag]);
      override readonly componentsAny = new Set<ComponentClass>(member === "componentsAny" ? [cls] : []);
      override update() {}
      override onRemove(aspect: Aspect) {
        log.push([read(aspect.get(cls)), aspect.get(cls) === component, aspect.has(cls), ecs.has(aspect.entity, cls)]);
      }
    }
    ecs.addSystem(0, new Noting());
    const e = ecs.addEntity(Tag, component);
    ecs.removeComponent(e, cls);
    expect(log).toEqual([[5, true, true, false]]);
    if (component instanceof Packed || component instanceof Velocity)
      expectError("MISSING_COMPONENT", () => component.x);
  },
);

test("A2 a removed tag can be read in onRemove", () => {
  const ecs = world();
  const log: unknown[] = [];
  add(ecs, {
    requires: [Tag],
    onRemove: (a) => log.push([a.has(Tag), a.get(Tag) instanceof Tag, ecs.getComponents(a.entity).has(Tag)]),
  });
  const e = entity(ecs, new Tag());
  ecs.removeComponent(e, Tag);
  ecs.addComponents([e], Tag);
  ecs.removeComponent(e, Tag);
  expect(log).toEqual(Array(2).fill([true, true, false]));
});

test("A2 in onRemove the entity no longer has the removed component; only the aspect can read it", () => {
  const ecs = world();
  const log: unknown[] = [];
  let kept: Aspect | undefined;
  add(ecs, {
    onRemove(a) {
      kept = a;
      log.push([
        ecs.getComponents(a.entity).has(Position),
        ecs.storage(Position).count,
        ecs.storage(Position).slot(a.entity),
        a.get(Position).x,
      ]);
    },
  });
  const [e] = positions(ecs, 1) as [Entity];
  ecs.getComponents(e).get(Position).x = 8;
  ecs.removeComponent(e, Position);
  expect(log).toEqual([[false, 0, -1, 8]]);
  expect(kept!.tryGet(Position)).toBeUndefined();
  expectError("MISSING_COMPONENT", () => kept!.get(Position));
});

test.each(kinds)("A2 in onRemove, what the callback itself removes is missing then ($kind)", ({ cls, make }) => {
  const ecs = world();
  const e = ecs.addEntity(make(3), Tag);
  const seen: boolean[] = [];
  add(ecs, {
    requires: [cls],
    onRemove: (aspect) => {
      seen.push(aspect.has(Tag));
      ecs.clear();
      seen.push(aspect.has(cls), aspect.has(Tag));
    },
  });
  ecs.removeComponent(e, cls);
  expect(seen).toEqual([true, true, false]);
});

test("A2 removals of components of one class can be nested, for several entities", () => {
  const ecs = world();
  const all = positions(ecs, 5);
  const log: unknown[] = [];
  add(ecs, {
    onRemove(a) {
      const next = all[all.indexOf(a.entity) + 1];
      log.push(["before", a.get(Position).x]);
      if (next !== undefined) ecs.removeComponent(next, Position);
      log.push(["after", a.get(Position).x]);
    },
  });
  ecs.removeComponent(all[0]!, Position);
  expect(log).toEqual([...[0, 1, 2, 3, 4].map((x) => ["before", x]), ...[4, 3, 2, 1, 0].map((x) => ["after", x])]);
});

test.each([true, false])(
  "A2 a component that is added and removed again in onRemove has the value of each removal (objects kept: %p)",
  (held) => {
    const ecs = world();
    const log: unknown[] = [];
    let rounds = 0;
    const give = (e: Entity, x: number) => {
      if (held) ecs.addComponent(e, new Position({ x }));
      else ecs.addComponents([e], Position, { x });
    };
    add(ecs, {
      onRemove(a) {
        const mine = a.get(Position).x;
        if (++rounds < 4) {
          give(a.entity, 10 * rounds);
          ecs.removeComponent(a.entity, Position);
        }
        log.push([mine, a.get(Position).x]);
      },
    });
    const e = ecs.addEntity();
    give(e, 1);
    ecs.removeComponent(e, Position);
    expect(log).toEqual([
      [30, 30],
      [20, 20],
      [10, 10],
      [1, 1],
    ]);
    expect(ecs.getComponents(e).has(Position)).toBe(false);
  },
);

test("A2 a component that is added again in onRemove is kept, and the system starts tracking the entity again", () => {
  const ecs = world();
  const log: string[] = [];
  let once = true;
  const system = add(ecs, {
    watches: [Position],
    onAdd: (a) => log.push(`+${a.get(Position).x}`),
    onRemove(a) {
      log.push(`-${a.get(Position).x}`);
      if (once) ecs.addComponent(a.entity, new Position({ x: 2 }));
      once = false;
      log.push(`now ${ecs.getComponents(a.entity).tryGet(Position)?.x}`);
    },
  });
  const e = entity(ecs, new Position({ x: 1 }));
  expect(ecs.removeComponent(e, Position)).toBe(true);
  expect(log).toEqual(["+1", "-1", "+2", "now 2"]);
  ecs.update();
  expect([system.lastRun, ecs.getComponents(e).get(Position).x]).toEqual([[e], 2]);
});

test("A2 a removed object component can be added to another entity in onRemove", () => {
  const ecs = world();
  const f = ecs.addEntity();
  const healths = add(ecs, {
    requires: [Health],
    watches: [Health],
    onRemove: (a) => {
      if (a.entity !== f) ecs.addComponent(f, a.get(Health));
    },
  });
  const health = new Health(3);
  const e = entity(ecs, health);
  ecs.update();
  ecs.removeComponent(e, Health);
  expect(ecs.getComponents(f).get(Health)).toBe(health);
  ecs.update();
  health.current = 9;
  ecs.update();
  expect(healths.lastRun).toEqual([f]);
});

test("A2 in clear() the components of all entities can be read in onRemove", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  const log: unknown[] = [];
  add(ecs, { onRemove: () => log.push(all.map((e) => [ecs.alive(e), ecs.getComponents(e).get(Position).x])) });
  ecs.clear();
  expect(log).toEqual(
    Array(3).fill([
      [true, 0],
      [true, 1],
      [true, 2],
    ]),
  );
});

test("A3 every way to stop tracking an entity calls onRemove once", () => {
  const ecs = world();
  const removed: Entity[] = [];
  const system = add(ecs, { requires: [Position, Health], onRemove: (a) => removed.push(a.entity) });
  const make = () => entity(ecs, new Position(), new Health());
  const [a, b, c, d] = [make(), make(), make(), make()];
  ecs.removeComponent(a, Position);
  ecs.removeComponent(a, Health);
  ecs.removeEntity(a);
  ecs.removeEntity(b);
  ecs.update();
  expect(removed).toEqual([a, b]);
  ecs.removeSystem(system);
  expect([...removed].sort()).toEqual([a, b, c, d]);
  ecs.clear();
  expect(removed).toHaveLength(4);
  const again = add(ecs, { onRemove: (x) => removed.push(x.entity) });
  const e = entity(ecs, new Position());
  ecs.clear();
  ecs.removeSystem(again);
  expect([removed.length, removed.at(-1)]).toEqual([5, e]);
});

test("A3 onRemove is not called again if it removes another required component of the entity", () => {
  const ecs = world();
  const removed: string[] = [];
  add(
    ecs,
    {
      requires: [Position],
      onRemove: (a) => {
        removed.push("first");
        ecs.removeComponent(a.entity, Health);
      },
    },
    0,
  );
  add(ecs, { requires: [Health], onRemove: () => removed.push("second") }, 1);
  const e = entity(ecs, new Position(), new Health());
  ecs.removeEntity(e);
  ecs.update();
  expect([removed, ecs.alive(e)]).toEqual([["first", "second"], false]);
});

test("A4 an aspect has entity, get, tryGet and has", () => {
  class Never extends Component {}
  const ecs = world();
  const system = add(ecs, {});
  const position = new Position({ x: 2 });
  const e = entity(ecs, position, new Health(5));
  ecs.update();
  const aspect = system.entities.get(e)!;
  expect([aspect.entity, aspect.get(Position), aspect.tryGet(Health)!.current]).toEqual([e, position, 5]);
  expect([aspect.has(), aspect.has(Position, Health), aspect.has(Position, Never), aspect.tryGet(Never)]).toEqual([
    true,
    true,
    false,
    undefined,
  ]);
  expectError("MISSING_COMPONENT", () => aspect.get(Never));
  for (const bad of [undefined, null, "Position", {}, Date, Component]) {
    expectError("BAD_ARGUMENT", () => aspect.get(bad as never));
    expectError("BAD_ARGUMENT", () => aspect.has(bad as never));
  }
});

test("A4 using an aspect that has no entity yet is an error", () => {
  expectError("BAD_SYSTEM", () => new Aspect().get(Position));
});

test("A4 using an aspect after its entity was removed is an error", () => {
  const ecs = world();
  const system = add(ecs, {});
  const e = entity(ecs, new Position());
  ecs.update();
  const aspect = system.entities.get(e)!;
  ecs.removeEntity(e);
  ecs.update();
  expectError("STALE_ENTITY", () => aspect.get(Position));
});
