// The game in bitECS 0.4: components as structures of typed arrays, systems as functions over `query()`. It does not
// detect changes, so the grid and the sprites are updated for everything that can move, and for a gem when it is placed.
import { addComponents, addEntity, createWorld, hasComponent, observe, onRemove, query, removeEntity } from "bitecs";
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

const capacity = 40_000;
const Position = { x: new Float32Array(capacity), y: new Float32Array(capacity) };
const Velocity = { x: new Float32Array(capacity), y: new Float32Array(capacity) };
const Cell = { index: new Int32Array(capacity) };
const Sprite = { slot: new Int32Array(capacity) };
const Health = { value: new Int32Array(capacity) };
const Bullet = { life: new Int32Array(capacity) };
const Player = {};
const Gem = {};

const players = [Player, Position, Velocity];
const enemies = [Health, Position, Velocity, Cell];
const bullets = [Bullet, Position];
const gems = [Gem, Position];
const moving = [Position, Velocity];
const visible = [Position, Velocity, Sprite];

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = createWorld();
  observe(world, onRemove(Cell), (e) => game.grid.remove(e, Cell.index[e]));
  observe(world, onRemove(Sprite), (e) => game.sprites.remove(Sprite.slot[e]));
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
      enemies: list(enemies, (e) => ({ health: Health.value[e] })),
      bullets: list(bullets, (e) => ({ life: Bullet.life[e] })),
      gems: list(gems, () => ({})),
    }),
  };
}

function spawnPlayer() {
  const e = addEntity(world);
  addComponents(world, e, Player, Position, Velocity, Sprite);
  place(e, game.centre);
  Velocity.x[e] = 0;
  Velocity.y[e] = 0;
  Sprite.slot[e] = game.sprites.add();
}

function spawnEnemy(where) {
  const e = addEntity(world);
  addComponents(world, e, Health, Position, Velocity, Cell, Sprite);
  Health.value[e] = enemyHealth;
  place(e, where);
  Velocity.x[e] = 0;
  Velocity.y[e] = 0;
  Cell.index[e] = -1;
  Sprite.slot[e] = game.sprites.add();
}

function spawnBullet(where, velocity) {
  const e = addEntity(world);
  addComponents(world, e, Bullet, Position, Velocity, Sprite);
  Bullet.life[e] = bulletLife;
  place(e, where);
  Velocity.x[e] = velocity.x;
  Velocity.y[e] = velocity.y;
  Sprite.slot[e] = game.sprites.add();
}

function spawnGem() {
  const e = addEntity(world);
  addComponents(world, e, Gem, Position, Cell, Sprite);
  Cell.index[e] = -1;
  Sprite.slot[e] = game.sprites.add();
  placeGem(e, game.firstGemPlace());
}

function place(e, { x, y }) {
  Position.x[e] = x;
  Position.y[e] = y;
}

/** Gems have no velocity, so `enterCells` and `draw` do not visit them. */
function placeGem(e, where) {
  place(e, where);
  Cell.index[e] = game.grid.move(e, Cell.index[e], Position.x[e], Position.y[e]);
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

function move() {
  for (const e of query(world, moving)) {
    Position.x[e] += Velocity.x[e] * delta;
    Position.y[e] += Velocity.y[e] * delta;
  }
}

function enterCells() {
  for (const e of query(world, enemies)) {
    Cell.index[e] = game.grid.move(e, Cell.index[e], Position.x[e], Position.y[e]);
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

function draw() {
  for (const e of query(world, visible)) game.sprites.set(Sprite.slot[e], Position.x[e], Position.y[e]);
}

/** The positions of all entities with these components, and what else `values` returns. */
function list(terms, values) {
  return Array.from(query(world, terms), (e) => ({ x: Position.x[e], y: Position.y[e], ...values(e) }));
}
