// What the games in koota 0.6 have in common: loops over stores by `useStores`, which its guide recommends "for performance-critical
// operations". This way changes are not detected, so the grid and the sprites are updated for everything that can move. It creates
// only queries that all games use, because koota adds the queries of all modules to every world.
import { createQuery, createWorld, trait } from "koota";
import { delta, frameOf, stateOf } from "./common.mjs";

export const Position = trait({ x: 0, y: 0 });
export const Velocity = trait({ x: 0, y: 0 });
export const Cell = trait({ index: -1 });

export let game;
export let world;
let all;

/** Begins a game in an empty world. `traits`: those of the game's lists, and Sprite. */
export function begin(newGame, traits) {
  game = newGame;
  all = { Position, ...traits };
  world = createWorld();
  world.onRemove(Cell, (entity) => {
    const { index } = entity.get(Cell);
    if (index !== -1) game.grid.remove(entity, index);
  });
  world.onRemove(traits.Sprite, (entity) => game.sprites.remove(entity.get(traits.Sprite).slot));
}

/** What `cases/game.mjs` measures and verifies. */
export function played(systems, own) {
  const having = (name) => world.query(all[name], Position);
  const read = (entity, name, field) => entity.get(all[name])[field];
  return { game, step: frameOf(game, systems), state: stateOf(game, having, read, own) };
}

const moving = createQuery(Position, Velocity);

export function move() {
  world.query(moving).useStores(([position, velocity], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      position.x[e] += velocity.x[e] * delta;
      position.y[e] += velocity.y[e] * delta;
    }
  });
}

const movingInCells = createQuery(Position, Cell, Velocity);

export function enterCells() {
  world.query(movingInCells).useStores(([position, cell], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      cell.index[e] = game.grid.move(entities[i], cell.index[e], position.x[e], position.y[e]);
    }
  });
}

/** Returns the system that shows everything that can move. */
export function drawing(Sprite) {
  const visible = createQuery(Position, Sprite, Velocity);
  return function draw() {
    world.query(visible).useStores(([position, sprite], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const e = entities[i].id();
        game.sprites.set(sprite.slot[e], position.x[e], position.y[e]);
      }
    });
  };
}
