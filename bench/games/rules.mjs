// The rules of the game of case `game`, without any library: numbers, steering, places, the grid and the sprites.
// All positions are multiples of 1/64 below 8,192, which 32-bit floats store exactly. So a game has the same result in
// every library, whatever type its numbers have. Nothing depends on the order in which entities are visited.

/** Seconds per frame. */
export const delta = 1 / 64;
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
/** The width of a grid cell. */
const cellSize = 32;

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
  enemyPlace({ x, y }, distance = spawnDistance) {
    const side = this.#random(4);
    const along = this.#random(2 * distance) - distance;
    if (side === 0) return { x: x + along, y: y - distance };
    if (side === 1) return { x: x + along, y: y + distance };
    if (side === 2) return { x: x - distance, y: y + along };
    return { x: x + distance, y: y + along };
  }
  /** A place for one of the first enemies: they are as far away as enemies are when the game has run for a while. */
  firstEnemyPlace() {
    return this.enemyPlace(this.centre, 64 + this.#random(spawnDistance - 64));
  }
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

/** Velocities of one speed in `count` directions, rounded to integers; their sum is 0. */
function directions(count, speed) {
  const rounded = (value) => Math.sign(value) * Math.round(Math.abs(value) * speed);
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return { x: rounded(Math.cos(angle)), y: rounded(Math.sin(angle)) };
  });
}

/**
 * One coordinate of the velocity of an enemy, in one of 16 directions: x is `chaseSpeed(dx, dy)` and y is
 * `chaseSpeed(dy, dx)`, where (dx, dy) is the way to the player.
 */
export function chaseSpeed(way, otherWay) {
  const a = Math.abs(way);
  const b = Math.abs(otherWay);
  const speed = b * 5 < a ? 64 : b * 3 < a * 2 ? 59 : a * 5 < b ? 0 : a * 3 < b * 2 ? 24 : 45;
  return way < 0 ? -speed : way > 0 ? speed : 0;
}

/** Whether two points at the distance (dx, dy) are at most `reach` apart. */
export function isNear(dx, dy, reach) {
  return dx * dx + dy * dy <= reach * reach;
}

/** Which enemies and gems are in which part of the room. An item is whatever the library uses as an entity. */
class Grid {
  #cells;
  #columns;
  #found = [];
  constructor(size) {
    this.#columns = size / cellSize;
    this.#cells = Array.from({ length: this.#columns ** 2 }, () => []);
  }
  /** Moves an item to the cell at (x, y), and returns the number of this cell. `from` is -1 for a new item. */
  move(item, from, x, y) {
    const to = Math.floor(x / cellSize) + Math.floor(y / cellSize) * this.#columns;
    if (to === from) return from;
    if (from !== -1) this.remove(item, from);
    this.#cells[to].push(item);
    return to;
  }
  remove(item, cell) {
    const items = this.#cells[cell];
    const at = items.indexOf(item);
    if (at === -1) throw new Error(`an item is not in cell ${cell} of the grid`);
    items[at] = items[items.length - 1];
    items.pop();
  }
  /** The items of all cells within `reach` of a point; the next call overwrites the list. */
  near(x, y, reach) {
    const found = this.#found;
    found.length = 0;
    const right = Math.floor((x + reach) / cellSize);
    const bottom = Math.floor((y + reach) / cellSize);
    for (let row = Math.floor((y - reach) / cellSize); row <= bottom; row++) {
      for (let column = Math.floor((x - reach) / cellSize); column <= right; column++) {
        const items = this.#cells[row * this.#columns + column];
        for (let i = 0; i < items.length; i++) found.push(items[i]);
      }
    }
    return found;
  }
}

/** The places of all sprites, as a renderer sends them to the graphics card: x and y of each, 0 if a slot is free. */
class Sprites {
  values = new Float32Array(1 << 17);
  #free = [];
  #end = 0;
  add() {
    return this.#free.pop() ?? this.#end++;
  }
  set(slot, x, y) {
    this.values[2 * slot] = x;
    this.values[2 * slot + 1] = y;
  }
  remove(slot) {
    this.set(slot, 0, 0);
    this.#free.push(slot);
  }
}

/** Returns a function of n whose results are integers from 0 to n - 1, always the same ones (Mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}
