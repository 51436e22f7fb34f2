// The examples of the articles that Crateful implements, with their exact output.
import { expect, test } from "@jest/globals";
import { Aspect, Component, System, type Entity, type EntityMap } from "crateful";
import { world } from "./world.js";

class Health extends Component {
  constructor(
    private _maximum: number,
    private _current: number,
  ) {
    super();
  }
  get current(): number {
    return this._current;
  }
  set current(value: number) {
    this._current = value;
    this.dirty();
  }
  get maximum(): number {
    return this._maximum;
  }
}

class LatestHealthLogger extends System {
  componentsRequired = new Set([Health]);
  override dirtyComponents = new Set([Health]);
  readonly printed: string[] = [];
  constructor(readonly all = false) {
    super();
  }
  update(_delta: number, entities: ReadonlyMap<Entity, Aspect>, dirty: ReadonlySet<Entity>) {
    for (const entity of this.all ? entities.keys() : dirty) {
      const health = this.ecs.getComponents(entity).get(Health);
      this.printed.push(`${health.current}/${health.maximum}`);
    }
  }
}

function playHealth(logger: LatestHealthLogger): string[] {
  const ecs = world();
  ecs.addSystem(0, logger);
  const entity = ecs.addEntity();
  const health = new Health(10, 10);
  ecs.addComponent(entity, health);
  ecs.update();
  ecs.update();
  health.current = 8;
  ecs.update();
  ecs.update();
  return logger.printed;
}

test("D4 the health logger of the article prints 10/10 and 8/10", () => {
  expect(playHealth(new LatestHealthLogger())).toEqual(["10/10", "8/10"]);
});

test("S5 a health logger that iterates all entities prints each value twice", () => {
  expect(playHealth(new LatestHealthLogger(true))).toEqual(["10/10", "10/10", "8/10", "8/10"]);
});

class Position extends Component {
  private _x = 0;
  get x(): number {
    return this._x;
  }
  set x(value: number) {
    if (this._x === value) return;
    this._x = value;
    this.dirty();
  }
}

/** Watches Position. */
class A extends System {
  componentsRequired = new Set([Position]);
  override dirtyComponents = new Set([Position]);
  readonly frames: Entity[][] = [];
  update(_delta: number, _entities: ReadonlyMap<Entity, Aspect>, dirty: ReadonlySet<Entity>) {
    this.frames.push([...dirty]);
  }
}
/** Changes the Position of `target` in its next update. */
class B extends System {
  componentsRequired = new Set([Position]);
  target: Entity | undefined;
  update() {
    if (this.target !== undefined) this.ecs.getComponents(this.target).get(Position).x += 1;
    this.target = undefined;
  }
}

test("D8 a change by the later system B is dirty for system A in the next frame only", () => {
  const ecs = world();
  const a = ecs.addSystem(1, new A());
  const b = ecs.addSystem(2, new B());
  const entity = ecs.addEntity();
  ecs.addComponent(entity, new Position());
  ecs.update(); // every added component signals
  expect(a.frames).toEqual([[entity]]);

  b.target = entity; // frame i
  ecs.update();
  expect(a.frames.at(-1)).toEqual([]);
  ecs.update(); // frame i + 1
  expect(a.frames.at(-1)).toEqual([entity]);
  ecs.update();
  expect(a.frames.at(-1)).toEqual([]);
});

test("D4 a system that is enabled again receives everything that became dirty meanwhile", () => {
  const ecs = world();
  const a = ecs.addSystem(1, new A());
  const b = ecs.addSystem(2, new B());
  const entities = [ecs.addEntity(), ecs.addEntity(), ecs.addEntity()] as const;
  for (const entity of entities) ecs.addComponent(entity, new Position());
  ecs.update();
  ecs.disableSystem(A);
  for (const entity of [entities[2], entities[0], entities[2]]) {
    b.target = entity;
    ecs.update();
  }
  expect(a.frames).toHaveLength(1);
  ecs.enableSystem(A);
  ecs.update();
  ecs.update();
  expect(a.frames.slice(1)).toEqual([[entities[2], entities[0]], []]);
});

class NumberHolder extends Component {
  constructor(public myNumber: number) {
    super();
  }
}
class NumberSquarerAspect extends Aspect {
  numberSq!: number;
}
class NumberSquarer extends System<NumberSquarerAspect> {
  componentsRequired = new Set([NumberHolder]);
  readonly printed: string[] = [];
  override makeAspect(): NumberSquarerAspect {
    return new NumberSquarerAspect();
  }
  override onAdd(aspect: NumberSquarerAspect): void {
    const n = aspect.get(NumberHolder).myNumber;
    aspect.numberSq = n * n;
  }
  update(_delta: number, entities: EntityMap<NumberSquarerAspect>): void {
    for (const aspect of entities.values()) {
      const n = aspect.get(NumberHolder).myNumber;
      this.printed.push(`n=${n}, n^2=${aspect.numberSq}`);
    }
  }
}

test("A1 the number squarer of the article prints n=4, n^2=16 and n=10, n^2=100", () => {
  const ecs = world();
  const squarer = ecs.addSystem(0, new NumberSquarer());
  const e1 = ecs.addEntity();
  ecs.addComponent(e1, new NumberHolder(4));
  const e2 = ecs.addEntity();
  ecs.addComponent(e2, new NumberHolder(10));
  ecs.update();
  expect(squarer.printed).toEqual(["n=4, n^2=16", "n=10, n^2=100"]);
});

test("S4 a debug system can start disabled, and runs while the others are paused", () => {
  const log: string[] = [];
  class DebugInspectionRenderer extends System {
    componentsRequired = new Set([NumberHolder]);
    constructor() {
      super(true, true);
    }
    override onDisabled(entities: EntityMap<Aspect>): void {
      for (const aspect of entities.values()) log.push(`hide ${aspect.get(NumberHolder).myNumber}`);
    }
    update(delta: number, entities: EntityMap<Aspect>): void {
      for (const aspect of entities.values()) log.push(`show ${aspect.get(NumberHolder).myNumber} at ${delta}`);
    }
  }
  const ecs = world();
  ecs.addSystem(0, new DebugInspectionRenderer());
  ecs.addComponent(ecs.addEntity(), new NumberHolder(7));
  ecs.update();
  ecs.paused = true;
  ecs.toggleSystem(DebugInspectionRenderer);
  ecs.update();
  ecs.toggleSystem(DebugInspectionRenderer);
  ecs.update();
  expect(log).toEqual(["show 7 at 0", "hide 7"]);
});

test("K1 removals requested during clear are discarded, and entities that onClear creates are kept", () => {
  const ecs = world();
  let pool: Entity[] = [];
  let gui: Entity | undefined;
  class FxAnimations extends System {
    componentsRequired = new Set([NumberHolder]);
    override onRemove(): void {
      if (gui !== undefined && ecs.alive(gui)) ecs.removeEntity(gui);
    }
    override onClear(): void {
      pool = Array.from(ecs.addEntities(3));
      for (const entity of pool) ecs.addComponent(entity, new NumberHolder(entity));
    }
    update() {}
  }
  ecs.addSystem(0, new FxAnimations());
  gui = ecs.addEntity();
  ecs.addComponent(ecs.addEntity(), new NumberHolder(1));
  ecs.clear();
  ecs.update();
  expect([pool.map((e) => ecs.alive(e)), ecs.count, ecs.alive(gui)]).toEqual([[true, true, true], 3, false]);
  for (const entity of pool) expect(ecs.getComponents(entity).get(NumberHolder).myNumber).toBe(entity);
});
