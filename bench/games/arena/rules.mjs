// The rules of the game of case `game`, without any library: numbers and places. Nothing depends on the order in which
// entities are visited; `../common.mjs` says why the result is exactly the same in all libraries.
import { directions, Grid, placeAround, randomNumbers, Sprites } from "../common.mjs";

export { delta, heading, isNear } from "../common.mjs";

export const bulletsPerFrame = 8;
/** Frames until a bullet that hits nothing is removed. */
export const bulletLife = 60;
export const enemyHealth = 3;
/** Distances: of a hit, of a bite by an enemy, and from which the player collects a gem. */
export const hitReach = 10;
export const biteReach = 40;
export const pickUpReach = 64;

/** Of `n` entities, so many are enemies; the others are gems at rest. The rooms have about the same density. */
const rooms = { 5000: { enemies: 1_000, size: 2_048 }, 36500: { enemies: 1_500, size: 6_144 } };
/** New enemies appear on the edge of a square around the player, at this distance. */
const spawnDistance = 400;

/** Everything that belongs to a game and to no entity. */
export class Game {
  frame = 0;
  hits = 0;
  kills = 0;
  bites = 0;
  collected = 0;
  #random = randomNumbers(1);

  /** @param {number} n the number of enemies and gems */
  constructor(n) {
    const { enemies, size } = rooms[n];
    this.enemies = enemies;
    this.gems = n - enemies;
    this.size = size;
    this.grid = new Grid(size);
    this.sprites = new Sprites();
  }
  /** Creates what a game begins with. */
  populate(spawnPlayer, spawnEnemy, spawnGem) {
    spawnPlayer();
    for (let i = 0; i < this.enemies; i++) spawnEnemy(this.firstEnemyPlace());
    for (let i = 0; i < this.gems; i++) spawnGem(this.firstGemPlace());
  }
  /** Where the player starts. */
  get centre() {
    return { x: this.size / 2, y: this.size / 2 };
  }
  /** A place for one of the first gems. */
  firstGemPlace() {
    return { x: this.#random(this.size), y: this.#random(this.size) };
  }
  /** A place for a collected gem, near the player. */
  gemPlace({ x, y }) {
    return { x: x + this.#random(512) - 256, y: y + this.#random(512) - 256 };
  }
  /** A place for an enemy that replaces a dead one. */
  enemyPlace(player) {
    return placeAround(player, spawnDistance, this.#random);
  }
  /** A place for one of the first enemies: they are as far away as enemies are when the game has run for a while. */
  firstEnemyPlace() {
    return placeAround(this.centre, 64 + this.#random(spawnDistance - 64), this.#random);
  }

  // For the verification: see `cases/game.mjs`.
  get counts() {
    const { hits, kills, bites, collected } = this;
    return { hits, kills, bites, "collected gems": collected };
  }
  get always() {
    return { enemies: this.enemies };
  }
  lists = {
    players: { component: "Player" },
    enemies: { component: "Health", health: "Health.value" },
    bullets: { component: "Bullet", life: "Bullet.life" },
    gems: { component: "Gem" },
  };
  isShown = () => true;
}

/** The velocity of the player: it walks along a polygon with 16 sides. */
export function playerVelocity(frame) {
  return playerVelocities[(frame >> 6) % 16];
}
/** The velocity of the i-th bullet of a frame. */
export function bulletVelocity(frame, i) {
  return bulletVelocities[(frame * 3 + (i * 32) / bulletsPerFrame) % 32];
}
const playerVelocities = directions(16, 48);
const bulletVelocities = directions(32, 256);
