// The game in koota 0.6: see ../koota.mjs. A gem enters the grid and is shown when it is placed.
import { createQuery, trait } from "koota";
import { begin, Cell, drawing, enterCells, game, move, played, Position, Velocity, world } from "../koota.mjs";
import { biteReach, bulletLife, bulletsPerFrame, bulletVelocity, enemyHealth, Game, heading } from "./rules.mjs";
import { hitReach, isNear, pickUpReach, playerVelocity } from "./rules.mjs";

const Sprite = trait({ slot: 0 });
const Health = trait({ value: enemyHealth });
const Bullet = trait({ life: bulletLife });
const Player = trait();
const Gem = trait();

const players = createQuery(Player, Position, Velocity);
const bullets = createQuery(Bullet, Position);
const enemies = createQuery(Health, Position, Velocity);
const draw = drawing(Sprite);

export function play({ n }) {
  begin(new Game(n), { Sprite, Health, Bullet, Player, Gem });
  game.populate(spawnPlayer, spawnEnemy, spawnGem);
  return played([steer, fire, chase, move, enterCells, hit, die, collect, spawn, draw]);
}

function newSprite() {
  return Sprite({ slot: game.sprites.add() });
}

function spawnPlayer() {
  world.spawn(Player, Position(game.centre), Velocity, newSprite());
}

function spawnBullet(place, velocity) {
  world.spawn(Bullet, Position(place), Velocity(velocity), newSprite());
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

function steer() {
  for (const player of world.query(players)) player.set(Velocity, playerVelocity(game.frame));
}

function fire() {
  for (const player of world.query(players)) {
    const place = player.get(Position);
    for (let i = 0; i < bulletsPerFrame; i++) spawnBullet(place, bulletVelocity(game.frame, i));
  }
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

function collect() {
  for (const player of world.query(players)) {
    const { x, y } = player.get(Position);
    for (const gem of game.grid.near(x, y, pickUpReach)) {
      if (!gem.has(Gem)) continue;
      const place = gem.get(Position);
      if (!isNear(place.x - x, place.y - y, pickUpReach)) continue;
      placeGem(gem, game.gemPlace({ x, y }));
      game.collected += 1;
    }
  }
}

function spawn() {
  const missing = game.enemies - world.query(enemies).length;
  for (const player of world.query(players)) {
    const place = player.get(Position);
    for (let i = 0; i < missing; i++) spawnEnemy(game.enemyPlace(place));
  }
}
