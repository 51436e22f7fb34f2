// The game in koota 0.6 through `updateEach`, its everyday form, and with its change tracking, `Changed`.
// A spawned entity is not changed, so its position is set afterwards. (`Added` is not used: it omits entities whose other
// traits are added later in the same call, and `Or(Added(…), Changed(…))` omits more.)
import { createChanged, createQuery, createWorld, trait } from "koota";
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

const Position = trait({ x: 0, y: 0 });
const Velocity = trait({ x: 0, y: 0 });
const Cell = trait({ index: -1 });
const Sprite = trait({ slot: 0 });
const Health = trait({ value: enemyHealth });
const Bullet = trait({ life: bulletLife });
const Player = trait();
const Gem = trait();

const players = createQuery(Player, Position, Velocity);
const enemies = createQuery(Health, Position, Velocity);
const bullets = createQuery(Bullet, Position);
const gems = createQuery(Gem, Position);
const moving = createQuery(Position, Velocity);
const hurt = createQuery(createChanged()(Health), Health); // with `Changed` alone it would also return new gems
const movedInCells = createQuery(createChanged()(Position), Cell);
const movedSprites = createQuery(createChanged()(Position), Sprite);

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = createWorld();
  for (const query of [hurt, movedInCells, movedSprites]) world.query(query); // its first call starts the tracking
  world.onRemove(Cell, (entity) => game.grid.remove(entity, entity.get(Cell).index));
  world.onRemove(Sprite, (entity) => game.sprites.remove(entity.get(Sprite).slot));
  spawnPlayer();
  for (let i = 0; i < game.enemies; i++) spawnEnemy(game.firstEnemyPlace());
  for (let i = 0; i < game.gems; i++) spawnGem();
  return {
    game,
    step() {
      steer();
      fire();
      chase();
      move();
      enterCells();
      hit();
      die();
      collect();
      spawn();
      draw();
      game.frame += 1;
    },
    state: () => ({
      players: list(players, () => ({})),
      enemies: list(enemies, (entity) => ({ health: entity.get(Health).value })),
      bullets: list(bullets, (entity) => ({ life: entity.get(Bullet).life })),
      gems: list(gems, () => ({})),
    }),
  };
}

function spawnPlayer() {
  world.spawn(Player, Position(game.centre), Velocity, Sprite({ slot: game.sprites.add() }));
}

function spawnEnemy(place) {
  world.spawn(Health, Position, Velocity, Cell, Sprite({ slot: game.sprites.add() })).set(Position, place);
}

function spawnBullet(place, velocity) {
  world.spawn(Bullet, Position(place), Velocity(velocity), Sprite({ slot: game.sprites.add() }));
}

function spawnGem() {
  world.spawn(Gem, Position, Cell, Sprite({ slot: game.sprites.add() })).set(Position, game.firstGemPlace());
}

function steer() {
  for (const player of world.query(players)) player.set(Velocity, playerVelocity(game.frame));
}

function fire() {
  for (const player of world.query(players)) {
    const place = player.get(Position);
    for (let i = 0; i < bulletsPerFrame; i++) spawnBullet(place, bulletVelocity(game.frame, i));
  }
}

function chase() {
  const { x, y } = world.queryFirst(players).get(Position);
  world
    .query(enemies)
    .select(Position, Velocity)
    .updateEach(([position, velocity]) => {
      const dx = x - position.x;
      const dy = y - position.y;
      velocity.x = heading(dx, dy);
      velocity.y = heading(dy, dx);
      if (isNear(dx, dy, biteReach)) game.bites += 1;
    });
}

function move() {
  world.query(moving).updateEach(
    ([position, velocity]) => {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
    },
    { changeDetection: "always" },
  );
}

function enterCells() {
  world.query(movedInCells).updateEach(([position, cell], entity) => {
    cell.index = game.grid.move(entity, cell.index, position.x, position.y);
  });
}

function hit() {
  world.query(bullets).updateEach(([bullet, position], entity) => {
    const { x, y } = position;
    let hits = 0;
    for (const target of game.grid.near(x, y, hitReach)) {
      if (!target.has(Health)) continue;
      const place = target.get(Position);
      if (!isNear(place.x - x, place.y - y, hitReach)) continue;
      target.set(Health, { value: target.get(Health).value - 1 });
      hits += 1;
    }
    game.hits += hits;
    bullet.life -= 1;
    if (hits > 0 || bullet.life === 0) entity.destroy();
  });
}

function die() {
  for (const entity of world.query(hurt)) {
    if (entity.get(Health).value > 0) continue;
    game.kills += 1;
    entity.destroy();
  }
}

function collect() {
  for (const player of world.query(players)) {
    const { x, y } = player.get(Position);
    for (const gem of game.grid.near(x, y, pickUpReach)) {
      if (!gem.has(Gem)) continue;
      const place = gem.get(Position);
      if (!isNear(place.x - x, place.y - y, pickUpReach)) continue;
      gem.set(Position, game.gemPlace({ x, y }));
      game.collected += 1;
    }
  }
}

function spawn() {
  const missing = game.enemies - world.query(enemies).length;
  for (const player of world.query(players)) {
    const place = player.get(Position);
    for (let i = 0; i < missing; i++) spawnEnemy(game.enemyPlace(place));
  }
}

function draw() {
  world.query(movedSprites).updateEach(([position, sprite]) => game.sprites.set(sprite.slot, position.x, position.y));
}

/** The positions of all entities of a query, and what else `values` returns. */
function list(query, values) {
  return Array.from(world.query(query), (entity) => ({ ...entity.get(Position), ...values(entity) }));
}
