// The game in bitECS 0.4: components as structures of typed arrays, systems as functions over `query()`. It does not
// detect changes, so the grid and the sprites are updated for everything that can move, and for a gem when it is placed.
import { hasComponent, query, removeEntity } from "bitecs";
import { begin, create, draw, enterCell, enterCells, move, played, rest, setVector } from "../bitecs.mjs";
import { Cell, capacity, game, Position, Sprite, Velocity, world } from "../bitecs.mjs";
import { biteReach, bulletLife, bulletsPerFrame, bulletVelocity, enemyHealth, Game, heading } from "./rules.mjs";
import { hitReach, isNear, pickUpReach, playerVelocity } from "./rules.mjs";

const Health = { value: new Int32Array(capacity) };
const Bullet = { life: new Int32Array(capacity) };
const Player = {};
const Gem = {};

const players = [Player, Position, Velocity];
const enemies = [Health, Position, Velocity, Cell];
const bullets = [Bullet, Position];

export function play({ n }) {
  begin(new Game(n));
  game.populate(spawnPlayer, spawnEnemy, spawnGem);
  const systems = [steer, fire, chase, move, enterCells, hit, die, collect, spawn, draw];
  return played(systems, { Player, Health, Bullet, Gem });
}

function spawnPlayer() {
  create([Player, Velocity], game.centre, rest);
}

function spawnEnemy(where) {
  const e = create([Health, Velocity, Cell], where, rest);
  Health.value[e] = enemyHealth;
}

function spawnBullet(where, velocity) {
  const e = create([Bullet, Velocity], where, velocity);
  Bullet.life[e] = bulletLife;
}

function spawnGem(where) {
  placeGem(create([Gem, Cell], where), where);
}

/** Gems have no velocity, so `enterCells` and `draw` do not visit them. */
function placeGem(e, where) {
  setVector(Position, e, where);
  enterCell(e);
  game.sprites.set(Sprite.slot[e], Position.x[e], Position.y[e]);
}

function steer() {
  const { x, y } = playerVelocity(game.frame);
  for (const e of query(world, players)) {
    Velocity.x[e] = x;
    Velocity.y[e] = y;
  }
}

function fire() {
  for (const e of query(world, players)) {
    const where = { x: Position.x[e], y: Position.y[e] };
    for (let i = 0; i < bulletsPerFrame; i++) spawnBullet(where, bulletVelocity(game.frame, i));
  }
}

function chase() {
  const [player] = query(world, players);
  const x = Position.x[player];
  const y = Position.y[player];
  for (const e of query(world, enemies)) {
    const dx = x - Position.x[e];
    const dy = y - Position.y[e];
    Velocity.x[e] = heading(dx, dy);
    Velocity.y[e] = heading(dy, dx);
    if (isNear(dx, dy, biteReach)) game.bites += 1;
  }
}

function hit() {
  for (const e of query(world, bullets)) {
    const x = Position.x[e];
    const y = Position.y[e];
    let hits = 0;
    for (const target of game.grid.near(x, y, hitReach)) {
      if (!isNear(Position.x[target] - x, Position.y[target] - y, hitReach)) continue;
      if (!hasComponent(world, target, Health)) continue;
      Health.value[target] -= 1;
      hits += 1;
    }
    game.hits += hits;
    Bullet.life[e] -= 1;
    if (hits > 0 || Bullet.life[e] === 0) removeEntity(world, e);
  }
}

function die() {
  for (const e of query(world, enemies)) {
    if (Health.value[e] > 0) continue;
    game.kills += 1;
    removeEntity(world, e);
  }
}

function collect() {
  for (const e of query(world, players)) {
    const x = Position.x[e];
    const y = Position.y[e];
    for (const gem of game.grid.near(x, y, pickUpReach)) {
      if (!isNear(Position.x[gem] - x, Position.y[gem] - y, pickUpReach)) continue;
      if (!hasComponent(world, gem, Gem)) continue;
      placeGem(gem, game.gemPlace({ x, y }));
      game.collected += 1;
    }
  }
}

function spawn() {
  const missing = game.enemies - query(world, enemies).length;
  for (const e of query(world, players)) {
    const where = { x: Position.x[e], y: Position.y[e] };
    for (let i = 0; i < missing; i++) spawnEnemy(game.enemyPlace(where));
  }
}
