// The game in Miniplex 2: entities are plain objects, queries are created once and iterated with `for…of`. It does not
// detect changes, so the grid and the sprites are updated for everything that can move. `world.has` says whether a target
// is alive.
import { begin, draw, entering, game, move, played, queries, world } from "../miniplex.mjs";
import { enemyHealth, Game, heading, hitReach, isNear, path, reloadTime, shotSpeed, slowTime } from "./rules.mjs";
import { towerReach, wayPointReach } from "./rules.mjs";

const enterCells = entering("inCells");

export function play({ n }) {
  begin(new Game(n), {
    enemies: ["walker", "position", "velocity", "slow", "health"],
    towers: ["tower", "position"],
    shots: ["shot", "position", "velocity"],
    visible: ["position", "velocity", "sprite"],
  });
  game.populate(spawnTower, spawnEnemy);
  const own = {
    target({ tower, shot }) {
      const { target } = tower ?? shot;
      return world.has(target) ? target.walker.number : -1;
    },
  };
  return played([walk, aim, home, move, enterCells, die, draw], own);
}

function spawnTower({ x, y }) {
  const slot = game.sprites.add();
  world.add({ tower: { target: undefined, reload: 0 }, position: { x, y }, sprite: { slot } });
  game.sprites.set(slot, x, y);
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  world.add({
    walker: { number, lane, next },
    position: { x, y },
    velocity: { x: 0, y: 0 },
    health: { value: enemyHealth },
    slow: { frames: 0 },
    cell: { index: -1 },
    sprite: { slot: game.sprites.add() },
  });
}

function spawnShot({ x, y }, target) {
  world.add({ shot: { target }, position: { x, y }, velocity: { x: 0, y: 0 }, sprite: { slot: game.sprites.add() } });
}

function walk() {
  for (const { walker, position, velocity, slow } of queries.enemies) {
    const wayPoint = path[walker.next];
    const dx = wayPoint.x + walker.lane - position.x;
    const dy = wayPoint.y + walker.lane - position.y;
    velocity.x = heading(dx, dy);
    velocity.y = heading(dy, dx);
    if (slow.frames > 0) {
      slow.frames -= 1;
      velocity.x >>= 1;
      velocity.y >>= 1;
    }
    if (isNear(dx, dy, wayPointReach)) walker.next = (walker.next + 1) % path.length;
  }
}

/** Towers keep their target until it is dead or out of reach, and fire at it. */
function aim() {
  for (const { tower, position } of queries.towers) {
    if (tower.reload > 0) tower.reload -= 1;
    if (!world.has(tower.target) || !isInReach(position, tower.target)) tower.target = findTarget(position);
    if (tower.target === undefined || tower.reload > 0) continue;
    tower.reload = reloadTime;
    game.shots += 1;
    spawnShot(position, tower.target);
  }
}

/** Of the enemies in reach, the one that has been on the way for the longest time. */
function findTarget(position) {
  let best;
  for (const enemy of game.grid.near(position.x, position.y, towerReach)) {
    if (!isInReach(position, enemy) || enemy.walker.number > best?.walker.number) continue;
    best = enemy;
  }
  return best;
}

function isInReach(place, { position }) {
  return isNear(position.x - place.x, position.y - place.y, towerReach);
}

/** A shot whose target is dead is removed. */
function home() {
  for (const entity of queries.shots) {
    const { shot, position, velocity } = entity;
    const { target } = shot;
    if (!world.has(target)) {
      game.misses += 1;
      world.remove(entity);
      continue;
    }
    const dx = target.position.x - position.x;
    const dy = target.position.y - position.y;
    velocity.x = shotSpeed * heading(dx, dy);
    velocity.y = shotSpeed * heading(dy, dx);
    if (!isNear(dx, dy, hitReach)) continue;
    target.health.value -= 1;
    target.slow.frames = slowTime;
    game.hits += 1;
    world.remove(entity);
  }
}

/** A dead enemy is replaced by a new one. */
function die() {
  for (const entity of queries.enemies) {
    if (entity.health.value > 0) continue;
    game.kills += 1;
    world.remove(entity);
    spawnEnemy();
  }
}
