// The room of a yard: who is connected, what is sent, and where it is saved.
import { Room, ServerError, type Client } from "@colyseus/core";
import type { Entity } from "crateful";
import { RoomWorld } from "crateful/colyseus";
import { Changes } from "crateful/state";
import { Game } from "./game.js";
import { STEP, sent } from "./rules.js";
import { store } from "./store.js";

const SAVE = 1 / STEP; // updates between two saves

export class Yard extends Room {
  override maxClients = 60;
  override patchRate = null; // RoomWorld sends
  readonly #players = new Map<string, Entity>();
  #game!: Game;
  #world!: RoomWorld<Client>;
  #name = "";
  #saved = Promise.resolve();

  override async onCreate({ yard }: { yard?: unknown }): Promise<void> {
    this.#name = text("yard", yard);
    this.#game = new Game(await store.load(this.#name));
    this.#world = new RoomWorld(this, new Changes(this.#game.ecs, { components: sent }));
    this.#world.onMessage("input", (client, bytes) => {
      const player = this.#players.get(client.sessionId);
      if (player !== undefined) this.#game.receive(player, bytes);
    });
    this.#world.onMessage("ping", (client, bytes) => {
      if (bytes.length > 8) throw new RangeError("a ping has at most 8 bytes");
      client.sendBytes("ping", bytes);
    });
    this.setSimulationInterval(() => this.#tick(), 1000 * STEP);
  }
  override onJoin(client: Client, options: { key?: unknown; name?: unknown }): void {
    const player = this.#game.join(text("key", options.key), text("name", options.name));
    for (const [id, other] of this.#players) if (other === player) this.#moveAway(id);
    this.#players.set(client.sessionId, player);
    this.#world.join(client);
    client.sendBytes("you", new Uint8Array(Uint32Array.of(player).buffer));
  }
  override async onDrop(client: Client): Promise<void> {
    await this.allowReconnection(client, 10);
  }
  override onLeave(client: Client): void {
    this.#world.leave(client);
    const player = this.#players.get(client.sessionId);
    this.#players.delete(client.sessionId);
    if (player !== undefined) this.#game.leave(player);
  }
  override onDispose(): Promise<void> {
    return this.#save();
  }

  #tick(): void {
    this.#game.update();
    this.#world.send();
    if (this.#game.ecs.frame % SAVE === 0) void this.#save();
  }
  /** One after the other; an error must not end the process, which has other rooms. */
  #save(): Promise<void> {
    const bytes = this.#game.save();
    this.#saved = this.#saved.then(() => store.save(this.#name, bytes)).catch(console.error);
    return this.#saved;
  }
  /** The player is played from elsewhere now, for example after its page was opened again. */
  #moveAway(id: string): void {
    this.#players.delete(id);
    this.clients.getById(id)?.leave(4000, "This player is played from elsewhere.");
  }
}

/** What a client says when it joins is not trusted. */
function text(what: string, value: unknown): string {
  if (typeof value !== "string" || value.length < 1 || value.length > 40)
    throw new ServerError(400, `${what} must be a text of 1 to 40 characters`);
  return value;
}
