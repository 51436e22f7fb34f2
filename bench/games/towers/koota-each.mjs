// The game in koota 0.6 through `updateEach`, its everyday form, with its relations, and with its change tracking, `Changed`.
// A spawned entity is not changed, so the position of what belongs into the grid is set afterwards.
import { createChanged, createQuery, relation, trait } from "koota";
import { begin, Cell, drawEach, enterCellsEach, game, moveEach, played, Position, Velocity, world } from "../koota.mjs";
import { Health, newSprite, Slow, Sprite, Walker } from "./koota_shared.mjs";
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

const Tower = trait({ reload: 0 });
const Shot = trait();
const Targeting = relation({ exclusive: true });

const enemies = createQuery(Walker, Position, Velocity, Slow);
const towers = createQuery(Tower, Position);
const shots = createQuery(Shot, Position, Velocity);
const hurt = createQuery(createChanged()(Health), Health);
const movedInCells = createQuery(createChanged()(Position), Cell);
const movedSprites = createQuery(createChanged()(Position), Sprite);

const enterCells = () => enterCellsEach(movedInCells);
const draw = () => drawEach(movedSprites);

export function play({ n }) {
  begin(new Game(n), { Sprite, Walker, Health, Slow, Tower, Shot }, [hurt, movedInCells, movedSprites]);
  game.populate(spawnTower, spawnEnemy);
  const own = { target: (entity) => entity.targetFor(Targeting)?.get(Walker).number ?? -1 };
  return played([walk, aim, home, moveEach, enterCells, die, draw], own);
}

function spawnTower(place) {
  world.spawn(Tower, Position, newSprite()).set(Position, place);
}

function spawnEnemy() {
  const { number, lane, next, x, y } = game.newEnemy();
  world
    .spawn(Walker({ number, lane, next }), Position, Velocity, Health, Slow, Cell, newSprite())
    .set(Position, { x, y });
}

function spawnShot(place, target) {
  world.spawn(Shot, Targeting(target), Position(place), Velocity, newSprite());
}

function walk() {
  world.query(enemies).updateEach(([walker, position, velocity, slow]) => {
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
  });
}

/** Towers keep their target until it is dead or out of reach, and fire at it. */
function aim() {
  world.query(towers).updateEach(([tower, position], entity) => {
    if (tower.reload > 0) tower.reload -= 1;
    let target = entity.targetFor(Targeting);
    if (target === undefined || !isInReach(position, target)) {
      if (target !== undefined) entity.remove(Targeting(target));
      target = findTarget(position);
      if (target !== undefined) entity.add(Targeting(target));
    }
    if (target === undefined || tower.reload > 0) return;
    tower.reload = reloadTime;
    game.shots += 1;
    spawnShot(position, target);
  });
}

/** Of the enemies in reach, the one that has been on the way for the longest time. */
function findTarget(position) {
  let best;
  let bestNumber = Infinity;
  for (const enemy of game.grid.near(position.x, position.y, towerReach)) {
    if (!isInReach(position, enemy)) continue;
    const { number } = enemy.get(Walker);
    if (number > bestNumber) continue;
    best = enemy;
    bestNumber = number;
  }
  return best;
}

function isInReach(place, enemy) {
  const { x, y } = enemy.get(Position);
  return isNear(x - place.x, y - place.y, towerReach);
}

/** A shot whose target is dead is removed. */
function home() {
  world
    .query(shots)
    .select(Position, Velocity)
    .updateEach(([position, velocity], entity) => {
      const target = entity.targetFor(Targeting);
      if (target === undefined) {
        game.misses += 1;
        entity.destroy();
        return;
      }
      const place = target.get(Position);
      const dx = place.x - position.x;
      const dy = place.y - position.y;
      velocity.x = shotSpeed * heading(dx, dy);
      velocity.y = shotSpeed * heading(dy, dx);
      if (!isNear(dx, dy, hitReach)) return;
      target.set(Health, { value: target.get(Health).value - 1 });
      target.set(Slow, { frames: slowTime });
      game.hits += 1;
      entity.destroy();
    });
}

/** A dead enemy is replaced by a new one. */
function die() {
  for (const entity of world.query(hurt)) {
    if (entity.get(Health).value > 0) continue;
    game.kills += 1;
    entity.destroy();
    spawnEnemy();
  }
}
