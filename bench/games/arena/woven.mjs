// The game in Woven ECS 1.0, in the everyday form of its guide: `read` and `write`, and its change tracking. A frame is a
// promise. Queries change only between two calls of `execute`, so that each call has the systems that need nothing new from
// each other. What was created and removed between two runs of a system is in no list of its query, so the grid and the
// sprites are told when an entity is removed.
import {
  addComponent,
  createEntity,
  defineComponent,
  defineQuery,
  defineSystem,
  field,
  hasComponent,
  removeEntity,
  World,
} from "@woven-ecs/core";
import {
  biteReach,
  bulletLife,
  bulletsPerFrame,
  bulletVelocity,
  delta,
  enemyHealth,
  Game,
  heading,
  hitReach,
  isNear,
  pickUpReach,
  playerVelocity,
} from "./rules.mjs";

const Position = defineComponent({ x: field.float32(), y: field.float32() });
const Velocity = defineComponent({ x: field.float32(), y: field.float32() });
const Cell = defineComponent({ index: field.int32().default(-1) });
const Sprite = defineComponent({ slot: field.int32() });
const Health = defineComponent({ value: field.int32().default(enemyHealth) });
const Bullet = defineComponent({ life: field.int32().default(bulletLife) });
const Player = defineComponent({});
const Gem = defineComponent({});

const players = defineQuery((q) => q.with(Player, Position, Velocity));
const enemies = defineQuery((q) => q.with(Health, Position, Velocity));
const bullets = defineQuery((q) => q.with(Bullet, Position));
const gems = defineQuery((q) => q.with(Gem, Position));
const moving = defineQuery((q) => q.with(Position, Velocity));
const movedInCells = defineQuery((q) => q.with(Cell).tracking(Position));
const hurt = defineQuery((q) => q.tracking(Health));
const movedSprites = defineQuery((q) => q.with(Sprite).tracking(Position));

let game;
let world;
let spawned;

export async function play({ n }) {
  game = new Game(n);
  spawned = 0;
  world = new World([Position, Velocity, Cell, Sprite, Health, Bullet, Player, Gem], {
    maxEntities: n + 3_000,
    maxEvents: 1 << 20,
  });
  await world.execute((ctx) => {
    spawnPlayer(ctx);
    for (let i = 0; i < game.enemies; i++) spawnEnemy(ctx, game.firstEnemyPlace());
    for (let i = 0; i < game.gems; i++) spawnGem(ctx);
  });
  return {
    game,
    async step() {
      world.sync();
      await world.execute(steer, fire, chase);
      await world.execute(move);
      await world.execute(enterCells, hit);
      await world.execute(die, collect, spawn);
      await world.execute(draw);
      game.frame += 1;
    },
    state: () => ({
      players: list(players, () => ({})),
      enemies: list(enemies, (ctx, e) => ({ health: Health.read(ctx, e).value })),
      bullets: list(bullets, (ctx, e) => ({ life: Bullet.read(ctx, e).life })),
      gems: list(gems, () => ({})),
    }),
  };
}

function spawnPlayer(ctx) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Player);
  addComponent(ctx, e, Position, game.centre);
  addComponent(ctx, e, Velocity);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
}

function spawnEnemy(ctx, place) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Health);
  addComponent(ctx, e, Position, place);
  addComponent(ctx, e, Velocity);
  addComponent(ctx, e, Cell);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
}

function spawnBullet(ctx, place, velocity) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Bullet);
  addComponent(ctx, e, Position, place);
  addComponent(ctx, e, Velocity, velocity);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
}

function spawnGem(ctx) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Gem);
  addComponent(ctx, e, Position, game.firstGemPlace());
  addComponent(ctx, e, Cell);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
}

function remove(ctx, e) {
  if (hasComponent(ctx, e, Cell)) game.grid.remove(e, Cell.read(ctx, e).index);
  game.sprites.remove(Sprite.read(ctx, e).slot);
  removeEntity(ctx, e);
}

/** The place of the only player. */
function playerPlace(ctx) {
  const [player] = players.current(ctx);
  return Position.snapshot(ctx, player);
}

const steer = defineSystem((ctx) => {
  for (const e of players.current(ctx)) Velocity.copy(ctx, e, playerVelocity(game.frame));
});

const fire = defineSystem((ctx) => {
  const place = playerPlace(ctx);
  for (let i = 0; i < bulletsPerFrame; i++) spawnBullet(ctx, place, bulletVelocity(game.frame, i));
});

const chase = defineSystem((ctx) => {
  const { x, y } = playerPlace(ctx);
  for (const e of enemies.current(ctx)) {
    const position = Position.read(ctx, e);
    const velocity = Velocity.write(ctx, e);
    const dx = x - position.x;
    const dy = y - position.y;
    velocity.x = heading(dx, dy);
    velocity.y = heading(dy, dx);
    if (isNear(dx, dy, biteReach)) game.bites += 1;
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

const hit = defineSystem((ctx) => {
  for (const e of bullets.current(ctx)) {
    const { x, y } = Position.read(ctx, e);
    let hits = 0;
    for (const target of game.grid.near(x, y, hitReach)) {
      if (!hasComponent(ctx, target, Health)) continue;
      const place = Position.read(ctx, target);
      if (!isNear(place.x - x, place.y - y, hitReach)) continue;
      Health.write(ctx, target).value -= 1;
      hits += 1;
    }
    game.hits += hits;
    const bullet = Bullet.write(ctx, e);
    bullet.life -= 1;
    if (hits > 0 || bullet.life === 0) remove(ctx, e);
  }
});

const die = defineSystem((ctx) => {
  for (const e of hurt.changed(ctx)) {
    if (Health.read(ctx, e).value > 0) continue;
    game.kills += 1;
    remove(ctx, e);
  }
});

const collect = defineSystem((ctx) => {
  const { x, y } = playerPlace(ctx);
  for (const gem of game.grid.near(x, y, pickUpReach)) {
    if (!hasComponent(ctx, gem, Gem)) continue;
    const place = Position.read(ctx, gem);
    if (!isNear(place.x - x, place.y - y, pickUpReach)) continue;
    Position.copy(ctx, gem, game.gemPlace({ x, y }));
    game.collected += 1;
  }
});

const spawn = defineSystem((ctx) => {
  const place = playerPlace(ctx);
  for (; spawned < game.kills; spawned++) spawnEnemy(ctx, game.enemyPlace(place));
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
