// The game in koota 0.6 through `useStores`, which its guide recommends "for performance-critical operations". This way
// changes are not detected, so the grid and the sprites are updated for everything that can move, and for a gem when it
// is placed.
import { createQuery, createWorld, trait } from "koota";
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

const Position = trait({ x: 0, y: 0 });
const Velocity = trait({ x: 0, y: 0 });
const Cell = trait({ index: -1 });
const Sprite = trait({ slot: 0 });
const Health = trait({ value: enemyHealth });
const Bullet = trait({ life: bulletLife });
const Player = trait();
const Gem = trait();

const players = createQuery(Player, Position, Velocity);
const enemies = createQuery(Health, Position, Velocity, Cell);
const bullets = createQuery(Bullet, Position);
const gems = createQuery(Gem, Position);
const moving = createQuery(Position, Velocity);
const visible = createQuery(Position, Sprite, Velocity);

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = createWorld();
  world.onRemove(Cell, (entity) => game.grid.remove(entity, entity.get(Cell).index));
  world.onRemove(Sprite, (entity) => game.sprites.remove(entity.get(Sprite).slot));
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
      players: list(players, () => ({})),
      enemies: list(enemies, (entity) => ({ health: entity.get(Health).value })),
      bullets: list(bullets, (entity) => ({ life: entity.get(Bullet).life })),
      gems: list(gems, () => ({})),
    }),
  };
}

function spawnPlayer() {
  world.spawn(Player, Position(game.centre), Velocity, Sprite({ slot: game.sprites.add() }));
}

function spawnEnemy(place) {
  world.spawn(Health, Position(place), Velocity, Cell, Sprite({ slot: game.sprites.add() }));
}

function spawnBullet(place, velocity) {
  world.spawn(Bullet, Position(place), Velocity(velocity), Sprite({ slot: game.sprites.add() }));
}

function spawnGem() {
  placeGem(world.spawn(Gem, Position, Cell, Sprite({ slot: game.sprites.add() })), game.firstGemPlace());
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

function move() {
  world.query(moving).useStores(([position, velocity], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      position.x[e] += velocity.x[e] * delta;
      position.y[e] += velocity.y[e] * delta;
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

function draw() {
  world.query(visible).useStores(([position, sprite], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      game.sprites.set(sprite.slot[e], position.x[e], position.y[e]);
    }
  });
}

/** The positions of all entities of a query, and what else `values` returns. */
function list(query, values) {
  return Array.from(world.query(query), (entity) => ({ ...entity.get(Position), ...values(entity) }));
}
