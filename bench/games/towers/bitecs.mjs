// The game in bitECS 0.4: components as structures of typed arrays, systems as functions over `query()`. It does not
// detect changes, so the grid and the sprites are updated for everything that can move. The ids of removed entities are
// used again; so a target is an id and the number of the enemy that had it. (With `withVersioning()` ids are too large to
// be the indices of typed arrays.)
import { entityExists, query, removeEntity } from "bitecs";
import { begin, create, draw, enterCells, move, played, rest } from "../bitecs.mjs";
import { Cell, capacity, game, Position, Sprite, Velocity, world } from "../bitecs.mjs";
import { enemyHealth, Game, heading, hitReach, isNear, path, reloadTime, shotSpeed, slowTime } from "./rules.mjs";
import { towerReach, wayPointReach } from "./rules.mjs";

const Walker = { number: new Uint32Array(capacity), lane: new Int8Array(capacity), next: new Uint8Array(capacity) };
const Health = { value: new Int32Array(capacity) };
const Slow = { frames: new Uint8Array(capacity) };
const Target = { id: new Uint32Array(capacity), number: new Int32Array(capacity) };
const Tower = { reload: new Uint8Array(capacity) };
const Shot = {};

const enemies = [Walker, Position, Velocity, Health, Slow];
const towers = [Tower, Target, Position];
const shots = [Shot, Target, Position, Velocity];

export function play({ n }) {
  begin(new Game(n));
  game.populate(spawnTower, spawnEnemy);
  const own = { target: (e) => (hasTarget(e) ? Target.number[e] : -1) };
  return played([walk, aim, home, move, enterCells, die, draw], { Walker, Health, Slow, Tower, Shot }, own);
}

function spawnTower(place) {
  const e = create([Tower, Target], place);
  Tower.reload[e] = 0;
  Target.number[e] = -1;
  game.sprites.set(Sprite.slot[e], place.x, place.y);
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  const e = create([Walker, Velocity, Health, Slow, Cell], { x, y }, rest);
  Walker.number[e] = number;
  Walker.lane[e] = lane;
  Walker.next[e] = next;
  Health.value[e] = enemyHealth;
  Slow.frames[e] = 0;
}

function spawnShot(place, id, number) {
  const e = create([Shot, Target, Velocity], place, rest);
  Target.id[e] = id;
  Target.number[e] = number;
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

/** A dead enemy is replaced by a new one. */
function die() {
  for (const e of query(world, enemies)) {
    if (Health.value[e] > 0) continue;
    game.kills += 1;
    removeEntity(world, e);
    spawnEnemy();
  }
}
