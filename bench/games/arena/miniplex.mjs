// The game in Miniplex 2: entities are plain objects, queries are created once and iterated with `for…of`. It does not
// detect changes, so the grid and the sprites are updated for everything that can move, and for a gem when it is placed.
import { World } from "miniplex";
import {
  biteReach,
  bulletLife,
  bulletsPerFrame,
  bulletVelocity,
  heading,
  delta,
  enemyHealth,
  Game,
  hitReach,
  isNear,
  pickUpReach,
  playerVelocity,
} from "./rules.mjs";

let game;
let world;
let queries;

export function play({ n }) {
  game = new Game(n);
  world = new World();
  queries = {
    players: world.with("player", "position", "velocity"),
    enemies: world.with("health", "position", "velocity", "cell"),
    bullets: world.with("bullet", "position"),
    gems: world.with("gem", "position"),
    moving: world.with("position", "velocity"),
    visible: world.with("position", "velocity", "sprite"),
    inCells: world.with("cell"),
    sprites: world.with("sprite"),
  };
  queries.inCells.onEntityRemoved.subscribe((entity) => game.grid.remove(entity, entity.cell.index));
  queries.sprites.onEntityRemoved.subscribe(({ sprite }) => game.sprites.remove(sprite.slot));
  spawnPlayer();
  for (let i = 0; i < game.enemies; i++) spawnEnemy(game.firstEnemyPlace());
  for (let i = 0; i < game.gems; i++) spawnGem();
  return {
    game,
    step() {
      steer();
      fire();
      chase();
      move();
      enterCells();
      hit();
      die();
      collect();
      spawn();
      draw();
      game.frame += 1;
    },
    state: () => ({
      players: list(queries.players, () => ({})),
      enemies: list(queries.enemies, ({ health }) => ({ health: health.value })),
      bullets: list(queries.bullets, ({ bullet }) => ({ life: bullet.life })),
      gems: list(queries.gems, () => ({})),
    }),
  };
}

function spawnPlayer() {
  world.add({
    player: true,
    position: game.centre,
    velocity: { x: 0, y: 0 },
    sprite: { slot: game.sprites.add() },
  });
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

function spawnGem() {
  const gem = world.add({
    gem: true,
    position: { x: 0, y: 0 },
    cell: { index: -1 },
    sprite: { slot: game.sprites.add() },
  });
  placeGem(gem, game.firstGemPlace());
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

function move() {
  for (const { position, velocity } of queries.moving) {
    position.x += velocity.x * delta;
    position.y += velocity.y * delta;
  }
}

function enterCells() {
  for (const entity of queries.enemies) {
    const { position, cell } = entity;
    cell.index = game.grid.move(entity, cell.index, position.x, position.y);
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

function draw() {
  for (const { position, sprite } of queries.visible) game.sprites.set(sprite.slot, position.x, position.y);
}

/** The positions of all entities of a query, and what else `values` returns. */
function list(query, values) {
  return Array.from(query, (entity) => ({ ...entity.position, ...values(entity) }));
}
