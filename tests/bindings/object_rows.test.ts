// Rules Q2 to Q4, H5 and T4 for rows of object components, which are found by their entity, without a slot.
import { describe, expect, test } from "@jest/globals";
import {
  Component,
  defineComponent,
  defineSystem,
  entityIndex,
  type ComponentClass,
  type ECS,
  type Entity,
} from "crateful";
import { entities, random, world } from "./world.js";

class Ammo extends Component {
  constructor(readonly n: number) {
    super();
  }
}
class Brain extends Component {
  constructor(readonly n: number) {
    super();
  }
}
class Cargo extends Component {
  constructor(readonly n: number) {
    super();
  }
}
class Size extends defineComponent("Size", { n: "i32" }) {}

type AnyRow = { readonly entity: Entity } & Readonly<Record<string, { n: number } | undefined>>;
type Rows = Iterable<AnyRow>;
const classes = { ammo: Ammo, brain: Brain, cargo: Cargo, size: Size } as const;
const objects = ["ammo", "brain", "cargo"] as const;
const sorted = (list: Entity[]) => [...list].sort((a, b) => a - b);

/** Adds components at random; the probability of each is `some` of 8. */
function filled(ecs: ECS, n: number, next: (limit: number) => number, some: number): Entity[] {
  const all = Array.from(ecs.addEntities(n));
  const order = [...all];
  for (const cls of [Ammo, Brain, Cargo, Size]) {
    for (let i = n - 1; i > 0; i--) {
      const k = next(i + 1);
      [order[i], order[k]] = [order[k]!, order[i]!];
    }
    for (const e of order)
      if (next(8) < some) ecs.addComponent(e, cls === Size ? new Size({ n: e }) : new (cls as typeof Ammo)(e));
  }
  return all;
}

/** Queries, the names of the classes that they require, and the other names of their rows. */
const cases: [string, (ecs: ECS) => Rows, (keyof typeof classes)[], (keyof typeof classes)[]][] = [
  ["one class", (ecs) => ecs.query({ ammo: Ammo }) as never, ["ammo"], []],
  ["two classes", (ecs) => ecs.query({ ammo: Ammo, brain: Brain }) as never, ["ammo", "brain"], []],
  ["and a stored one", (ecs) => ecs.query({ brain: Brain, size: Size }) as never, ["brain", "size"], []],
  [
    "two and a stored one",
    (ecs) => ecs.query({ ammo: Ammo, size: Size, brain: Brain }) as never,
    ["ammo", "size", "brain"],
    [],
  ],
  [
    "optional ones",
    (ecs) => ecs.query({ ammo: Ammo }, { optional: { brain: Brain, cargo: Cargo } }) as never,
    ["ammo"],
    ["brain", "cargo"],
  ],
  [
    "optional ones beside stored ones",
    (ecs) => ecs.query({ size: Size, ammo: Ammo }, { optional: { cargo: Cargo } }) as never,
    ["size", "ammo"],
    ["cargo"],
  ],
  [
    "optional ones, also stored",
    (ecs) => ecs.query({ ammo: Ammo }, { optional: { brain: Brain, size: Size } }) as never,
    ["ammo"],
    ["brain", "size"],
  ],
  [
    "of a list",
    (ecs) => ecs.query({ ammo: Ammo }, { optional: { brain: Brain } }).of(ecs.storage(Ammo).entities) as never,
    ["ammo"],
    ["brain"],
  ],
];

describe.each(cases)("Q4 rows with object components: %s", (name, queryOf, required, optional) => {
  const selected = (ecs: ECS, e: Entity) => required.every((key) => ecs.has(e, classes[key]));
  /** The row shows what its entity has now. */
  const check = (ecs: ECS, row: AnyRow, e: Entity) => {
    const all = { entity: row.entity } as Record<string, unknown>;
    const expected = { entity: e } as typeof all;
    for (const key of [...required, ...optional]) {
      const has = ecs.tryGet<Component>(e, classes[key] as ComponentClass<Component>);
      if (key !== "size") {
        all[key] = row[key];
        expected[key] = has;
      } else if (has === undefined && required.includes(key)) {
        expect(() => row[key]!.n).toThrow();
      } else {
        all[key] = row[key]?.n;
        expected[key] = (has as Size | undefined)?.n;
      }
    }
    for (const key in all) if (all[key] !== expected[key]) expect([key, all[key]]).toBe([key, expected[key]]);
  };

  test.each([1, 4, 6, 7, 8])(
    "T4 visits exactly those that have all, each time, if %i of 8 have a component",
    (some) => {
      const next = random(some);
      for (const n of [1, 2, 3, 10, 90, 500]) {
        const ecs = world();
        const all = filled(ecs, n, next, some);
        for (let time = 0; time < 3; time++) {
          const seen: Entity[] = [];
          for (const row of queryOf(ecs)) {
            seen.push(row.entity);
            check(ecs, row, row.entity);
          }
          expect(sorted(seen)).toEqual(all.filter((e) => selected(ecs, e)));
          const e = all[next(n)]!;
          if (time === 1 && !ecs.removeComponent(e, Brain)) ecs.addComponent(e, new Brain(e));
        }
      }
    },
  );

  test("shows what its entity has, whatever the loop's body changes", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed);
      const ecs = world();
      const all = filled(ecs, 70, next, 5 + (seed % 4));
      const changed = new Set<Entity>();
      const before = all.filter((e) => selected(ecs, e));
      const visits = new Map<Entity, number>();
      for (const row of queryOf(ecs)) {
        const { entity: e } = row;
        visits.set(e, (visits.get(e) ?? 0) + 1);
        if (!selected(ecs, e)) expect(e).toBe("selected");
        check(ecs, row, e);
        for (let times = next(2 + (seed % 8)); times > 0; times--) {
          const other = next(3) === 0 ? e : all[next(all.length)]!;
          const key = objects[next(3)]!;
          const cls: typeof Ammo = classes[key];
          if (!ecs.alive(other)) continue;
          switch (next(8)) {
            case 0:
            case 1:
              if (ecs.removeComponent(other, cls) && required.includes(key)) changed.add(other);
              break;
            case 2:
              if (required.includes(key) && !ecs.has(other, cls)) changed.add(other);
              ecs.addComponent(other, new cls(other));
              break;
            case 3:
              ecs.removeComponent(other, cls);
              ecs.addComponent(other, new cls(other));
              changed.add(other);
              break;
            case 4:
              changed.add(other);
              ecs.removeEntity(other);
              ecs.removeMarked();
              check(ecs, row, e);
              {
                const reused = ecs.addEntity(new Ammo(1), new Brain(2), new Cargo(3), [Size, { n: 4 }]);
                all.push(reused);
                changed.add(reused);
              }
          }
          check(ecs, row, e);
        }
      }
      for (const e of before) if (!changed.has(e)) expect([seed, e, visits.get(e)]).toEqual([seed, e, 1]);
    }
  });
});

describe("Q4 the object of a row", () => {
  /** Removes the entity; returns a new one with its index, which has these components. */
  const replaced = (ecs: ECS, e: Entity, ...components: Component[]) => {
    ecs.removeEntity(e);
    ecs.removeMarked();
    const other = ecs.addEntity();
    expect(entityIndex(other)).toBe(entityIndex(e));
    for (const component of components) ecs.addComponent(other, component);
    return other;
  };

  test.each([0, 3, 20])("is never that of a new entity with the index of entity %i, not even an optional one", (i) => {
    for (const mixed of [false, true]) {
      const ecs = world();
      const all = Array.from(ecs.addEntities(40));
      ecs.addComponents(all, Size);
      ecs.addComponents(mixed ? [...all].reverse() : all, Ammo, (k) => new Ammo(k));
      for (const row of ecs.query({ size: Size, ammo: Ammo }, { optional: { brain: Brain } })) {
        if (row.entity !== all[i]) continue;
        expect(row.brain).toBeUndefined();
        replaced(ecs, all[i], new Brain(1), new Ammo(1));
        expect([row.entity, row.brain, row.ammo]).toEqual([all[i], undefined, undefined]);
        break;
      }
    }
  });
  test("is that of its entity when another iteration, or another class, changes", () => {
    const ecs = world();
    const all = Array.from(ecs.addEntities(30));
    ecs.addComponents(all, Ammo, (k) => new Ammo(k));
    ecs.addComponents(all.slice(0, 20), Brain, (k) => new Brain(k));
    const query = ecs.query({ ammo: Ammo }, { optional: { brain: Brain } });
    for (const outer of query) {
      const has = all.indexOf(outer.entity) < 20;
      for (const inner of query) {
        if (inner.entity !== all[25]) continue;
        ecs.addComponent(inner.entity, new Brain(25));
        ecs.removeComponent(inner.entity, Brain);
        expect(inner.brain).toBeUndefined();
      }
      expect(outer.ammo).toBe(ecs.get(outer.entity, Ammo));
      expect(outer.brain !== undefined).toBe(has);
    }
  });
  test("Q6 of at is not that of a new entity with its index", () => {
    const ecs = world();
    const all = Array.from(ecs.addEntities(10));
    ecs.addComponents(all, Ammo, (k) => new Ammo(k));
    ecs.addComponents(all, Size);
    const kept = ecs.query({ ammo: Ammo, size: Size }).at(all[3]!)!;
    expect(kept.ammo.n).toBe(3);
    replaced(ecs, all[3]!, new Ammo(1));
    expect(kept.ammo).toBeUndefined();
  });
  test("Q5 is found for living entities of a list only", () => {
    const ecs = world();
    const all = Array.from(ecs.addEntities(10));
    ecs.addComponents(all, Ammo, (k) => new Ammo(k));
    const other = replaced(ecs, all[3]!, new Ammo(99));
    const rows = [...ecs.query({ ammo: Ammo }).of([...all, other])].length;
    const seen: number[] = [];
    for (const { ammo } of ecs.query({ ammo: Ammo }).of([...all, other])) seen.push(ammo.n);
    expect([rows, seen]).toEqual([10, [0, 1, 2, 4, 5, 6, 7, 8, 9, 99]]);
  });
  test("Q5 is found for entities of the world only, not for those of another one with their indices", () => {
    const [ecs, other] = [world(), world()];
    const all = Array.from(ecs.addEntities(10));
    ecs.addComponents(all, Ammo, (k) => new Ammo(k));
    const others = Array.from(other.addEntities(10));
    for (const e of others.slice(0, 5)) replaced(other, e);
    for (let index = 1; index < 20; index++)
      for (const e of [index, index + (1 << 22)]) if (other.alive(e)) other.addComponent(e, new Brain(e));
    const found = entities(ecs.query({ ammo: Ammo }).of(other.storage(Brain)));
    expect([found, other.storage(Brain).count]).toEqual([all.slice(5), 10]);
  });
  test("Q5 of entities with another class is found each time anew, although the storage has the size that it had", () => {
    const ecs = world();
    const all = Array.from(ecs.addEntities(20));
    ecs.addComponents(all.slice(0, 10), Ammo, (k) => new Ammo(k));
    ecs.addComponents(all.slice(0, 10), Brain, (k) => new Brain(k));
    const query = ecs.query({ ammo: Ammo }, { optional: { brain: Brain } });
    for (let time = 0; time < 2; time++) expect(entities(query.of(ecs.storage(Brain)))).toEqual(all.slice(0, 10));
    ecs.removeComponents(all.slice(0, 10), Brain);
    ecs.addComponents(all.slice(5, 15), Brain, (k) => new Brain(k));
    expect(entities(query.of(ecs.storage(Brain)))).toEqual(all.slice(5, 10));
  });
  test("S14 in the rows and dirty rows of a system", () => {
    const ecs = world();
    const next = random(1);
    const all = filled(ecs, 100, next, 6);
    const log: unknown[][] = [];
    class Reads extends defineSystem({ ammo: Ammo }, { optional: { brain: Brain }, without: [Cargo], watch: [Ammo] }) {
      override update() {
        log.push([], []);
        for (const { entity: e, ammo, brain } of this.rows) {
          expect([ammo, brain]).toEqual([ecs.get(e, Ammo), ecs.tryGet(e, Brain)]);
          log.at(-2)!.push(e);
          if (e % 5 === 0) ecs.removeComponent(e, Brain);
        }
        for (const row of this.dirty) {
          expect([row.ammo, row.brain]).toEqual([ecs.get(row.entity, Ammo), ecs.tryGet(row.entity, Brain)]);
          log.at(-1)!.push(row.entity);
          if (row.entity % 7 === 0) ecs.addComponent(row.entity, new Brain(1));
          expect(row.brain).toBe(ecs.tryGet(row.entity, Brain));
        }
      }
    }
    ecs.addSystem(0, new Reads());
    const tracked = () => all.filter((e) => ecs.has(e, Ammo) && !ecs.has(e, Cargo));
    for (let frame = 0; frame < 10; frame++) {
      for (const e of all) {
        if (next(6) === 0) ecs.addComponent(e, new Cargo(1));
        if (next(6) === 0) ecs.removeComponent(e, Cargo);
      }
      for (const e of tracked()) ecs.get(e, Ammo).dirty();
      ecs.update();
      expect(log.slice(-2).map((list) => sorted(list as Entity[]))).toEqual([tracked(), tracked()]);
    }
  });
  test("H5 of the parent", () => {
    const ecs = world();
    const parent = ecs.addEntity(new Ammo(7));
    const all = Array.from({ length: 20 }, (_, i) => ecs.addEntity(new Brain(i)));
    for (const e of all.slice(0, 10)) ecs.setParent(e, parent);
    for (const { entity: e, brain, ammo } of ecs.query({ brain: Brain }, { parent: { ammo: Ammo } }))
      expect([brain.n, ammo?.n]).toEqual([all.indexOf(e), all.indexOf(e) < 10 ? 7 : undefined]);
  });
});

test("Q4 a loop that removes a component of each row visits each entity once", () => {
  const ecs = world();
  const all = Array.from(ecs.addEntities(1000));
  ecs.addComponents(all, Ammo, (i) => new Ammo(i));
  ecs.addComponents(all, Brain, (i) => new Brain(i));
  const seen: Entity[] = [];
  for (const { entity: e, ammo } of ecs.query({ ammo: Ammo }, { optional: { brain: Brain } })) {
    expect(ammo.n).toBe(all.indexOf(e));
    ecs.removeComponent(e, Brain);
    seen.push(e);
  }
  for (const { entity: e, ammo } of ecs.query({ ammo: Ammo })) {
    expect(ammo.n).toBe(all.indexOf(e));
    ecs.removeComponent(e, Ammo);
    seen.push(e);
  }
  expect(sorted(seen)).toEqual(sorted([...all, ...all]));
  expect(entities(ecs.query({ ammo: Ammo }))).toEqual([]);
});
