// What the games with Crateful have in common.
import { defineComponent, defineSystem, ECS, init } from "../../dist/inline.js";
import { delta, stateOf } from "./common.mjs";

await init();

export class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
export class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}
export class Cell extends defineComponent("Cell", { index: { type: "i32", default: -1 } }) {}

export let game;
export let ecs;

/** Begins a game in an empty world, with these systems in this order. */
export function begin(newGame, systems) {
  game = newGame;
  ecs = new ECS();
  systems.forEach((Class, i) => ecs.addSystem(10 * i, new Class()));
}

/** What `cases/game.mjs` measures and verifies. `components`: those of the game's lists, by name. */
export function played(components, own) {
  const all = { Position, ...components };
  const having = (name) => Array.from(ecs.query({ one: all[name], position: Position }), ({ entity }) => entity);
  return {
    game,
    step() {
      ecs.update(delta);
      game.frame += 1;
    },
    state: stateOf(game, having, (e, name, field) => ecs.get(e, all[name])[field], own),
  };
}

export class Move extends defineSystem({ position: Position, velocity: Velocity }) {
  update(delta) {
    for (const { position, velocity } of this.rows) {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
    }
  }
}

export class EnterCells extends defineSystem({ position: Position, cell: Cell }, { watch: [Position] }) {
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

export function drawing(Sprite) {
  return class Draw extends defineSystem({ position: Position, sprite: Sprite }, { watch: [Position] }) {
    update() {
      for (const { position, sprite } of this.dirty) game.sprites.set(sprite.slot, position.x, position.y);
    }
    onRemove(aspect) {
      game.sprites.remove(aspect.get(Sprite).slot);
    }
  };
}
