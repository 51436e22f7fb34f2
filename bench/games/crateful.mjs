// What the games with Crateful have in common, with rows (`crateful`) and with columns (`crateful-columns`).
import { defineComponent, defineSystem, ECS, entityIndex, init, System } from "../../dist/inline.js";
import { delta, stateOf } from "./common.mjs";

await init();

/** With the policy `linear`, the slot of an entity's value is its index. Columns are read by this index. */
export const linear = { policy: "linear" };

/** The components of all games. */
export function motion(options) {
  class Position extends defineComponent("Position", { x: "f32", y: "f32" }, options) {}
  class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }, options) {}
  class Cell extends defineComponent("Cell", { index: { type: "i32", default: -1 } }, options) {}
  return { Position, Velocity, Cell };
}

export let game;
export let ecs;
/** With columns: the entities to remove at the end of the frame. */
export let removed;

/** Begins a game in an empty world, with these systems in this order. */
export function begin(newGame, systems) {
  game = newGame;
  ecs = new ECS();
  removed = [];
  systems.forEach((Class, i) => ecs.addSystem(10 * i, new Class()));
}

/** What `cases/game.mjs` measures and verifies. */
export function played(components, own) {
  const { Position } = components;
  const having = (name) => Array.from(ecs.query({ one: components[name], position: Position }), ({ entity }) => entity);
  return {
    game,
    step() {
      ecs.update(delta);
      game.frame += 1;
    },
    state: stateOf(game, having, (e, name, field) => ecs.get(e, components[name])[field], own),
  };
}

export function rowSystems({ Position, Velocity, Cell, Sprite }) {
  class Move extends defineSystem({ position: Position, velocity: Velocity }) {
    update(delta) {
      for (const { position, velocity } of this.rows) {
        position.x += velocity.x * delta;
        position.y += velocity.y * delta;
      }
    }
  }

  class EnterCells extends defineSystem({ position: Position, cell: Cell }, { watch: [Position] }) {
    update() {
      for (const { entity, position, cell } of this.dirty) {
        cell.index = game.grid.move(entity, cell.index, position.x, position.y);
      }
    }
    onRemove(aspect) {
      const { index } = aspect.get(Cell);
      if (index !== -1) game.grid.remove(aspect.entity, index);
    }
  }

  class Draw extends defineSystem({ position: Position, sprite: Sprite }, { watch: [Position] }) {
    update() {
      for (const { position, sprite } of this.dirty) game.sprites.set(sprite.slot, position.x, position.y);
    }
    onRemove(aspect) {
      game.sprites.remove(aspect.get(Sprite).slot);
    }
  }

  return { Move, EnterCells, Draw };
}

export function columnSystems({ Position, Velocity, Cell, Sprite }) {
  class Move extends System {
    componentsRequired = new Set([Position, Velocity]);
    update(delta, { ids }) {
      const { x, y } = ecs.storage(Position).columns;
      const { x: velocityX, y: velocityY } = ecs.storage(Velocity).columns;
      for (let k = 0; k < ids.length; k++) {
        const i = entityIndex(ids[k]);
        x[i] += velocityX[i] * delta;
        y[i] += velocityY[i] * delta;
      }
      ecs.storage(Position).markDirty(ids);
    }
  }

  class EnterCells extends System {
    componentsRequired = new Set([Position, Cell]);
    dirtyComponents = new Set([Position]);
    update(_delta, _entities, { ids }) {
      const { x, y } = ecs.storage(Position).columns;
      const { index } = ecs.storage(Cell).columns;
      for (let k = 0; k < ids.length; k++) {
        const i = entityIndex(ids[k]);
        index[i] = game.grid.move(ids[k], index[i], x[i], y[i]);
      }
    }
  }

  class Draw extends System {
    componentsRequired = new Set([Position, Sprite]);
    dirtyComponents = new Set([Position]);
    update(_delta, _entities, { ids }) {
      const { x, y } = ecs.storage(Position).columns;
      const { slot } = ecs.storage(Sprite).columns;
      for (let k = 0; k < ids.length; k++) {
        const i = entityIndex(ids[k]);
        game.sprites.set(slot[i], x[i], y[i]);
      }
    }
  }

  class Remove extends System {
    componentsRequired = new Set([Sprite]);
    update() {
      const { slot } = ecs.storage(Sprite).columns;
      for (const e of removed) game.sprites.remove(slot[entityIndex(e)]);
      ecs.removeEntities(removed);
      removed.length = 0;
    }
  }

  return { Move, EnterCells, Draw, Remove };
}

/** A column of values for each field, as bulk calls take them. */
export function columnsOf(objects, fields = ["x", "y"]) {
  return Object.fromEntries(fields.map((field) => [field, objects.map((one) => one[field])]));
}

/** A column of new sprites. */
export function slots(n) {
  return Int32Array.from({ length: n }, () => game.sprites.add());
}
