// What server and page have in common: the components, and how a player moves.
import { defineComponent, type ECS, type Entity } from "crateful";

export const WIDTH = 40; // of the yard, in metres
export const HEIGHT = 24;
export const STEP = 0.05; // seconds for each input
const SPEED = 6;
const RADIUS = 0.4; // of a player
const HALF = 0.5; // of a crate
const REACH = RADIUS + HALF;
const SLACK = 0.001; // crates may be so much inside of each other, because numbers are rounded

export class Place extends defineComponent("Place", { x: "f32", y: "f32" }) {}
export class Crate extends defineComponent("Crate") {}
export class Coin extends defineComponent("Coin") {}
/** `inputs` is the number of the last input that the server has processed. */
export class Player extends defineComponent("Player", { name: "string", hue: "u16", score: "u32", inputs: "u32" }) {}
/** What is sent to the clients. */
export const sent = [Place, Crate, Coin, Player];

/** The keys that are pressed, as the bits of a byte. */
export const Keys = { left: 1, right: 2, up: 4, down: 8 } as const;

const inside = (at: number, size: number, half: number) => Math.min(Math.max(half, at), size - half);

export class Rules {
  readonly #crates;
  constructor(ecs: ECS) {
    this.#crates = ecs.query({ place: Place, crate: Crate });
  }

  /**
   * Moves a player by one input. It pushes the crates that it meets, each of which `pushes` receives before it moves; a player stands
   * where a crate cannot be moved. The same places and inputs give the same places, on each machine.
   */
  move(player: Place, keys: number, pushes?: (crate: Entity) => void): void {
    const right = Number((keys & Keys.right) !== 0) - Number((keys & Keys.left) !== 0);
    const down = Number((keys & Keys.down) !== 0) - Number((keys & Keys.up) !== 0);
    const step = SPEED * STEP * (right !== 0 && down !== 0 ? Math.SQRT1_2 : 1);
    player.x = inside(player.x + step * right, WIDTH, RADIUS);
    player.y = inside(player.y + step * down, HEIGHT, RADIUS);
    for (const { entity, place } of this.#crates) {
      const x = place.x - player.x;
      const y = place.y - player.y;
      const [overX, overY] = [REACH - Math.abs(x), REACH - Math.abs(y)];
      if (overX <= SLACK || overY <= SLACK) continue;
      const alongX = overX < overY;
      const [byX, byY] = alongX ? [x < 0 ? -overX : overX, 0] : [0, y < 0 ? -overY : overY];
      if (this.isFree(place.x + byX, place.y + byY, entity)) {
        pushes?.(entity);
        place.x += byX;
        place.y += byY;
      } else {
        player.x -= byX;
        player.y -= byY;
      }
    }
  }

  /** Whether a crate can be here. */
  isFree(x: number, y: number, crate?: Entity): boolean {
    if (x !== inside(x, WIDTH, HALF) || y !== inside(y, HEIGHT, HALF)) return false;
    for (const { entity, place } of this.#crates)
      if (entity !== crate && Math.abs(place.x - x) < 2 * HALF - SLACK && Math.abs(place.y - y) < 2 * HALF - SLACK)
        return false;
    return true;
  }
}

/** Whether a player touches a coin. */
export function touches(player: Place, coin: Place): boolean {
  return Math.hypot(player.x - coin.x, player.y - coin.y) < 2 * RADIUS;
}
