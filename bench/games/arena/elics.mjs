// The game in EliCS 3.4, in the everyday form of its guide: systems with queries, vectors through `getVectorView`, other
// values through `getValue` and `setValue`. It does not detect changes, so the grid and the sprites are updated for everything
// that can move, and for a gem when it is placed.
import { createComponent, createSystem, Types, World } from "elics";
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

const vector = { value: { type: Types.Vec2, default: [0, 0] } };
const integer = (initial) => ({ type: Types.Int32, default: initial });
const Position = createComponent("Position", vector);
const Velocity = createComponent("Velocity", vector);
const Cell = createComponent("Cell", { index: integer(-1) });
const Sprite = createComponent("Sprite", { slot: integer(0) });
const Health = createComponent("Health", { value: integer(enemyHealth) });
const Bullet = createComponent("Bullet", { life: integer(bulletLife) });
const Player = createComponent("Player", {});
const Gem = createComponent("Gem", {});

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = new World({ entityCapacity: 40_000, checksOn: false });
  const components = [Position, Velocity, Cell, Sprite, Health, Bullet, Player, Gem];
  for (const component of components) world.registerComponent(component);
  const systems = [Steer, Fire, Chase, Move, EnterCells, Hit, Die, Collect, Spawn, Draw];
  for (const [i, system] of systems.entries()) world.registerSystem(system, { priority: i });
  spawnPlayer();
  for (let i = 0; i < game.enemies; i++) spawnEnemy(game.firstEnemyPlace());
  for (let i = 0; i < game.gems; i++) spawnGem();
  return {
    game,
    step() {
      world.update(delta, game.frame * delta);
      game.frame += 1;
    },
    state: () => ({
      players: list(Player, () => ({})),
      enemies: list(Health, (entity) => ({ health: entity.getValue(Health, "value") })),
      bullets: list(Bullet, (entity) => ({ life: entity.getValue(Bullet, "life") })),
      gems: list(Gem, () => ({})),
    }),
  };
}

function spawnPlayer() {
  const { x, y } = game.centre;
  world
    .createEntity()
    .addComponent(Player)
    .addComponent(Position, { value: [x, y] })
    .addComponent(Velocity)
    .addComponent(Sprite, { slot: game.sprites.add() });
}

function spawnEnemy({ x, y }) {
  world
    .createEntity()
    .addComponent(Health)
    .addComponent(Position, { value: [x, y] })
    .addComponent(Velocity)
    .addComponent(Cell)
    .addComponent(Sprite, { slot: game.sprites.add() });
}

function spawnBullet({ x, y }, velocity) {
  world
    .createEntity()
    .addComponent(Bullet)
    .addComponent(Position, { value: [x, y] })
    .addComponent(Velocity, { value: [velocity.x, velocity.y] })
    .addComponent(Sprite, { slot: game.sprites.add() });
}

function spawnGem() {
  const gem = world
    .createEntity()
    .addComponent(Gem)
    .addComponent(Position)
    .addComponent(Cell)
    .addComponent(Sprite, { slot: game.sprites.add() });
  placeGem(gem, game.firstGemPlace());
}

/** Gems have no velocity, so `EnterCells` and `Draw` do not visit them. */
function placeGem(gem, { x, y }) {
  gem.getVectorView(Position, "value").set([x, y]);
  enterCell(gem);
  game.sprites.set(gem.getValue(Sprite, "slot"), x, y);
}

function enterCell(entity) {
  const [x, y] = entity.getVectorView(Position, "value");
  entity.setValue(Cell, "index", game.grid.move(entity, entity.getValue(Cell, "index"), x, y));
}

/** The place of the only player. */
function placeOf(players) {
  const [player] = players.entities;
  const [x, y] = player.getVectorView(Position, "value");
  return { x, y };
}

class Steer extends createSystem({ players: { required: [Player, Velocity] } }) {
  update() {
    const { x, y } = playerVelocity(game.frame);
    for (const player of this.queries.players.entities) player.getVectorView(Velocity, "value").set([x, y]);
  }
}

class Fire extends createSystem({ players: { required: [Player, Position] } }) {
  update() {
    const place = placeOf(this.queries.players);
    for (let i = 0; i < bulletsPerFrame; i++) spawnBullet(place, bulletVelocity(game.frame, i));
  }
}

class Chase extends createSystem({
  players: { required: [Player, Position] },
  enemies: { required: [Health, Position, Velocity] },
}) {
  update() {
    const { x, y } = placeOf(this.queries.players);
    for (const enemy of this.queries.enemies.entities) {
      const position = enemy.getVectorView(Position, "value");
      const velocity = enemy.getVectorView(Velocity, "value");
      const dx = x - position[0];
      const dy = y - position[1];
      velocity[0] = heading(dx, dy);
      velocity[1] = heading(dy, dx);
      if (isNear(dx, dy, biteReach)) game.bites += 1;
    }
  }
}

class Move extends createSystem({ moving: { required: [Position, Velocity] } }) {
  update(delta) {
    for (const entity of this.queries.moving.entities) {
      const position = entity.getVectorView(Position, "value");
      const velocity = entity.getVectorView(Velocity, "value");
      position[0] += velocity[0] * delta;
      position[1] += velocity[1] * delta;
    }
  }
}

class EnterCells extends createSystem({
  moving: { required: [Position, Velocity, Cell] },
  inCells: { required: [Cell] },
}) {
  init() {
    this.queries.inCells.subscribe("disqualify", (entity) => {
      game.grid.remove(entity, entity.getValue(Cell, "index"));
    });
  }
  update() {
    for (const entity of this.queries.moving.entities) enterCell(entity);
  }
}

class Hit extends createSystem({ bullets: { required: [Bullet, Position] } }) {
  update() {
    for (const bullet of this.queries.bullets.entities) {
      const [x, y] = bullet.getVectorView(Position, "value");
      let hits = 0;
      for (const target of game.grid.near(x, y, hitReach)) {
        if (!target.hasComponent(Health)) continue;
        const place = target.getVectorView(Position, "value");
        if (!isNear(place[0] - x, place[1] - y, hitReach)) continue;
        target.setValue(Health, "value", target.getValue(Health, "value") - 1);
        hits += 1;
      }
      game.hits += hits;
      const life = bullet.getValue(Bullet, "life") - 1;
      bullet.setValue(Bullet, "life", life);
      if (hits > 0 || life === 0) bullet.destroy();
    }
  }
}

class Die extends createSystem({ enemies: { required: [Health] } }) {
  update() {
    for (const enemy of this.queries.enemies.entities) {
      if (enemy.getValue(Health, "value") > 0) continue;
      game.kills += 1;
      enemy.destroy();
    }
  }
}

class Collect extends createSystem({ players: { required: [Player, Position] } }) {
  update() {
    const { x, y } = placeOf(this.queries.players);
    for (const gem of game.grid.near(x, y, pickUpReach)) {
      if (!gem.hasComponent(Gem)) continue;
      const place = gem.getVectorView(Position, "value");
      if (!isNear(place[0] - x, place[1] - y, pickUpReach)) continue;
      placeGem(gem, game.gemPlace({ x, y }));
      game.collected += 1;
    }
  }
}

class Spawn extends createSystem({ players: { required: [Player, Position] }, enemies: { required: [Health] } }) {
  update() {
    const place = placeOf(this.queries.players);
    while (this.queries.enemies.entities.size < game.enemies) spawnEnemy(game.enemyPlace(place));
  }
}

class Draw extends createSystem({
  moving: { required: [Position, Velocity, Sprite] },
  sprites: { required: [Sprite] },
}) {
  init() {
    this.queries.sprites.subscribe("disqualify", (entity) => game.sprites.remove(entity.getValue(Sprite, "slot")));
  }
  update() {
    for (const entity of this.queries.moving.entities) {
      const [x, y] = entity.getVectorView(Position, "value");
      game.sprites.set(entity.getValue(Sprite, "slot"), x, y);
    }
  }
}

/** The positions of all entities with a component, and what else `values` returns. */
function list(component, values) {
  const { entities } = world.queryManager.registerQuery({ required: [component, Position] });
  return Array.from(entities, (entity) => {
    const [x, y] = entity.getVectorView(Position, "value");
    return { x, y, ...values(entity) };
  });
}
