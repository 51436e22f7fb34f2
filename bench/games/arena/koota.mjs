// The game in koota 0.6 through `useStores`, which its guide recommends "for performance-critical operations". This way
// changes are not detected, so the grid and the sprites are updated for everything that can move, and for a gem when it
// is placed.
import { createQuery } from "koota";
import { begin, Cell, drawInStores, game, moveInStores, played, Position, Velocity, world } from "../koota.mjs";
import {
  bullets,
  collecting,
  fire,
  newSprite,
  players,
  spawning,
  spawnPlayer,
  steer,
  traits,
} from "./koota_shared.mjs";
import { biteReach, heading, Game, hitReach, isNear } from "./rules.mjs";

const { Health, Gem, Sprite } = traits;
const enemies = createQuery(Health, Position, Velocity, Cell);
const visible = createQuery(Position, Sprite, Velocity);

const collect = collecting(placeGem);
const spawn = spawning(enemies, spawnEnemy);
const draw = () => drawInStores(visible);

export function play({ n }) {
  begin(new Game(n), traits);
  game.populate(spawnPlayer, spawnEnemy, spawnGem);
  return played([steer, fire, chase, moveInStores, enterCells, hit, die, collect, spawn, draw]);
}

function spawnEnemy(place) {
  world.spawn(Health, Position(place), Velocity, Cell, newSprite());
}

function spawnGem(place) {
  placeGem(world.spawn(Gem, Position, Cell, newSprite()), place);
}

/** Gems have no velocity, so `enterCells` and `draw` do not visit them. */
function placeGem(gem, { x, y }) {
  gem.set(Position, { x, y });
  gem.set(Cell, { index: game.grid.move(gem, gem.get(Cell).index, x, y) });
  game.sprites.set(gem.get(Sprite).slot, x, y);
}

function chase() {
  const { x, y } = world.queryFirst(players).get(Position);
  world.query(enemies).useStores(([_health, position, velocity], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      const dx = x - position.x[e];
      const dy = y - position.y[e];
      velocity.x[e] = heading(dx, dy);
      velocity.y[e] = heading(dy, dx);
      if (isNear(dx, dy, biteReach)) game.bites += 1;
    }
  });
}

function enterCells() {
  world.query(enemies).useStores(([_health, position, _velocity, cell], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      cell.index[e] = game.grid.move(entities[i], cell.index[e], position.x[e], position.y[e]);
    }
  });
}

function hit() {
  world.query(enemies).useStores(([health, position]) => {
    world.query(bullets).useStores(([bullet], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const e = entities[i].id();
        const hits = hitAround(position.x[e], position.y[e], health, position);
        game.hits += hits;
        bullet.life[e] -= 1;
        if (hits > 0 || bullet.life[e] === 0) entities[i].destroy();
      }
    });
  });
}

function hitAround(x, y, health, position) {
  let hits = 0;
  for (const target of game.grid.near(x, y, hitReach)) {
    const e = target.id();
    if (!isNear(position.x[e] - x, position.y[e] - y, hitReach) || !target.has(Health)) continue;
    health.value[e] -= 1;
    hits += 1;
  }
  return hits;
}

function die() {
  world.query(enemies).useStores(([health], entities) => {
    for (let i = 0; i < entities.length; i++) {
      if (health.value[entities[i].id()] > 0) continue;
      game.kills += 1;
      entities[i].destroy();
    }
  });
}
