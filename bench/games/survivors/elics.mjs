// The game in EliCS 3.4, in the everyday form of its guide: systems with queries, vectors through `getVectorView`, other
// values through `getValue` and `setValue`. It does not detect changes, so the grid is updated for everything in it
// that can move, and for a gem when it is created.
import { createComponent, createSystem, Types, World } from "elics";
import {
  attractReach,
  biteCooldown,
  biteReach,
  bulletLife,
  bulletsPerHero,
  bulletVelocity,
  burnDamage,
  burnTime,
  delta,
  enemyHealth,
  Game,
  gemSpeed,
  half,
  heading,
  heroCount,
  heroVelocity,
  hitReach,
  isNear,
  pickUpReach,
  pictureCount,
  pictureTime,
} from "./rules.mjs";

const vector = { value: { type: Types.Vec2, default: [0, 0] } };
const integer = (initial = 0) => ({ type: Types.Int32, default: initial });
const entity = { type: Types.Entity, default: null };
const Position = createComponent("Position", vector);
const Velocity = createComponent("Velocity", vector);
const Cell = createComponent("Cell", { index: integer(-1) });
const Sprite = createComponent("Sprite", {
  slot: integer(),
  picture: integer(),
  visible: { type: Types.Boolean, default: false },
});
const Animation = createComponent("Animation", { timer: integer(pictureTime) });
const Hero = createComponent("Hero", { number: integer(), health: integer(), experience: integer() });
const Chaser = createComponent("Chaser", { target: entity, cooldown: integer() });
const Health = createComponent("Health", { value: integer(enemyHealth) });
const Burn = createComponent("Burn", { frames: integer() });
const Knock = createComponent("Knock", vector);
const Bullet = createComponent("Bullet", { life: integer(bulletLife) });
const Gem = createComponent("Gem", {});
const Attracted = createComponent("Attracted", { to: entity });

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = new World({ entityCapacity: 40_000, checksOn: false });
  const values = [Position, Velocity, Cell, Sprite, Animation, Hero, Chaser, Health, Burn, Knock, Bullet, Attracted];
  for (const component of [...values, Gem]) world.registerComponent(component);
  const systems = [Act, Chase, Fly, Move, EnterCells, Attract, Hit, Burning, Animate, Show];
  for (const [i, system] of systems.entries()) world.registerSystem(system, { priority: i });
  const heroes = Array.from({ length: heroCount }, (_, number) => spawnHero(number));
  for (let i = 0; i < game.enemies; i++) spawnEnemy(heroes[i % heroCount], game.firstEnemyPlace(i % heroCount));
  for (let i = 0; i < game.gems; i++) spawnGem(game.firstGemPlace());
  return {
    game,
    step() {
      world.update(delta, game.frame * delta);
      game.frame += 1;
    },
    state: () => ({
      heroes: list(Hero, (hero) => ({
        health: hero.getValue(Hero, "health"),
        experience: hero.getValue(Hero, "experience"),
      })),
      enemies: list(Chaser, (enemy) => ({
        hero: enemy.getValue(Chaser, "target").getValue(Hero, "number"),
        cooldown: enemy.getValue(Chaser, "cooldown"),
        health: enemy.getValue(Health, "value"),
        burn: enemy.getValue(Burn, "frames"),
        knockX: enemy.getVectorView(Knock, "value")[0],
        knockY: enemy.getVectorView(Knock, "value")[1],
        picture: enemy.getValue(Sprite, "picture"),
      })),
      bullets: list(Bullet, (bullet) => ({
        life: bullet.getValue(Bullet, "life"),
        picture: bullet.getValue(Sprite, "picture"),
      })),
      gems: list(Gem, (gem) => ({ flying: gem.hasComponent(Attracted) ? 1 : 0 })),
    }),
  };
}

function spawnHero(number) {
  const { x, y } = game.heroPlace(number);
  return world
    .createEntity()
    .addComponent(Hero, { number })
    .addComponent(Position, { value: [x, y] })
    .addComponent(Velocity)
    .addComponent(Sprite, { slot: game.sprites.add() })
    .addComponent(Animation);
}

function spawnEnemy(target, { x, y }) {
  world
    .createEntity()
    .addComponent(Position, { value: [x, y] })
    .addComponent(Velocity)
    .addComponent(Chaser, { target })
    .addComponent(Health)
    .addComponent(Burn)
    .addComponent(Knock)
    .addComponent(Cell)
    .addComponent(Sprite, { slot: game.sprites.add() })
    .addComponent(Animation);
}

function spawnBullet([x, y], velocity) {
  world
    .createEntity()
    .addComponent(Bullet)
    .addComponent(Position, { value: [x, y] })
    .addComponent(Velocity, { value: [velocity.x, velocity.y] })
    .addComponent(Sprite, { slot: game.sprites.add() })
    .addComponent(Animation);
}

/** Gems have no velocity until they fly, so `EnterCells` does not visit them. */
function spawnGem({ x, y }) {
  const gem = world
    .createEntity()
    .addComponent(Gem)
    .addComponent(Position, { value: [x, y] })
    .addComponent(Cell)
    .addComponent(Sprite, { slot: game.sprites.add() });
  enterCell(gem);
}

function enterCell(entity) {
  const [x, y] = entity.getVectorView(Position, "value");
  entity.setValue(Cell, "index", game.grid.move(entity, entity.getValue(Cell, "index"), x, y));
}

function placeOf(entity) {
  const [x, y] = entity.getVectorView(Position, "value");
  return { x, y };
}

/** Heroes walk and fire. */
class Act extends createSystem({ heroes: { required: [Hero, Position, Velocity] } }) {
  update() {
    for (const hero of this.queries.heroes.entities) {
      const number = hero.getValue(Hero, "number");
      const position = hero.getVectorView(Position, "value");
      if (number === 0) game.camera = placeOf(hero);
      const { x, y } = heroVelocity(game.frame);
      hero.getVectorView(Velocity, "value").set([x, y]);
      for (let i = 0; i < bulletsPerHero; i++) spawnBullet(position, bulletVelocity(game.frame, number, i));
    }
  }
}

class Chase extends createSystem({ enemies: { required: [Chaser, Position, Velocity, Knock] } }) {
  update() {
    for (const enemy of this.queries.enemies.entities) {
      const target = enemy.getValue(Chaser, "target");
      const place = target.getVectorView(Position, "value");
      const position = enemy.getVectorView(Position, "value");
      const velocity = enemy.getVectorView(Velocity, "value");
      const knock = enemy.getVectorView(Knock, "value");
      const dx = place[0] - position[0];
      const dy = place[1] - position[1];
      velocity[0] = heading(dx, dy) + knock[0];
      velocity[1] = heading(dy, dx) + knock[1];
      knock[0] = half(knock[0]);
      knock[1] = half(knock[1]);
      const cooldown = enemy.getValue(Chaser, "cooldown");
      if (cooldown > 0) enemy.setValue(Chaser, "cooldown", cooldown - 1);
      else if (isNear(dx, dy, biteReach)) {
        enemy.setValue(Chaser, "cooldown", biteCooldown);
        target.setValue(Hero, "health", target.getValue(Hero, "health") - 1);
        game.bites += 1;
      }
    }
  }
}

/** A collected gem is replaced by a new one. */
class Fly extends createSystem({ flying: { required: [Attracted, Position, Velocity] } }) {
  update() {
    for (const gem of this.queries.flying.entities) {
      const hero = gem.getValue(Attracted, "to");
      const place = hero.getVectorView(Position, "value");
      const position = gem.getVectorView(Position, "value");
      const velocity = gem.getVectorView(Velocity, "value");
      const dx = place[0] - position[0];
      const dy = place[1] - position[1];
      velocity[0] = gemSpeed * heading(dx, dy);
      velocity[1] = gemSpeed * heading(dy, dx);
      if (!isNear(dx, dy, pickUpReach)) continue;
      hero.setValue(Hero, "experience", hero.getValue(Hero, "experience") + 1);
      game.collected += 1;
      gem.destroy();
      spawnGem(game.gemPlace(hero.getValue(Hero, "number"), placeOf(hero)));
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
      const index = entity.getValue(Cell, "index");
      if (index !== -1) game.grid.remove(entity, index);
    });
  }
  update() {
    for (const entity of this.queries.moving.entities) enterCell(entity);
  }
}

/** Gems that are near a hero begin to fly to it. */
class Attract extends createSystem({ heroes: { required: [Hero, Position] } }) {
  update() {
    for (const hero of this.queries.heroes.entities) {
      const [x, y] = hero.getVectorView(Position, "value");
      for (const gem of game.grid.near(x, y, attractReach)) {
        if (!gem.hasComponent(Gem) || gem.hasComponent(Attracted)) continue;
        const place = gem.getVectorView(Position, "value");
        if (!isNear(place[0] - x, place[1] - y, attractReach)) continue;
        gem.addComponent(Attracted, { to: hero }).addComponent(Velocity);
        game.attracted += 1;
      }
    }
  }
}

class Hit extends createSystem({ bullets: { required: [Bullet, Position, Velocity] } }) {
  update() {
    for (const bullet of this.queries.bullets.entities) {
      const [x, y] = bullet.getVectorView(Position, "value");
      const velocity = bullet.getVectorView(Velocity, "value");
      let hits = 0;
      for (const target of game.grid.near(x, y, hitReach)) {
        if (!target.hasComponent(Health)) continue;
        const place = target.getVectorView(Position, "value");
        if (!isNear(place[0] - x, place[1] - y, hitReach)) continue;
        target.setValue(Health, "value", target.getValue(Health, "value") - 1);
        target.setValue(Burn, "frames", burnTime);
        const knock = target.getVectorView(Knock, "value");
        knock[0] += half(velocity[0]);
        knock[1] += half(velocity[1]);
        hits += 1;
      }
      game.hits += hits;
      const life = bullet.getValue(Bullet, "life") - 1;
      bullet.setValue(Bullet, "life", life);
      if (hits > 0 || life === 0) bullet.destroy();
    }
  }
}

/** A dead enemy is replaced by a new one with the same target. */
class Burning extends createSystem({ burning: { required: [Burn, Health, Chaser] } }) {
  update() {
    for (const enemy of this.queries.burning.entities) {
      const frames = enemy.getValue(Burn, "frames") - 1;
      if (frames >= 0) {
        enemy.setValue(Burn, "frames", frames);
        enemy.setValue(Health, "value", enemy.getValue(Health, "value") - burnDamage(frames));
      }
      if (enemy.getValue(Health, "value") > 0) continue;
      const target = enemy.getValue(Chaser, "target");
      game.kills += 1;
      enemy.destroy();
      spawnEnemy(target, game.enemyPlace(target.getValue(Hero, "number"), placeOf(target)));
    }
  }
}

class Animate extends createSystem({ animated: { required: [Animation, Sprite] } }) {
  update() {
    for (const entity of this.queries.animated.entities) {
      const timer = entity.getValue(Animation, "timer") - 1;
      entity.setValue(Animation, "timer", timer > 0 ? timer : pictureTime);
      if (timer === 0) entity.setValue(Sprite, "picture", (entity.getValue(Sprite, "picture") + 1) % pictureCount);
    }
  }
}

class Show extends createSystem({ sprites: { required: [Position, Sprite] } }) {
  init() {
    this.queries.sprites.subscribe("disqualify", (entity) => game.sprites.remove(entity.getValue(Sprite, "slot")));
  }
  update() {
    for (const entity of this.queries.sprites.entities) {
      const [x, y] = entity.getVectorView(Position, "value");
      const slot = entity.getValue(Sprite, "slot");
      const isVisible = game.isInView(x, y);
      if (isVisible) game.sprites.show(slot, x, y, entity.getValue(Sprite, "picture"));
      else if (entity.getValue(Sprite, "visible")) game.sprites.hide(slot);
      entity.setValue(Sprite, "visible", isVisible);
    }
  }
}

/** The positions of all entities with a component, and what else `values` returns. */
function list(component, values) {
  const { entities } = world.queryManager.registerQuery({ required: [component, Position] });
  return Array.from(entities, (entity) => ({ ...placeOf(entity), ...values(entity) }));
}
