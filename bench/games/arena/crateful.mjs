// The game with rows, as the README shows them.
import { defineComponent, defineSystem } from "../../../dist/inline.js";
import { begin, Cell, drawing, ecs, EnterCells, game, Move, played, Position, Velocity } from "../crateful.mjs";
import { biteReach, bulletLife, bulletsPerFrame, bulletVelocity, enemyHealth, Game, heading } from "./rules.mjs";
import { hitReach, isNear, pickUpReach, playerVelocity } from "./rules.mjs";

class Sprite extends defineComponent("Sprite", { slot: "i32" }) {}
class Health extends defineComponent("Health", { value: "i32" }) {}
class Bullet extends defineComponent("Bullet", { life: "i32" }) {}
class Player extends defineComponent("Player") {}
class Gem extends defineComponent("Gem") {}
const Draw = drawing(Sprite);

export function play({ n }) {
  begin(new Game(n), [Steer, Fire, Chase, Move, EnterCells, Hit, Die, Collect, Spawn, Draw]);
  game.populate(spawnPlayer, spawnEnemy, spawnGem);
  return played({ Health, Bullet, Player, Gem });
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

function spawnGem(place) {
  const e = ecs.addEntity();
  ecs.addComponent(e, Gem);
  ecs.addComponent(e, Position, place);
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
