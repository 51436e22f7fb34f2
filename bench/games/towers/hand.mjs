// The game without a library: arrays of objects. The other games must have the same result.
import { draw, enterCell, move, removeWhere } from "../hand.mjs";
import { enemyHealth, Game, heading, hitReach, isNear, path, reloadTime, shotSpeed, slowTime } from "./rules.mjs";
import { towerReach, wayPointReach } from "./rules.mjs";

export function play({ n }) {
  const game = new Game(n);
  const towers = game.towers.map((place) => newTower(game, place));
  const enemies = [];
  const shots = [];
  for (let i = 0; i < game.enemies; i++) enemies.push(newEnemy(game));
  return {
    game,
    step() {
      for (const enemy of enemies) walk(enemy);
      for (const tower of towers) aim(game, tower, shots);
      home(game, shots);
      for (const enemy of enemies) move(enemy);
      for (const shot of shots) move(shot);
      for (const enemy of enemies) enterCell(game, enemy);
      die(game, enemies);
      for (const enemy of enemies) draw(game, enemy);
      for (const shot of shots) draw(game, shot);
      game.frame += 1;
    },
    state: () => ({
      enemies,
      towers: towers.map((tower) => ({ ...tower, target: numberOf(tower.target) })),
      shots: shots.map((shot) => ({ ...shot, target: numberOf(shot.target) })),
    }),
  };
}

/** The number of an enemy that is alive; for none, -1. */
function numberOf(target) {
  return target && target.health > 0 ? target.number : -1;
}

function newTower(game, { x, y }) {
  const sprite = game.sprites.add();
  game.sprites.set(sprite, x, y);
  return { x, y, reload: 0, target: undefined };
}

function newEnemy(game) {
  const { number, lane, next, x, y } = game.newEnemy();
  const sprite = game.sprites.add();
  return { x, y, vx: 0, vy: 0, cell: -1, sprite, number, lane, next, health: enemyHealth, slow: 0, gone: false };
}

function walk(enemy) {
  const wayPoint = path[enemy.next];
  const dx = wayPoint.x + enemy.lane - enemy.x;
  const dy = wayPoint.y + enemy.lane - enemy.y;
  enemy.vx = heading(dx, dy);
  enemy.vy = heading(dy, dx);
  if (enemy.slow > 0) {
    enemy.slow -= 1;
    enemy.vx >>= 1;
    enemy.vy >>= 1;
  }
  if (isNear(dx, dy, wayPointReach)) enemy.next = (enemy.next + 1) % path.length;
}

function aim(game, tower, shots) {
  if (tower.reload > 0) tower.reload -= 1;
  if (!isInReach(tower, tower.target)) tower.target = findTarget(game, tower);
  if (tower.target === undefined || tower.reload > 0) return;
  tower.reload = reloadTime;
  game.shots += 1;
  shots.push({ x: tower.x, y: tower.y, vx: 0, vy: 0, target: tower.target, sprite: game.sprites.add() });
}

function isInReach(tower, enemy) {
  return enemy !== undefined && enemy.health > 0 && isNear(enemy.x - tower.x, enemy.y - tower.y, towerReach);
}

/** Of the enemies in reach, the one that has been on the way for the longest time. */
function findTarget(game, tower) {
  let best;
  for (const enemy of game.grid.near(tower.x, tower.y, towerReach)) {
    if (isInReach(tower, enemy) && (best === undefined || enemy.number < best.number)) best = enemy;
  }
  return best;
}

/** A shot whose target is dead is removed. */
function home(game, shots) {
  removeWhere(shots, (shot) => {
    if (!isOver(game, shot)) return false;
    game.sprites.remove(shot.sprite);
    return true;
  });
}

function isOver(game, shot) {
  const { target } = shot;
  if (target.gone) {
    game.misses += 1;
    return true;
  }
  const dx = target.x - shot.x;
  const dy = target.y - shot.y;
  shot.vx = shotSpeed * heading(dx, dy);
  shot.vy = shotSpeed * heading(dy, dx);
  if (!isNear(dx, dy, hitReach)) return false;
  target.health -= 1;
  target.slow = slowTime;
  game.hits += 1;
  return true;
}

/** A dead enemy is replaced by a new one. */
function die(game, enemies) {
  for (let i = 0; i < enemies.length; i++) {
    const enemy = enemies[i];
    if (enemy.health > 0) continue;
    game.kills += 1;
    game.grid.remove(enemy, enemy.cell);
    game.sprites.remove(enemy.sprite);
    enemy.gone = true;
    enemies[i] = newEnemy(game);
  }
}
