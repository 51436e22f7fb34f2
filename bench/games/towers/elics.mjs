// The game in EliCS 3.4, in the everyday form of its guide: systems with queries, vectors through `getVectorView`, other
// values through `getValue` and `setValue`. It does not detect changes, so the grid and the sprites are updated for everything
// that can move. `getValue` of a reference to a removed entity returns null.
import { createComponent, createSystem, Types, World } from "elics";
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

const vector = { value: { type: Types.Vec2, default: [0, 0] } };
const integer = (initial = 0) => ({ type: Types.Int32, default: initial });
const entity = { type: Types.Entity, default: null };
const Position = createComponent("Position", vector);
const Velocity = createComponent("Velocity", vector);
const Cell = createComponent("Cell", { index: integer(-1) });
const Sprite = createComponent("Sprite", { slot: integer() });
const Walker = createComponent("Walker", { number: integer(), lane: integer(), next: integer() });
const Health = createComponent("Health", { value: integer(enemyHealth) });
const Slow = createComponent("Slow", { frames: integer() });
const Tower = createComponent("Tower", { target: entity, reload: integer() });
const Shot = createComponent("Shot", { target: entity });

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = new World({ entityCapacity: n + 2_000, checksOn: false });
  const components = [Position, Velocity, Cell, Sprite, Walker, Health, Slow, Tower, Shot];
  for (const component of components) world.registerComponent(component);
  const systems = [Walk, Aim, Home, Move, EnterCells, Die, Draw];
  for (const [i, system] of systems.entries()) world.registerSystem(system, { priority: i });
  for (const place of game.towers) spawnTower(place);
  for (let i = 0; i < game.enemies; i++) spawnEnemy();
  const numberOf = (target) => target?.getValue(Walker, "number") ?? -1;
  return {
    game,
    step() {
      world.update(delta, game.frame * delta);
      game.frame += 1;
    },
    state: () => ({
      enemies: list(Walker, (enemy) => ({
        number: enemy.getValue(Walker, "number"),
        lane: enemy.getValue(Walker, "lane"),
        next: enemy.getValue(Walker, "next"),
        health: enemy.getValue(Health, "value"),
        slow: enemy.getValue(Slow, "frames"),
      })),
      towers: list(Tower, (tower) => ({
        reload: tower.getValue(Tower, "reload"),
        target: numberOf(tower.getValue(Tower, "target")),
      })),
      shots: list(Shot, (shot) => ({ target: numberOf(shot.getValue(Shot, "target")) })),
    }),
  };
}

function spawnTower({ x, y }) {
  const slot = game.sprites.add();
  world
    .createEntity()
    .addComponent(Tower)
    .addComponent(Position, { value: [x, y] })
    .addComponent(Sprite, { slot });
  game.sprites.set(slot, x, y);
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  world
    .createEntity()
    .addComponent(Walker, { number, lane, next })
    .addComponent(Position, { value: [x, y] })
    .addComponent(Velocity)
    .addComponent(Health)
    .addComponent(Slow)
    .addComponent(Cell)
    .addComponent(Sprite, { slot: game.sprites.add() });
}

function spawnShot([x, y], target) {
  world
    .createEntity()
    .addComponent(Shot, { target })
    .addComponent(Position, { value: [x, y] })
    .addComponent(Velocity)
    .addComponent(Sprite, { slot: game.sprites.add() });
}

class Walk extends createSystem({ enemies: { required: [Walker, Position, Velocity, Slow] } }) {
  update() {
    for (const enemy of this.queries.enemies.entities) {
      const position = enemy.getVectorView(Position, "value");
      const velocity = enemy.getVectorView(Velocity, "value");
      const next = enemy.getValue(Walker, "next");
      const lane = enemy.getValue(Walker, "lane");
      const frames = enemy.getValue(Slow, "frames");
      const wayPoint = path[next];
      const dx = wayPoint.x + lane - position[0];
      const dy = wayPoint.y + lane - position[1];
      velocity[0] = heading(dx, dy);
      velocity[1] = heading(dy, dx);
      if (frames > 0) {
        enemy.setValue(Slow, "frames", frames - 1);
        velocity[0] >>= 1;
        velocity[1] >>= 1;
      }
      if (isNear(dx, dy, wayPointReach)) enemy.setValue(Walker, "next", (next + 1) % path.length);
    }
  }
}

/** Towers keep their target until it is dead or out of reach, and fire at it. */
class Aim extends createSystem({ towers: { required: [Tower, Position] } }) {
  update() {
    for (const tower of this.queries.towers.entities) {
      const position = tower.getVectorView(Position, "value");
      const reload = Math.max(0, tower.getValue(Tower, "reload") - 1);
      tower.setValue(Tower, "reload", reload);
      let target = tower.getValue(Tower, "target");
      if (target === null || !isInReach(position, target)) {
        target = findTarget(position);
        tower.setValue(Tower, "target", target);
      }
      if (target === null || reload > 0) continue;
      tower.setValue(Tower, "reload", reloadTime);
      game.shots += 1;
      spawnShot(position, target);
    }
  }
}

/** Of the enemies in reach, the one that has been on the way for the longest time. */
function findTarget(position) {
  let best = null;
  let bestNumber = Infinity;
  for (const enemy of game.grid.near(position[0], position[1], towerReach)) {
    if (!isInReach(position, enemy)) continue;
    const number = enemy.getValue(Walker, "number");
    if (number > bestNumber) continue;
    best = enemy;
    bestNumber = number;
  }
  return best;
}

function isInReach(position, enemy) {
  const place = enemy.getVectorView(Position, "value");
  return isNear(place[0] - position[0], place[1] - position[1], towerReach);
}

/** A shot whose target is dead is removed. */
class Home extends createSystem({ shots: { required: [Shot, Position, Velocity] } }) {
  update() {
    for (const shot of this.queries.shots.entities) {
      const target = shot.getValue(Shot, "target");
      if (target === null) {
        game.misses += 1;
        shot.destroy();
        continue;
      }
      const place = target.getVectorView(Position, "value");
      const position = shot.getVectorView(Position, "value");
      const velocity = shot.getVectorView(Velocity, "value");
      const dx = place[0] - position[0];
      const dy = place[1] - position[1];
      velocity[0] = shotSpeed * heading(dx, dy);
      velocity[1] = shotSpeed * heading(dy, dx);
      if (!isNear(dx, dy, hitReach)) continue;
      target.setValue(Health, "value", target.getValue(Health, "value") - 1);
      target.setValue(Slow, "frames", slowTime);
      game.hits += 1;
      shot.destroy();
    }
  }
}

class Move extends createSystem({ moving: { required: [Position, Velocity] } }) {
  update(delta) {
    for (const entity of this.queries.moving.entities) {
      const position = entity.getVectorView(Position, "value");
      const velocity = entity.getVectorView(Velocity, "value");
      position[0] += velocity[0] * delta;
      position[1] += velocity[1] * delta;
    }
  }
}

class EnterCells extends createSystem({ inCells: { required: [Position, Cell] } }) {
  init() {
    this.queries.inCells.subscribe("disqualify", (entity) => {
      game.grid.remove(entity, entity.getValue(Cell, "index"));
    });
  }
  update() {
    for (const entity of this.queries.inCells.entities) {
      const [x, y] = entity.getVectorView(Position, "value");
      entity.setValue(Cell, "index", game.grid.move(entity, entity.getValue(Cell, "index"), x, y));
    }
  }
}

/** A dead enemy is replaced by a new one. */
class Die extends createSystem({ enemies: { required: [Health] } }) {
  update() {
    for (const enemy of this.queries.enemies.entities) {
      if (enemy.getValue(Health, "value") > 0) continue;
      game.kills += 1;
      enemy.destroy();
      spawnEnemy();
    }
  }
}

class Draw extends createSystem({
  moving: { required: [Position, Velocity, Sprite] },
  sprites: { required: [Sprite] },
}) {
  init() {
    this.queries.sprites.subscribe("disqualify", (entity) => game.sprites.remove(entity.getValue(Sprite, "slot")));
  }
  update() {
    for (const entity of this.queries.moving.entities) {
      const [x, y] = entity.getVectorView(Position, "value");
      game.sprites.set(entity.getValue(Sprite, "slot"), x, y);
    }
  }
}

/** The positions of all entities with a component, and what else `values` returns. */
function list(component, values) {
  const { entities } = world.queryManager.registerQuery({ required: [component, Position] });
  return Array.from(entities, (entity) => {
    const [x, y] = entity.getVectorView(Position, "value");
    return { x, y, ...values(entity) };
  });
}
