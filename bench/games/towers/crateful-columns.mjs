// The game with columns: loops over WebAssembly memory, bulk calls, and one call of markDirty for all that moved.
import { defineComponent, ECS, entityIndex, init, NONE, System } from "../../../dist/inline.js";
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

// With the policy `linear`, the slot of an entity's value is its index.
const linear = { policy: "linear" };
class Position extends defineComponent("Position", { x: "f32", y: "f32" }, linear) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }, linear) {}
class Cell extends defineComponent("Cell", { index: { type: "i32", default: -1 } }, linear) {}
class Sprite extends defineComponent("Sprite", { slot: "i32" }, linear) {}
class Walker extends defineComponent("Walker", { number: "u32", lane: "i8", next: "u8" }, linear) {}
class Health extends defineComponent("Health", { value: { type: "i32", default: enemyHealth } }, linear) {}
class Slow extends defineComponent("Slow", { frames: "u8" }, linear) {}
class Tower extends defineComponent("Tower", { target: "entity", reload: "u8" }) {}
class Shot extends defineComponent("Shot", { target: "entity" }) {}

let game;
let ecs;
let prefabs;
/** The entities to remove at the end of the frame. */
let removed;

export function play({ n }) {
  game = new Game(n);
  ecs = new ECS();
  removed = [];
  [Walk, Aim, Home, Move, EnterCells, Die, Draw, Remove].forEach((Class, i) => ecs.addSystem(10 * i, new Class()));
  const moving = { position: Position, velocity: Velocity, sprite: Sprite };
  prefabs = {
    towers: ecs.prefab({ tower: Tower, position: Position, sprite: Sprite }),
    enemies: ecs.prefab({ ...moving, walker: Walker, health: Health, slow: Slow, cell: Cell }),
    shots: ecs.prefab({ ...moving, shot: Shot }),
  };
  const { towers } = game;
  prefabs.towers.spawn(towers.length, {
    position: columns(towers, ["x", "y"]),
    sprite: { slot: slots(towers.length) },
  });
  spawnEnemies(game.enemies);
  const numberOf = (target) => (ecs.alive(target) ? ecs.get(target, Walker).number : -1);
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

/** A column of values for each field, as bulk calls take them. */
function columns(objects, fields) {
  return Object.fromEntries(fields.map((field) => [field, objects.map((one) => one[field])]));
}

function slots(n) {
  return Int32Array.from({ length: n }, () => game.sprites.add());
}

function spawnEnemies(n) {
  const enemies = Array.from({ length: n }, () => game.newEnemy());
  prefabs.enemies.spawn(n, {
    walker: columns(enemies, ["number", "lane", "next"]),
    position: columns(enemies, ["x", "y"]),
    sprite: { slot: slots(n) },
  });
}

function spawnShots(places, targets) {
  const n = places.length;
  prefabs.shots.spawn(n, {
    position: columns(places, ["x", "y"]),
    shot: { target: targets },
    sprite: { slot: slots(n) },
  });
}

class Walk extends System {
  componentsRequired = new Set([Walker, Position, Velocity, Slow]);
  update(_delta, { ids }) {
    const { lane, next } = ecs.storage(Walker).columns;
    const { x, y } = ecs.storage(Position).columns;
    const { x: velocityX, y: velocityY } = ecs.storage(Velocity).columns;
    const { frames } = ecs.storage(Slow).columns;
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      const wayPoint = path[next[i]];
      const dx = wayPoint.x + lane[i] - x[i];
      const dy = wayPoint.y + lane[i] - y[i];
      velocityX[i] = heading(dx, dy);
      velocityY[i] = heading(dy, dx);
      if (frames[i] > 0) {
        frames[i] -= 1;
        velocityX[i] >>= 1;
        velocityY[i] >>= 1;
      }
      if (isNear(dx, dy, wayPointReach)) next[i] = (next[i] + 1) % path.length;
    }
  }
}

/** Towers keep their target until it is dead or out of reach, and fire at it. */
class Aim extends System {
  componentsRequired = new Set([Tower, Position]);
  update() {
    const { number } = ecs.storage(Walker).columns;
    const { x, y } = ecs.storage(Position).columns;
    const { entities, columns } = ecs.storage(Tower);
    const { target, reload } = columns;
    const places = [];
    const targets = [];
    for (let k = 0; k < entities.length; k++) {
      const tower = entityIndex(entities[k]);
      if (reload[k] > 0) reload[k] -= 1;
      const enemy = entityIndex(target[k]);
      if (!ecs.alive(target[k]) || !isNear(x[enemy] - x[tower], y[enemy] - y[tower], towerReach))
        target[k] = this.#findTarget(x, y, number, tower);
      if (target[k] === NONE || reload[k] > 0) continue;
      reload[k] = reloadTime;
      places.push({ x: x[tower], y: y[tower] });
      targets.push(target[k]);
    }
    spawnShots(places, targets);
    game.shots += places.length;
  }
  /** Of the enemies in reach, the one that has been on the way for the longest time. */
  #findTarget(x, y, number, tower) {
    let best = NONE;
    let bestNumber = Infinity;
    for (const e of game.grid.near(x[tower], y[tower], towerReach)) {
      const i = entityIndex(e);
      if (!isNear(x[i] - x[tower], y[i] - y[tower], towerReach) || number[i] > bestNumber) continue;
      best = e;
      bestNumber = number[i];
    }
    return best;
  }
}

/** A shot whose target is dead is removed. */
class Home extends System {
  componentsRequired = new Set([Shot, Position, Velocity]);
  update() {
    const { value: health } = ecs.storage(Health).columns;
    const { frames } = ecs.storage(Slow).columns;
    const { x, y } = ecs.storage(Position).columns;
    const { x: velocityX, y: velocityY } = ecs.storage(Velocity).columns;
    const { entities, columns } = ecs.storage(Shot);
    const { target } = columns;
    for (let k = 0; k < entities.length; k++) {
      const i = entityIndex(entities[k]);
      if (!ecs.alive(target[k])) {
        game.misses += 1;
        removed.push(entities[k]);
        continue;
      }
      const enemy = entityIndex(target[k]);
      const dx = x[enemy] - x[i];
      const dy = y[enemy] - y[i];
      velocityX[i] = shotSpeed * heading(dx, dy);
      velocityY[i] = shotSpeed * heading(dy, dx);
      if (!isNear(dx, dy, hitReach)) continue;
      health[enemy] -= 1;
      frames[enemy] = slowTime;
      game.hits += 1;
      removed.push(entities[k]);
    }
  }
}

class Move extends System {
  componentsRequired = new Set([Position, Velocity]);
  update(delta, { ids }) {
    const { x, y } = ecs.storage(Position).columns;
    const { x: velocityX, y: velocityY } = ecs.storage(Velocity).columns;
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      x[i] += velocityX[i] * delta;
      y[i] += velocityY[i] * delta;
    }
    ecs.storage(Position).markDirty(ids);
  }
}

class EnterCells extends System {
  componentsRequired = new Set([Position, Cell]);
  dirtyComponents = new Set([Position]);
  update(_delta, _entities, { ids }) {
    const { x, y } = ecs.storage(Position).columns;
    const { index } = ecs.storage(Cell).columns;
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      index[i] = game.grid.move(ids[k], index[i], x[i], y[i]);
    }
  }
}

/** A dead enemy is replaced by a new one. */
class Die extends System {
  componentsRequired = new Set([Health, Cell]);
  update(_delta, { ids }) {
    const { value: health } = ecs.storage(Health).columns;
    const { index } = ecs.storage(Cell).columns;
    let kills = 0;
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      if (health[i] > 0) continue;
      game.grid.remove(ids[k], index[i]);
      removed.push(ids[k]);
      kills += 1;
    }
    game.kills += kills;
    spawnEnemies(kills);
  }
}

class Draw extends System {
  componentsRequired = new Set([Position, Sprite]);
  dirtyComponents = new Set([Position]);
  update(_delta, _entities, { ids }) {
    const { x, y } = ecs.storage(Position).columns;
    const { slot } = ecs.storage(Sprite).columns;
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      game.sprites.set(slot[i], x[i], y[i]);
    }
  }
}

class Remove extends System {
  componentsRequired = new Set([Sprite]);
  update() {
    const { slot } = ecs.storage(Sprite).columns;
    for (const e of removed) game.sprites.remove(slot[entityIndex(e)]);
    ecs.removeEntities(removed);
    removed.length = 0;
  }
}

/** The positions of all entities with these components, and what else `values` returns. */
function list(shape, values) {
  return Array.from(ecs.query(shape), (row) => ({ x: row.position.x, y: row.position.y, ...values(row) }));
}
