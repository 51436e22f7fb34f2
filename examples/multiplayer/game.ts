// The simulation of a yard: the server decides everything here. It knows nothing of connections.
import { ECS, defineComponent, type Entity } from "crateful";
import { restore, snapshot, type Bytes } from "crateful/state";
import { Coin, Crate, HEIGHT, Place, Player, Rules, STEP, WIDTH, sent, touches } from "./rules.js";

const CRATES = 60;
const COINS = 12;
const BEHIND = 4; // inputs that a player may make up for after a delay
const WAITING = 60; // inputs of a player that can wait
const ABSENT = 10 / STEP; // updates until an absent player is removed

/** Who plays a player: never sent, but saved, so that players find theirs when a room was restarted. */
class Seat extends defineComponent("Seat", { key: "string", absent: "u32" }) {}

/** The inputs of a player that is here. */
interface Inputs {
  readonly waiting: { number: number; keys: number }[];
  /** The number of the last one that was received. */
  received: number;
  /** How many may be processed: one more with each update. */
  credit: number;
}

export class Game {
  readonly ecs = new ECS();
  readonly #rules = new Rules(this.ecs);
  readonly #seats = this.ecs.query({ seat: Seat });
  readonly #coins = this.ecs.query({ coin: Coin, place: Place });
  readonly #inputs = new Map<Entity, Inputs>();

  /** A new yard, or one that was saved. */
  constructor(saved?: Uint8Array) {
    if (saved) {
      restore(this.ecs, saved, { components: [...sent, Seat] });
      return;
    }
    for (let i = 0; i < CRATES; ++i) this.ecs.addEntity([Place, this.#freePlace()], Crate);
    for (let i = 0; i < COINS; ++i) this.ecs.addEntity([Place, this.#freePlace()], Coin);
  }
  save(): Bytes {
    return snapshot(this.ecs);
  }

  /** The player with this key: the one that is here already, or a new one. */
  join(key: string, name: string): Entity {
    let player: Entity | undefined;
    for (const { entity, seat } of this.#seats) if (seat.key === key) player = entity;
    if (player === undefined) {
      const hue = Math.floor(360 * Math.random());
      player = this.ecs.addEntity([Place, this.#freePlace()], [Player, { name, hue }], [Seat, { key }]);
    }
    this.#inputs.set(player, { waiting: [], received: this.ecs.get(player, Player).inputs, credit: 1 });
    return player;
  }
  /** The player stays for a while, so that it can come back. */
  leave(player: Entity): void {
    this.#inputs.delete(player);
  }

  /** A client may say what it pressed, and nothing else. Throws a `RangeError` for anything else. */
  receive(player: Entity, bytes: Uint8Array): void {
    const inputs = this.#inputs.get(player);
    if (bytes.length !== 5) throw new RangeError("an input has 5 bytes");
    if (!inputs) return;
    const number = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (number <= inputs.received) return; // sent again after a reconnection
    if (number !== inputs.received + 1) throw new RangeError(`input ${number} follows ${inputs.received}`);
    if (inputs.waiting.length === WAITING) throw new RangeError("too many inputs");
    inputs.received = number;
    inputs.waiting.push({ number, keys: bytes[4]! });
  }

  update(): void {
    for (const [player, inputs] of this.#inputs) this.#process(player, inputs);
    for (const { entity, seat } of this.#seats) {
      seat.absent = this.#inputs.has(entity) ? 0 : seat.absent + 1;
      if (seat.absent > ABSENT) this.ecs.removeEntity(entity);
    }
    this.ecs.update(STEP);
  }
  #process(e: Entity, inputs: Inputs): void {
    inputs.credit = Math.min(inputs.credit + 1, BEHIND);
    const place = this.ecs.get(e, Place);
    const player = this.ecs.get(e, Player);
    for (const { number, keys } of inputs.waiting.splice(0, inputs.credit)) {
      inputs.credit -= 1;
      this.#rules.move(place, keys);
      player.inputs = number;
      for (const { place: coin } of this.#coins)
        if (touches(place, coin)) {
          player.score += 1;
          Object.assign(coin, this.#freePlace());
        }
    }
  }

  #freePlace(): { x: number; y: number } {
    for (;;) {
      const place = { x: WIDTH * Math.random(), y: HEIGHT * Math.random() };
      if (this.#rules.isFree(place.x, place.y)) return place;
    }
  }
}
