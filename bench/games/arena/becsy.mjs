// The game in Becsy 0.16, with its change tracking: `addedOrChanged` and `removed` queries. A frame is a promise.
import { System, Type } from "@lastolivegames/becsy/lib/perf.js";
import {
  Cell,
  component,
  drawingAfter,
  enteringAfter,
  game,
  movingAfter,
  played,
  Position,
  Velocity,
} from "../becsy.mjs";
import { biteReach, bulletLife, bulletsPerFrame, bulletVelocity, enemyHealth, Game, heading } from "./rules.mjs";
import { hitReach, isNear, pickUpReach, playerVelocity } from "./rules.mjs";

const Sprite = component({ slot: Type.int32 });
const Health = component({ value: { type: Type.int32, default: enemyHealth } });
const Bullet = component({ life: { type: Type.int32, default: bulletLife } });
class Player {}
class Gem {}

export function play({ n }) {
  return played(new Game(n), n, {
    systems: [Steer, Fire, Chase, Move, EnterCells, Hit, Die, Collect, Spawn, Draw],
    components: { Sprite, Health, Bullet, Player, Gem },
    spawn: [spawnPlayer, spawnEnemy, spawnGem],
  });
}

function spawnPlayer(system) {
  system.createEntity(Player, Position, game.centre, Velocity, Sprite, { slot: game.sprites.add() });
}

function spawnEnemy(system, place) {
  system.createEntity(Health, Position, place, Velocity, Cell, Sprite, { slot: game.sprites.add() });
}

function spawnBullet(system, place, velocity) {
  system.createEntity(Bullet, Position, place, Velocity, velocity, Sprite, { slot: game.sprites.add() });
}

function spawnGem(system, place) {
  system.createEntity(Gem, Position, place, Cell, Sprite, { slot: game.sprites.add() });
}

class Steer extends System {
  players = this.query((q) => q.current.with(Player).with(Velocity).write);
  execute() {
    for (const player of this.players.current) Object.assign(player.write(Velocity), playerVelocity(game.frame));
  }
}

class Fire extends System {
  order = this.schedule((s) => s.after(Steer));
  players = this.query((q) => q.current.with(Player).with(Position));
  created = this.query((q) => q.using(Bullet, Position, Velocity, Sprite).write);
  execute() {
    for (const player of this.players.current) {
      const { x, y } = player.read(Position);
      for (let i = 0; i < bulletsPerFrame; i++) spawnBullet(this, { x, y }, bulletVelocity(game.frame, i));
    }
  }
}

class Chase extends System {
  order = this.schedule((s) => s.after(Fire));
  players = this.query((q) => q.current.with(Player).with(Position));
  enemies = this.query((q) => q.current.with(Health).with(Position).with(Velocity).write);
  execute() {
    const { x, y } = this.players.current[0].read(Position);
    for (const enemy of this.enemies.current) {
      const position = enemy.read(Position);
      const dx = x - position.x;
      const dy = y - position.y;
      const velocity = enemy.write(Velocity);
      velocity.x = heading(dx, dy);
      velocity.y = heading(dy, dx);
      if (isNear(dx, dy, biteReach)) game.bites += 1;
    }
  }
}

const Move = movingAfter(Chase);

const EnterCells = enteringAfter(Move);

class Hit extends System {
  order = this.schedule((s) => s.after(EnterCells));
  bullets = this.query((q) => q.current.with(Bullet).write.with(Position));
  targets = this.query((q) => q.using(Health).write);
  deleted = this.query((q) => q.usingAll.write);
  execute() {
    for (const entity of this.bullets.current) {
      const { x, y } = entity.read(Position);
      let hits = 0;
      for (const target of game.grid.near(x, y, hitReach)) {
        if (!target.has(Health)) continue;
        const place = target.read(Position);
        if (!isNear(place.x - x, place.y - y, hitReach)) continue;
        target.write(Health).value -= 1;
        hits += 1;
      }
      game.hits += hits;
      const bullet = entity.write(Bullet);
      bullet.life -= 1;
      if (hits > 0 || bullet.life === 0) entity.delete();
    }
  }
}

class Die extends System {
  order = this.schedule((s) => s.after(Hit));
  hurt = this.query((q) => q.changed.with(Health).trackWrites);
  deleted = this.query((q) => q.usingAll.write);
  execute() {
    for (const entity of this.hurt.changed) {
      if (entity.read(Health).value > 0) continue;
      game.kills += 1;
      entity.delete();
    }
  }
}

class Collect extends System {
  order = this.schedule((s) => s.after(Die));
  players = this.query((q) => q.current.with(Player).with(Position));
  gems = this.query((q) => q.using(Gem).read.using(Position).write);
  execute() {
    for (const player of this.players.current) {
      const { x, y } = player.read(Position);
      for (const gem of game.grid.near(x, y, pickUpReach)) {
        if (!gem.has(Gem)) continue;
        const place = gem.read(Position);
        if (!isNear(place.x - x, place.y - y, pickUpReach)) continue;
        Object.assign(gem.write(Position), game.gemPlace({ x, y }));
        game.collected += 1;
      }
    }
  }
}

class Spawn extends System {
  order = this.schedule((s) => s.after(Collect));
  players = this.query((q) => q.current.with(Player).with(Position));
  created = this.query((q) => q.using(Health, Position, Velocity, Cell, Sprite).write);
  spawned = 0;
  execute() {
    for (const player of this.players.current) {
      const { x, y } = player.read(Position);
      for (; this.spawned < game.kills; this.spawned++) spawnEnemy(this, game.enemyPlace({ x, y }));
    }
  }
}

const Draw = drawingAfter(Spawn, Sprite);
