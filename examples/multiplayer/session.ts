// One connection to a yard: the copy of its world, in which the own player is ahead of the server.
import { ECS, NONE, type Entity } from "crateful";
import { joinWorld, type ClientRoom } from "crateful/colyseus";
import { Replica } from "crateful/state";
import { Place, Player, Rules, sent } from "./rules.js";

const AHEAD = 40; // inputs that wait for the server at most: then the connection is slow or lost

interface Input {
  readonly number: number;
  readonly keys: number;
}

export class Session {
  readonly ecs = new ECS();
  readonly replica = new Replica(this.ecs, { components: sent });
  /** The own player, once it is here. */
  me: Entity = NONE;
  /** How often the server has decided otherwise than predicted. */
  corrections = 0;
  /** Bytes of the world that were received. */
  bytes = 0;
  /** The last round trip to the server, in milliseconds. */
  ping = 0;
  readonly #room: ClientRoom;
  readonly #rules = new Rules(this.ecs);
  /** What is predicted besides the own player: the crates that it pushes. */
  readonly #pushed = new Set<Entity>();
  #waiting: Input[] = [];
  #number = 0;
  /** Where the own player was shown last. */
  #shown: { x: number; y: number } | undefined;
  #remote: Entity = NONE;

  constructor(room: ClientRoom, applied?: () => void) {
    this.#room = room;
    joinWorld(room, this.replica, (bytes) => {
      this.bytes += bytes;
      this.#repeat();
      applied?.();
    });
    room.onReconnect(() => {
      for (const input of this.#waiting) this.#send(input); // some may be lost; the server ignores those that it has received
    });
    room.onMessage("you", (bytes) => {
      this.#remote = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
      this.#begin(); // if its world is here already
    });
    room.onMessage("ping", (bytes) => {
      this.ping = performance.now() - new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
    });
  }
  /** Measures the round trip. */
  sendPing(): void {
    this.#room.sendBytes("ping", new Uint8Array(Float64Array.of(performance.now()).buffer));
  }

  /** One step with these keys: sends them, and shows at once what they will do. */
  input(keys: number): void {
    if (keys === 0 || this.me === NONE || this.#waiting.length === AHEAD) return;
    const input = { number: ++this.#number, keys };
    this.#waiting.push(input);
    this.#send(input);
    this.#move(keys);
  }
  /** Whether an entity is ahead of the server. */
  isPredicted(e: Entity): boolean {
    return e === this.me || this.#pushed.has(e);
  }

  #send({ number, keys }: Input): void {
    const bytes = new DataView(new ArrayBuffer(5));
    bytes.setUint32(0, number, true);
    bytes.setUint8(4, keys);
    this.#room.sendBytes("input", new Uint8Array(bytes.buffer));
  }
  #move(keys: number): void {
    this.#rules.move(this.ecs.get(this.me, Place), keys, (crate) => {
      if (this.#pushed.has(crate)) return;
      this.replica.predict(crate);
      this.#pushed.add(crate);
    });
    this.#shown = this.#myPlace();
  }
  #myPlace(): { x: number; y: number } {
    const { x, y } = this.ecs.get(this.me, Place);
    return { x, y };
  }
  /** The world is that of the server now: repeats what the server has not processed yet. */
  #repeat(): void {
    for (const crate of this.#pushed) this.replica.stopPredicting(crate);
    this.#pushed.clear();
    if (this.me === NONE) this.#begin();
    if (this.me === NONE) return;
    const { inputs } = this.ecs.get(this.me, Player);
    this.#waiting = this.#waiting.filter(({ number }) => number > inputs);
    const before = this.#shown;
    for (const { keys } of this.#waiting) this.#move(keys);
    this.#shown = this.#myPlace();
    if (before && (before.x !== this.#shown.x || before.y !== this.#shown.y)) this.corrections += 1;
  }
  #begin(): void {
    this.me = this.replica.entity(this.#remote);
    if (this.me === NONE) return;
    this.replica.predict(this.me);
    this.#number = this.ecs.get(this.me, Player).inputs;
  }
}
