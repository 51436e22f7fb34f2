// The game in koota 0.6 through `useStores`, which its guide recommends "for performance-critical operations". This way
// changes are not detected, so the grid and the sprites are updated for everything that can move. A target is a number in a
// store, as entities are in koota, and `isAlive` says whether it still exists; `koota-each` uses relations.
import { createQuery, createWorld, trait } from "koota";
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

const Position = trait({ x: 0, y: 0 });
const Velocity = trait({ x: 0, y: 0 });
const Cell = trait({ index: -1 });
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
const moving = createQuery(Position, Velocity);
const inCells = createQuery(Position, Cell);
const visible = createQuery(Position, Sprite, Velocity);

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = createWorld();
  world.onRemove(Cell, (entity) => game.grid.remove(entity, entity.get(Cell).index));
  world.onRemove(Sprite, (entity) => game.sprites.remove(entity.get(Sprite).slot));
  for (const place of game.towers) spawnTower(place);
  for (let i = 0; i < game.enemies; i++) spawnEnemy();
  const numberOf = (target) => (isEnemy(target) ? target.get(Walker).number : -1);
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
      enemies: list(enemies, (entity) => ({
        ...entity.get(Walker),
        health: entity.get(Health).value,
        slow: entity.get(Slow).frames,
      })),
      towers: list(towers, (entity) => ({
        reload: entity.get(Tower).reload,
        target: numberOf(entity.get(Tower).target),
      })),
      shots: list(shots, (entity) => ({ target: numberOf(entity.get(Shot).target) })),
    }),
  };
}

function spawnTower(place) {
  const slot = game.sprites.add();
  world.spawn(Tower, Position(place), Sprite({ slot }));
  game.sprites.set(slot, place.x, place.y);
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  const sprite = Sprite({ slot: game.sprites.add() });
  world.spawn(Walker({ number, lane, next }), Position({ x, y }), Velocity, Health, Slow, Cell, sprite);
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
  world.query(inCells).useStores(([position, cell], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      cell.index[e] = game.grid.move(entities[i], cell.index[e], position.x[e], position.y[e]);
    }
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
