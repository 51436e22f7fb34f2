// The game in Becsy 0.16, with its references, and with its change tracking: `addedOrChanged` and `removed` queries. A frame
// is a promise. A reference to a removed entity is undefined. `read` of another entity reuses the object that it returned
// before, so its fields are copied first.
import { System, Type, World } from "@lastolivegames/becsy/lib/perf.js";
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
class Walker {
  static schema = { number: Type.uint32, lane: Type.int8, next: Type.uint8 };
}
class Health {
  static schema = { value: { type: Type.int32, default: enemyHealth } };
}
class Slow {
  static schema = { frames: Type.uint8 };
}
class Tower {
  static schema = { target: Type.ref, reload: Type.uint8 };
}
class Shot {
  static schema = { target: Type.ref };
}

let game;
let report;

export async function play({ n }) {
  game = new Game(n);
  const systems = [Walk, Aim, Home, Move, EnterCells, Die, Draw, Report];
  const world = await World.create({
    maxEntities: n + 2_000,
    maxShapeChangesPerFrame: 10 * n,
    maxLimboComponents: 10 * n,
    maxWritesPerFrame: 10 * n,
    maxRefChangesPerFrame: 2 * n,
    defs: [Position, Velocity, Cell, Sprite, Walker, Health, Slow, Tower, Shot, systems],
  });
  world.build((system) => {
    for (const place of game.towers) spawnTower(system, place);
    for (let i = 0; i < game.enemies; i++) spawnEnemy(system);
  });
  const numberOf = (target) => target?.read(Walker).number ?? -1;
  return {
    game,
    async step() {
      await world.execute(game.frame * delta, delta);
      game.frame += 1;
    },
    state: () => ({
      enemies: list(report.enemies, (entity) => {
        const { number, lane, next } = entity.read(Walker);
        return { number, lane, next, health: entity.read(Health).value, slow: entity.read(Slow).frames };
      }),
      towers: list(report.towers, (entity) => ({
        reload: entity.read(Tower).reload,
        target: numberOf(entity.read(Tower).target),
      })),
      shots: list(report.shots, (entity) => ({ target: numberOf(entity.read(Shot).target) })),
    }),
  };
}

function spawnTower(system, place) {
  system.createEntity(Tower, Position, place, Sprite, { slot: game.sprites.add() });
}

function spawnEnemy(system) {
  const { number, lane, next, x, y } = game.newEnemy();
  const sprite = { slot: game.sprites.add() };
  const walker = [Walker, { number, lane, next }, Health, Slow];
  system.createEntity(...walker, Position, { x, y }, Velocity, Cell, Sprite, sprite);
}

function spawnShot(system, place, target) {
  const sprite = { slot: game.sprites.add() };
  system.createEntity(Shot, { target }, Position, place, Velocity, Sprite, sprite);
}

class Walk extends System {
  enemies = this.query((q) => q.current.with(Position).with(Walker).write.with(Velocity).write.with(Slow).write);
  execute() {
    for (const entity of this.enemies.current) {
      const walker = entity.write(Walker);
      const position = entity.read(Position);
      const velocity = entity.write(Velocity);
      const slow = entity.write(Slow);
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
class Aim extends System {
  order = this.schedule((s) => s.after(Walk));
  towers = this.query((q) => q.current.with(Tower).write.with(Position));
  enemies = this.query((q) => q.using(Walker).read);
  created = this.query((q) => q.using(Shot, Position, Velocity, Sprite).write);
  execute() {
    for (const entity of this.towers.current) {
      const { x, y } = entity.read(Position);
      const tower = entity.write(Tower);
      if (tower.reload > 0) tower.reload -= 1;
      if (!tower.target || !isInReach(x, y, tower.target)) tower.target = findTarget(x, y);
      if (!tower.target || tower.reload > 0) continue;
      tower.reload = reloadTime;
      game.shots += 1;
      spawnShot(this, { x, y }, tower.target);
    }
  }
}

/** Of the enemies in reach, the one that has been on the way for the longest time. */
function findTarget(x, y) {
  let best;
  let bestNumber = Infinity;
  for (const enemy of game.grid.near(x, y, towerReach)) {
    if (!isInReach(x, y, enemy)) continue;
    const { number } = enemy.read(Walker);
    if (number > bestNumber) continue;
    best = enemy;
    bestNumber = number;
  }
  return best;
}

function isInReach(x, y, enemy) {
  const place = enemy.read(Position);
  return isNear(place.x - x, place.y - y, towerReach);
}

/** A shot whose target is dead is removed. */
class Home extends System {
  order = this.schedule((s) => s.after(Aim));
  shots = this.query((q) => q.current.with(Shot).with(Position).with(Velocity).write);
  enemies = this.query((q) => q.using(Health, Slow).write);
  deleted = this.query((q) => q.usingAll.write);
  execute() {
    for (const entity of this.shots.current) {
      const { target } = entity.read(Shot);
      if (!target) {
        game.misses += 1;
        entity.delete();
        continue;
      }
      const { x, y } = target.read(Position);
      const position = entity.read(Position);
      const dx = x - position.x;
      const dy = y - position.y;
      const velocity = entity.write(Velocity);
      velocity.x = shotSpeed * heading(dx, dy);
      velocity.y = shotSpeed * heading(dy, dx);
      if (!isNear(dx, dy, hitReach)) continue;
      target.write(Health).value -= 1;
      target.write(Slow).frames = slowTime;
      game.hits += 1;
      entity.delete();
    }
  }
}

class Move extends System {
  order = this.schedule((s) => s.after(Home));
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
  execute() {
    for (const entity of this.moved.addedOrChanged) {
      const { x, y } = entity.read(Position);
      const cell = entity.write(Cell);
      cell.item ??= entity.hold();
      cell.index = game.grid.move(cell.item, cell.index, x, y);
    }
  }
}

/** A dead enemy is replaced by a new one. It leaves the grid here, because towers search it before `EnterCells`. */
class Die extends System {
  order = this.schedule((s) => s.after(EnterCells));
  hurt = this.query((q) => q.changed.with(Health).trackWrites);
  cells = this.query((q) => q.using(Cell).read);
  created = this.query((q) => q.using(Walker, Position, Velocity, Health, Slow, Cell, Sprite).write);
  deleted = this.query((q) => q.usingAll.write);
  execute() {
    for (const entity of this.hurt.changed) {
      if (entity.read(Health).value > 0) continue;
      const { item, index } = entity.read(Cell);
      game.grid.remove(item, index);
      game.kills += 1;
      entity.delete();
      spawnEnemy(this);
    }
  }
}

class Draw extends System {
  order = this.schedule((s) => s.after(Die));
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
  enemies = this.query((q) => q.current.with(Walker).with(Position));
  towers = this.query((q) => q.current.with(Tower).with(Position));
  shots = this.query((q) => q.current.with(Shot).with(Position));
  used = this.query((q) => q.using(Health, Slow).read);
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
