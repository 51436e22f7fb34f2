// Rule D7: entities that become dirty while their system runs.
import { expect, test } from "@jest/globals";
import type { DirtySet, ECS, Entity } from "crateful";
import { Position, Tag, add, entity, positions, random, world } from "./world.js";

const signal = (ecs: ECS, e: Entity) => ecs.getComponents(e).get(Position).dirty();

/** Runs `update` once, with the entities `dirtyAtStart` dirty; returns what is dirty at the next run, as positions in the list. */
function dirtyAfterRun(
  all: (ecs: ECS) => Entity[],
  dirtyAtStart: number[],
  update: (ecs: ECS, dirty: DirtySet, all: Entity[]) => void,
): Entity[] {
  const ecs = world();
  const list = all(ecs);
  let ready = false;
  const system = add(ecs, {
    watches: [Position],
    update(_, __, dirty) {
      if (ready) update(ecs, dirty, list);
      ready = false;
    },
  });
  ecs.update();
  for (const i of dirtyAtStart) signal(ecs, list[i]!);
  ready = true;
  ecs.update();
  ecs.update();
  return system.lastRun!.map((e) => (list.includes(e) ? list.indexOf(e) : e));
}
const five = (ecs: ECS) => positions(ecs, 5);

test("D7 a running iteration visits what becomes dirty meanwhile, and that is cleared", () => {
  const visited: number[] = [];
  expect(
    dirtyAfterRun(five, [0], (ecs, dirty, all) => {
      for (const e of dirty) {
        visited.push(all.indexOf(e));
        const next = all[all.indexOf(e) + 1];
        if (next !== undefined) signal(ecs, next);
      }
    }),
  ).toEqual([]);
  expect(visited).toEqual([0, 1, 2, 3, 4]);
});

test("D7 an entity that was added and not visited stays for the next run", () => {
  let created: Entity | undefined;
  expect(
    dirtyAfterRun(five, [0, 1], (ecs, dirty, all) => {
      expect([...dirty]).toEqual([all[0], all[1]]);
      signal(ecs, all[3]!);
      created = entity(ecs, new Position());
      expect([dirty.size, dirty.has(all[3]!)]).toEqual([4, true]);
    }),
  ).toEqual([3, created]);
});

test("D7 an entity that was in the set at the start is cleared, visited or not", () => {
  expect(dirtyAfterRun(five, [0, 1, 2], () => {})).toEqual([]);
  expect(
    dirtyAfterRun(five, [0, 1, 2], (_, dirty) => {
      for (const _e of dirty) break;
    }),
  ).toEqual([]);
});

test("D7 an entity in the set that signals again during the run is still cleared", () => {
  expect(
    dirtyAfterRun(five, [0, 1], (ecs, dirty, all) => {
      for (const e of dirty) signal(ecs, e);
      signal(ecs, all[0]!);
    }),
  ).toEqual([]);
});

test("D7 a second iteration visits what was added after the first, and that is cleared", () => {
  expect(
    dirtyAfterRun(five, [0], (ecs, dirty, all) => {
      for (const _e of dirty);
      signal(ecs, all[2]!);
      for (const _e of dirty);
      signal(ecs, all[4]!);
    }),
  ).toEqual([4]);
});

test("D7 an iteration that ends early clears only what it visited", () => {
  expect(
    dirtyAfterRun(five, [0], (ecs, dirty, all) => {
      for (const i of [1, 2, 3]) signal(ecs, all[i]!);
      for (const e of dirty) if (e === all[2]) break;
    }),
  ).toEqual([3]);
});

test("D7 an iterator that is abandoned half-iterate clears what it returned", () => {
  expect(
    dirtyAfterRun(five, [0], (ecs, dirty, all) => {
      for (const i of [1, 2, 3]) signal(ecs, all[i]!);
      const iterator = dirty.values();
      iterator.next();
      iterator.next();
    }),
  ).toEqual([2, 3]);
});

test("D7 of nested iterations the one that advanced furthest counts", () => {
  expect(
    dirtyAfterRun(five, [0, 1], (ecs, dirty, all) => {
      for (const e of dirty) {
        if (e !== all[0]) break;
        for (const i of [2, 3, 4]) signal(ecs, all[i]!);
        for (const f of dirty) if (f === all[3]) break;
      }
    }),
  ).toEqual([4]);
});

test("D7 spreading, forEach and set operations are iterations", () => {
  const iterations: ((dirty: DirtySet) => unknown)[] = [
    (dirty) => [...dirty],
    (dirty) => dirty.forEach(() => {}),
    (dirty) => new Set(dirty),
    (dirty) => Array.from(dirty.entries()),
    (dirty) => Math.max(...dirty.keys()),
  ];
  for (const iterate of iterations) {
    expect(
      dirtyAfterRun(five, [0], (ecs, dirty, all) => {
        signal(ecs, all[2]!);
        iterate(dirty);
      }),
    ).toEqual([]);
  }
});

test("D7 reading size, has and ids is not a visit", () => {
  expect(
    dirtyAfterRun(five, [0], (ecs, dirty, all) => {
      signal(ecs, all[2]!);
      expect([dirty.size, dirty.has(all[2]!), dirty.ids.length]).toEqual([2, true, 2]);
    }),
  ).toEqual([2]);
});

test("D7 an entity that becomes tracked during the run is added and visited", () => {
  const visited: Entity[] = [];
  let created: Entity | undefined;
  expect(
    dirtyAfterRun(five, [0], (ecs, dirty) => {
      for (const e of dirty) {
        visited.push(e);
        created ??= entity(ecs, new Position());
      }
    }),
  ).toEqual([]);
  expect(visited).toEqual([created! - 5, created]);
});

test("D7 an entity that is removed from the set and added again during the run counts as not visited", () => {
  expect(
    dirtyAfterRun(five, [0, 1], (ecs, dirty, all) => {
      for (const _e of dirty);
      ecs.removeComponent(all[0]!, Position);
      ecs.addComponent(all[0]!, new Position());
    }),
  ).toEqual([0]);
});

test("D7 a running iteration visits an entity again that was removed from the set and added again", () => {
  for (const count of [1, 2, 3]) {
    const ecs = world();
    const visited: Entity[] = [];
    add(ecs, {
      watches: [Position],
      update(_, __, dirty) {
        for (const e of dirty) {
          visited.push(e);
          if (visited.length > 1) continue;
          const all = Array.from(dirty.ids);
          ecs.removeComponents(all, Position); // no entity is tracked
          ecs.addComponents(all, Position);
        }
      },
    });
    const all = positions(ecs, count);
    ecs.update();
    expect(visited).toEqual([all[0], ...all]);
    ecs.update();
    expect(visited.length).toBe(count + 1);
  }
});

test("D7 removals during the run affect neither what is cleared nor what stays", () => {
  expect(
    dirtyAfterRun(five, [0, 1, 2], (ecs, dirty, all) => {
      signal(ecs, all[3]!); // not visited
      signal(ecs, all[4]!); // not visited
      ecs.removeComponent(all[0]!, Position);
      ecs.removeComponent(all[2]!, Position);
      expect(dirty.size).toBe(3);
    }).sort(),
  ).toEqual([3, 4]);
  expect(
    dirtyAfterRun(five, [0, 1, 2, 3], (ecs, dirty, all) => {
      for (const e of dirty) {
        ecs.removeComponent(e, Position);
        if (e === all[1]) signal(ecs, all[4]!);
      }
    }),
  ).toEqual([]);
});

test("D7 entities that onClear creates during the run stay for the next run", () => {
  const ecs = world();
  positions(ecs, 3);
  let once = true;
  const fresh: Entity[] = [];
  const system = add(ecs, {
    watches: [Position],
    update(_, __, dirty) {
      if (!once) return;
      once = false;
      for (const _e of dirty) if (fresh.length === 0) ecs.clear();
    },
    onClear: () => fresh.push(...positions(ecs, 2)),
  });
  ecs.update();
  expect(fresh).toHaveLength(2);
  ecs.update();
  // The loop continued and visited the new entities.
  expect(system.lastRun).toEqual([]);
  ecs.clear();
  ecs.update();
  expect(system.lastRun).toEqual(fresh.slice(2));
});

test("D7 what a later system or a callback marks after the run stays for the next run", () => {
  const ecs = world();
  const all = positions(ecs, 3);
  const system = add(ecs, { watches: [Position] }, 0);
  add(ecs, { requires: [Tag], onRemove: () => signal(ecs, all[1]!) }, 1);
  const e = entity(ecs, new Tag());
  ecs.update();
  ecs.removeEntity(e);
  ecs.update();
  ecs.update();
  expect(system.runs.slice(1)).toEqual([[], [all[1]]]);
});

test("D7 an iteration that continues after the run visits what stayed", () => {
  const ecs = world();
  const all = positions(ecs, 4);
  let held: IterableIterator<Entity> | undefined;
  add(ecs, {
    watches: [Position],
    update(_, __, dirty) {
      if (held !== undefined) return;
      held = dirty.values();
      expect([held.next().value, held.next().value]).toEqual([all[0], all[1]]);
    },
  });
  ecs.update();
  signal(ecs, all[3]!);
  expect([...held!]).toEqual([all[3]]);
});

test.each([
  ["entities", 8, 1],
  ["entities", 40, 6],
  ["rows", 8, 1],
  ["rows", 40, 6], // long stretches, which end in any way
])("D7 %s of a dirty set of %i agree with a model under random changes and partial iterations", (kind, n, pause) => {
  for (let seed = 1; seed <= 60; ++seed) {
    const next = random(seed);
    const ecs = world();
    const all = positions(ecs, n);
    const query = ecs.query({ p: Position });
    const has = new Set(all);
    let inSet = new Set<Entity>(); // the dirty set
    let visited = new Set<Entity>(); // the entities that will be cleared
    const mark = (e: Entity) => {
      if (has.has(e)) signal(ecs, e), inSet.add(e);
    };
    const removeComponent = (e: Entity) => {
      if (!has.delete(e)) return;
      ecs.removeComponent(e, Position);
      inSet.delete(e);
      visited.delete(e);
    };
    const addComponent = (e: Entity) => {
      ecs.addComponent(e, new Position());
      has.add(e);
      inSet.add(e);
    };
    const act = () => {
      if (next(pause) !== 0) return;
      const e = all[next(n)]!;
      const what = next(5);
      if (what < 2) mark(e);
      else if (what === 2) removeComponent(e);
      else if (what === 3) addComponent(e);
    };
    inSet = new Set(all);
    const system = add(ecs, {
      watches: [Position],
      update(_, __, dirty) {
        expect(new Set(dirty.ids)).toEqual(inSet);
        visited = new Set(inSet);
        for (let k = next(4); k > 0; --k) {
          act();
          let steps = next(n);
          const visit = (e: Entity): boolean => {
            expect(inSet.has(e)).toBe(true);
            visited.add(e);
            act();
            return steps-- > 0;
          };
          if (kind === "rows") for (const { entity: e } of query.of(dirty)) if (!visit(e)) break;
          if (kind === "entities") for (const e of dirty) if (!visit(e)) break;
        }
      },
    });
    for (let frame = 0; frame < 8; ++frame) {
      ecs.update();
      for (const e of visited) inSet.delete(e);
      expect(new Set(system.dirty)).toEqual(inSet);
      for (let k = n / 4; k > 0; --k) act();
    }
  }
});

test("D7 a loop outside of the system goes on with what became dirty since an update in its body", () => {
  const ecs = world();
  const all = positions(ecs, 4);
  const system = add(ecs, { watches: [Position] });
  ecs.update();
  for (const i of [0, 1, 2]) signal(ecs, all[i]!);
  const visited: Entity[] = [];
  for (const e of system.dirty) {
    visited.push(e);
    if (visited.length > 1) continue;
    ecs.update();
    signal(ecs, all[3]!);
    signal(ecs, all[1]!);
  }
  expect(visited).toEqual([all[0], all[3], all[1]]);
  expect(system.lastRun).toEqual([all[0], all[1], all[2]]);
  ecs.update();
  expect(system.lastRun).toEqual([all[3], all[1]]);
});

test("S9 D5 an entity that gets the component again in onRemove is newly tracked before the call returns", () => {
  const ecs = world();
  const [e] = positions(ecs, 1) as [Entity];
  const log: string[] = [];
  const system = add(ecs, {
    watches: [Position],
    onAdd: () => log.push("onAdd"),
    onRemove({ entity: removed }) {
      log.push("onRemove");
      if (log.length < 3) ecs.addComponent(removed, Position);
    },
  });
  ecs.update();
  ecs.update();
  expect(system.lastRun).toEqual([]);
  ecs.removeComponent(e, Position);
  expect([log, [...system.dirty.ids]]).toEqual([["onAdd", "onRemove", "onAdd"], [e]]);
  ecs.update();
  expect([system.lastRun, [...system.entities.keys()]]).toEqual([[e], [e]]);
});
