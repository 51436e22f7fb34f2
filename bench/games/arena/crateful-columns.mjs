// The game with columns: loops over WebAssembly memory, bulk calls, and one call of markDirty for all that moved.
import { entityIndex, System } from "../../../dist/inline.js";
import { begin, columnsOf, columnSystems, ecs, game, linear, played, removed, slots } from "../crateful.mjs";
import { componentsOf, spawnPlayer } from "./crateful_world.mjs";
import {
  biteReach,
  bulletLife,
  bulletsPerFrame,
  bulletVelocity,
  heading,
  enemyHealth,
  Game,
  hitReach,
  isNear,
  pickUpReach,
  playerVelocity,
} from "./rules.mjs";

let player;

const components = componentsOf(linear);
const { Position, Velocity, Cell, Sprite, Health, Bullet, Player, Gem } = components;
const { Move, EnterCells, Draw, Remove } = columnSystems(components);

export function play({ n }) {
  begin(new Game(n), [Steer, Fire, Chase, Move, EnterCells, Hit, Die, Collect, Spawn, Draw, Remove]);
  player = spawnPlayer(components);
  spawnEnemies(places(game.enemies, () => game.firstEnemyPlace()));
  spawnGems(places(game.gems, () => game.firstGemPlace()));
  return played(components);
}

function places(n, place) {
  return columnsOf(Array.from({ length: n }, place));
}

function spawnEnemies(positions) {
  const ids = ecs.addEntities(positions.x.length);
  ecs.addComponents(ids, Health, { value: enemyHealth });
  ecs.addComponents(ids, Position, positions);
  ecs.addComponents(ids, Velocity);
  ecs.addComponents(ids, Cell, { index: -1 });
  ecs.addComponents(ids, Sprite, { slot: slots(ids.length) });
}

function spawnBullets(place, velocities) {
  const ids = ecs.addEntities(bulletsPerFrame);
  ecs.addComponents(ids, Bullet, { life: bulletLife });
  ecs.addComponents(ids, Position, place);
  ecs.addComponents(ids, Velocity, velocities);
  ecs.addComponents(ids, Sprite, { slot: slots(bulletsPerFrame) });
}

function spawnGems(positions) {
  const ids = ecs.addEntities(positions.x.length);
  ecs.addComponents(ids, Gem);
  ecs.addComponents(ids, Position, positions);
  ecs.addComponents(ids, Cell, { index: -1 });
  ecs.addComponents(ids, Sprite, { slot: slots(ids.length) });
}

function playerPlace() {
  const { x, y } = ecs.storage(Position).columns;
  const i = entityIndex(player);
  return { x: x[i], y: y[i] };
}

class Steer extends System {
  componentsRequired = new Set([Player, Velocity]);
  update() {
    const { x, y } = ecs.storage(Velocity).columns;
    const velocity = playerVelocity(game.frame);
    x[entityIndex(player)] = velocity.x;
    y[entityIndex(player)] = velocity.y;
  }
}

class Fire extends System {
  componentsRequired = new Set([Player, Position]);
  update() {
    const velocities = Array.from({ length: bulletsPerFrame }, (_, i) => bulletVelocity(game.frame, i));
    spawnBullets(playerPlace(), columnsOf(velocities));
  }
}

class Chase extends System {
  componentsRequired = new Set([Health, Position, Velocity]);
  update(_delta, { ids }) {
    const { x, y } = playerPlace();
    const { x: enemyX, y: enemyY } = ecs.storage(Position).columns;
    const { x: velocityX, y: velocityY } = ecs.storage(Velocity).columns;
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      const dx = x - enemyX[i];
      const dy = y - enemyY[i];
      velocityX[i] = heading(dx, dy);
      velocityY[i] = heading(dy, dx);
      if (isNear(dx, dy, biteReach)) game.bites += 1;
    }
  }
}

class Hit extends System {
  componentsRequired = new Set([Bullet, Position]);
  update() {
    const { x, y } = ecs.storage(Position).columns;
    const { entities, columns } = ecs.storage(Bullet);
    const { life } = columns;
    for (let k = 0; k < entities.length; k++) {
      const i = entityIndex(entities[k]);
      const hits = this.#hit(x, y, x[i], y[i]);
      game.hits += hits;
      life[k] -= 1;
      if (hits > 0 || life[k] === 0) removed.push(entities[k]);
    }
  }
  #hit(x, y, bulletX, bulletY) {
    const health = ecs.storage(Health);
    let hits = 0;
    for (const e of game.grid.near(bulletX, bulletY, hitReach)) {
      const i = entityIndex(e);
      if (!isNear(x[i] - bulletX, y[i] - bulletY, hitReach)) continue;
      const slot = health.slot(e);
      if (slot === -1) continue; // a gem
      health.columns.value[slot] -= 1;
      hits += 1;
    }
    return hits;
  }
}

class Die extends System {
  componentsRequired = new Set([Health, Cell]);
  update() {
    const { entities, columns } = ecs.storage(Health);
    const { value } = columns;
    const { index } = ecs.storage(Cell).columns;
    for (let k = 0; k < entities.length; k++) {
      if (value[k] > 0) continue;
      game.kills += 1;
      game.grid.remove(entities[k], index[entityIndex(entities[k])]);
      removed.push(entities[k]);
    }
  }
}

class Collect extends System {
  componentsRequired = new Set([Gem, Position]);
  update() {
    const gems = ecs.storage(Gem);
    const positions = ecs.storage(Position);
    const { x, y } = positions.columns;
    const place = playerPlace();
    for (const e of game.grid.near(place.x, place.y, pickUpReach)) {
      const i = entityIndex(e);
      if (!isNear(x[i] - place.x, y[i] - place.y, pickUpReach) || gems.slot(e) === -1) continue;
      const next = game.gemPlace(place);
      x[i] = next.x;
      y[i] = next.y;
      positions.markDirty(e);
      game.collected += 1;
    }
  }
}

class Spawn extends System {
  componentsRequired = new Set([Player, Position]);
  spawned = 0;
  update() {
    const missing = game.kills - this.spawned;
    if (missing === 0) return;
    const place = playerPlace();
    spawnEnemies(places(missing, () => game.enemyPlace(place)));
    this.spawned = game.kills;
  }
}
