// What the games in Becsy 0.16 have in common, with its change tracking: `addedOrChanged` and `removed` queries. A frame is a
// promise. A system runs after another one, so functions return the systems that all games have.
import { System, Type, World } from "@lastolivegames/becsy/lib/perf.js";
import { delta, stateOf } from "./common.mjs";

export const component = (schema) =>
  class {
    static schema = schema;
  };

export const Position = component({ x: Type.float32, y: Type.float32 });
export const Velocity = component({ x: Type.float32, y: Type.float32 });
/** `item` is the entity's handle in the grid, because the entities of queries must not be kept. */
export const Cell = component({ index: { type: Type.int32, default: -1 }, item: Type.object });

export let game;
let report;

/**
 * Begins a game, and returns what `cases/game.mjs` measures and verifies.
 * @param {object} options `systems`, `components` besides those of this file, what creates entities, each function with a system of a new
 * world first, and the numbers that are no field of a component
 */
export async function played(newGame, n, { systems, components, spawn, own }) {
  game = newGame;
  const all = { Position, Velocity, Cell, ...components };
  const Report = reporting(systems.at(-1), all);
  const limits = {
    maxEntities: n + 3_000,
    maxShapeChangesPerFrame: 10 * n,
    maxLimboComponents: 10 * n,
    maxWritesPerFrame: 10 * n,
    maxRefChangesPerFrame: 2 * n,
  };
  const world = await World.create({ ...limits, defs: [...Object.values(all), [...systems, Report]] });
  world.build((system) =>
    game.populate(
      ...spawn.map(
        (create) =>
          (...args) =>
            create(system, ...args),
      ),
    ),
  );
  return {
    game,
    async step() {
      await world.execute(game.frame * delta, delta);
      game.frame += 1;
    },
    state: stateOf(
      game,
      (component) => report[component].current,
      (entity, component, field) => entity.read(all[component])[field],
      own,
    ),
  };
}

/** Has the entities for the verification. */
function reporting(Before, components) {
  return class Report extends System {
    order = this.schedule((s) => s.after(Before));
    used = this.query((q) => q.usingAll.read);
    constructor() {
      super();
      for (const { component } of Object.values(game.lists))
        this[component] = this.query((q) => q.current.with(components[component]).with(Position));
    }
    initialize() {
      report = this;
    }
  };
}

export function movingAfter(Before) {
  return class Move extends System {
    order = this.schedule((s) => s.after(Before));
    moving = this.query((q) => q.current.with(Velocity).with(Position).write);
    execute() {
      for (const entity of this.moving.current) {
        const position = entity.write(Position);
        const velocity = entity.read(Velocity);
        position.x += velocity.x * this.delta;
        position.y += velocity.y * this.delta;
      }
    }
  };
}

/** A removed entity leaves the grid here. */
export function enteringAfter(Before) {
  return class EnterCells extends System {
    order = this.schedule((s) => s.after(Before));
    moved = this.query((q) => q.addedOrChanged.with(Position).trackWrites.with(Cell).write);
    left = this.query((q) => q.removed.with(Cell));
    execute() {
      this.accessRecentlyDeletedData();
      for (const entity of this.left.removed) {
        const { item, index } = entity.read(Cell);
        if (index !== -1) game.grid.remove(item, index);
      }
      for (const entity of this.moved.addedOrChanged) enter(entity);
    }
  };
}

export function enter(entity) {
  const { x, y } = entity.read(Position);
  const cell = entity.write(Cell);
  cell.item ??= entity.hold();
  cell.index = game.grid.move(cell.item, cell.index, x, y);
}

export function drawingAfter(Before, Sprite) {
  return class Draw extends System {
    order = this.schedule((s) => s.after(Before));
    moved = this.query((q) => q.addedOrChanged.with(Position).trackWrites.with(Sprite));
    left = this.query((q) => q.removed.with(Sprite));
    execute() {
      this.accessRecentlyDeletedData();
      for (const entity of this.left.removed) game.sprites.remove(entity.read(Sprite).slot);
      for (const entity of this.moved.addedOrChanged) {
        const { x, y } = entity.read(Position);
        game.sprites.set(entity.read(Sprite).slot, x, y);
      }
    }
  };
}
