// The game in Woven ECS 1.0, in the everyday form of its guide: `read` and `write`, and its change tracking. A frame is a
// promise. Queries change only between two calls of `execute`, so that each call has the systems that need nothing new from
// each other. What was created and removed between two runs of a system is in no list of its query, so the grid and the
// sprites are told when an entity is removed. A reference to a removed entity is null.
import {
  addComponent,
  createEntity,
  defineComponent,
  defineQuery,
  defineSystem,
  field,
  removeEntity,
  World,
} from "@woven-ecs/core";
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

const Position = defineComponent({ x: field.float32(), y: field.float32() });
const Velocity = defineComponent({ x: field.float32(), y: field.float32() });
const Cell = defineComponent({ index: field.int32().default(-1) });
const Sprite = defineComponent({ slot: field.int32() });
const Walker = defineComponent({ number: field.uint32(), lane: field.int8(), next: field.uint8() });
const Health = defineComponent({ value: field.int32().default(enemyHealth) });
const Slow = defineComponent({ frames: field.uint8() });
const Tower = defineComponent({ target: field.ref(), reload: field.uint8() });
const Shot = defineComponent({ target: field.ref() });

const enemies = defineQuery((q) => q.with(Walker, Position, Velocity, Slow));
const towers = defineQuery((q) => q.with(Tower, Position));
const shots = defineQuery((q) => q.with(Shot, Position, Velocity));
const moving = defineQuery((q) => q.with(Position, Velocity));
const movedInCells = defineQuery((q) => q.with(Cell).tracking(Position));
const hurt = defineQuery((q) => q.tracking(Health));
const movedSprites = defineQuery((q) => q.with(Sprite).tracking(Position));

let game;
let world;

export async function play({ n }) {
  game = new Game(n);
  world = new World([Position, Velocity, Cell, Sprite, Walker, Health, Slow, Tower, Shot], {
    maxEntities: n + 3_000,
    maxEvents: 1 << 20,
  });
  await world.execute((ctx) => {
    for (const place of game.towers) spawnTower(ctx, place);
    for (let i = 0; i < game.enemies; i++) spawnEnemy(ctx);
  });
  const numberOf = (ctx, target) => (target === null ? -1 : Walker.read(ctx, target).number);
  return {
    game,
    async step() {
      world.sync();
      await world.execute(walk, aim);
      await world.execute(home, move);
      await world.execute(enterCells, die);
      await world.execute(draw);
      game.frame += 1;
    },
    state: () => ({
      enemies: list(enemies, (ctx, e) => ({
        ...Walker.snapshot(ctx, e),
        health: Health.read(ctx, e).value,
        slow: Slow.read(ctx, e).frames,
      })),
      towers: list(towers, (ctx, e) => ({
        reload: Tower.read(ctx, e).reload,
        target: numberOf(ctx, Tower.read(ctx, e).target),
      })),
      shots: list(shots, (ctx, e) => ({ target: numberOf(ctx, Shot.read(ctx, e).target) })),
    }),
  };
}

function spawnTower(ctx, place) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Tower);
  addComponent(ctx, e, Position, place);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
}

function spawnEnemy(ctx) {
  const { number, lane, next, x, y } = game.newEnemy();
  const e = createEntity(ctx);
  addComponent(ctx, e, Walker, { number, lane, next });
  addComponent(ctx, e, Position, { x, y });
  addComponent(ctx, e, Velocity);
  addComponent(ctx, e, Health);
  addComponent(ctx, e, Slow);
  addComponent(ctx, e, Cell);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
}

function spawnShot(ctx, place, target) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Shot, { target });
  addComponent(ctx, e, Position, place);
  addComponent(ctx, e, Velocity);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
}

function remove(ctx, e) {
  game.sprites.remove(Sprite.read(ctx, e).slot);
  removeEntity(ctx, e);
}

const walk = defineSystem((ctx) => {
  for (const e of enemies.current(ctx)) {
    const { next, lane } = Walker.read(ctx, e);
    const { frames } = Slow.read(ctx, e);
    const position = Position.read(ctx, e);
    const velocity = Velocity.write(ctx, e);
    const wayPoint = path[next];
    const dx = wayPoint.x + lane - position.x;
    const dy = wayPoint.y + lane - position.y;
    velocity.x = heading(dx, dy);
    velocity.y = heading(dy, dx);
    if (frames > 0) {
      Slow.write(ctx, e).frames = frames - 1;
      velocity.x >>= 1;
      velocity.y >>= 1;
    }
    if (isNear(dx, dy, wayPointReach)) Walker.write(ctx, e).next = (next + 1) % path.length;
  }
});

/** Towers keep their target until it is dead or out of reach, and fire at it. */
const aim = defineSystem((ctx) => {
  for (const e of towers.current(ctx)) {
    const place = Position.snapshot(ctx, e);
    const tower = Tower.write(ctx, e);
    if (tower.reload > 0) tower.reload -= 1;
    let { target } = tower;
    if (target === null || !isInReach(ctx, place, target)) {
      target = findTarget(ctx, place);
      tower.target = target;
    }
    if (target === null || tower.reload > 0) continue;
    tower.reload = reloadTime;
    game.shots += 1;
    spawnShot(ctx, place, target);
  }
});

/** Of the enemies in reach, the one that has been on the way for the longest time. */
function findTarget(ctx, place) {
  let best = null;
  let bestNumber = Infinity;
  for (const enemy of game.grid.near(place.x, place.y, towerReach)) {
    if (!isInReach(ctx, place, enemy)) continue;
    const { number } = Walker.read(ctx, enemy);
    if (number > bestNumber) continue;
    best = enemy;
    bestNumber = number;
  }
  return best;
}

function isInReach(ctx, place, enemy) {
  const { x, y } = Position.read(ctx, enemy);
  return isNear(x - place.x, y - place.y, towerReach);
}

/** A shot whose target is dead is removed. */
const home = defineSystem((ctx) => {
  for (const e of shots.current(ctx)) {
    const { target } = Shot.read(ctx, e);
    if (target === null) {
      game.misses += 1;
      remove(ctx, e);
      continue;
    }
    const place = Position.read(ctx, target);
    const position = Position.read(ctx, e);
    const velocity = Velocity.write(ctx, e);
    const dx = place.x - position.x;
    const dy = place.y - position.y;
    velocity.x = shotSpeed * heading(dx, dy);
    velocity.y = shotSpeed * heading(dy, dx);
    if (!isNear(dx, dy, hitReach)) continue;
    Health.write(ctx, target).value -= 1;
    Slow.write(ctx, target).frames = slowTime;
    game.hits += 1;
    remove(ctx, e);
  }
});

const move = defineSystem((ctx) => {
  for (const e of moving.current(ctx)) {
    const position = Position.write(ctx, e);
    const velocity = Velocity.read(ctx, e);
    position.x += velocity.x * delta;
    position.y += velocity.y * delta;
  }
});

const enterCells = defineSystem((ctx) => {
  for (const e of movedInCells.addedOrChanged(ctx)) {
    const { x, y } = Position.read(ctx, e);
    const cell = Cell.write(ctx, e);
    cell.index = game.grid.move(e, cell.index, x, y);
  }
});

/** A dead enemy is replaced by a new one. */
const die = defineSystem((ctx) => {
  for (const e of hurt.changed(ctx)) {
    if (Health.read(ctx, e).value > 0) continue;
    game.kills += 1;
    game.grid.remove(e, Cell.read(ctx, e).index);
    remove(ctx, e);
    spawnEnemy(ctx);
  }
});

const draw = defineSystem((ctx) => {
  for (const e of movedSprites.addedOrChanged(ctx)) {
    const { x, y } = Position.read(ctx, e);
    game.sprites.set(Sprite.read(ctx, e).slot, x, y);
  }
});

/** The positions of all entities of a query, and what else `values` returns. */
function list(query, values) {
  let found;
  world.nextSync(() => {});
  world.sync(); // without a callback, the queries of functions process all events since the world was created
  world.execute((ctx) => {
    found = Array.from(query.current(ctx), (e) => ({ ...Position.snapshot(ctx, e), ...values(ctx, e) }));
  });
  return found;
}
