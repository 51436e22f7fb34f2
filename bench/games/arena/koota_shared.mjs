// Of the game in koota, what is written in the same way with loops over stores and with `updateEach`.
import { createQuery, trait } from "koota";
import { game, Position, Velocity, world } from "../koota.mjs";
import {
  bulletLife,
  bulletsPerFrame,
  bulletVelocity,
  enemyHealth,
  isNear,
  pickUpReach,
  playerVelocity,
} from "./rules.mjs";

const Sprite = trait({ slot: 0 });
const Health = trait({ value: enemyHealth });
const Bullet = trait({ life: bulletLife });
const Player = trait();
const Gem = trait();
export const traits = { Sprite, Health, Bullet, Player, Gem };

export const players = createQuery(Player, Position, Velocity);
export const bullets = createQuery(Bullet, Position);

export function newSprite() {
  return Sprite({ slot: game.sprites.add() });
}

export function spawnPlayer() {
  world.spawn(Player, Position(game.centre), Velocity, newSprite());
}

function spawnBullet(place, velocity) {
  world.spawn(Bullet, Position(place), Velocity(velocity), newSprite());
}

export function steer() {
  for (const player of world.query(players)) player.set(Velocity, playerVelocity(game.frame));
}

export function fire() {
  for (const player of world.query(players)) {
    const place = player.get(Position);
    for (let i = 0; i < bulletsPerFrame; i++) spawnBullet(place, bulletVelocity(game.frame, i));
  }
}

/** Returns the system that collects gems; `placeGem` moves one. */
export function collecting(placeGem) {
  return () => {
    for (const player of world.query(players)) {
      const { x, y } = player.get(Position);
      for (const gem of game.grid.near(x, y, pickUpReach)) {
        if (!gem.has(Gem)) continue;
        const place = gem.get(Position);
        if (!isNear(place.x - x, place.y - y, pickUpReach)) continue;
        placeGem(gem, game.gemPlace({ x, y }));
        game.collected += 1;
      }
    }
  };
}

/** Returns the system that replaces dead enemies. */
export function spawning(enemies, spawnEnemy) {
  return () => {
    const missing = game.enemies - world.query(enemies).length;
    for (const player of world.query(players)) {
      const place = player.get(Position);
      for (let i = 0; i < missing; i++) spawnEnemy(game.enemyPlace(place));
    }
  };
}
