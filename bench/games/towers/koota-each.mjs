// The game in koota 0.6 through `updateEach`, its everyday form, with its relations, and with its change tracking, `Changed`.
// A spawned entity is not changed, so the position of what belongs into the grid is set afterwards.
import { createChanged, createQuery, createWorld, relation, trait } from "koota";
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
const Tower = trait({ reload: 0 });
const Shot = trait();
const Targeting = relation({ exclusive: true });

const enemies = createQuery(Walker, Position, Velocity, Slow);
const towers = createQuery(Tower, Position);
const shots = createQuery(Shot, Position, Velocity);
const moving = createQuery(Position, Velocity);
const hurt = createQuery(createChanged()(Health), Health);
const movedInCells = createQuery(createChanged()(Position), Cell);
const movedSprites = createQuery(createChanged()(Position), Sprite);

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = createWorld();
  for (const query of [hurt, movedInCells, movedSprites]) world.query(query); // its first call starts the tracking
  world.onRemove(Cell, (entity) => game.grid.remove(entity, entity.get(Cell).index));
  world.onRemove(Sprite, (entity) => game.sprites.remove(entity.get(Sprite).slot));
  for (const place of game.towers) spawnTower(place);
  for (let i = 0; i < game.enemies; i++) spawnEnemy();
  const targetOf = (entity) => entity.targetFor(Targeting)?.get(Walker).number ?? -1;
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
      towers: list(towers, (entity) => ({ reload: entity.get(Tower).reload, target: targetOf(entity) })),
      shots: list(shots, (entity) => ({ target: targetOf(entity) })),
    }),
  };
}

function spawnTower(place) {
  world.spawn(Tower, Position, Sprite({ slot: game.sprites.add() })).set(Position, place);
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  const sprite = Sprite({ slot: game.sprites.add() });
  world.spawn(Walker({ number, lane, next }), Position, Velocity, Health, Slow, Cell, sprite).set(Position, { x, y });
}

function spawnShot(place, target) {
  world.spawn(Shot, Targeting(target), Position(place), Velocity, Sprite({ slot: game.sprites.add() }));
}

function walk() {
  world.query(enemies).updateEach(([walker, position, velocity, slow]) => {
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
  });
}

/** Towers keep their target until it is dead or out of reach, and fire at it. */
function aim() {
  world.query(towers).updateEach(([tower, position], entity) => {
    if (tower.reload > 0) tower.reload -= 1;
    let target = entity.targetFor(Targeting);
    if (target === undefined || !isInReach(position, target)) {
      if (target !== undefined) entity.remove(Targeting(target));
      target = findTarget(position);
      if (target !== undefined) entity.add(Targeting(target));
    }
    if (target === undefined || tower.reload > 0) return;
    tower.reload = reloadTime;
    game.shots += 1;
    spawnShot(position, target);
  });
}

/** Of the enemies in reach, the one that has been on the way for the longest time. */
function findTarget(position) {
  let best;
  let bestNumber = Infinity;
  for (const enemy of game.grid.near(position.x, position.y, towerReach)) {
    if (!isInReach(position, enemy)) continue;
    const { number } = enemy.get(Walker);
    if (number > bestNumber) continue;
    best = enemy;
    bestNumber = number;
  }
  return best;
}

function isInReach(place, enemy) {
  const { x, y } = enemy.get(Position);
  return isNear(x - place.x, y - place.y, towerReach);
}

/** A shot whose target is dead is removed. */
function home() {
  world
    .query(shots)
    .select(Position, Velocity)
    .updateEach(([position, velocity], entity) => {
      const target = entity.targetFor(Targeting);
      if (target === undefined) {
        game.misses += 1;
        entity.destroy();
        return;
      }
      const place = target.get(Position);
      const dx = place.x - position.x;
      const dy = place.y - position.y;
      velocity.x = shotSpeed * heading(dx, dy);
      velocity.y = shotSpeed * heading(dy, dx);
      if (!isNear(dx, dy, hitReach)) return;
      target.set(Health, { value: target.get(Health).value - 1 });
      target.set(Slow, { frames: slowTime });
      game.hits += 1;
      entity.destroy();
    });
}

function move() {
  world.query(moving).updateEach(
    ([position, velocity]) => {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
    },
    { changeDetection: "always" },
  );
}

function enterCells() {
  world.query(movedInCells).updateEach(([position, cell], entity) => {
    cell.index = game.grid.move(entity, cell.index, position.x, position.y);
  });
}

/** A dead enemy is replaced by a new one. */
function die() {
  for (const entity of world.query(hurt)) {
    if (entity.get(Health).value > 0) continue;
    game.kills += 1;
    entity.destroy();
    spawnEnemy();
  }
}

function draw() {
  world.query(movedSprites).updateEach(([position, sprite]) => game.sprites.set(sprite.slot, position.x, position.y));
}

/** The positions of all entities of a query, and what else `values` returns. */
function list(query, values) {
  return Array.from(world.query(query), (entity) => ({ ...entity.get(Position), ...values(entity) }));
}
