// The game with rows, prefabs and links, as the guide shows them.
import { defineComponent, defineSystem, NONE } from "../../../dist/inline.js";
import { begin, Cell, drawing, ecs, EnterCells, game, Move, played, Position, Velocity } from "../crateful.mjs";
import { enemyHealth, Game, heading, hitReach, isNear, path, reloadTime, shotSpeed, slowTime } from "./rules.mjs";
import { towerReach, wayPointReach } from "./rules.mjs";

class Sprite extends defineComponent("Sprite", { slot: "i32" }) {}
class Walker extends defineComponent("Walker", { number: "u32", lane: "i8", next: "u8" }) {}
class Health extends defineComponent("Health", { value: { type: "i32", default: enemyHealth } }) {}
class Slow extends defineComponent("Slow", { frames: "u8" }) {}
class Tower extends defineComponent("Tower", { target: "link", reload: "u8" }) {}
class Shot extends defineComponent("Shot", { target: "link" }) {}
const Draw = drawing(Sprite);

let prefabs;

export function play({ n }) {
  begin(new Game(n), [Walk, Aim, Home, Move, EnterCells, Die, Draw]);
  const moving = { position: Position, velocity: Velocity, sprite: Sprite };
  prefabs = {
    towers: ecs.prefab({ tower: Tower, position: Position, sprite: Sprite }),
    enemies: ecs.prefab({ ...moving, walker: Walker, health: Health, slow: Slow, cell: Cell }),
    shots: ecs.prefab({ ...moving, shot: Shot }),
  };
  game.populate(spawnTower, spawnEnemy);
  return played(
    { Walker, Health, Slow, Tower, Shot },
    {
      target(e) {
        const { target } = ecs.get(e, ecs.has(e, Tower) ? Tower : Shot);
        return ecs.alive(target) ? ecs.get(target, Walker).number : -1;
      },
    },
  );
}

function spawnTower(position) {
  prefabs.towers.spawn({ position, sprite: { slot: game.sprites.add() } });
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  prefabs.enemies.spawn({ walker: { number, lane, next }, position: { x, y }, sprite: { slot: game.sprites.add() } });
}

function spawnShot({ x, y }, target) {
  prefabs.shots.spawn({ position: { x, y }, shot: { target }, sprite: { slot: game.sprites.add() } });
}

class Walk extends defineSystem({ walker: Walker, position: Position, velocity: Velocity, slow: Slow }) {
  update() {
    for (const { walker, position, velocity, slow } of this.rows) {
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
class Aim extends defineSystem({ tower: Tower, position: Position }) {
  enemies = this.query({ walker: Walker, position: Position });
  update() {
    for (const { tower, position } of this.rows) {
      if (tower.reload > 0) tower.reload -= 1;
      const target = this.enemies.at(tower.target);
      if (target === undefined || !isInReach(position, target.position)) tower.target = this.#findTarget(position);
      if (tower.target === NONE || tower.reload > 0) continue;
      tower.reload = reloadTime;
      game.shots += 1;
      spawnShot(position, tower.target);
    }
  }
  /** Of the enemies in reach, the one that has been on the way for the longest time. */
  #findTarget(position) {
    let best = NONE;
    let bestNumber = Infinity;
    for (const e of game.grid.near(position.x, position.y, towerReach)) {
      const enemy = this.enemies.at(e);
      if (!isInReach(position, enemy.position) || enemy.walker.number > bestNumber) continue;
      best = e;
      bestNumber = enemy.walker.number;
    }
    return best;
  }
}

function isInReach(tower, enemy) {
  return isNear(enemy.x - tower.x, enemy.y - tower.y, towerReach);
}

/** A shot whose target is dead is removed. */
class Home extends defineSystem({ shot: Shot, position: Position, velocity: Velocity }) {
  enemies = this.query({ position: Position, health: Health, slow: Slow });
  update() {
    for (const { entity, shot, position, velocity } of this.rows) {
      const target = this.enemies.at(shot.target);
      if (target === undefined) {
        game.misses += 1;
        ecs.removeEntity(entity);
        continue;
      }
      const dx = target.position.x - position.x;
      const dy = target.position.y - position.y;
      velocity.x = shotSpeed * heading(dx, dy);
      velocity.y = shotSpeed * heading(dy, dx);
      if (!isNear(dx, dy, hitReach)) continue;
      target.health.value -= 1;
      target.slow.frames = slowTime;
      game.hits += 1;
      ecs.removeEntity(entity);
    }
  }
}

/** A dead enemy is replaced by a new one. */
class Die extends defineSystem({ health: Health }, { watch: [Health] }) {
  update() {
    for (const { entity, health } of this.dirty) {
      if (health.value > 0) continue;
      game.kills += 1;
      ecs.removeEntity(entity);
      spawnEnemy();
    }
  }
}
