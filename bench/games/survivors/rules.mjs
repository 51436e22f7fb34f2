// The rules of the game of case `survivors`, without any library: numbers and places. Nothing depends on the order in which
// entities are visited: effects are sums, and each hero has random numbers of its own. `../common.mjs` says why the result is
// exactly the same in all libraries.
import { directions, Grid, placeAround, randomNumbers, Sprites } from "../common.mjs";

export { delta, heading, isNear } from "../common.mjs";

export const heroCount = 4;
/** Bullets that each hero fires in a frame. */
export const bulletsPerHero = 4;
/** Frames until a bullet that hits nothing is removed. */
export const bulletLife = 60;
export const enemyHealth = 6;
/** Frames between two bites of an enemy. */
export const biteCooldown = 30;
/** Frames for which an enemy burns after a hit; it loses health in some of them. */
export const burnTime = 24;
const burnPeriod = 8;
/** Frames for which a picture of an animation is shown, and the number of its pictures. */
export const pictureTime = 6;
export const pictureCount = 4;
/** Distances: of a hit, of a bite, from which a gem flies to a hero, and at which it is collected. */
export const hitReach = 10;
export const biteReach = 24;
export const attractReach = 192;
export const pickUpReach = 12;
/** How many times as fast as enemies gems fly. */
export const gemSpeed = 3;

/** Of `n` entities, so many are enemies; the others are gems, most of them at rest. */
const rooms = { 5000: { enemies: 2_000, size: 4_096 }, 36500: { enemies: 2_500, size: 8_192 } };
/** New enemies appear on the edge of a square around their hero, at this distance. */
const spawnDistance = 400;
/** What the camera shows: so far to each side. */
const view = { x: 480, y: 270 };

/** Everything that belongs to a game and to no entity. */
export class Game {
  frame = 0;
  hits = 0;
  kills = 0;
  bites = 0;
  attracted = 0;
  collected = 0;
  /** The centre of what is shown. */
  camera = { x: 0, y: 0 };
  #random = randomNumbers(1);
  #randomOf = Array.from({ length: heroCount }, (_, hero) => randomNumbers(2 + hero));

  /** @param {number} n the number of enemies and gems */
  constructor(n) {
    const { enemies, size } = rooms[n];
    this.enemies = enemies;
    this.gems = n - enemies;
    this.size = size;
    this.grid = new Grid(size);
    this.sprites = new Sprites();
  }
  /** Creates what a game begins with. `spawnHero` returns what an enemy chases. */
  populate(spawnHero, spawnEnemy, spawnGem) {
    const heroes = Array.from({ length: heroCount }, (_, number) => spawnHero(number));
    for (let i = 0; i < this.enemies; i++) spawnEnemy(heroes[i % heroCount], this.firstEnemyPlace(i % heroCount));
    for (let i = 0; i < this.gems; i++) spawnGem(this.firstGemPlace());
  }
  /** Where a hero starts: they are so far apart that no gem is near two of them. */
  heroPlace(hero) {
    return { x: (this.size * (1 + 2 * (hero % 2))) / 4, y: (this.size * (1 + 2 * (hero >> 1))) / 4 };
  }
  /** A place for one of the first gems. */
  firstGemPlace() {
    return { x: this.#random(this.size), y: this.#random(this.size) };
  }
  /** A place for a gem that replaces a collected one, near the hero with this number, who is at (x, y). */
  gemPlace(hero, { x, y }) {
    const random = this.#randomOf[hero];
    return { x: x + random(256) - 128, y: y + random(256) - 128 };
  }
  /** A place for an enemy that replaces a dead one. */
  enemyPlace(hero, { x, y }) {
    return placeAround({ x, y }, spawnDistance, this.#randomOf[hero]);
  }
  /** A place for one of the first enemies: they are as far away as enemies are when the game has run for a while. */
  firstEnemyPlace(hero) {
    const random = this.#randomOf[hero];
    return placeAround(this.heroPlace(hero), 64 + random(spawnDistance - 64), random);
  }
  isInView(x, y) {
    return Math.abs(x - this.camera.x) <= view.x && Math.abs(y - this.camera.y) <= view.y;
  }

  // For the verification: see `cases/game.mjs`.
  get counts() {
    const { hits, kills, bites, attracted, collected } = this;
    return { hits, kills, bites, "attracted gems": attracted, "collected gems": collected };
  }
  get always() {
    return { heroes: heroCount, enemies: this.enemies, gems: this.gems };
  }
  lists = {
    heroes: { component: "Hero", health: "Hero.health", experience: "Hero.experience" },
    enemies: {
      component: "Chaser",
      hero: "the number of the hero that it chases",
      health: "Health.value",
      burn: "Burn.frames",
      knockX: "Knock.x",
      knockY: "Knock.y",
      cooldown: "Chaser.cooldown",
      picture: "Sprite.picture",
    },
    bullets: { component: "Bullet", life: "Bullet.life", picture: "Sprite.picture" },
    gems: { component: "Gem", flying: "1 if it flies to a hero, else 0" },
  };
  isShown = ({ x, y }) => this.isInView(x, y);
}

/** The velocity of all heroes: they walk along polygons with 16 sides. */
export function heroVelocity(frame) {
  return heroVelocities[(frame >> 6) % 16];
}
/** The velocity of the i-th bullet of a hero in a frame. */
export function bulletVelocity(frame, hero, i) {
  return bulletVelocities[(frame * 3 + hero * 8 + (i * 32) / bulletsPerHero) % 32];
}
const heroVelocities = directions(16, 48);
const bulletVelocities = directions(32, 256);

/** Half of a velocity, rounded towards 0: so much a bullet knocks an enemy back, and so much is left of it in the next frame. */
export function half(velocity) {
  return (velocity / 2) | 0;
}
/** The health that an enemy loses that burns for so many more frames. */
export function burnDamage(frames) {
  return frames % burnPeriod === 0 ? 1 : 0;
}
