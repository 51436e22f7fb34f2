// Compares the library with a simple model of Maps and Sets, under random operations from fixed random seeds.
import { expect, test } from "@jest/globals";
import { type Aspect, defineComponent, type Component, type ComponentClass, type Entity } from "crateful";
import { Health, Scripted, Tag, add, random, world } from "./world.js";

class A extends defineComponent("A", { n: "i32" }) {}
class B extends defineComponent("B", { n: "i32" }, { policy: "linear" }) {}
class C extends Health {
  get n() {
    return this.current;
  }
  set n(value: number) {
    this.current = value;
  }
}
const classes = [A, B, C, Tag] as const;
type Numbered = Component & { n: number };
const numbered: ComponentClass<Numbered>[] = [A, B, C];

interface ModelSystem {
  requires: readonly ComponentClass[];
  watches: readonly ComponentClass[];
  enabled: boolean;
  tracked: Set<Entity>;
  dirty: Set<Entity>;
  real: Scripted;
  log: string[];
}

class Model {
  readonly ecs = world();
  readonly entities = new Map<Entity, Map<ComponentClass, number>>();
  readonly pendingRemovals = new Set<Entity>();
  readonly systems: ModelSystem[] = [];

  constructor(readonly next: (n: number) => number) {}

  matches = (s: ModelSystem, e: Entity) => s.requires.every((cls) => this.entities.get(e)!.has(cls));
  mark(e: Entity, cls: ComponentClass) {
    for (const s of this.systems) if (s.watches.includes(cls) && s.tracked.has(e)) s.dirty.add(e);
  }
  updateTracking(e: Entity) {
    for (const s of this.systems) {
      if (this.matches(s, e) === s.tracked.has(e)) continue;
      if (s.tracked.has(e)) this.stopTracking(s, e);
      else {
        s.tracked.add(e);
        if (s.watches.length > 0) s.dirty.add(e);
        s.log.push(`+${e}`);
      }
    }
  }
  stopTracking(s: ModelSystem, e: Entity) {
    s.tracked.delete(e);
    s.dirty.delete(e);
    s.log.push(`-${e}`);
  }

  step() {
    const { ecs, next } = this;
    const alive = [...this.entities.keys()];
    const e = alive[next(Math.max(1, alive.length))];
    const cls = classes[next(4)]!;
    const n = next(5);
    switch (next(15)) {
      case 0:
      case 1:
        this.entities.set(ecs.addEntity(), new Map());
        break;
      case 2:
        for (const f of ecs.addEntities(next(4))) this.entities.set(f, new Map());
        break;
      case 3:
        if (e !== undefined && next(2) === 0) ecs.removeEntity(e), this.pendingRemovals.add(e);
        break;
      case 4:
      case 5:
      case 6:
      case 7:
        if (e !== undefined) this.addComponent(e, cls, n);
        break;
      case 8: {
        const some = alive.filter(() => next(4) === 0);
        if (cls === C) ecs.addComponents(some, C, () => new C(n));
        else if (cls === Tag) ecs.addComponents(some, Tag);
        else ecs.addComponents(some, cls as typeof A, { n });
        for (const f of some) this.entities.get(f)!.set(cls, n), this.mark(f, cls);
        for (const f of some) this.updateTracking(f);
        break;
      }
      case 9:
      case 10:
        if (e !== undefined) this.removeComponent(e, cls);
        break;
      case 11:
      case 12: {
        const target = numbered[next(3)]!;
        const values = e === undefined ? undefined : this.entities.get(e)!;
        if (values?.has(target) !== true) break;
        const changes = target === C || values.get(target) !== n;
        ecs.getComponents(e!).get(target).n = n;
        values.set(target, n);
        if (changes) this.mark(e!, target);
        break;
      }
      case 13:
        if (next(6) === 0) this.addSystem();
        else if (this.systems.length > 0) {
          const s = this.systems[next(this.systems.length)]!;
          ecs.toggleSystem(s.real);
          s.enabled = !s.enabled;
        }
        break;
      default:
        if (next(12) === 0) this.clear();
        else this.update();
    }
  }
  addComponent(e: Entity, cls: (typeof classes)[number], n: number) {
    this.ecs.addComponent(e, cls === Tag ? new Tag() : cls === C ? new C(n) : new (cls as typeof A)({ n }));
    this.entities.get(e)!.set(cls, n);
    this.mark(e, cls);
    this.updateTracking(e);
  }
  removeComponent(e: Entity, cls: ComponentClass) {
    const had = this.entities.get(e)!.delete(cls);
    expect(this.ecs.removeComponent(e, cls)).toBe(had);
    if (!had) return;
    for (const s of this.systems) if (s.watches.includes(cls) && s.tracked.has(e) && this.matches(s, e)) s.dirty.add(e);
    this.updateTracking(e);
  }
  addSystem() {
    const { next } = this;
    if (this.systems.length === 8) {
      const [removed] = this.systems.splice(next(8), 1);
      this.ecs.removeSystem(removed!.real);
      expect(removed!.real.entities?.size ?? 0).toBe(0);
      return;
    }
    const requires = classes.filter(() => next(3) === 0);
    if (requires.length === 0) requires.push(A);
    const watches = classes.filter(() => next(3) === 0);
    const calls: string[] = [];
    // onAdd and onRemove read every required component.
    const read = (a: Aspect) => requires.every((cls) => a.get(cls as ComponentClass) instanceof cls);
    const real = new Scripted({
      requires,
      watches,
      disabled: next(4) === 0,
      onAdd: (a) => calls.push(`${read(a) ? "+" : "!"}${a.entity}`),
      onRemove: (a) => calls.push(`${read(a) ? "-" : "!"}${a.entity}`),
    });
    const s: ModelSystem = {
      requires,
      watches,
      enabled: !real.disabled,
      tracked: new Set(),
      dirty: new Set(),
      real,
      log: calls,
    };
    this.ecs.addSystem(next(5), real);
    expect(new Set(calls).size).toBe(calls.length);
    for (const e of this.entities.keys())
      if (this.matches(s, e)) s.tracked.add(e), watches.length > 0 && s.dirty.add(e);
    expect(new Set(calls)).toEqual(new Set([...s.tracked].map((e) => `+${e}`)));
    s.log = [];
    calls.length = 0;
    Object.defineProperty(s, "calls", { value: calls });
    this.systems.push(s);
  }
  update() {
    const runs = this.systems.map((s) => s.real.runs.length);
    this.ecs.update();
    this.systems.forEach((s, i) => {
      expect(s.real.runs.length - runs[i]!).toBe(s.enabled ? 1 : 0);
      if (!s.enabled) return;
      expect(new Set(s.real.lastRun)).toEqual(s.dirty);
      expect(s.real.lastRun).toHaveLength(s.dirty.size);
      s.dirty.clear();
    });
    for (const e of this.pendingRemovals) {
      for (const s of this.systems) if (s.tracked.has(e)) this.stopTracking(s, e);
      this.entities.delete(e);
    }
    this.pendingRemovals.clear();
  }
  clear() {
    this.ecs.clear();
    for (const s of this.systems) for (const e of [...s.tracked]) this.stopTracking(s, e);
    this.entities.clear();
    this.pendingRemovals.clear();
  }

  check() {
    const { ecs } = this;
    expect(ecs.count).toBe(this.entities.size);
    for (const cls of classes) {
      const expected = new Set([...this.entities].filter(([, values]) => values.has(cls)).map(([e]) => e));
      const storage = ecs.storage(cls as ComponentClass);
      expect(storage.count).toBe(expected.size);
      expect(new Set(storage)).toEqual(expected);
    }
    const wrong: unknown[] = []; // collected, because there are many comparisons
    for (const [e, values] of this.entities) {
      const view = ecs.getComponents(e);
      for (const cls of classes) if (view.has(cls) !== values.has(cls)) wrong.push([e, cls.name]);
      for (const cls of numbered)
        if (view.tryGet(cls)?.n !== values.get(cls)) wrong.push([e, cls.name, values.get(cls)]);
    }
    for (const s of this.systems) {
      const calls = (s as unknown as { calls: string[] }).calls;
      expect([...calls].sort()).toEqual([...s.log].sort());
      calls.length = s.log.length = 0;
      if (s.real.entities === undefined) continue; // the system has not run yet
      expect(new Set(s.real.entities.keys())).toEqual(s.tracked);
      expect(new Set(s.real.dirty)).toEqual(s.dirty);
      for (const [e, aspect] of s.real.entities) if (aspect.entity !== e) wrong.push([e, aspect]);
    }
    expect(wrong).toEqual([]);
  }
}

test.each(Array.from({ length: 30 }, (_, i) => [i + 1]))(
  "D3 A3 C1 E3 K1 S4 agree with a naive model under random operations, seed %i",
  (seed) => {
    const model = new Model(random(seed));
    for (let i = 0; i < 3; ++i) model.addSystem();
    for (let round = 0; round < 12; ++round) {
      for (let i = 0; i < 25; ++i) model.step();
      model.check();
    }
  },
);

test("T4 D9 a dirty set of the model keeps the order of the first marks while nothing is removed", () => {
  for (let seed = 1; seed <= 20; ++seed) {
    const next = random(seed);
    const ecs = world();
    const all = Array.from(ecs.addEntities(30));
    ecs.addComponents(all, A);
    ecs.addComponents(all, B);
    ecs.addComponents(all, C, () => new C(0));
    const system = add(ecs, { requires: [A], watches: [A, B, C] });
    ecs.update();
    for (let frame = 0; frame < 10; ++frame) {
      const order = new Set<Entity>();
      for (let i = next(50); i > 0; --i) {
        const e = all[next(30)]!;
        const cls = numbered[next(3)]!;
        if (next(5) === 0) ecs.storage(cls).markDirty([e]);
        else ecs.getComponents(e).get(cls).n += 1;
        order.add(e);
      }
      ecs.update();
      expect(system.lastRun).toEqual([...order]);
    }
  }
});
