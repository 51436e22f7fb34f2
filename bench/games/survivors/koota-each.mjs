// The game in koota 0.6 through `updateEach`, its everyday form, with its relations, and with its change tracking, `Changed`.
// A spawned entity is not changed, so the position of what belongs into the grid is set afterwards.
import { createChanged, createQuery, createWorld, relation, trait } from "koota";
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

const Position = trait({ x: 0, y: 0 });
const Velocity = trait({ x: 0, y: 0 });
const Cell = trait({ index: -1 });
const Sprite = trait({ slot: 0, picture: 0, visible: false });
const Animation = trait({ timer: pictureTime });
const Hero = trait({ number: 0, health: 0, experience: 0 });
const Chaser = trait({ cooldown: 0 });
const Health = trait({ value: enemyHealth });
const Burn = trait({ frames: 0 });
const Knock = trait({ x: 0, y: 0 });
const Bullet = trait({ life: bulletLife });
const Gem = trait();
const Targeting = relation({ exclusive: true });
const AttractedTo = relation({ exclusive: true });

const heroes = createQuery(Hero, Position, Velocity);
const enemies = createQuery(Chaser, Position, Velocity, Knock);
const flying = createQuery(AttractedTo("*"), Position, Velocity);
const moving = createQuery(Position, Velocity);
const movedInCells = createQuery(createChanged()(Position), Cell);
const bullets = createQuery(Bullet, Position, Velocity);
const burning = createQuery(Burn, Health);
const animated = createQuery(Animation, Sprite);
const sprites = createQuery(Position, Sprite);
const gems = createQuery(Gem, Position);

let game;
let world;

export function play({ n }) {
  game = new Game(n);
  world = createWorld();
  world.query(movedInCells); // its first call starts the tracking
  world.onRemove(Cell, (entity) => {
    const { index } = entity.get(Cell);
    if (index !== -1) game.grid.remove(entity, index);
  });
  world.onRemove(Sprite, (entity) => game.sprites.remove(entity.get(Sprite).slot));
  const all = Array.from({ length: heroCount }, (_, number) => spawnHero(number));
  for (let i = 0; i < game.enemies; i++) spawnEnemy(all[i % heroCount], game.firstEnemyPlace(i % heroCount));
  for (let i = 0; i < game.gems; i++) spawnGem(game.firstGemPlace());
  return {
    game,
    step() {
      act();
      chase();
      fly();
      move();
      enterCells();
      attract();
      hit();
      burn();
      animate();
      show();
      game.frame += 1;
    },
    state: () => ({
      heroes: list(heroes, (entity) => entity.get(Hero)),
      enemies: list(enemies, (entity) => ({
        hero: entity.targetFor(Targeting).get(Hero).number,
        cooldown: entity.get(Chaser).cooldown,
        health: entity.get(Health).value,
        burn: entity.get(Burn).frames,
        knockX: entity.get(Knock).x,
        knockY: entity.get(Knock).y,
        picture: entity.get(Sprite).picture,
      })),
      bullets: list(bullets, (entity) => ({ life: entity.get(Bullet).life, picture: entity.get(Sprite).picture })),
      gems: list(gems, (entity) => ({ flying: entity.has(AttractedTo("*")) ? 1 : 0 })),
    }),
  };
}

function newSprite() {
  return Sprite({ slot: game.sprites.add() });
}

function spawnHero(number) {
  return world.spawn(Hero({ number }), Position(game.heroPlace(number)), Velocity, newSprite(), Animation);
}

function spawnEnemy(target, place) {
  world
    .spawn(Position, Velocity, Chaser, Targeting(target), Health, Burn, Knock, Cell, newSprite(), Animation)
    .set(Position, place);
}

function spawnBullet(place, velocity) {
  world.spawn(Bullet, Position(place), Velocity(velocity), newSprite(), Animation);
}

function spawnGem(place) {
  world.spawn(Gem, Position, Cell, newSprite()).set(Position, place);
}

/** Heroes walk and fire. */
function act() {
  world.query(heroes).updateEach(([hero, position, velocity]) => {
    if (hero.number === 0) game.camera = { ...position };
    Object.assign(velocity, heroVelocity(game.frame));
    for (let i = 0; i < bulletsPerHero; i++) spawnBullet(position, bulletVelocity(game.frame, hero.number, i));
  });
}

function chase() {
  world.query(enemies).updateEach(([chaser, position, velocity, knock], entity) => {
    const target = entity.targetFor(Targeting);
    const place = target.get(Position);
    const dx = place.x - position.x;
    const dy = place.y - position.y;
    velocity.x = heading(dx, dy) + knock.x;
    velocity.y = heading(dy, dx) + knock.y;
    knock.x = half(knock.x);
    knock.y = half(knock.y);
    if (chaser.cooldown > 0) chaser.cooldown -= 1;
    else if (isNear(dx, dy, biteReach)) {
      chaser.cooldown = biteCooldown;
      target.set(Hero, ({ health }) => ({ health: health - 1 }));
      game.bites += 1;
    }
  });
}

/** A collected gem is replaced by a new one. */
function fly() {
  world
    .query(flying)
    .select(Position, Velocity)
    .updateEach(([position, velocity], entity) => {
      const hero = entity.targetFor(AttractedTo);
      const place = hero.get(Position);
      const dx = place.x - position.x;
      const dy = place.y - position.y;
      velocity.x = gemSpeed * heading(dx, dy);
      velocity.y = gemSpeed * heading(dy, dx);
      if (!isNear(dx, dy, pickUpReach)) return;
      const { number, experience } = hero.get(Hero);
      hero.set(Hero, { experience: experience + 1 });
      game.collected += 1;
      entity.destroy();
      spawnGem(game.gemPlace(number, place));
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

/** Gems that are near a hero begin to fly to it. */
function attract() {
  for (const hero of world.query(heroes)) {
    const { x, y } = hero.get(Position);
    for (const gem of game.grid.near(x, y, attractReach)) {
      if (!gem.has(Gem) || gem.has(AttractedTo("*"))) continue;
      const place = gem.get(Position);
      if (!isNear(place.x - x, place.y - y, attractReach)) continue;
      gem.add(AttractedTo(hero), Velocity);
      game.attracted += 1;
    }
  }
}

function hit() {
  world.query(bullets).updateEach(([bullet, position, velocity], entity) => {
    const { x, y } = position;
    let hits = 0;
    for (const target of game.grid.near(x, y, hitReach)) {
      if (!target.has(Health)) continue;
      const place = target.get(Position);
      if (!isNear(place.x - x, place.y - y, hitReach)) continue;
      target.set(Health, { value: target.get(Health).value - 1 });
      target.set(Burn, { frames: burnTime });
      const knock = target.get(Knock);
      target.set(Knock, { x: knock.x + half(velocity.x), y: knock.y + half(velocity.y) });
      hits += 1;
    }
    game.hits += hits;
    bullet.life -= 1;
    if (hits > 0 || bullet.life === 0) entity.destroy();
  });
}

/** A dead enemy is replaced by a new one with the same target. */
function burn() {
  world.query(burning).updateEach(([burn, health], entity) => {
    if (burn.frames > 0) {
      burn.frames -= 1;
      health.value -= burnDamage(burn.frames);
    }
    if (health.value > 0) return;
    const target = entity.targetFor(Targeting);
    game.kills += 1;
    entity.destroy();
    spawnEnemy(target, game.enemyPlace(target.get(Hero).number, target.get(Position)));
  });
}

function animate() {
  world.query(animated).updateEach(([animation, sprite]) => {
    animation.timer -= 1;
    if (animation.timer > 0) return;
    animation.timer = pictureTime;
    sprite.picture = (sprite.picture + 1) % pictureCount;
  });
}

function show() {
  world.query(sprites).updateEach(([position, sprite]) => {
    const isVisible = game.isInView(position.x, position.y);
    if (isVisible) game.sprites.show(sprite.slot, position.x, position.y, sprite.picture);
    else if (sprite.visible) game.sprites.hide(sprite.slot);
    sprite.visible = isVisible;
  });
}

/** The positions of all entities of a query, and what else `values` returns. */
function list(query, values) {
  return Array.from(world.query(query), (entity) => ({ ...entity.get(Position), ...values(entity) }));
}
