// The game with rows, prefabs and links, as the guide shows them.
import { defineComponent, defineSystem, ECS, init, NONE } from "../../../dist/inline.js";
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

await init();

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}
class Cell extends defineComponent("Cell", { index: { type: "i32", default: -1 } }) {}
class Sprite extends defineComponent("Sprite", { slot: "i32" }) {}
class Walker extends defineComponent("Walker", { number: "u32", lane: "i8", next: "u8" }) {}
class Health extends defineComponent("Health", { value: { type: "i32", default: enemyHealth } }) {}
class Slow extends defineComponent("Slow", { frames: "u8" }) {}
class Tower extends defineComponent("Tower", { target: "link", reload: "u8" }) {}
class Shot extends defineComponent("Shot", { target: "link" }) {}

let game;
let ecs;
let prefabs;

export function play({ n }) {
  game = new Game(n);
  ecs = new ECS();
  [Walk, Aim, Home, Move, EnterCells, Die, Draw].forEach((Class, i) => ecs.addSystem(10 * i, new Class()));
  prefabs = {
    towers: ecs.prefab({ tower: Tower, position: Position, sprite: Sprite }),
    enemies: ecs.prefab({
      walker: Walker,
      position: Position,
      velocity: Velocity,
      health: Health,
      slow: Slow,
      cell: Cell,
      sprite: Sprite,
    }),
    shots: ecs.prefab({ shot: Shot, position: Position, velocity: Velocity, sprite: Sprite }),
  };
  for (const position of game.towers) prefabs.towers.spawn({ position, sprite: { slot: game.sprites.add() } });
  for (let i = 0; i < game.enemies; i++) spawnEnemy();
  const walkers = ecs.query({ walker: Walker });
  const numberOf = (target) => walkers.at(target)?.walker.number ?? -1;
  return {
    game,
    step() {
      ecs.update(delta);
      game.frame += 1;
    },
    state: () => ({
      enemies: list({ position: Position, walker: Walker, health: Health, slow: Slow }, ({ walker, health, slow }) => ({
        ...walker.toJSON(),
        health: health.value,
        slow: slow.frames,
      })),
      towers: list({ position: Position, tower: Tower }, ({ tower }) => ({
        reload: tower.reload,
        target: numberOf(tower.target),
      })),
      shots: list({ position: Position, shot: Shot }, ({ shot }) => ({ target: numberOf(shot.target) })),
    }),
  };
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  prefabs.enemies.spawn({
    walker: { number, lane, next },
    position: { x, y },
    sprite: { slot: game.sprites.add() },
  });
}

function spawnShot({ x, y }, target) {
  prefabs.shots.spawn({ position: { x, y }, shot: { target }, sprite: { slot: game.sprites.add() } });
}

class Walk extends defineSystem({ walker: Walker, position: Position, velocity: Velocity, slow: Slow }) {
  update() {
    for (const { walker, position, velocity, slow } of this.rows) {
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
}

/** Towers keep their target until it is dead or out of reach, and fire at it. */
class Aim extends defineSystem({ tower: Tower, position: Position }) {
  enemies = this.query({ walker: Walker, position: Position });
  update() {
    for (const { tower, position } of this.rows) {
      if (tower.reload > 0) tower.reload -= 1;
      const target = this.enemies.at(tower.target);
      if (target === undefined || !isInReach(position, target.position)) tower.target = this.#findTarget(position);
      if (tower.target === NONE || tower.reload > 0) continue;
      tower.reload = reloadTime;
      game.shots += 1;
      spawnShot(position, tower.target);
    }
  }
  /** Of the enemies in reach, the one that has been on the way for the longest time. */
  #findTarget(position) {
    let best = NONE;
    let bestNumber = Infinity;
    for (const e of game.grid.near(position.x, position.y, towerReach)) {
      const enemy = this.enemies.at(e);
      if (!isInReach(position, enemy.position) || enemy.walker.number > bestNumber) continue;
      best = e;
      bestNumber = enemy.walker.number;
    }
    return best;
  }
}

function isInReach(tower, enemy) {
  return isNear(enemy.x - tower.x, enemy.y - tower.y, towerReach);
}

/** A shot whose target is dead is removed. */
class Home extends defineSystem({ shot: Shot, position: Position, velocity: Velocity }) {
  enemies = this.query({ position: Position, health: Health, slow: Slow });
  update() {
    for (const { entity, shot, position, velocity } of this.rows) {
      const target = this.enemies.at(shot.target);
      if (target === undefined) {
        game.misses += 1;
        ecs.removeEntity(entity);
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
      ecs.removeEntity(entity);
    }
  }
}

class Move extends defineSystem({ position: Position, velocity: Velocity }) {
  update(delta) {
    for (const { position, velocity } of this.rows) {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
    }
  }
}

class EnterCells extends defineSystem({ position: Position, cell: Cell }, { watch: [Position] }) {
  update() {
    for (const { entity, position, cell } of this.dirty) {
      cell.index = game.grid.move(entity, cell.index, position.x, position.y);
    }
  }
  onRemove(aspect) {
    game.grid.remove(aspect.entity, aspect.get(Cell).index);
  }
}

/** A dead enemy is replaced by a new one. */
class Die extends defineSystem({ health: Health }, { watch: [Health] }) {
  update() {
    for (const { entity, health } of this.dirty) {
      if (health.value > 0) continue;
      game.kills += 1;
      ecs.removeEntity(entity);
      spawnEnemy();
    }
  }
}

class Draw extends defineSystem({ position: Position, sprite: Sprite }, { watch: [Position] }) {
  update() {
    for (const { position, sprite } of this.dirty) game.sprites.set(sprite.slot, position.x, position.y);
  }
  onRemove(aspect) {
    game.sprites.remove(aspect.get(Sprite).slot);
  }
}

/** The positions of all entities with these components, and what else `values` returns. */
function list(shape, values) {
  return Array.from(ecs.query(shape), (row) => ({ x: row.position.x, y: row.position.y, ...values(row) }));
}
