// The game with columns: loops over WebAssembly memory, bulk calls, and one call of markDirty for all that moved.
import { entityIndex, NONE, System } from "../../../dist/inline.js";
import { begin, columnsOf, columnSystems, ecs, game, linear, removed, slots } from "../crateful.mjs";
import { componentsOf, playedWith, prefabsOf } from "./crateful_world.mjs";
import {
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

let prefabs;

const components = componentsOf(linear, "entity");
const { Position, Velocity, Cell, Walker, Health, Slow, Tower, Shot } = components;
const { Move, EnterCells, Draw, Remove } = columnSystems(components);

export function play({ n }) {
  begin(new Game(n), [Walk, Aim, Home, Move, EnterCells, Die, Draw, Remove]);
  prefabs = prefabsOf(components);
  const { towers } = game;
  prefabs.towers.spawn(towers.length, { position: columnsOf(towers), sprite: { slot: slots(towers.length) } });
  spawnEnemies(game.enemies);
  return playedWith(components);
}

function spawnEnemies(n) {
  const enemies = Array.from({ length: n }, () => game.newEnemy());
  prefabs.enemies.spawn(n, {
    walker: columnsOf(enemies, ["number", "lane", "next"]),
    position: columnsOf(enemies),
    sprite: { slot: slots(n) },
  });
}

function spawnShots(places, targets) {
  const n = places.length;
  prefabs.shots.spawn(n, {
    position: columnsOf(places),
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
