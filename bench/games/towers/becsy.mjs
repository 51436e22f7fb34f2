// The game in Becsy 0.16, with its references, and with its change tracking: `addedOrChanged` and `removed` queries. A frame
// is a promise. A reference to a removed entity is undefined. `read` of another entity reuses the object that it returned
// before, so its fields are copied first.
import { System, Type } from "@lastolivegames/becsy/lib/perf.js";
import { Cell, component, drawingAfter, enter, game, movingAfter, played, Position, Velocity } from "../becsy.mjs";
import { enemyHealth, Game, heading, hitReach, isNear, path, reloadTime, shotSpeed, slowTime } from "./rules.mjs";
import { towerReach, wayPointReach } from "./rules.mjs";

const Sprite = component({ slot: Type.int32 });
const Walker = component({ number: Type.uint32, lane: Type.int8, next: Type.uint8 });
const Health = component({ value: { type: Type.int32, default: enemyHealth } });
const Slow = component({ frames: Type.uint8 });
const Tower = component({ target: Type.ref, reload: Type.uint8 });
const Shot = component({ target: Type.ref });

export function play({ n }) {
  return played(new Game(n), n, {
    systems: [Walk, Aim, Home, Move, EnterCells, Die, Draw],
    components: { Sprite, Walker, Health, Slow, Tower, Shot },
    spawn: [spawnTower, spawnEnemy],
    own: { target: (entity) => entity.read(entity.has(Tower) ? Tower : Shot).target?.read(Walker).number ?? -1 },
  });
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

const Move = movingAfter(Home);

class EnterCells extends System {
  order = this.schedule((s) => s.after(Move));
  moved = this.query((q) => q.addedOrChanged.with(Position).trackWrites.with(Cell).write);
  execute() {
    for (const entity of this.moved.addedOrChanged) enter(entity);
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

const Draw = drawingAfter(Die, Sprite);
