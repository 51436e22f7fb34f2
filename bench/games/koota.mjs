// What the games in koota 0.6 have in common, with loops over stores (`koota`) and with `updateEach` (`koota-each`). It
// creates only queries that both use, because koota adds the queries of all modules to every world.
import { createQuery, createWorld, trait } from "koota";
import { delta, frameOf, stateOf } from "./common.mjs";

export const Position = trait({ x: 0, y: 0 });
export const Velocity = trait({ x: 0, y: 0 });
export const Cell = trait({ index: -1 });

export let game;
export let world;
let all;

/** Begins a game in an empty world. `traits`: those of the game's lists, and Sprite; `tracked`: queries of changes. */
export function begin(newGame, traits, tracked = []) {
  game = newGame;
  all = { Position, ...traits };
  world = createWorld();
  for (const query of tracked) world.query(query); // its first call starts the tracking
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

export function moveInStores() {
  world.query(moving).useStores(([position, velocity], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      position.x[e] += velocity.x[e] * delta;
      position.y[e] += velocity.y[e] * delta;
    }
  });
}

export function moveEach() {
  world.query(moving).updateEach(
    ([position, velocity]) => {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
    },
    { changeDetection: "always" },
  );
}

/** The entities of the query have Position and Cell, in this order. */
export function enterCellsInStores(query) {
  world.query(query).useStores(([position, cell], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      cell.index[e] = game.grid.move(entities[i], cell.index[e], position.x[e], position.y[e]);
    }
  });
}

export function enterCellsEach(query) {
  world.query(query).updateEach(([position, cell], entity) => {
    cell.index = game.grid.move(entity, cell.index, position.x, position.y);
  });
}

/** The entities of the query have Position and Sprite, in this order. */
export function drawInStores(query) {
  world.query(query).useStores(([position, sprite], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      game.sprites.set(sprite.slot[e], position.x[e], position.y[e]);
    }
  });
}

export function drawEach(query) {
  world.query(query).updateEach(([position, sprite]) => game.sprites.set(sprite.slot, position.x, position.y));
}
