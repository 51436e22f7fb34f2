// The game in Becsy 0.16, with its change tracking: `addedOrChanged` and `removed` queries. A frame is a promise.
import { System, Type, World } from "@lastolivegames/becsy/lib/perf.js";
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

class Position {
  static schema = { x: Type.float32, y: Type.float32 };
}
class Velocity {
  static schema = { x: Type.float32, y: Type.float32 };
}
/** `item` is the entity's handle in the grid, because the entities of queries must not be kept. */
class Cell {
  static schema = { index: { type: Type.int32, default: -1 }, item: Type.object };
}
class Sprite {
  static schema = { slot: Type.int32 };
}
class Health {
  static schema = { value: { type: Type.int32, default: enemyHealth } };
}
class Bullet {
  static schema = { life: { type: Type.int32, default: bulletLife } };
}
class Player {}
class Gem {}

let game;
let report;

export async function play({ n }) {
  game = new Game(n);
  const systems = [Steer, Fire, Chase, Move, EnterCells, Hit, Die, Collect, Spawn, Draw, Report];
  const world = await World.create({
    maxEntities: n + 2_000,
    maxShapeChangesPerFrame: 6 * n,
    maxLimboComponents: 6 * n,
    maxWritesPerFrame: 6 * n,
    defs: [Position, Velocity, Cell, Sprite, Health, Bullet, Player, Gem, systems],
  });
  world.build((system) => {
    spawnPlayer(system);
    for (let i = 0; i < game.enemies; i++) spawnEnemy(system, game.firstEnemyPlace());
    for (let i = 0; i < game.gems; i++) spawnGem(system);
  });
  return {
    game,
    async step() {
      await world.execute(game.frame * delta, delta);
      game.frame += 1;
    },
    state: () => ({
      players: list(report.players, () => ({})),
      enemies: list(report.enemies, (entity) => ({ health: entity.read(Health).value })),
      bullets: list(report.bullets, (entity) => ({ life: entity.read(Bullet).life })),
      gems: list(report.gems, () => ({})),
    }),
  };
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

function spawnGem(system) {
  system.createEntity(Gem, Position, game.firstGemPlace(), Cell, Sprite, { slot: game.sprites.add() });
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

class Move extends System {
  order = this.schedule((s) => s.after(Chase));
  moving = this.query((q) => q.current.with(Velocity).with(Position).write);
  execute() {
    for (const entity of this.moving.current) {
      const position = entity.write(Position);
      const velocity = entity.read(Velocity);
      position.x += velocity.x * this.delta;
      position.y += velocity.y * this.delta;
    }
  }
}

class EnterCells extends System {
  order = this.schedule((s) => s.after(Move));
  moved = this.query((q) => q.addedOrChanged.with(Position).trackWrites.with(Cell).write);
  left = this.query((q) => q.removed.with(Cell));
  execute() {
    this.accessRecentlyDeletedData();
    for (const entity of this.left.removed) {
      const { item, index } = entity.read(Cell);
      game.grid.remove(item, index);
    }
    for (const entity of this.moved.addedOrChanged) {
      const { x, y } = entity.read(Position);
      const cell = entity.write(Cell);
      cell.item ??= entity.hold();
      cell.index = game.grid.move(cell.item, cell.index, x, y);
    }
  }
}

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

class Draw extends System {
  order = this.schedule((s) => s.after(Spawn));
  moved = this.query((q) => q.addedOrChanged.with(Position).trackWrites.with(Sprite));
  left = this.query((q) => q.removed.with(Sprite));
  execute() {
    this.accessRecentlyDeletedData();
    for (const entity of this.left.removed) game.sprites.remove(entity.read(Sprite).slot);
    for (const entity of this.moved.addedOrChanged) {
      const { x, y } = entity.read(Position);
      game.sprites.set(entity.read(Sprite).slot, x, y);
    }
  }
}

/** Has the entities for the verification. */
class Report extends System {
  order = this.schedule((s) => s.after(Draw));
  players = this.query((q) => q.current.with(Player).with(Position));
  enemies = this.query((q) => q.current.with(Health).with(Position));
  bullets = this.query((q) => q.current.with(Bullet).with(Position));
  gems = this.query((q) => q.current.with(Gem).with(Position));
  initialize() {
    report = this;
  }
}

/** The positions of all entities of a query, and what else `values` returns. */
function list(query, values) {
  return Array.from(query.current, (entity) => {
    const { x, y } = entity.read(Position);
    return { x, y, ...values(entity) };
  });
}
