// The game in koota 0.6: see ../koota.mjs. A target is a number in a store, as entities are in koota, and `isAlive` says whether it
// still exists.
import { createQuery, trait } from "koota";
import { begin, Cell, drawing, enterCells, game, move, played, Position, Velocity, world } from "../koota.mjs";
import { enemyHealth, Game, heading, hitReach, isNear, path, reloadTime, shotSpeed, slowTime } from "./rules.mjs";
import { towerReach, wayPointReach } from "./rules.mjs";

const Sprite = trait({ slot: 0 });
const Walker = trait({ number: 0, lane: 0, next: 0 });
const Health = trait({ value: enemyHealth });
const Slow = trait({ frames: 0 });
/** No entity has the number 0, because it is that of the world. */
const Tower = trait({ target: 0, reload: 0 });
const Shot = trait({ target: 0 });

const enemies = createQuery(Walker, Position, Velocity, Slow, Health);
const towers = createQuery(Tower, Position);
const shots = createQuery(Shot, Position, Velocity);
const draw = drawing(Sprite);

export function play({ n }) {
  begin(new Game(n), { Sprite, Walker, Health, Slow, Tower, Shot });
  game.populate(spawnTower, spawnEnemy);
  const targetOf = (entity) => entity.get(entity.has(Tower) ? Tower : Shot).target;
  const own = { target: (entity) => (isEnemy(targetOf(entity)) ? targetOf(entity).get(Walker).number : -1) };
  return played([walk, aim, home, move, enterCells, die, draw], own);
}

function spawnTower(place) {
  const slot = game.sprites.add();
  world.spawn(Tower, Position(place), Sprite({ slot }));
  game.sprites.set(slot, place.x, place.y);
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  world.spawn(
    Walker({ number, lane, next }),
    Position({ x, y }),
    Velocity,
    Health,
    Slow,
    Cell,
    Sprite({ slot: game.sprites.add() }),
  );
}

function spawnShot(place, target) {
  world.spawn(Shot({ target }), Position(place), Velocity, Sprite({ slot: game.sprites.add() }));
}

function isEnemy(target) {
  return target !== 0 && target.isAlive();
}

function walk() {
  world.query(enemies).useStores(([walker, position, velocity, slow], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      const wayPoint = path[walker.next[e]];
      const dx = wayPoint.x + walker.lane[e] - position.x[e];
      const dy = wayPoint.y + walker.lane[e] - position.y[e];
      velocity.x[e] = heading(dx, dy);
      velocity.y[e] = heading(dy, dx);
      if (slow.frames[e] > 0) {
        slow.frames[e] -= 1;
        velocity.x[e] >>= 1;
        velocity.y[e] >>= 1;
      }
      if (isNear(dx, dy, wayPointReach)) walker.next[e] = (walker.next[e] + 1) % path.length;
    }
  });
}

/** Towers keep their target until it is dead or out of reach, and fire at it. */
function aim() {
  world.query(enemies).useStores(([walker]) => {
    world.query(towers).useStores(([tower, position], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const e = entities[i].id();
        if (tower.reload[e] > 0) tower.reload[e] -= 1;
        const target = tower.target[e];
        if (!isEnemy(target) || !isInReach(position, e, target.id())) tower.target[e] = findTarget(position, walker, e);
        if (tower.target[e] === 0 || tower.reload[e] > 0) continue;
        tower.reload[e] = reloadTime;
        game.shots += 1;
        spawnShot({ x: position.x[e], y: position.y[e] }, tower.target[e]);
      }
    });
  });
}

/** Of the enemies in reach, the one that has been on the way for the longest time. */
function findTarget(position, walker, tower) {
  let best = 0;
  let bestNumber = Infinity;
  for (const enemy of game.grid.near(position.x[tower], position.y[tower], towerReach)) {
    const e = enemy.id();
    if (!isInReach(position, tower, e) || walker.number[e] > bestNumber) continue;
    best = enemy;
    bestNumber = walker.number[e];
  }
  return best;
}

function isInReach({ x, y }, tower, enemy) {
  return isNear(x[enemy] - x[tower], y[enemy] - y[tower], towerReach);
}

/** A shot whose target is dead is removed. */
function home() {
  world.query(enemies).useStores(([_walker, _position, _velocity, slow, health]) => {
    world.query(shots).useStores(([shot, position, velocity], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const e = entities[i].id();
        if (!isEnemy(shot.target[e])) {
          game.misses += 1;
          entities[i].destroy();
          continue;
        }
        const target = shot.target[e].id();
        const dx = position.x[target] - position.x[e];
        const dy = position.y[target] - position.y[e];
        velocity.x[e] = shotSpeed * heading(dx, dy);
        velocity.y[e] = shotSpeed * heading(dy, dx);
        if (!isNear(dx, dy, hitReach)) continue;
        health.value[target] -= 1;
        slow.frames[target] = slowTime;
        game.hits += 1;
        entities[i].destroy();
      }
    });
  });
}

/** A dead enemy is replaced by a new one. */
function die() {
  world.query(enemies).useStores(([_walker, _position, _velocity, _slow, health], entities) => {
    for (let i = 0; i < entities.length; i++) {
      if (health.value[entities[i].id()] > 0) continue;
      game.kills += 1;
      entities[i].destroy();
      spawnEnemy();
    }
  });
}
