// The game with columns: loops over WebAssembly memory, bulk calls, and one call of markDirty for all that moved.
import { defineComponent, ECS, entityIndex, init, System } from "../../../dist/inline.js";
import {
  biteReach,
  bulletLife,
  bulletsPerFrame,
  bulletVelocity,
  heading,
  delta,
  enemyHealth,
  Game,
  hitReach,
  isNear,
  pickUpReach,
  playerVelocity,
} from "./rules.mjs";

await init();

// With the policy `linear`, the slot of an entity's value is its index.
const linear = { policy: "linear" };
class Position extends defineComponent("Position", { x: "f32", y: "f32" }, linear) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }, linear) {}
class Cell extends defineComponent("Cell", { index: "i32" }, linear) {}
class Sprite extends defineComponent("Sprite", { slot: "i32" }, linear) {}
class Health extends defineComponent("Health", { value: "i32" }) {}
class Bullet extends defineComponent("Bullet", { life: "i32" }) {}
class Player extends defineComponent("Player") {}
class Gem extends defineComponent("Gem") {}

let game;
let ecs;
let player;
/** The bullets and enemies to remove at the end of the frame. */
let removed;

export function play({ n }) {
  game = new Game(n);
  ecs = new ECS();
  removed = [];
  [Steer, Fire, Chase, Move, EnterCells, Hit, Die, Collect, Spawn, Draw, Remove].forEach((Class, i) =>
    ecs.addSystem(10 * i, new Class()),
  );
  spawnPlayer();
  spawnEnemies(places(game.enemies, () => game.firstEnemyPlace()));
  spawnGems(places(game.gems, () => game.firstGemPlace()));
  return {
    game,
    step() {
      ecs.update(delta);
      game.frame += 1;
    },
    state: () => ({
      players: list({ position: Position, player: Player }, () => ({})),
      enemies: list({ position: Position, health: Health }, ({ health }) => ({ health: health.value })),
      bullets: list({ position: Position, bullet: Bullet }, ({ bullet }) => ({ life: bullet.life })),
      gems: list({ position: Position, gem: Gem }, () => ({})),
    }),
  };
}

/** A column of values for each field, as `addComponents` takes them. */
function places(n, place) {
  const all = Array.from({ length: n }, place);
  return { x: all.map(({ x }) => x), y: all.map(({ y }) => y) };
}

function spawnPlayer() {
  player = ecs.addEntity();
  ecs.addComponent(player, Player);
  ecs.addComponent(player, Position, game.centre);
  ecs.addComponent(player, Velocity);
  ecs.addComponent(player, Sprite, { slot: game.sprites.add() });
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

function slots(n) {
  return Int32Array.from({ length: n }, () => game.sprites.add());
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
    spawnBullets(playerPlace(), { x: velocities.map(({ x }) => x), y: velocities.map(({ y }) => y) });
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
