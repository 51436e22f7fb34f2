// The game in bitECS 0.4: components as structures of typed arrays, systems as functions over `query()`. It does not
// detect changes, so the grid and the sprites are updated for everything that can move. The ids of removed entities are
// used again; so a target is an id and the number of the enemy that had it. (With `withVersioning()` ids are too large to
// be the indices of typed arrays.)
import { addComponents, addEntity, createWorld, entityExists, observe, onRemove, query, removeEntity } from "bitecs";
import {
  delta,
  enemyHealth,
  Game,
  heading,
  hitReach,
  isNear,
  path,
  reloadTime,
  shotSpeed,
  slowTime,
  towerReach,
  wayPointReach,
} from "./rules.mjs";

const capacity = 10_000;
const Position = { x: new Float32Array(capacity), y: new Float32Array(capacity) };
const Velocity = { x: new Float32Array(capacity), y: new Float32Array(capacity) };
const Cell = { index: new Int32Array(capacity) };
const Sprite = { slot: new Int32Array(capacity) };
const Walker = { number: new Uint32Array(capacity), lane: new Int8Array(capacity), next: new Uint8Array(capacity) };
const Health = { value: new Int32Array(capacity) };
const Slow = { frames: new Uint8Array(capacity) };
const Target = { id: new Uint32Array(capacity), number: new Int32Array(capacity) };
const Tower = { reload: new Uint8Array(capacity) };
const Shot = {};

const enemies = [Walker, Position, Velocity, Health, Slow];
const towers = [Tower, Target, Position];
const shots = [Shot, Target, Position, Velocity];
const moving = [Position, Velocity];
const inCells = [Position, Cell];
const visible = [Position, Velocity, Sprite];

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = createWorld();
  observe(world, onRemove(Cell), (e) => game.grid.remove(e, Cell.index[e]));
  observe(world, onRemove(Sprite), (e) => game.sprites.remove(Sprite.slot[e]));
  for (const place of game.towers) spawnTower(place);
  for (let i = 0; i < game.enemies; i++) spawnEnemy();
  const target = (e) => (hasTarget(e) ? Target.number[e] : -1);
  return {
    game,
    step() {
      walk();
      aim();
      home();
      move();
      enterCells();
      die();
      draw();
      game.frame += 1;
    },
    state: () => ({
      enemies: list(enemies, (e) => ({
        number: Walker.number[e],
        lane: Walker.lane[e],
        next: Walker.next[e],
        health: Health.value[e],
        slow: Slow.frames[e],
      })),
      towers: list(towers, (e) => ({ reload: Tower.reload[e], target: target(e) })),
      shots: list(shots, (e) => ({ target: target(e) })),
    }),
  };
}

function spawnTower(place) {
  const e = addEntity(world);
  addComponents(world, e, Tower, Target, Position, Sprite);
  Tower.reload[e] = 0;
  Target.number[e] = -1;
  setVector(Position, e, place);
  Sprite.slot[e] = game.sprites.add();
  game.sprites.set(Sprite.slot[e], place.x, place.y);
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  const e = addEntity(world);
  addComponents(world, e, Walker, Position, Velocity, Health, Slow, Cell, Sprite);
  Walker.number[e] = number;
  Walker.lane[e] = lane;
  Walker.next[e] = next;
  setVector(Position, e, { x, y });
  setVector(Velocity, e, { x: 0, y: 0 });
  Health.value[e] = enemyHealth;
  Slow.frames[e] = 0;
  Cell.index[e] = -1;
  Sprite.slot[e] = game.sprites.add();
}

function spawnShot(place, id, number) {
  const e = addEntity(world);
  addComponents(world, e, Shot, Target, Position, Velocity, Sprite);
  Target.id[e] = id;
  Target.number[e] = number;
  setVector(Position, e, place);
  setVector(Velocity, e, { x: 0, y: 0 });
  Sprite.slot[e] = game.sprites.add();
}

function setVector(component, e, { x, y }) {
  component.x[e] = x;
  component.y[e] = y;
}

/** Whether the target of a tower or of a shot is alive. */
function hasTarget(e) {
  const id = Target.id[e];
  return Target.number[e] !== -1 && entityExists(world, id) && Walker.number[id] === Target.number[e];
}

function walk() {
  for (const e of query(world, enemies)) {
    const wayPoint = path[Walker.next[e]];
    const dx = wayPoint.x + Walker.lane[e] - Position.x[e];
    const dy = wayPoint.y + Walker.lane[e] - Position.y[e];
    Velocity.x[e] = heading(dx, dy);
    Velocity.y[e] = heading(dy, dx);
    if (Slow.frames[e] > 0) {
      Slow.frames[e] -= 1;
      Velocity.x[e] >>= 1;
      Velocity.y[e] >>= 1;
    }
    if (isNear(dx, dy, wayPointReach)) Walker.next[e] = (Walker.next[e] + 1) % path.length;
  }
}

/** Towers keep their target until it is dead or out of reach, and fire at it. */
function aim() {
  for (const e of query(world, towers)) {
    if (Tower.reload[e] > 0) Tower.reload[e] -= 1;
    if (!hasTarget(e) || !isInReach(e, Target.id[e])) findTarget(e);
    if (Target.number[e] === -1 || Tower.reload[e] > 0) continue;
    Tower.reload[e] = reloadTime;
    game.shots += 1;
    spawnShot({ x: Position.x[e], y: Position.y[e] }, Target.id[e], Target.number[e]);
  }
}

/** Of the enemies in reach, the one that has been on the way for the longest time. */
function findTarget(tower) {
  Target.number[tower] = -1;
  for (const enemy of game.grid.near(Position.x[tower], Position.y[tower], towerReach)) {
    if (!isInReach(tower, enemy)) continue;
    if (Target.number[tower] !== -1 && Walker.number[enemy] > Target.number[tower]) continue;
    Target.id[tower] = enemy;
    Target.number[tower] = Walker.number[enemy];
  }
}

function isInReach(tower, enemy) {
  return isNear(Position.x[enemy] - Position.x[tower], Position.y[enemy] - Position.y[tower], towerReach);
}

/** A shot whose target is dead is removed. */
function home() {
  for (const e of query(world, shots)) {
    if (!hasTarget(e)) {
      game.misses += 1;
      removeEntity(world, e);
      continue;
    }
    const target = Target.id[e];
    const dx = Position.x[target] - Position.x[e];
    const dy = Position.y[target] - Position.y[e];
    Velocity.x[e] = shotSpeed * heading(dx, dy);
    Velocity.y[e] = shotSpeed * heading(dy, dx);
    if (!isNear(dx, dy, hitReach)) continue;
    Health.value[target] -= 1;
    Slow.frames[target] = slowTime;
    game.hits += 1;
    removeEntity(world, e);
  }
}

function move() {
  for (const e of query(world, moving)) {
    Position.x[e] += Velocity.x[e] * delta;
    Position.y[e] += Velocity.y[e] * delta;
  }
}

function enterCells() {
  for (const e of query(world, inCells)) {
    Cell.index[e] = game.grid.move(e, Cell.index[e], Position.x[e], Position.y[e]);
  }
}

/** A dead enemy is replaced by a new one. */
function die() {
  for (const e of query(world, enemies)) {
    if (Health.value[e] > 0) continue;
    game.kills += 1;
    removeEntity(world, e);
    spawnEnemy();
  }
}

function draw() {
  for (const e of query(world, visible)) game.sprites.set(Sprite.slot[e], Position.x[e], Position.y[e]);
}

/** The positions of all entities with these components, and what else `values` returns. */
function list(terms, values) {
  return Array.from(query(world, terms), (e) => ({ x: Position.x[e], y: Position.y[e], ...values(e) }));
}
