// The game in koota 0.6: see ../koota.mjs. A gem enters the grid when it is created. A hero is a number in a store, as entities are
// in koota.
import { createQuery, trait } from "koota";
import { begin, Cell, enterCells, game, move, played, Position, Velocity, world } from "../koota.mjs";
import { attractReach, biteCooldown, biteReach, bulletLife, bulletsPerHero, bulletVelocity } from "./rules.mjs";
import { burnDamage, burnTime, enemyHealth, Game, gemSpeed, half, heading, heroVelocity, hitReach } from "./rules.mjs";
import { isNear, pickUpReach, pictureCount, pictureTime } from "./rules.mjs";

const Sprite = trait({ slot: 0, picture: 0, visible: false });
const Animation = trait({ timer: pictureTime });
const Hero = trait({ number: 0, health: 0, experience: 0 });
const Chaser = trait({ target: 0, cooldown: 0 });
const Health = trait({ value: enemyHealth });
const Burn = trait({ frames: 0 });
const Knock = trait({ x: 0, y: 0 });
const Bullet = trait({ life: bulletLife });
const Gem = trait();
const Attracted = trait({ to: 0 });

const heroes = createQuery(Hero, Position, Velocity);
const enemies = createQuery(Chaser, Position, Velocity, Knock);
const flying = createQuery(Attracted, Position, Velocity);
const bullets = createQuery(Bullet, Position, Velocity);
const targets = createQuery(Health, Burn, Knock);
const burning = createQuery(Burn, Health, Chaser);
const animated = createQuery(Animation, Sprite);
const sprites = createQuery(Position, Sprite);

export function play({ n }) {
  begin(new Game(n), { Sprite, Hero, Chaser, Health, Burn, Knock, Bullet, Gem });
  game.populate(spawnHero, spawnEnemy, spawnGem);
  return played([act, chase, fly, move, enterCells, attract, hit, burn, animate, show], {
    hero: (entity) => entity.get(Chaser).target.get(Hero).number,
    flying: (entity) => (entity.has(Attracted) ? 1 : 0),
  });
}

function newSprite() {
  return Sprite({ slot: game.sprites.add() });
}

function spawnHero(number) {
  return world.spawn(Hero({ number }), Position(game.heroPlace(number)), Velocity, newSprite(), Animation);
}

function spawnEnemy(target, place) {
  const fight = [Chaser({ target }), Health, Burn, Knock];
  world.spawn(Position(place), Velocity, ...fight, Cell, newSprite(), Animation);
}

function spawnBullet(place, velocity) {
  world.spawn(Bullet, Position(place), Velocity(velocity), newSprite(), Animation);
}

/** Gems have no velocity until they fly, so `enterCells` does not visit them. */
function spawnGem(place) {
  const gem = world.spawn(Gem, Position(place), Cell, newSprite());
  gem.set(Cell, { index: game.grid.move(gem, -1, place.x, place.y) });
}

/** Heroes walk and fire. */
function act() {
  for (const entity of world.query(heroes)) {
    const { number } = entity.get(Hero);
    const place = entity.get(Position);
    if (number === 0) game.camera = place;
    entity.set(Velocity, heroVelocity(game.frame));
    for (let i = 0; i < bulletsPerHero; i++) spawnBullet(place, bulletVelocity(game.frame, number, i));
  }
}

function chase() {
  world.query(heroes).useStores(([hero]) => {
    world.query(enemies).useStores(([chaser, position, velocity, knock], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const e = entities[i].id();
        const target = chaser.target[e].id();
        const dx = position.x[target] - position.x[e];
        const dy = position.y[target] - position.y[e];
        velocity.x[e] = heading(dx, dy) + knock.x[e];
        velocity.y[e] = heading(dy, dx) + knock.y[e];
        knock.x[e] = half(knock.x[e]);
        knock.y[e] = half(knock.y[e]);
        if (chaser.cooldown[e] > 0) chaser.cooldown[e] -= 1;
        else if (isNear(dx, dy, biteReach)) {
          chaser.cooldown[e] = biteCooldown;
          hero.health[target] -= 1;
          game.bites += 1;
        }
      }
    });
  });
}

/** A collected gem is replaced by a new one. */
function fly() {
  world.query(heroes).useStores(([hero]) => {
    world.query(flying).useStores(([attracted, position, velocity], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const e = entities[i].id();
        const target = attracted.to[e].id();
        const dx = position.x[target] - position.x[e];
        const dy = position.y[target] - position.y[e];
        velocity.x[e] = gemSpeed * heading(dx, dy);
        velocity.y[e] = gemSpeed * heading(dy, dx);
        if (!isNear(dx, dy, pickUpReach)) continue;
        hero.experience[target] += 1;
        game.collected += 1;
        entities[i].destroy();
        spawnGem(game.gemPlace(hero.number[target], { x: position.x[target], y: position.y[target] }));
      }
    });
  });
}

/** Gems that are near a hero begin to fly to it. */
function attract() {
  for (const hero of world.query(heroes)) {
    const { x, y } = hero.get(Position);
    for (const gem of game.grid.near(x, y, attractReach)) {
      if (!gem.has(Gem) || gem.has(Attracted)) continue;
      const place = gem.get(Position);
      if (!isNear(place.x - x, place.y - y, attractReach)) continue;
      gem.add(Attracted({ to: hero }), Velocity);
      game.attracted += 1;
    }
  }
}

function hit() {
  world.query(targets).useStores(([health, burning, knock]) => {
    world.query(bullets).useStores(([bullet, position, velocity], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const e = entities[i].id();
        const x = position.x[e];
        const y = position.y[e];
        let hits = 0;
        for (const target of game.grid.near(x, y, hitReach)) {
          const t = target.id();
          if (!isNear(position.x[t] - x, position.y[t] - y, hitReach) || !target.has(Health)) continue;
          health.value[t] -= 1;
          burning.frames[t] = burnTime;
          knock.x[t] += half(velocity.x[e]);
          knock.y[t] += half(velocity.y[e]);
          hits += 1;
        }
        game.hits += hits;
        bullet.life[e] -= 1;
        if (hits > 0 || bullet.life[e] === 0) entities[i].destroy();
      }
    });
  });
}

/** A dead enemy is replaced by a new one with the same target. */
function burn() {
  world.query(burning).useStores(([burning, health, chaser], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      if (burning.frames[e] > 0) {
        burning.frames[e] -= 1;
        health.value[e] -= burnDamage(burning.frames[e]);
      }
      if (health.value[e] > 0) continue;
      const target = chaser.target[e];
      game.kills += 1;
      entities[i].destroy();
      spawnEnemy(target, game.enemyPlace(target.get(Hero).number, target.get(Position)));
    }
  });
}

function animate() {
  world.query(animated).useStores(([animation, sprite], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      animation.timer[e] -= 1;
      if (animation.timer[e] > 0) continue;
      animation.timer[e] = pictureTime;
      sprite.picture[e] = (sprite.picture[e] + 1) % pictureCount;
    }
  });
}

function show() {
  world.query(sprites).useStores(([position, sprite], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      const isVisible = game.isInView(position.x[e], position.y[e]);
      if (isVisible) game.sprites.show(sprite.slot[e], position.x[e], position.y[e], sprite.picture[e]);
      else if (sprite.visible[e]) game.sprites.hide(sprite.slot[e]);
      sprite.visible[e] = isVisible;
    }
  });
}
