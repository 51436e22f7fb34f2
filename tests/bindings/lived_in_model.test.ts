// Rows of one world that lives long: it is changed at random, also while loops run and inside callbacks, restored from snapshots with
// and without the state of systems, and rewound (rules Q2 to Q4, Q6, N2, N7, T4). Each component contains the handle of its entity and
// a counter, so a row that accesses the values of another entity is found at once, and a lost or doubled write at the end.
import { expect, test } from "@jest/globals";
import { Aspect, Component, ECS, defineComponent, defineSystem, type ComponentClass, type Entity } from "crateful";
import { Rewind } from "crateful/state";
import { restore, snapshot } from "./with_state.js";
import { seeds, times } from "./random.js";
import { random } from "./world.js";

const fields = { id: "entity", n: "i32" } as const;
class Sparse extends defineComponent("LivedSparse", fields, { policy: "sparse" }) {}
class Other extends defineComponent("LivedOther", fields, { policy: "sparse" }) {}
class Linear extends defineComponent("LivedLinear", fields, { policy: "linear" }) {}
class Thing extends Component {
  static readonly typeName = "LivedThing";
  constructor(
    public id: Entity,
    public n: number,
  ) {
    super();
  }
  static encode = ({ id, n }: Thing): number[] => [id, n];
  static decode = ([id, n]: [number, number]): Thing => new Thing(id, n);
}
class Frozen extends defineComponent("LivedFrozen", {}, { policy: "sparse" }) {}
class Hidden extends defineComponent("LivedHidden", {}, { policy: "linear" }) {}
type Counting = typeof Sparse | typeof Other | typeof Linear | typeof Thing;
const counting: readonly Counting[] = [Sparse, Other, Linear, Thing];
const filters = [Frozen, Hidden] as const;
type Count = { id: Entity; n: number };

const shapes = [
  { shape: { a: Sparse }, without: [Frozen] },
  { shape: { a: Sparse, b: Other }, without: [Frozen] },
  { shape: { a: Other, b: Linear, c: Sparse }, without: [Hidden] },
  { shape: { a: Thing, b: Sparse }, without: [Frozen, Hidden] },
  { shape: { a: Linear, b: Sparse }, without: [] },
  { shape: { a: Sparse, b: Other, c: Linear, d: Thing }, without: [] },
] as const;
interface Selection {
  readonly classes: readonly Counting[];
  readonly without: readonly ComponentClass[];
}
const selections: readonly Selection[] = shapes.map(({ shape, without }) => ({
  classes: Object.values(shape),
  without,
}));
type AnyRow = { readonly entity: Entity } & Record<string, Count>;

/** As `expect(actual).toBe(expected)`, which takes many times as long if they are equal. */
function same(actual: unknown, expected: unknown, where: string): void {
  if (actual !== expected) throw new Error(`${where} is ${String(actual)}, expected ${String(expected)}`);
}
function sameSet(actual: readonly Entity[], expected: readonly Entity[], where: string): void {
  const sorted = (list: readonly Entity[]) => [...list].sort((a, b) => a - b).join();
  if (actual.length > 0 || expected.length > 0) same(sorted(actual), sorted(expected), where);
}

/** By entity: the counter of each component, and the filters. */
type State = Map<Entity, Map<ComponentClass, number>>;
const copyOf = (state: State): State => new Map(Array.from(state, ([e, parts]) => [e, new Map(parts)]));

class World {
  readonly ecs = new ECS();
  readonly next: (below: number) => number;
  /** The rows of the systems and those of queries, each with what it selects. */
  readonly lists: { rows: Iterable<AnyRow>; selection: Selection }[] = [];
  readonly runs = this.ecs.runs(Sparse, Other, Linear);
  readonly sorted = this.ecs.query({ a: Sparse, b: Thing }, { orderBy: [Sparse, "n"] });
  state: State = new Map();
  saved: { bytes: Uint8Array; state: State }[] = [];
  rewind: Rewind | undefined;
  /** The states that it has recorded, by frame. */
  readonly frames = new Map<number, State>();
  /** While the state is exchanged, callbacks only read. */
  exchanging = false;
  clearing = false;
  /** For a while, no component is added or removed, so that storages which have the same order keep it. */
  settled = false;
  depth = 0;
  exchanges = 0;

  constructor(seed: number) {
    this.next = random(seed);
    shapes.forEach(({ shape, without }, i) => {
      const selection = selections[i]!;
      this.lists.push({ rows: this.ecs.query(shape, { without: [...without] }) as never, selection });
      this.lists.push({ rows: this.#addSystem(i, selection) as never, selection });
    });
  }
  #addSystem(i: number, selection: Selection): Iterable<unknown> {
    const { next } = this;
    const { shape, without } = shapes[i]!;
    const options = {
      name: `Counts${i}`,
      without: [...without],
      watch: [selection.classes[0]!],
      ordered: next(4) === 0,
      aspect: class extends Aspect {},
    };
    const update = (rows: unknown, dirty: unknown): void => {
      this.loop(rows as Iterable<AnyRow>, selection, !this.settled && next(3) === 0);
      if (next(2)) this.visit(dirty as Iterable<AnyRow>, selection, !this.settled && next(3) === 0);
    };
    class Counts extends defineSystem(shape, options) {
      override update(): void {
        update(this.rows, this.dirty);
      }
    }
    const system = new Counts();
    const disturb = (): void => this.disturb();
    if (i % 2 === 0) Object.assign(system, { onAdd: disturb });
    if (i % 3 === 0) Object.assign(system, { onRemove: disturb });
    this.ecs.addSystem(i % 3, system);
    return system.rows;
  }

  // --- loops ------------------------------------------------------------------------------------

  /** Checks that a component that a row or a look-up shows is that of the entity, and counts in it. */
  count(e: Entity, cls: Counting, component: Count): void {
    same(component.id, e, "the entity of the component");
    if (this.exchanging) return;
    const parts = this.state.get(e) ?? new Map<ComponentClass, number>();
    this.state.set(e, parts);
    component.n += 1;
    if (component instanceof Thing) component.dirty();
    parts.set(cls, (parts.get(cls) ?? 0) + 1);
    same(component.n, parts.get(cls), `the counter of ${cls.name} of ${e}`);
  }
  /** Visits rows, and changes the world meanwhile if `changes`. Returns what it has visited. */
  visit(rows: Iterable<AnyRow>, { classes }: Selection, changes: boolean): Entity[] {
    const visited: Entity[] = [];
    ++this.depth;
    for (const row of rows) {
      const { entity } = row;
      visited.push(entity);
      const use = (): void => {
        classes.forEach((cls, k) => {
          if (this.ecs.has(entity, cls)) this.count(entity, cls, row["abcd"[k]!]!);
        });
      };
      use();
      if (!changes || this.next(4) > 0) continue;
      this.change(this.next(2) ? entity : undefined);
      use();
      if (this.next(12) === 0) break;
    }
    --this.depth;
    return visited;
  }
  loop(rows: Iterable<AnyRow>, selection: Selection, changes: boolean): void {
    const visited = this.visit(rows, selection, changes);
    if (changes || this.depth > 0) return;
    sameSet(visited, this.selected(selection), "what the loop has visited");
  }
  selected({ classes, without }: Selection): Entity[] {
    return [...this.state]
      .filter(([, parts]) => classes.every((cls) => parts.has(cls)) && !without.some((cls) => parts.has(cls)))
      .map(([e]) => e);
  }
  /** In callbacks. */
  disturb(): void {
    if (this.clearing || this.depth > 3 || this.next(3) > 0) return;
    ++this.depth;
    const { rows, selection } = this.lists[this.next(this.lists.length)]!;
    if (!this.exchanging && !this.settled && this.next(2)) this.toggle(this.any());
    this.visit(rows, selection, false);
    --this.depth;
  }

  // --- changes ----------------------------------------------------------------------------------

  any(): Entity {
    const all = [...this.state.keys()].filter((e) => this.ecs.alive(e));
    return all.length > 0 ? all[this.next(all.length)]! : this.ecs.world;
  }
  /** Adds or removes a component, also inside loops. */
  change(e = this.any()): void {
    const { ecs, next } = this;
    const cls = counting[next(counting.length)]!;
    if (e === ecs.world || next(2)) this.toggle(this.any());
    else if (!ecs.has(e, cls)) this.give(e, cls);
    else {
      ecs.removeComponent(e, cls);
      this.state.get(e)!.delete(cls);
    }
  }
  give(e: Entity, cls: Counting): void {
    const { ecs } = this;
    // Not behind the call: its callbacks count already.
    this.state.get(e)!.set(cls, 0);
    ecs.addComponent(e, cls === Thing ? new Thing(e, 0) : new (cls as typeof Sparse)({ id: e }));
  }
  toggle(e: Entity): void {
    const { ecs, next } = this;
    if (e === ecs.world) return;
    const cls = filters[next(2)]!;
    const parts = this.state.get(e)!;
    if (ecs.has(e, cls)) {
      parts.delete(cls);
      ecs.removeComponent(e, cls);
    } else {
      parts.set(cls, 0);
      ecs.addComponent(e, new cls());
    }
  }
  step(): void {
    const { next } = this;
    if (next(50) === 0) this.settled = next(3) > 0;
    if (next(120) === 0) this.begin();
    if (this.settled) this.exchangeOrLoop();
    else if (next(4) > 0) this.changeSomething();
    else this.exchangeOrLoop();
  }
  changeSomething(): void {
    const { ecs, next, state } = this;
    const k = next(10);
    if (k < 3) {
      if (state.size > 40) return;
      const e = ecs.addEntity();
      state.set(e, new Map());
      const classes = counting.filter(() => next(4) > 0);
      for (const cls of next(2) ? classes : classes.reverse()) this.give(e, cls);
    } else if (k < 5) {
      const e = this.any();
      if (e === ecs.world) return;
      ecs.removeEntity(e);
      ecs.removeMarked();
      state.delete(e);
    } else if (k < 8) this.change();
    else this.toggle(this.any());
  }
  exchangeOrLoop(): void {
    const { next, lists } = this;
    const k = next(20);
    if (k < 1) this.freezeAndThaw();
    else if (k < 4) this.update();
    else if (k < 6) this.save();
    else if (k < 10) this.restore();
    else if (k < 13) this.goBack();
    else if (k < 14) {
      if (next(4) === 0) this.record();
    } else {
      const { rows, selection } = lists[next(lists.length)]!;
      this.loop(rows, selection, !this.settled && next(2) === 0);
    }
  }
  /** Everything is removed and created again, so that all storages and systems have the same order. */
  begin(): void {
    const { ecs, state, next } = this;
    this.clearing = true;
    ecs.clear();
    this.clearing = false;
    state.clear();
    for (let n = 8 * (1 + next(3)); n > 0; --n) {
      const e = ecs.addEntity();
      state.set(e, new Map());
      for (const cls of counting) this.give(e, cls);
    }
  }
  /** All entities leave and enter the systems, in the order of the first storage or in another one. */
  freezeAndThaw(): void {
    const { ecs, next } = this;
    const all = [...ecs.storage(Sparse)];
    for (const cls of filters) {
      for (const e of all) if (!ecs.has(e, cls)) ecs.addComponent(e, new cls());
      if (next(2)) all.push(...all.splice(0, next(3)));
      for (const e of all) ecs.removeComponent(e, cls);
    }
    this.readAgain();
  }
  /** Callbacks may have changed the filters. */
  readAgain(): void {
    for (const [e, parts] of this.state)
      for (const cls of filters)
        if (this.ecs.has(e, cls)) parts.set(cls, 0);
        else parts.delete(cls);
  }
  update(): void {
    this.ecs.update(1);
    if (this.rewind !== undefined) this.frames.set(this.ecs.frame, copyOf(this.state));
  }

  // --- exchanging the state ---------------------------------------------------------------------

  exchange(state: State, call: () => void): void {
    this.exchanging = true;
    this.state = copyOf(state);
    call();
    this.exchanging = false;
    ++this.exchanges;
    this.check();
  }
  save(): void {
    this.saved.push({ bytes: snapshot(this.ecs, { systems: this.next(4) > 0 }), state: copyOf(this.state) });
    if (this.saved.length > 4) this.saved.splice(this.next(4), 1);
  }
  restore(): void {
    if (this.saved.length === 0) return;
    const { bytes, state } = this.saved[this.next(this.saved.length)]!;
    this.frames.clear();
    this.exchange(state, () => void restore(this.ecs, bytes));
  }
  record(): void {
    this.rewind = this.next(3) ? new Rewind(this.ecs, { bytes: 1 << 20 }) : undefined;
    this.frames.clear();
  }
  goBack(): void {
    const { rewind, frames, next } = this;
    if (rewind === undefined) return;
    const known = [...frames.keys()].filter((frame) => frame >= rewind.oldest && frame <= rewind.newest);
    if (known.length === 0) return;
    const frame = known[next(known.length)]!;
    this.exchange(frames.get(frame)!, () => void rewind.to(frame));
    for (const later of known) if (later > frame) frames.delete(later);
  }

  // --- what must hold ---------------------------------------------------------------------------

  check(): void {
    const { ecs, state } = this;
    same(ecs.count, state.size, "count");
    for (const [e, parts] of state) {
      for (const cls of counting) {
        const component = ecs.tryGet(e, cls) as Count | undefined;
        same(component?.id, parts.has(cls) ? e : undefined, `the entity of ${cls.name} of ${e}`);
        same(component?.n, parts.get(cls), `the counter of ${cls.name} of ${e}`);
      }
      for (const cls of filters) same(ecs.has(e, cls), parts.has(cls), `whether ${e} has ${cls.name}`);
    }
    this.checkRuns();
    let last = 0;
    for (const { entity, a, b } of this.sorted) {
      same(a.id === entity && b.id === entity && a.n >= last, true, `whether the sorted row of ${entity} is right`);
      last = a.n;
    }
    for (const { rows, selection } of this.lists)
      same((rows as unknown as { count: number }).count, this.selected(selection).length, "the count of a query");
  }
  checkRuns(): void {
    const [a, b, c] = [Sparse, Other, Linear].map((cls) => this.ecs.storage(cls as typeof Sparse).columns.id);
    const found: Entity[] = [];
    for (const { count, starts } of this.runs.list) {
      for (let i = 0; i < count; i++) {
        const id = a![starts[0]! + i]!;
        same(b![starts[1]! + i] === id && c![starts[2]! + i] === id, true, `whether the run at ${id} is right`);
        found.push(id);
      }
    }
    sameSet(found, this.selected({ classes: [Sparse, Other, Linear], without: [] }), "the runs");
  }
}

const operations = times(1000);

test.each(seeds(8))("Q3 Q4 N2 N7 T4 rows of a world that lives long are those of their entities (seed %d)", (seed) => {
  const world = new World(seed);
  for (let i = 0; i < operations; i++) {
    world.step();
    if (i % 4 === 0) world.check();
  }
  if (operations >= 1000) expect(world.exchanges).toBeGreaterThan(operations / 50);
  world.ecs.dispose();
});
