// The game in koota 0.6 through `useStores`, which its guide recommends "for performance-critical operations". This way
// changes are not detected, so the grid is updated for everything in it that can move, and for a gem when it is created.
// A hero is a number in a store, as entities are in koota; `koota-each` uses relations.
import { createQuery, trait } from "koota";
import { begin, Cell, enterCellsInStores, game, moveInStores, played, Position, Velocity, world } from "../koota.mjs";
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

const Chaser = trait({ target: 0, cooldown: 0 });
const Attracted = trait({ to: 0 });

const enemies = createQuery(Chaser, Position, Velocity, Knock);
const flying = createQuery(Attracted, Position, Velocity);
const movingInCells = createQuery(Position, Cell, Velocity);
const burning = createQuery(Burn, Health, Chaser);
const targets = createQuery(Health, Burn, Knock);

const isAttracted = (gem) => gem.has(Attracted);
const attract = attracting((to) => Attracted({ to }), isAttracted);
const enterCells = () => enterCellsInStores(movingInCells);

export function play({ n }) {
  begin(new Game(n), { ...traits, Chaser });
  game.populate(spawnHero, spawnEnemy, spawnGem);
  const own = {
    hero: (entity) => entity.get(Chaser).target.get(Hero).number,
    flying: (entity) => (isAttracted(entity) ? 1 : 0),
  };
  return played([act, chase, fly, moveInStores, enterCells, attract, hit, burn, animate, show], own);
}

function spawnEnemy(target, place) {
  newEnemy(Position(place), Chaser({ target }));
}

/** Gems have no velocity until they fly, so `enterCells` does not visit them. */
function spawnGem(place) {
  const gem = newGem(Position(place));
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
