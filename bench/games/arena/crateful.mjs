// The game with rows, as the README shows them.
import { defineComponent, defineSystem, ECS, init } from "../../../dist/inline.js";
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

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}
class Cell extends defineComponent("Cell", { index: "i32" }) {}
class Sprite extends defineComponent("Sprite", { slot: "i32" }) {}
class Health extends defineComponent("Health", { value: "i32" }) {}
class Bullet extends defineComponent("Bullet", { life: "i32" }) {}
class Player extends defineComponent("Player") {}
class Gem extends defineComponent("Gem") {}

let game;
let ecs;

export function play({ n }) {
  game = new Game(n);
  ecs = new ECS();
  [Steer, Fire, Chase, Move, EnterCells, Hit, Die, Collect, Spawn, Draw].forEach((Class, i) =>
    ecs.addSystem(10 * i, new Class()),
  );
  spawnPlayer();
  for (let i = 0; i < game.enemies; i++) spawnEnemy(game.firstEnemyPlace());
  for (let i = 0; i < game.gems; i++) spawnGem();
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

function spawnPlayer() {
  const e = ecs.addEntity();
  ecs.addComponent(e, Player);
  ecs.addComponent(e, Position, game.centre);
  ecs.addComponent(e, Velocity);
  ecs.addComponent(e, Sprite, { slot: game.sprites.add() });
}

function spawnEnemy(place) {
  const e = ecs.addEntity();
  ecs.addComponent(e, Health, { value: enemyHealth });
  ecs.addComponent(e, Position, place);
  ecs.addComponent(e, Velocity);
  ecs.addComponent(e, Cell, { index: -1 });
  ecs.addComponent(e, Sprite, { slot: game.sprites.add() });
}

function spawnBullet(place, velocity) {
  const e = ecs.addEntity();
  ecs.addComponent(e, Bullet, { life: bulletLife });
  ecs.addComponent(e, Position, place);
  ecs.addComponent(e, Velocity, velocity);
  ecs.addComponent(e, Sprite, { slot: game.sprites.add() });
}

function spawnGem() {
  const e = ecs.addEntity();
  ecs.addComponent(e, Gem);
  ecs.addComponent(e, Position, game.firstGemPlace());
  ecs.addComponent(e, Cell, { index: -1 });
  ecs.addComponent(e, Sprite, { slot: game.sprites.add() });
}

class Steer extends defineSystem({ player: Player, velocity: Velocity }) {
  update() {
    for (const { velocity } of this.rows) Object.assign(velocity, playerVelocity(game.frame));
  }
}

class Fire extends defineSystem({ player: Player, position: Position }) {
  update() {
    for (const { position } of this.rows) {
      for (let i = 0; i < bulletsPerFrame; i++) spawnBullet(position, bulletVelocity(game.frame, i));
    }
  }
}

class Chase extends defineSystem({ health: Health, position: Position, velocity: Velocity }) {
  players = this.query({ player: Player, position: Position });
  update() {
    const { x, y } = this.players.first().position;
    for (const { position, velocity } of this.rows) {
      const dx = x - position.x;
      const dy = y - position.y;
      velocity.x = heading(dx, dy);
      velocity.y = heading(dy, dx);
      if (isNear(dx, dy, biteReach)) game.bites += 1;
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

class Hit extends defineSystem({ bullet: Bullet, position: Position }) {
  targets = this.query({ health: Health, position: Position });
  update() {
    for (const { entity, bullet, position } of this.rows) {
      const { x, y } = position;
      let hits = 0;
      for (const e of game.grid.near(x, y, hitReach)) {
        const target = this.targets.at(e);
        if (target === undefined || !isNear(target.position.x - x, target.position.y - y, hitReach)) continue;
        target.health.value -= 1;
        hits += 1;
      }
      game.hits += hits;
      bullet.life -= 1;
      if (hits > 0 || bullet.life === 0) ecs.removeEntity(entity);
    }
  }
}

class Die extends defineSystem({ health: Health }, { watch: [Health] }) {
  update() {
    for (const { entity, health } of this.dirty) {
      if (health.value > 0) continue;
      game.kills += 1;
      ecs.removeEntity(entity);
    }
  }
}

class Collect extends defineSystem({ player: Player, position: Position }) {
  gems = this.query({ gem: Gem, position: Position });
  update() {
    for (const { position } of this.rows) {
      const { x, y } = position;
      for (const e of game.grid.near(x, y, pickUpReach)) {
        const gem = this.gems.at(e);
        if (gem === undefined || !isNear(gem.position.x - x, gem.position.y - y, pickUpReach)) continue;
        Object.assign(gem.position, game.gemPlace({ x, y }));
        game.collected += 1;
      }
    }
  }
}

class Spawn extends defineSystem({ player: Player, position: Position }) {
  spawned = 0;
  update() {
    for (const { position } of this.rows) {
      for (; this.spawned < game.kills; this.spawned++) spawnEnemy(game.enemyPlace(position));
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
