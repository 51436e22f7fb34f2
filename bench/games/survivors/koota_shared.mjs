// Of the game in koota, what is written in the same way with loops over stores and with `updateEach`.
import { createQuery, trait } from "koota";
import { Cell, game, Position, Velocity, world } from "../koota.mjs";
import { attractReach, bulletLife, enemyHealth, isNear, pictureTime } from "./rules.mjs";

export const Sprite = trait({ slot: 0, picture: 0, visible: false });
const Animation = trait({ timer: pictureTime });
export const Hero = trait({ number: 0, health: 0, experience: 0 });
export const Health = trait({ value: enemyHealth });
export const Burn = trait({ frames: 0 });
export const Knock = trait({ x: 0, y: 0 });
export const Bullet = trait({ life: bulletLife });
const Gem = trait();
export const traits = { Sprite, Hero, Health, Burn, Knock, Bullet, Gem };

export const heroes = createQuery(Hero, Position, Velocity);
export const bullets = createQuery(Bullet, Position, Velocity);
export const animated = createQuery(Animation, Sprite);
export const sprites = createQuery(Position, Sprite);

function newSprite() {
  return Sprite({ slot: game.sprites.add() });
}

export function spawnHero(number) {
  return world.spawn(Hero({ number }), Position(game.heroPlace(number)), Velocity, newSprite(), Animation);
}

/** `chase`: the traits that say what the enemy chases. */
export function newEnemy(position, ...chase) {
  return world.spawn(position, Velocity, ...chase, Health, Burn, Knock, Cell, newSprite(), Animation);
}

export function spawnBullet(place, velocity) {
  world.spawn(Bullet, Position(place), Velocity(velocity), newSprite(), Animation);
}

export function newGem(position) {
  return world.spawn(Gem, position, Cell, newSprite());
}

/** Returns the system that lets gems near a hero fly to it: `attracted` returns their trait, `isAttracted` whether they have it. */
export function attracting(attracted, isAttracted) {
  return () => {
    for (const hero of world.query(heroes)) {
      const { x, y } = hero.get(Position);
      for (const gem of game.grid.near(x, y, attractReach)) {
        if (!gem.has(Gem) || isAttracted(gem)) continue;
        const place = gem.get(Position);
        if (!isNear(place.x - x, place.y - y, attractReach)) continue;
        gem.add(attracted(hero), Velocity);
        game.attracted += 1;
      }
    }
  };
}
