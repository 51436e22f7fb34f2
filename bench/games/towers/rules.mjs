// The rules of the game of case `towers`, without any library: numbers and places. Nothing depends on the order in which
// entities are visited: effects are sums, and a tower chooses the enemy with the lowest number. `../common.mjs` says why the
// result is exactly the same in all libraries.
import { Grid, randomNumbers, Sprites } from "../common.mjs";

export { delta, heading, isNear } from "../common.mjs";

export const enemyHealth = 3;
/** Frames for which an enemy walks at half its speed after a hit. */
export const slowTime = 32;
/** Frames between two shots of a tower. */
export const reloadTime = 5;
/** How many times as fast as enemies shots fly. */
export const shotSpeed = 4;
/** Distances: at which a way point is reached, in which towers find enemies, and of a hit. */
export const wayPointReach = 2;
export const towerReach = 128;
export const hitReach = 4;

const size = 4_096;
const towerCount = 100;
/** Enemies walk in lanes beside each other: their distance to the path is below this. */
const laneWidth = 24;

/** The path is closed: eight lines up and down, and a way back. */
export const path = [];
for (let i = 0; i < 8; i++) {
  const x = 256 + 448 * i;
  path.push({ x, y: i % 2 === 0 ? 512 : 3_584 }, { x, y: i % 2 === 0 ? 3_584 : 512 });
}
path.push({ x: 3_392, y: 256 }, { x: 256, y: 256 });

/** Everything that belongs to a game and to no entity. */
export class Game {
  frame = 0;
  shots = 0;
  hits = 0;
  misses = 0;
  kills = 0;
  grid = new Grid(size);
  sprites = new Sprites();
  #random = randomNumbers(1);
  #numbers = 0;

  /** @param {number} n the number of enemies */
  constructor(n) {
    this.enemies = n;
    this.towers = Array.from({ length: towerCount }, () => this.#towerPlace());
  }
  /** Creates what a game begins with. */
  populate(spawnTower, spawnEnemy) {
    for (const place of this.towers) spawnTower(place);
    for (let i = 0; i < this.enemies; i++) spawnEnemy();
  }
  /** A new enemy, somewhere on the path: its number, its lane, the index of its next way point, and its place. */
  newEnemy() {
    const next = this.#random(path.length);
    const lane = this.#random(2 * laneWidth) - laneWidth;
    const { x, y } = this.#placeBefore(next);
    return { number: this.#numbers++, lane, next, x: x + lane, y: y + lane };
  }
  #towerPlace() {
    const { x, y } = this.#placeBefore(this.#random(path.length));
    return { x: x + 64, y: y + 64 };
  }
  /** A place on the line that ends at a way point. */
  #placeBefore(next) {
    const from = path[(next + path.length - 1) % path.length];
    const to = path[next];
    const along = (a, b) => (a === b ? a : Math.min(a, b) + this.#random(Math.abs(a - b)));
    return { x: along(from.x, to.x), y: along(from.y, to.y) };
  }

  // For the verification: see `cases/game.mjs`.
  get counts() {
    const { shots, hits, misses, kills } = this;
    return { "fired shots": shots, hits, misses, kills };
  }
  get always() {
    return { enemies: this.enemies, towers: towerCount };
  }
  lists = {
    enemies: {
      component: "Walker",
      number: "Walker.number",
      next: "Walker.next",
      lane: "Walker.lane",
      health: "Health.value",
      slow: "Slow.frames",
    },
    towers: { component: "Tower", reload: "Tower.reload", target: "the number of its target, or -1" },
    shots: { component: "Shot", target: "the number of its target, or -1" },
  };
  isShown = () => true;
}
