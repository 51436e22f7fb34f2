// The room of a yard: who is connected, what is sent, and where it is saved.
import { CloseCode, Room, ServerError, type Client } from "@colyseus/core";
import type { Entity } from "crateful";
import { RoomWorld } from "crateful/colyseus";
import { Changes } from "crateful/state";
import { Game } from "./game.js";
import { STEP, sent } from "./rules.js";
import { store } from "./store.js";

const SAVE = 1 / STEP; // updates between two saves

export class Yard extends Room {
  override maxClients = 60;
  override maxMessagesPerSecond = 200; // a page sends up to 40 inputs again when it reconnects
  readonly #players = new Map<string, Entity>();
  #game!: Game;
  #world!: RoomWorld<Client>;
  /** Empty until the room is loaded: one that could not be loaded is not saved. */
  #name = "";
  #saved = Promise.resolve();
  /** The save that begins when `#saved` has ended. */
  #next: Promise<void> | undefined;

  override async onCreate({ yard }: { yard?: unknown }): Promise<void> {
    const name = text("yard", yard);
    this.#game = new Game(await store.load(name));
    this.#name = name;
    this.#world = new RoomWorld(this, new Changes(this.#game.ecs, { components: sent }));
    this.#world.onMessage("input", (client, bytes) => {
      const player = this.#players.get(client.sessionId);
      if (player !== undefined) this.#game.receive(player, bytes);
    });
    this.#world.onMessage("ping", (client, bytes) => {
      if (bytes.length > 8) throw new RangeError("a ping has at most 8 bytes");
      client.sendBytes("ping", bytes);
    });
    this.setTimestep(() => this.#tick(), 1000 * STEP);
    this.patchRate = null; // RoomWorld sends. Before setTimestep, it would start another clock
  }
  override onJoin(client: Client, options: { key?: unknown; name?: unknown }): void {
    const player = this.#game.join(text("key", options.key), text("name", options.name));
    for (const [id, other] of this.#players) if (other === player) this.#moveAway(id);
    this.#players.set(client.sessionId, player);
    this.#world.join(client);
    client.sendBytes("you", new Uint8Array(Uint32Array.of(player).buffer));
  }
  override async onDrop(client: Client, code?: number): Promise<void> {
    if (code === CloseCode.WITH_ERROR) return; // Colyseus ends it, for example because of too many messages
    await this.allowReconnection(client, 10);
  }
  override onReconnect(client: Client): void {
    if (!this.#players.has(client.sessionId)) leave(client);
  }
  override onLeave(client: Client): void {
    this.#world.leave(client);
    const player = this.#players.get(client.sessionId);
    this.#players.delete(client.sessionId);
    if (player !== undefined) this.#game.leave(player);
  }
  override async onDispose(): Promise<void> {
    if (this.#name !== "") await this.#save();
  }

  #tick(): void {
    this.#game.update();
    this.#world.send();
    if (this.#game.ecs.frame % SAVE === 0) void this.#save();
  }
  /** One after the other, and one waits at most: the store may be slow, or away. It saves what is the state then. */
  #save(): Promise<void> {
    this.#next ??= this.#saved.then(() => {
      this.#next = undefined;
      return (this.#saved = this.#write());
    });
    return this.#next;
  }
  async #write(): Promise<void> {
    try {
      await store.save(this.#name, this.#game.save());
    } catch (error) {
      console.error(error); // it must not end the process, which has other rooms
    }
  }
  /** The player is played from elsewhere now, for example after its page was opened again. */
  #moveAway(id: string): void {
    this.#players.delete(id);
    const client = this.clients.get(id); // none while its connection is lost
    if (client) leave(client);
  }
}

function leave(client: Client): void {
  client.leave(4000, "This player is played from elsewhere.");
}
/** What a client says when it joins is not trusted. */
function text(what: string, value: unknown): string {
  if (typeof value !== "string" || value.length < 1 || value.length > 40)
    throw new ServerError(400, `${what} must be a text of 1 to 40 characters`);
  return value;
}
