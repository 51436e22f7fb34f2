// The game in Miniplex 2: entities are plain objects, queries are created once and iterated with `for…of`. It does not
// detect changes, so the grid and the sprites are updated for everything that can move, and for a gem when it is placed.
import { begin, draw, entering, game, move, played, queries, world } from "../miniplex.mjs";
import { biteReach, bulletLife, bulletsPerFrame, bulletVelocity, enemyHealth, Game, heading } from "./rules.mjs";
import { hitReach, isNear, pickUpReach, playerVelocity } from "./rules.mjs";

const enterCells = entering("enemies");

export function play({ n }) {
  begin(new Game(n), {
    players: ["player", "position", "velocity"],
    enemies: ["health", "position", "velocity", "cell"],
    bullets: ["bullet", "position"],
    visible: ["position", "velocity", "sprite"],
  });
  game.populate(spawnPlayer, spawnEnemy, spawnGem);
  return played([steer, fire, chase, move, enterCells, hit, die, collect, spawn, draw]);
}

function spawnPlayer() {
  world.add({ player: true, position: game.centre, velocity: { x: 0, y: 0 }, sprite: { slot: game.sprites.add() } });
}

function spawnEnemy(position) {
  world.add({
    health: { value: enemyHealth },
    position,
    velocity: { x: 0, y: 0 },
    cell: { index: -1 },
    sprite: { slot: game.sprites.add() },
  });
}

function spawnBullet({ x, y }, velocity) {
  world.add({
    bullet: { life: bulletLife },
    position: { x, y },
    velocity: { x: velocity.x, y: velocity.y },
    sprite: { slot: game.sprites.add() },
  });
}

function spawnGem(place) {
  const gem = world.add({
    gem: true,
    position: { x: 0, y: 0 },
    cell: { index: -1 },
    sprite: { slot: game.sprites.add() },
  });
  placeGem(gem, place);
}

/** Gems have no velocity, so `enterCells` and `draw` do not visit them. */
function placeGem(gem, place) {
  const { position, cell, sprite } = gem;
  Object.assign(position, place);
  cell.index = game.grid.move(gem, cell.index, position.x, position.y);
  game.sprites.set(sprite.slot, position.x, position.y);
}

function steer() {
  for (const { velocity } of queries.players) Object.assign(velocity, playerVelocity(game.frame));
}

function fire() {
  for (const { position } of queries.players) {
    for (let i = 0; i < bulletsPerFrame; i++) spawnBullet(position, bulletVelocity(game.frame, i));
  }
}

function chase() {
  const { x, y } = queries.players.first.position;
  for (const { position, velocity } of queries.enemies) {
    const dx = x - position.x;
    const dy = y - position.y;
    velocity.x = heading(dx, dy);
    velocity.y = heading(dy, dx);
    if (isNear(dx, dy, biteReach)) game.bites += 1;
  }
}

function hit() {
  for (const entity of queries.bullets) {
    const { bullet, position } = entity;
    const { x, y } = position;
    let hits = 0;
    for (const target of game.grid.near(x, y, hitReach)) {
      if (!target.health || !isNear(target.position.x - x, target.position.y - y, hitReach)) continue;
      target.health.value -= 1;
      hits += 1;
    }
    game.hits += hits;
    bullet.life -= 1;
    if (hits > 0 || bullet.life === 0) world.remove(entity);
  }
}

function die() {
  for (const entity of queries.enemies) {
    if (entity.health.value > 0) continue;
    game.kills += 1;
    world.remove(entity);
  }
}

function collect() {
  for (const { position } of queries.players) {
    const { x, y } = position;
    for (const entity of game.grid.near(x, y, pickUpReach)) {
      if (!entity.gem || !isNear(entity.position.x - x, entity.position.y - y, pickUpReach)) continue;
      placeGem(entity, game.gemPlace({ x, y }));
      game.collected += 1;
    }
  }
}

function spawn() {
  for (const { position } of queries.players) {
    while (queries.enemies.size < game.enemies) spawnEnemy(game.enemyPlace(position));
  }
}
