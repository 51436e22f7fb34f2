// Sorted queries, compared with a sort of what an ordinary query yields: by every kind of field, in both directions, in several worlds,
// with nested iterations, and with any change during an iteration (rules Q10, T4).
import { expect, test } from "@jest/globals";
import { defineComponent, defineSystem, entityIndex, type ECS, type Entity } from "crateful";
import { random, seeds } from "./random.js";
import { Tag, world } from "./world.js";

const numbers = ["f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32"] as const;
const states = ["idle", "walk", "attack"] as const;
const many = Array.from({ length: 300 }, (_, k) => `state ${k}`) as [string, ...string[]];
const fields = {
  ...(Object.fromEntries(numbers.map((type) => [type, type])) as { [T in (typeof numbers)[number]]: T }),
  bool: "bool",
  entity: "entity",
  state: states,
  wide: many,
  at: "f32x3",
} as const;
class Item extends defineComponent("Item", fields) {}
class PackedItem extends defineComponent("PackedItem", fields, { policy: "sparse" }) {}
const names = [...numbers, "bool", "entity", "state", "wide"] as const;
type Name = (typeof names)[number];

/** A world with items, and what its sorted queries must yield. */
class Model {
  readonly ecs: ECS = world();
  readonly all: Entity[] = [];
  readonly classes: { readonly item: typeof Item };
  constructor(
    readonly Class: typeof Item,
    readonly next: (n: number) => number,
  ) {
    this.classes = { item: Class };
    // So that few of many entities have the component; and a system that does not run.
    for (let k = next(3) * 2000; k > 0; --k) this.ecs.addEntity();
    class Idle extends defineSystem({ item: Class }, { watch: [Class], disabled: true }) {
      override update() {}
    }
    this.ecs.addSystem(0, new Idle());
  }
  any = (): Entity => this.all[this.next(this.all.length)]!;
  values() {
    const { next } = this;
    const float = () => [0, -0, NaN, Infinity, -Infinity, 1e-40, -1e-40, next(9) - 4, next(1e6) / 7][next(9)]!;
    const whole = () => next(2 ** 31) * 2 + next(2) - (next(2) === 0 ? 0 : 2 ** 31);
    return {
      ...(Object.fromEntries(numbers.map((type) => [type, type.startsWith("f") ? float() : whole()])) as object),
      bool: next(2) === 0,
      entity: next(2 ** 31),
      state: states[next(3)]!,
      wide: many[next(300)]!,
      at: [float(), float(), float()] as const,
    };
  }
  change(): void {
    const { ecs, Class, all, next } = this;
    const what = next(11);
    if (what < 2 || all.length === 0) all.push(ecs.addEntity([Class, this.values()]));
    else if (what < 4) ecs.addComponent(this.any(), Class, this.values());
    else if (what < 6) Object.assign(ecs.tryGet(this.any(), Class) ?? {}, this.values());
    else if (what < 7) ecs.removeComponent(this.any(), Class);
    else if (what < 8) {
      const e = this.any(); // without a signal, and then with one
      const item = ecs.tryGet(e, Class);
      if (item === undefined) return;
      const storage = ecs.storage(Class);
      storage.columns.f32[storage.slot(e)!] = next(50);
      storage.columns.state[storage.slot(e)!] = next(3);
      storage.markDirty(e);
    } else if (what < 9) {
      if (ecs.has(this.any(), Tag)) ecs.removeComponent(this.any(), Tag);
      else ecs.addComponent(this.any(), new Tag());
    } else if (what < 10) {
      const index = next(all.length);
      ecs.removeEntity(all[index]!);
      all[index] = all.at(-1)!;
      all.pop();
      ecs.removeMarked();
    } else if (next(40) === 0) {
      all.push(...ecs.prefab({ item: Class }).spawn(next(200)));
    }
  }
  query(name: Name, descending: boolean, without: (typeof Tag)[] = []) {
    const direction = descending ? "descending" : "ascending";
    return this.ecs.query(this.classes, { without, orderBy: [this.Class, name, direction] });
  }
  expected(name: Name, descending: boolean, without: (typeof Tag)[] = []): Entity[] {
    const key = new Map<Entity, number>();
    for (const { entity, item } of this.ecs.query(this.classes, { without })) {
      const value = item[name];
      const list: readonly unknown[] = name === "state" ? states : many;
      key.set(entity, typeof value === "string" ? list.indexOf(value) : Number(value));
    }
    const compare = (a: number, b: number) => {
      if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
      return a === b ? 0 : a < b === descending ? 1 : -1;
    };
    return [...key.keys()].sort((a, b) => compare(key.get(a)!, key.get(b)!) || entityIndex(a) - entityIndex(b));
  }
}
const ids = (rows: Iterable<{ entity: Entity }>) => Array.from(rows, ({ entity }) => entity);

test.each(seeds(4))("Q10 the order equals a sort, in two worlds with any changes (seed %s)", (seed) => {
  const next = random(seed);
  const models = [new Model(Item, next), new Model(Item, next), new Model(PackedItem as never, next)];
  for (let step = 0; step < 100; ++step) {
    const model = models[next(models.length)]!;
    for (let k = next(12) === 0 ? 300 : next(5); k > 0; --k) model.change();
    if (next(100) === 0) {
      model.ecs.clear();
      model.all.length = 0;
    }
    const name = names[next(names.length)]!;
    const descending = next(2) === 0;
    const without = next(2) === 0 ? [] : [Tag];
    expect(ids(model.query(name, descending, without))).toEqual(model.expected(name, descending, without));
  }
});

test.each(seeds(4))("Q10, T4 iterations that begin before and between any changes (seed %s)", (seed) => {
  const next = random(seed);
  for (const Class of [Item, PackedItem as never as typeof Item]) {
    const model = new Model(Class, next);
    const { ecs } = model;
    for (let k = 0; k < 100; ++k) model.change();
    for (let step = 0; step < 5; ++step) {
      const name = names[next(names.length)]!;
      const descending = next(2) === 0;
      /** For each iteration in progress: what has had the component from its beginning on. */
      const open: Set<Entity>[] = [];
      const change = () => {
        model.change();
        for (const selected of open) for (const e of selected) if (!ecs.has(e, Class)) selected.delete(e);
      };
      const iterate = (depth: number): void => {
        const rest = model.expected(name, descending);
        const selected = new Set(rest);
        open.push(selected);
        for (const { entity, item } of model.query(name, descending)) {
          while (rest.length > 0 && !selected.has(rest[0]!)) rest.shift();
          expect([entity, selected.has(entity)]).toEqual([rest.shift(), true]);
          expect(item.f64).toBe(ecs.get(entity, Class).f64);
          for (let k = next(3) === 0 ? next(3) : 0; k > 0; --k) change();
          if (depth < 2 && next(300) === 0) iterate(depth + 1);
          if (next(200) === 0) break;
        }
        open.pop();
      };
      iterate(0);
    }
  }
});
