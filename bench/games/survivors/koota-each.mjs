// The game in koota 0.6 through `updateEach`, its everyday form, with its relations, and with its change tracking, `Changed`.
// A spawned entity is not changed, so the position of what belongs into the grid is set afterwards.
import { createChanged, createQuery, relation, trait } from "koota";
import { begin, Cell, enterCellsEach, game, moveEach, played, Position, Velocity, world } from "../koota.mjs";
import {
  animated,
  attracting,
  bullets,
  Burn,
  Health,
  Hero,
  heroes,
  Knock,
  newEnemy,
  newGem,
  spawnBullet,
  spawnHero,
  sprites,
  traits,
} from "./koota_shared.mjs";
import {
  biteCooldown,
  biteReach,
  bulletsPerHero,
  bulletVelocity,
  burnDamage,
  burnTime,
  Game,
  gemSpeed,
  half,
  heading,
  heroVelocity,
  hitReach,
  isNear,
  pickUpReach,
  pictureCount,
  pictureTime,
} from "./rules.mjs";

const Chaser = trait({ cooldown: 0 });
const Targeting = relation({ exclusive: true });
const AttractedTo = relation({ exclusive: true });

const enemies = createQuery(Chaser, Position, Velocity, Knock);
const flying = createQuery(AttractedTo("*"), Position, Velocity);
const movedInCells = createQuery(createChanged()(Position), Cell);
const burning = createQuery(Burn, Health);

const isAttracted = (gem) => gem.has(AttractedTo("*"));
const attract = attracting((to) => AttractedTo(to), isAttracted);
const enterCells = () => enterCellsEach(movedInCells);

export function play({ n }) {
  begin(new Game(n), { ...traits, Chaser }, [movedInCells]);
  game.populate(spawnHero, spawnEnemy, spawnGem);
  const own = {
    hero: (entity) => entity.targetFor(Targeting).get(Hero).number,
    flying: (entity) => (isAttracted(entity) ? 1 : 0),
  };
  return played([act, chase, fly, moveEach, enterCells, attract, hit, burn, animate, show], own);
}

function spawnEnemy(target, place) {
  newEnemy(Position, Chaser, Targeting(target)).set(Position, place);
}

function spawnGem(place) {
  newGem(Position).set(Position, place);
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
