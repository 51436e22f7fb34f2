// What the games in Miniplex 2 have in common: entities are plain objects, queries are created once and iterated with
// `for…of`. A component's name is in lower case here.
import { World } from "miniplex";
import { delta, frameOf, stateOf } from "./common.mjs";

export let game;
export let world;
export let queries;

/** Begins a game in an empty world. `terms`: the components that each of its own queries requires. */
export function begin(newGame, terms) {
  game = newGame;
  world = new World();
  queries = {
    ...Object.fromEntries(Object.entries(terms).map(([name, components]) => [name, world.with(...components)])),
    moving: world.with("position", "velocity"),
    inCells: world.with("position", "cell"),
    sprites: world.with("sprite"),
  };
  queries.inCells.onEntityRemoved.subscribe((entity) => {
    if (entity.cell.index !== -1) game.grid.remove(entity, entity.cell.index);
  });
  queries.sprites.onEntityRemoved.subscribe(({ sprite }) => game.sprites.remove(sprite.slot));
}

/** What `cases/game.mjs` measures and verifies. */
export function played(systems, own) {
  const having = (component) => world.with(component.toLowerCase(), "position");
  const read = (entity, component, field) => entity[component.toLowerCase()][field];
  return { game, step: frameOf(game, systems), state: stateOf(game, having, read, own) };
}

export function move() {
  for (const { position, velocity } of queries.moving) {
    position.x += velocity.x * delta;
    position.y += velocity.y * delta;
  }
}

/** Returns the system that enters all entities of a query into the grid. */
export function entering(query) {
  return () => {
    for (const entity of queries[query]) {
      const { position, cell } = entity;
      cell.index = game.grid.move(entity, cell.index, position.x, position.y);
    }
  };
}

export function draw() {
  for (const { position, sprite } of queries.visible) game.sprites.set(sprite.slot, position.x, position.y);
}
