// What the games have in common, without any library: time, frames, the grid, the sprites, random numbers, lists of entities.
// All positions are multiples of 1/64 below 8,192, and all velocities are integers; 32-bit floats store them exactly. So a
// game has the same result in every library, whatever type its numbers have.

/** Seconds per frame. */
export const delta = 1 / 64;
/** The width of a grid cell. */
const cellSize = 32;

/** Returns what plays one frame: the systems of the game in this order. */
export function frameOf(game, systems) {
  return () => {
    for (const system of systems) system();
    game.frame += 1;
  };
}

/**
 * Returns the `state` of a game for the verification: its `lists`, in which each entity has its position and numbers.
 * @param {(component: string) => Iterable<unknown>} having all entities with a component
 * @param {(entity: unknown, component: string, field: string) => number} read
 * @param {Record<string, (entity: unknown) => number>} own the numbers that are no field of a component
 */
export function stateOf({ lists }, having, read, own = {}) {
  const position = { x: "Position.x", y: "Position.y" };
  const number = (entity, [name, place]) => [name, own[name]?.(entity) ?? read(entity, ...place.split("."))];
  const numbers = (entity, places) => Object.fromEntries(Object.entries(places).map((each) => number(entity, each)));
  const list = ({ component, ...places }) =>
    Array.from(having(component), (entity) => numbers(entity, { ...position, ...places }));
  return () => Object.fromEntries(Object.entries(lists).map(([name, of]) => [name, list(of)]));
}

/** Velocities of one speed in `count` directions, rounded to integers; their sum is 0. */
export function directions(count, speed) {
  const rounded = (value) => Math.sign(value) * Math.round(Math.abs(value) * speed);
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return { x: rounded(Math.cos(angle)), y: rounded(Math.sin(angle)) };
  });
}

/**
 * One coordinate of a velocity of about 64, in one of 16 directions: x is `heading(dx, dy)` and y is `heading(dy, dx)`,
 * where (dx, dy) is the way to the target.
 */
export function heading(way, otherWay) {
  const a = Math.abs(way);
  const b = Math.abs(otherWay);
  const speed = b * 5 < a ? 64 : b * 3 < a * 2 ? 59 : a * 5 < b ? 0 : a * 3 < b * 2 ? 24 : 45;
  return way < 0 ? -speed : way > 0 ? speed : 0;
}

/** Whether two points at the distance (dx, dy) are at most `reach` apart. */
export function isNear(dx, dy, reach) {
  return dx * dx + dy * dy <= reach * reach;
}

/** Which things are in which part of a square room. An item is whatever the library uses as an entity. */
export class Grid {
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

/**
 * The places of all sprites, as a renderer sends them to the graphics card: x and y of each, 0 if a slot is free; and which
 * picture of its animation each of them shows.
 */
export class Sprites {
  values = new Float32Array(1 << 17);
  pictures = new Uint8Array(1 << 16);
  #free = [];
  #end = 0;
  add() {
    return this.#free.pop() ?? this.#end++;
  }
  set(slot, x, y) {
    this.values[2 * slot] = x;
    this.values[2 * slot + 1] = y;
  }
  show(slot, x, y, picture) {
    this.set(slot, x, y);
    this.pictures[slot] = picture;
  }
  hide(slot) {
    this.show(slot, 0, 0, 0);
  }
  remove(slot) {
    this.hide(slot);
    this.#free.push(slot);
  }
}

/** Returns a function of n whose results are integers from 0 to n - 1, always the same ones (Mulberry32). */
export function randomNumbers(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** A place on the edge of a square around a point, at a distance. */
export function placeAround({ x, y }, distance, random) {
  const side = random(4);
  const along = random(2 * distance) - distance;
  if (side === 0) return { x: x + along, y: y - distance };
  if (side === 1) return { x: x + along, y: y + distance };
  if (side === 2) return { x: x - distance, y: y + along };
  return { x: x + distance, y: y + along };
}
