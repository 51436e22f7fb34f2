// Rule T4, for everything that can be iterated.
import { describe, expect, test } from "@jest/globals";
import { defineComponent, defineSystem, type Entity, type Shape } from "crateful";
import { Packed, Position, Tag, add, entity, positions, random, world } from "./world.js";

/** A set to iterate, in four forms; `remove` removes from it, `add` adds to it. */
interface Subject {
  all: Entity[];
  /** Whether an iteration visits what is added meanwhile (D7). */
  live: boolean;
  iterate(): IterableIterator<Entity>;
  remove(e: Entity): void;
  add(e: Entity): void;
}

const subjects: Record<string, () => Subject> = {
  "the storage, sparse": () => ofStorage(Packed as unknown as typeof Position),
  "the storage, linear": () => ofStorage(Position),
  entities: () => ofSystem((system) => system.entities.keys()),
  dirty: () => ofSystem((system) => system.dirty.values(), true),
};

function ofStorage(cls: typeof Position): Subject {
  const ecs = world();
  const all = Array.from(ecs.addEntities(12));
  ecs.addComponents(all.slice(0, 10), cls);
  return {
    all,
    live: false,
    iterate: () => ecs.storage(cls)[Symbol.iterator](),
    remove: (e) => void ecs.removeComponent(e, cls),
    add: (e) => void ecs.addComponent(e, new cls()),
  };
}

function ofSystem(iterate: (system: ReturnType<typeof add>) => IterableIterator<Entity>, live = false): Subject {
  const ecs = world();
  const all = Array.from(ecs.addEntities(12));
  const system = add(ecs, { watches: [Position] });
  ecs.update(); // the system has received its sets
  ecs.addComponents(all.slice(0, 10), Position);
  return {
    all,
    live,
    iterate: () => iterate(system),
    remove: (e) => void ecs.removeComponent(e, Position),
    add: (e) => void ecs.addComponent(e, new Position()),
  };
}

describe.each(Object.keys(subjects))("T4 iterating %s", (name) => {
  const subject = subjects[name]!;
  const run = (s: Subject, step: (e: Entity) => void): Entity[] => {
    const visited: Entity[] = [];
    for (const e of s.iterate()) {
      visited.push(e);
      step(e);
      if (visited.length > 1_000) throw new Error("no end");
    }
    return visited;
  };
  const sorted = (list: Entity[]) => [...list].sort((a, b) => a - b);

  test("visits each element once, in every iteration", () => {
    const s = subject();
    expect(run(s, () => {})).toEqual(s.all.slice(0, 10));
    expect([...s.iterate()]).toEqual(s.all.slice(0, 10));
  });

  test("may remove the current element", () => {
    const s = subject();
    expect(sorted(run(s, (e) => s.remove(e)))).toEqual(s.all.slice(0, 10));
    expect([...s.iterate()]).toEqual([]);
  });

  test.each([[0], [3], [9]])("does not visit an element that was removed before (at step %i)", (at) => {
    const s = subject();
    let step = 0;
    const removed: Entity[] = [];
    const visited = run(s, () => {
      if (step++ !== at) return;
      for (const e of s.all.slice(0, 10)) {
        if (e % 3 === 0) s.remove(e), removed.push(e);
      }
    });
    expect(new Set(visited).size).toBe(visited.length);
    expect(visited.slice(at + 1).filter((e) => removed.includes(e))).toEqual([]);
    for (const e of s.all.slice(0, 10)) if (!removed.includes(e)) expect(visited).toContain(e);
  });

  test("visits each element once while visited elements are removed", () => {
    const s = subject();
    let previous: Entity | undefined;
    const visited = run(s, (e) => {
      if (previous !== undefined) s.remove(previous);
      previous = e;
    });
    expect(sorted(visited)).toEqual(s.all.slice(0, 10));
  });

  test.each([[0], [2], [9]])("may add elements, and visits those that were there before (at step %i)", (at) => {
    const s = subject();
    const visited = run(s, (e) => {
      if (e === s.all[at]) s.add(s.all[10]!), s.add(s.all[11]!);
    });
    expect(sorted(visited)).toEqual(s.all.slice(0, s.live ? 12 : 10));
  });

  test.each([[0], [2]])("may remove and add the same elements, which then count as added (at step %i)", (at) => {
    const s = subject();
    const visited = run(s, (e) => {
      if (e !== s.all[at] || s.live) return;
      for (const other of [e, s.all[5]!, s.all[9]!]) s.remove(other), s.add(other);
      s.remove(s.all[7]!);
    });
    expect(sorted(visited)).toEqual(s.all.slice(0, 10).filter((_, i) => s.live || ![5, 7, 9].includes(i)));
  });

  test("ends if its body adds an element for each", () => {
    const s = subject();
    const free = s.all.slice(10);
    const visited = run(s, (e) => {
      s.add(free[0]!), s.add(free[1]!);
      if (!s.live) s.remove(e), s.add(e);
    });
    expect(visited.length).toBe(s.live ? 12 : 10);
  });

  test("can be nested, with removals inside the inner loop", () => {
    const s = subject();
    const inner: Entity[][] = [];
    const outer = run(s, (e) => {
      inner.push(
        run(s, (f) => {
          if (f === e) s.remove(e);
        }),
      );
    });
    expect(sorted(outer)).toEqual(s.all.slice(0, 10));
    expect(inner.map((list) => list.length)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    for (const list of inner) expect(new Set(list).size).toBe(list.length);
  });

  test("can end early by break, throw or return; the next iteration is complete", () => {
    const s = subject();
    for (const e of s.iterate()) if (e === s.all[4]) break;
    expect(() =>
      run(s, () => {
        throw new Error("stop");
      }),
    ).toThrow("stop");
    const iterator = s.iterate();
    iterator.next();
    expect(iterator.return!()).toEqual({ value: undefined, done: true });
    expect(iterator.next()).toEqual({ value: undefined, done: true });
    s.remove(s.all[0]!);
    expect(sorted([...s.iterate()])).toEqual(s.all.slice(1, 10));
  });

  test("can be abandoned after the first step, 100,000 times in one task", () => {
    const { all, iterate, remove } = subject();
    for (let i = 0; i < 100_000; ++i) iterate().next();
    const running = iterate();
    const first = running.next().value as Entity;
    remove(first);
    const rest = Array.from(running);
    expect(sorted(rest)).toEqual(all.slice(0, 10).filter((e) => e !== first));
  });
  test("can be abandoned half-way any number of times without an effect on others", () => {
    const s = subject();
    const held = s.iterate();
    const first = held.next().value as Entity;
    for (let i = 0; i < 300; ++i) {
      const dropped = s.iterate();
      for (let k = 0; k <= i % 10; ++k) dropped.next();
    }
    s.remove(s.all[5]!);
    s.remove(first);
    const rest = [...held];
    expect(sorted(rest)).toEqual(s.all.slice(0, 10).filter((e) => e !== first && e !== s.all[5]));
  });

  test("returns done again after its end", () => {
    const s = subject();
    const iterator = s.iterate();
    while (!iterator.next().done);
    s.add(s.all[10]!);
    expect(iterator.next()).toEqual({ value: undefined, done: true });
  });

  test("agrees with a model under random removals and additions from several iterations at once", () => {
    for (let seed = 1; seed <= 40; ++seed) {
      const next = random(seed);
      const s = subject();
      const present = new Set(s.all.slice(0, 10));
      // Each iteration must visit what is in the set throughout, and must not visit what was removed or was visited.
      const iterations = Array.from({ length: 3 }, () => ({
        at: s.iterate(),
        toVisit: new Set<Entity>(),
        visited: new Set<Entity>(),
        begun: false,
        done: false,
      }));
      for (let step = 0; step < 60; ++step) {
        const e = s.all[next(12)]!;
        const action = next(4);
        if (action === 0 && present.has(e)) {
          s.remove(e);
          present.delete(e);
          for (const it of iterations) it.toVisit.delete(e), it.visited.delete(e);
        } else if (action === 1 && !present.has(e)) {
          s.add(e);
          present.add(e);
          if (s.live) for (const it of iterations) it.toVisit.add(e);
        } else {
          const it = iterations[next(3)]!;
          if (it.done) continue;
          if (!it.begun) it.toVisit = new Set(present);
          it.begun = true;
          const { value, done } = it.at.next();
          if (done === true) {
            it.done = true;
            expect([...it.toVisit]).toEqual([]);
          } else {
            expect(present.has(value)).toBe(true);
            expect(it.toVisit.has(value)).toBe(true);
            it.visited.add(value);
            it.toVisit.delete(value);
          }
        }
      }
    }
  });
});

test("T4 a loop that spawns what it visits ends", () => {
  class Bullet extends defineComponent("Bullet", { x: "f32" }, { policy: "sparse" }) {}
  class Shell extends defineComponent("Shell", { x: "f32" }, { policy: "linear" }) {}
  class Spawner extends defineSystem({ bullet: Bullet }) {
    public override update(): void {
      for (const _ of this.rows) this.ecs.addEntity(Bullet, Shell);
    }
  }
  const ecs = world();
  ecs.addEntity(Bullet, Shell);
  ecs.addSystem(0, new Spawner());
  const shapes: Shape[] = [{ b: Bullet }, { s: Shell }, { b: Bullet, s: Shell }, {}];
  for (const [i, shape] of shapes.entries()) {
    for (const _ of ecs.query(shape)) ecs.addEntity(Bullet, Shell);
    expect(ecs.count).toBe(2 ** (i + 1));
  }
  for (const _ of ecs.query({}, { any: [Bullet] })) ecs.addEntity(Bullet, Shell);
  for (const _ of ecs.query({ b: Bullet }, { optional: { s: Shell } })) ecs.addEntity(Bullet, Shell);
  expect(ecs.count).toBe(64);
  ecs.update();
  expect(ecs.count).toBe(128);
});

test("T4 entities that are created in a loop over all entities are not visited, also with used indices", () => {
  const ecs = world();
  const all = Array.from(ecs.addEntities(6));
  for (const e of all.slice(2, 5)) ecs.removeEntity(e);
  ecs.removeMarked();
  const visited: Entity[] = [];
  for (const { entity: e } of ecs.query({})) visited.push(e), ecs.addEntity();
  expect(visited).toEqual([all[0], all[1], all[5]]);
});

test("T4 keys, values and entries of a system have the same order", () => {
  const ecs = world();
  const system = add(ecs, {});
  const all = positions(ecs, 4);
  ecs.update();
  const { entities } = system;
  expect([...entities.keys()]).toEqual(all);
  expect([...entities].map(([e]) => e)).toEqual(all);
  expect([...entities.entries()].map(([e, aspect]) => aspect.entity === e)).toEqual([true, true, true, true]);
  expect([...entities.values()].map((aspect) => aspect.get(Position).x)).toEqual([0, 1, 2, 3]);
  const each: unknown[] = [];
  entities.forEach(function (this: unknown, aspect, e, map) {
    each.push([aspect === entities.get(e), map === entities, this]);
  }, "self");
  expect(each).toEqual(Array(4).fill([true, true, "self"]));
  expect(Array.from(entities.ids)).toEqual(all);
  expect([String(entities), entities.size, new Map(entities).size]).toEqual(["[object EntityMap]", 4, 4]);
});

test("T4 a dirty set supports spreading and the set operations of a Set", () => {
  const ecs = world();
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  const all = positions(ecs, 3);
  const { dirty } = system;
  expect([[...dirty], [...dirty.keys()], [...dirty.entries()].map(([e]) => e), Array.from(dirty.ids)]).toEqual([
    all,
    all,
    all,
    all,
  ]);
  expect(new Set(dirty)).toEqual(new Set(all));
  const each: Entity[] = [];
  dirty.forEach((e, again, set) => each.push(e === again && set === dirty ? e : -1));
  expect(each).toEqual(all);
  expect([String(dirty), dirty.size]).toEqual(["[object DirtySet]", 3]);
});

test("T4 a system may remove and create entities in its loops over entities and dirty", () => {
  const ecs = world();
  const all = positions(ecs, 6);
  const visited: Entity[] = [];
  const again: Entity[] = [];
  let created: Entity | undefined;
  add(ecs, {
    watches: [Position],
    update(_, entities, dirty) {
      for (const [e] of entities) {
        visited.push(e);
        if (e === all[0]) ecs.removeComponent(all[0], Position), ecs.removeComponent(all[3]!, Position);
        if (e === all[2]) created ??= entity(ecs, new Position());
      }
      for (const e of dirty) {
        again.push(e);
        ecs.addComponent(e, new Tag());
        ecs.removeComponent(e, Position);
      }
    },
  });
  ecs.update();
  expect(visited.sort((a, b) => a - b)).toEqual([all[0], all[1], all[2], all[4], all[5]]);
  expect(again.sort((a, b) => a - b)).toEqual([all[1], all[2], all[4], all[5], created]);
  expect([ecs.storage(Tag).count, ecs.storage(Position).count]).toEqual([5, 0]);
});

test("T4 an iteration ends when its system is removed or its world is disposed", () => {
  const ecs = world();
  positions(ecs, 5);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  positions(ecs, 3);
  const iterations = [system.entities.values(), system.dirty.values()];
  for (const it of iterations) expect(it.next().done).toBe(false);
  ecs.removeSystem(system);
  for (const it of iterations) expect(it.next()).toEqual({ value: undefined, done: true });
  const storage = ecs.storage(Position)[Symbol.iterator]();
  expect(storage.next().done).toBe(false);
  ecs.dispose();
  expect(storage.next()).toEqual({ value: undefined, done: true });
});
