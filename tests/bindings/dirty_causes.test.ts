// Which class made an entity dirty (rule D15).
import { describe, expect, test } from "@jest/globals";
import {
  Component,
  System,
  defineComponent,
  defineSystem,
  type Aspect,
  type ComponentClass,
  type DirtySet,
  type Entity,
  type EntityMap,
} from "crateful";
import { Position, Tag, Velocity, entities, expectError, world } from "./world.js";

class Points extends Component {
  #value = 3;
  set value(to: number) {
    this.#value = to;
    this.dirty();
  }
  get value(): number {
    return this.#value;
  }
}
class Glow extends defineComponent("Glow", { size: "f32" }) {}

/** Notes for each class which entities are dirty. */
class Bars extends defineSystem({ position: Position, points: Points }, { watch: [Position, Points, Glow] }) {
  asks = true;
  found: Entity[][] = [];
  changes = () => {};
  public override update(): void {
    this.changes();
    if (this.asks) this.found = [Position, Points, Glow].map((cls) => entities(this.dirty.of(cls)));
  }
}
/** The same without rows. */
class PlainBars extends System {
  public override readonly componentsRequired = new Set<ComponentClass>([Position, Points]);
  public override readonly dirtyComponents = new Set<ComponentClass>([Position, Points, Glow]);
  asks = true;
  found: Entity[][] = [];
  changes = () => {};
  public override update(_delta: number, _entities: EntityMap<Aspect>, dirty: DirtySet): void {
    this.changes();
    if (this.asks) this.found = [Position, Points, Glow].map((cls) => [...dirty.of(cls)]);
  }
}

describe.each([
  ["rows", () => new Bars()],
  ["entities", () => new PlainBars()],
])("D15 dirty.of yields %s", (_, make) => {
  const room = () => {
    const ecs = world();
    const bars = make();
    ecs.addSystem(0, bars);
    const all = Array.from({ length: 4 }, () => ecs.addEntity(Position, [Points, () => new Points()]));
    return { ecs, bars, all };
  };

  test("of newly tracked entities for every class", () => {
    const { ecs, bars, all } = room();
    ecs.update();
    expect(bars.found).toEqual([all, all, all]);
    ecs.update();
    expect(bars.found).toEqual([[], [], []]);
  });

  test("of the entities for which the class signalled", () => {
    const { ecs, bars, all } = room();
    ecs.update();
    ecs.get(all[0]!, Position).x = 1;
    ecs.get(all[1]!, Points).value = 1;
    for (const row of ecs.query({ position: Position })) if (row.entity === all[1]) row.position.y = 2;
    ecs.storage(Position).markDirty([all[3]!]);
    ecs.addComponents([all[2]!, all[3]!], Glow);
    ecs.update();
    expect(bars.found).toEqual([[all[0], all[1], all[3]], [all[1]], [all[3], all[2]]]);
    ecs.removeComponent(all[2]!, Glow);
    ecs.update();
    expect(bars.found).toEqual([[], [], [all[2]]]);
  });

  test("of what was in the set before the first call for every class", () => {
    const { ecs, bars, all } = room();
    bars.asks = false;
    ecs.update();
    ecs.get(all[0]!, Position).x = 1;
    bars.asks = true;
    ecs.update();
    expect(bars.found).toEqual([[all[0]], [all[0]], [all[0]]]);
    ecs.get(all[0]!, Position).x = 2;
    ecs.update();
    expect(bars.found).toEqual([[all[0]], [], []]);
  });

  test("and counts as iterating the whole set", () => {
    const { ecs, bars, all } = room();
    ecs.update();
    ecs.get(all[0]!, Points).value = 1;
    bars.changes = () => (ecs.get(all[1]!, Position).x = 5); // during the run, before it asks
    ecs.update();
    expect(bars.found).toEqual([[all[1]], [all[0]], []]);
    bars.changes = () => {};
    ecs.update();
    expect(bars.found).toEqual([[], [], []]);
  });
});

test("D15 a class that the system does not watch is an error that names it", () => {
  const ecs = world();
  const bars = ecs.addSystem(0, new Bars());
  expect(expectError("BAD_ARGUMENT", () => bars.dirty.of(Velocity as never)).message).toContain(
    "does not watch Velocity",
  );
  expect(expectError("BAD_ARGUMENT", () => bars.dirty.of(Tag as never)).message).toContain("does not watch Tag");
});

test("D15 of more than 31 watched classes is an error", () => {
  const many = Array.from({ length: 32 }, (_, i) => class extends defineComponent(`Many${i}`, {}) {});
  class Watcher extends defineSystem({ position: Position }, { watch: many }) {
    public override update(): void {}
  }
  const watcher = world().addSystem(0, new Watcher());
  const error = expectError("BAD_ARGUMENT", () => watcher.dirty.of(many[0]!));
  expect(error.message).toContain("more than 31 classes");
});

test("D15 a query of the entities for which a class signalled selects among them", () => {
  const ecs = world();
  const bars = ecs.addSystem(0, new Bars());
  bars.asks = false;
  const glowing = ecs.addEntity(Position, [Points, () => new Points()], Glow);
  ecs.addEntity(Position, [Points, () => new Points()]);
  const plain = ecs.addSystem(1, new PlainBars());
  plain.asks = false;
  let found: Entity[] = [];
  plain.update = (_delta, _entities, dirty) => {
    found = entities(ecs.query({ glow: Glow, position: Position }).of(dirty.of(Position)));
  };
  ecs.update();
  expect(found).toEqual([glowing]);
});
