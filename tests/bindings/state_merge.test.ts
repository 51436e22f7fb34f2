// Compact snapshots, and adding the entities of a snapshot to a living world: crateful/state (rules N1, N9).
import { expect, test } from "@jest/globals";
import {
  Component,
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
import { merge, restore, snapshot } from "./with_state.js";
import { sameBytes } from "./state_bytes.js";
import { random, seeds, times } from "./random.js";
import { expectError, world } from "./world.js";

type Map1 = (e: Entity) => Entity;

class Place extends defineComponent("MergePlace", { x: "f32", name: "string" }, { policy: "sparse" }) {}
class Grid extends defineComponent("MergeGrid", { level: "u16" }, { policy: "linear" }) {}
class Aim extends defineComponent("MergeAim", { target: "link", owner: "entity" }) {}
class SparseAim extends defineComponent("MergeSparseAim", { owner: "entity" }, { policy: "sparse" }) {}
class Marked extends defineComponent("MergeMarked", {}) {}
/** Changes its data. */
class Bag extends defineObject("MergeBag", { owner: NONE as Entity, gold: 0 }) {
  static mapEntities(data: { owner: Entity }, map: Map1): void {
    data.owner = map(data.owner);
  }
}
/** Returns other data. */
class Route extends Component {
  static readonly typeName = "MergeRoute";
  constructor(readonly stops: Entity[] = []) {
    super();
  }
  static encode = ({ stops }: Route) => ({ stops });
  static decode = ({ stops }: { stops: Entity[] }): Route => new Route(stops);
  static mapEntities = ({ stops }: { stops: Entity[] }, map: Map1) => ({ stops: stops.map(map) });
}
/** With bytes. */
class Raw extends Component {
  static readonly typeName = "MergeRaw";
  constructor(readonly handles: Uint32Array = new Uint32Array(1)) {
    super();
  }
  static encode = ({ handles }: Raw): Uint8Array => new Uint8Array(handles.buffer);
  static decode = (bytes: Uint8Array): Raw => new Raw(new Uint32Array(bytes.slice().buffer));
  static mapEntities(bytes: Uint8Array, map: Map1): void {
    const handles = new Uint32Array(bytes.buffer, bytes.byteOffset);
    handles.set(handles.map(map));
  }
}
/** Without the function. */
class Note extends defineObject("MergeNote", { about: NONE as Entity }) {}
const classes: ComponentClass[] = [Place, Grid, Aim, SparseAim, Marked, Bag, Route, Raw];

class Hit {
  static readonly typeName = "MergeHit";
  constructor(readonly target: Entity) {}
  static encode = ({ target }: Hit) => ({ target });
  static decode = ({ target }: { target: Entity }): Hit => new Hit(target);
  static mapEntities(data: { target: Entity }, map: Map1): void {
    data.target = map(data.target);
  }
}
class Unmapped {
  static readonly typeName = "MergeUnmapped";
  static encode = () => null;
  static decode = (): Unmapped => new Unmapped();
}

/** All entities except the world, in the order of their indices. */
function entities(ecs: ECS): Entity[] {
  const all: Entity[] = [];
  for (let index = 1; all.length < ecs.count; ++index)
    for (let generation = 0; generation < 100; ++generation) {
      const e = (generation * 2 ** 22 + index) >>> 0;
      if (ecs.alive(e)) all.push(e);
    }
  return all;
}

/** Everything that an entity has, with other handles. */
function describe(ecs: ECS, e: Entity, map: Map1): unknown {
  const aim = ecs.tryGet(e, Aim);
  const bag = ecs.tryGet(e, Bag);
  return {
    place: ecs.tryGet(e, Place)?.toJSON(),
    grid: ecs.tryGet(e, Grid)?.level,
    aim: aim && [map(aim.target), map(aim.owner)],
    sparse: map(ecs.tryGet(e, SparseAim)?.owner ?? NONE),
    marked: ecs.has(e, Marked),
    bag: bag && [map(bag.owner), bag.gold],
    route: ecs.tryGet(e, Route)?.stops.map(map),
    raw: Array.from(ecs.tryGet(e, Raw)?.handles ?? [], map),
    parent: map(ecs.parent(e)),
    children: Array.from(ecs.children(e), map),
    linked: Array.from(ecs.linked(Aim, e), map).sort((a, b) => a - b),
  };
}
const same: Map1 = (e) => e;
/** The number of each entity among those that are alive. */
function numbers(ecs: ECS): Map1 {
  const all = new Map([0, ...entities(ecs)].map((e, k) => [e, k]));
  return (e) => all.get(e) ?? NONE;
}

function randomWorld(seed: number, steps: number): ECS {
  const next = random(seed);
  const ecs = new ECS();
  if (seed % 2 === 1) restore(ecs, snapshot(randomWorld(seed + 1, steps)), { components: classes });
  const all: Entity[] = [];
  const pick = (): Entity => all[next(all.length)]!;
  for (let k = 0; k < steps; ++k) {
    if (all.length < 3 || next(4) === 0) all.push(ecs.addEntity());
    const e = next(12) === 0 ? ecs.world : pick();
    const what = next(12);
    if (!ecs.alive(e)) continue;
    if (what === 0) ecs.addComponent(e, new Place({ x: next(100), name: `place ${next(9)}` }));
    else if (what === 1) ecs.addComponent(e, new Grid({ level: next(9) }));
    else if (what === 2) ecs.addComponent(e, new Aim({ target: ecs.alive(pick()) ? pick() : NONE, owner: pick() }));
    else if (what === 3) ecs.addComponent(e, new Marked());
    else if (what === 4) ecs.addComponent(e, new Bag({ owner: pick(), gold: next(9) }));
    else if (what === 5) ecs.addComponent(e, new Route([pick(), NONE, e, 0]));
    else if (what === 6) ecs.addComponent(e, new Raw(new Uint32Array([pick(), e])));
    else if (what === 7) ecs.removeComponent(e, classes[next(classes.length)]!);
    else if (what === 8 && e !== ecs.world) {
      const above = next(5) === 0 ? ecs.world : pick();
      let possible = ecs.alive(above);
      for (let at = above; possible && at !== NONE; at = ecs.parent(at)) possible = at !== e;
      if (possible) ecs.setParent(e, above);
    } else if (what === 9 && e !== ecs.world) ecs.removeEntity(e);
    else if (what === 11) ecs.addComponent(e, new SparseAim({ owner: pick() }));
    else ecs.update(0.1);
  }
  ecs.update(0.1);
  return ecs;
}

test.each(seeds(15))("N1 a compact snapshot is the same world with other handles (seed %d)", (seed) => {
  const original = randomWorld(seed, times(120));
  const plain = snapshot(original);
  const bytes = snapshot(original, { compact: true });
  expect(sameBytes(snapshot(original), plain)).toBe(true);
  for (const target of [new ECS(), randomWorld(seed + 1000, 60), original]) {
    const before = [0, ...entities(original)].map((e) => describe(original, e, numbers(original)));
    restore(target, bytes, { components: classes });
    expect(entities(target)).toEqual(before.slice(1).map((_, k) => k + 1));
    expect([0, ...entities(target)].map((e) => describe(target, e, same))).toEqual(before);
    expect(sameBytes(snapshot(target), bytes)).toBe(true);
    expect(sameBytes(snapshot(target, { compact: true }), bytes)).toBe(true);
  }
});

test.each(seeds(15))("N9 the entities of a snapshot are added to a living world (seed %d)", (seed) => {
  const saved = randomWorld(seed, times(120));
  const bytes = snapshot(saved, { compact: seed % 2 === 0 });
  const loaded = new ECS();
  restore(loaded, bytes, { components: classes });
  const ecs = randomWorld(seed + 500, times(120));
  const before = [0, ...entities(ecs)];
  const described = before.map((e) => describe(ecs, e, same)) as { children: Entity[] }[];

  const handles = merge(ecs, bytes, { components: classes });
  expect([...handles.keys()]).toEqual(entities(loaded));
  const here = [...handles.values()];
  expect(entities(ecs).sort((a, b) => a - b)).toEqual([...before.slice(1), ...here].sort((a, b) => a - b));
  const map: Map1 = (e) => (e === 0 ? 0 : (handles.get(e) ?? NONE));
  loaded.removeComponent(loaded.world, Aim);
  expect(here.map((e) => describe(ecs, e, same))).toEqual(entities(loaded).map((e) => describe(loaded, e, map)));
  // The world has the children of the other one, too; everything else stays as it was.
  described[0]!.children.push(...Array.from(loaded.children(0), map));
  const now = before.map((e) => describe(ecs, e, same)) as { linked: Entity[] }[];
  expect(now.map(({ linked, ...rest }) => ({ ...rest, linked: linked.filter((e) => !here.includes(e)) }))).toEqual(
    described,
  );
});

test("N1 one entity after many removals takes few bytes, also in a compact snapshot", () => {
  const ecs = world();
  const all = ecs.addEntities(100_000);
  const kept = all[70_000]!;
  ecs.addComponent(kept, new Grid({ level: 1 }));
  for (const e of all) if (e !== kept) ecs.removeEntity(e);
  ecs.update();
  expect(snapshot(ecs).length).toBeLessThanOrEqual(4096);
  expect(snapshot(ecs, { compact: true }).length).toBeLessThanOrEqual(400);
});

test("N1 references in events are mapped, and a waiting event of a class without the function is an error", () => {
  const ecs = world();
  const [gone, target] = [ecs.addEntity(), ecs.addEntity()];
  ecs.removeEntity(gone);
  ecs.update();
  ecs.events.inbox(Hit);
  ecs.events.dispatch(new Hit(target), 1);
  ecs.events.dispatch(new Hit(gone));
  const other = world();
  other.events.inbox(Hit);
  restore(other, snapshot(ecs, { compact: true }));
  expect(other.events.inbox(Hit).map((hit) => hit.target)).toEqual([NONE]);
  other.update(2);
  expect(other.events.inbox(Hit).map((hit) => hit.target)).toEqual([NONE, 1]);
  ecs.events.dispatch(new Unmapped(), 1);
  snapshot(ecs);
  expectError("BAD_ARGUMENT", () => snapshot(ecs, { compact: true }));
  snapshot(ecs, { compact: true, without: [Unmapped] });
});

test("N1 N9 references in objects without the function stay as they are", () => {
  const ecs = world();
  ecs.removeEntity(ecs.addEntity());
  ecs.update();
  const e = ecs.addEntity([Note, { about: NONE }]);
  const owner = ecs.addEntity();
  ecs.get(e, Note).about = owner;
  const other = world();
  restore(other, snapshot(ecs, { compact: true }), { components: [Note] });
  expect(other.get(1, Note).about).toBe(owner);
  const handles = merge(other, snapshot(ecs));
  expect(other.get(handles.get(e)!, Note).about).toBe(owner);
});

test("N1 N9 a class whose mapEntities is no function, or returns what cannot be saved, is an error", () => {
  class Wrong extends defineObject("MergeWrong", { n: 0 }) {
    static mapEntities: unknown = 3;
  }
  const ecs = world();
  ecs.addEntity(Wrong);
  expectError("BAD_ARGUMENT", () => snapshot(ecs, { compact: true }));
  Wrong.mapEntities = () => ({ n: 1n });
  expectError("BAD_ARGUMENT", () => snapshot(ecs, { compact: true }));
  snapshot(ecs);
});

test("N9 systems find everything in onAdd, which may change anything, and what it throws is rethrown at the end", () => {
  const level = world();
  const child = level.addEntity([Place, { x: 2 }]);
  const parent = level.addEntity([Place, { x: 1 }], [Bag, { gold: 5 }]);
  level.setParent(child, parent);
  level.addComponent(child, new Aim({ target: parent }));
  const bytes = snapshot(level);

  const ecs = world();
  const found: unknown[] = [];
  class Arrive extends System {
    readonly componentsRequired = new Set([Place]);
    override onAdd({ entity }: Aspect): void {
      const above = this.ecs.parent(entity);
      const aim = this.ecs.tryGet(entity, Aim);
      found.push([
        this.ecs.get(entity, Place).x,
        above === NONE ? NONE : this.ecs.get(above, Place).x,
        aim && this.ecs.get(aim.target, Bag).gold,
      ]);
      this.ecs.addComponent(entity, Marked);
      if (found.length > 2) throw new Error(`number ${found.length}`);
    }
    override update(): void {}
  }
  ecs.addSystem(0, new Arrive());
  const handles = merge(ecs, bytes);
  const expected = [
    [2, 1, 5],
    [1, NONE, undefined],
  ];
  expect(found).toEqual(expected);
  expect(ecs.has(handles.get(child)!, Marked)).toBe(true);
  expect(() => merge(ecs, bytes)).toThrow("number 3");
  expect(found).toEqual([...expected, ...expected]);
  expect(ecs.count).toBe(4);
});

test("N9 what is added is dirty, and nothing else", () => {
  class Draw extends defineSystem({ place: Place }, { watch: [Place] }) {
    seen: number[] = [];
    override update(): void {
      this.seen = Array.from(this.dirty, ({ place }) => place.x);
    }
  }
  const level = world();
  level.addEntity([Place, { x: 7 }]);
  const ecs = world();
  const draw = ecs.addSystem(0, new Draw());
  ecs.addEntity([Place, { x: 1 }]);
  ecs.update();
  ecs.update();
  merge(ecs, snapshot(level));
  ecs.update();
  expect(draw.seen).toEqual([7]);
});

test("N9 time, events, and components of the world are left out, and marks for removal are not", () => {
  const level = world();
  level.update(3);
  level.addComponent(level.world, new Place({ x: 9 }));
  level.addComponent(level.world, new Bag({ gold: 9 }));
  const [a, b] = [level.addEntity(), level.addEntity([Bag, { gold: 1 }])];
  level.setParent(a, level.world);
  level.events.dispatch(new Hit(a), 1);
  level.removeEntity(b);
  const ecs = world();
  ecs.addComponent(ecs.world, new Bag({ gold: 2 }));
  ecs.events.inbox(Hit);
  const handles = merge(ecs, snapshot(level));
  expect(ecs.gameTime).toBe(0);
  expect(ecs.has(ecs.world, Place)).toBe(false);
  expect(ecs.get(ecs.world, Bag).gold).toBe(2);
  expect([...ecs.children(ecs.world)]).toEqual([handles.get(a)]);
  expect(ecs.get(handles.get(b)!, Bag).gold).toBe(1);
  ecs.update(5);
  expect(ecs.alive(handles.get(b)!)).toBe(false);
  expect(ecs.events.inbox(Hit)).toEqual([]);
});

test("N9 a snapshot that cannot be read changes nothing", () => {
  class Strict extends Component {
    static readonly typeName = "MergeStrict";
    static encode = () => 1;
    static decode(): Strict {
      throw new Error("cannot decode");
    }
  }
  const level = world();
  level.addEntity([Bag, { gold: 1 }], new Strict());
  const bytes = snapshot(level);
  const ecs = randomWorld(4, 100);
  const before = snapshot(ecs);
  const refused = (f: () => unknown): void => {
    expect(f).toThrow();
    expect(sameBytes(snapshot(ecs), before)).toBe(true);
  };
  refused(() => merge(ecs, bytes));
  refused(() => merge(ecs, bytes.slice(0, -8)));
  refused(() => merge(ecs, bytes, { rename: { MergeBag: "Nowhere" } }));
  expectError("BAD_ARGUMENT", () => merge(ecs, bytes, { events: [] } as object));
  expectError("BAD_DATA", () => merge(ecs, bytes, { limits: { entities: 0 } }));
  expectError("BAD_DATA", () => merge(ecs, bytes, { limits: { bytes: 10 } }));
  expectError("BAD_ARGUMENT", () => merge(ecs, 3 as never));
  class Merge extends System {
    readonly componentsRequired = new Set([Place]);
    override update(): void {
      expectError("REENTRANT_UPDATE", () => merge(ecs, bytes));
    }
  }
  ecs.addSystem(0, new Merge());
  ecs.update();
  expect(merge(ecs, bytes, { ignore: [Strict] }).size).toBe(1);
});

test("N8 N9 limits.bytes bounds the columns that grow in the world", () => {
  const columns = Array.from(
    { length: 10 },
    (_, k) => class extends defineComponent(`MergeWide${k}`, { m: "f32x32" }) {},
  );
  const small = world();
  small.addEntity(...columns);
  const bytes = snapshot(small);
  const ecs = world();
  ecs.addEntities(100_000);
  const before = snapshot(ecs);
  expectError("BAD_DATA", () => merge(ecs, bytes, { limits: { bytes: 100_000 } }));
  expect(sameBytes(snapshot(ecs), before)).toBe(true);
  const far = world();
  for (const e of far.addEntities(100_000)) if (e < 100_000) far.removeEntity(e);
  far.update();
  far.addComponent(100_000, columns[0]!);
  expect(merge(world(), snapshot(far), { limits: { bytes: 2_000_000 } }).size).toBe(1); // the index in the bytes does not count
});

test.each([[null], [undefined], [Number.NaN], [1.5], [2 ** 32 + 1], ["1"]])(
  "N1 N9 mapping %p, which is no handle, is an error",
  (value) => {
    class Loose extends defineObject("MergeLoose", { at: 0 as unknown }) {
      static mapEntities(data: { at: unknown }, map: (e: Entity) => Entity): void {
        data.at = map((data.at === "it" ? value : data.at) as Entity);
      }
    }
    const ecs = world();
    ecs.addEntity([Loose, { at: "it" }]);
    const { message } = expectError("BAD_ARGUMENT", () => snapshot(ecs, { compact: true }));
    expect(message).toContain("mapEntities");
    const other = world();
    expectError("BAD_ARGUMENT", () => merge(other, snapshot(ecs)));
    expect(other.count).toBe(0);
  },
);

test("N4 N9 mapEntities gets the defaults of fields that an old snapshot does not contain", () => {
  class Old extends defineObject("MergeGuard", { name: "x" }) {}
  class Guard extends defineObject("MergeGuard", { name: "", route: [] as Entity[], seen: new Map<string, Entity>() }) {
    static mapEntities(data: { route: Entity[]; seen: Map<string, Entity> }, map: Map1): unknown {
      return { ...data, route: data.route.map(map), seen: new Map([...data.seen].map(([key, e]) => [key, map(e)])) };
    }
  }
  const old = world();
  old.addEntity([Old, {}]);
  const ecs = world();
  const [made] = merge(ecs, snapshot(old), { components: [Guard] }).values();
  expect(ecs.get(made!, Guard).toJSON()).toEqual({ name: "x", route: [], seen: new Map() });
  ecs.get(made!, Guard).seen = new Map([["a", made!]]);
  const again = merge(ecs, snapshot(ecs)).get(made!)!;
  expect(ecs.get(again, Guard).seen).toEqual(new Map([["a", again]]));
});

test("N9 what mapEntities returns must be data of the class", () => {
  let result: unknown;
  class Odd extends Component {
    static readonly typeName = "MergeOdd";
    static encode = () => 1;
    static decode = () => new Odd();
    static mapEntities = () => result;
  }
  const level = world();
  level.addEntity(new Odd());
  const bytes = snapshot(level);
  const ecs = world();
  for (result of [Promise.resolve(), () => 1, 1n, Number.NaN]) {
    expectError("BAD_ARGUMENT", () => merge(ecs, bytes, { components: [Odd] }));
    expectError("BAD_ARGUMENT", () => snapshot(level, { compact: true }));
  }
  expect(ecs.count).toBe(0);
});
