// Rooms of Colyseus in this process, and clients that show their worlds. Nothing has a timer: a test says when a room updates.
import { createServer } from "node:net";
import { Room, Server, type Client as RoomClient } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import type { Room as JoinedRoom } from "@colyseus/sdk";
import { ECS, defineComponent, type Entity } from "crateful";
import { joinWorld, RoomWorld } from "crateful/colyseus";
import { Changes, Replica } from "crateful/state";
import { WebSocket } from "ws";

// Node 20 has none, and that of later versions cannot lose a connection. @colyseus/sdk looks for it when it is loaded.
globalThis.WebSocket = WebSocket as never;
export const { Client } = await import("@colyseus/sdk");

export class Place extends defineComponent("Place", { x: "f32", y: "f32" }) {}
export class Label extends defineComponent("Label", { text: "string" }) {}

/** A room with 100 crates. */
export class Yard extends Room {
  readonly ecs = new ECS();
  readonly crates: Entity[] = [];
  readonly #waiting = new Map<string, () => void>();
  world!: RoomWorld;

  override onCreate(): void {
    this.autoDispose = false;
    this.patchRate = null;
    for (let i = 0; i < 100; ++i) this.crates.push(this.ecs.addEntity([Place, { x: i }]));
    this.world = new RoomWorld(this, new Changes(this.ecs, { components: [Place, Label] }));
    this.world.onMessage("name", (client, bytes) => {
      if (bytes.length > 8) throw new RangeError("a name has at most 8 bytes");
      this.ecs.addEntity([Label, { text: `${client.sessionId} ${String.fromCharCode(...bytes)}` }]);
    });
    this.onMessage("sync", (client) => this.#happened("sync", client));
  }
  override onJoin(client: RoomClient): void {
    this.world.join(client);
  }
  override async onDrop(client: RoomClient): Promise<void> {
    this.#happened("drop", client);
    await this.allowReconnection(client, "manual");
  }
  override onLeave(client: RoomClient): void {
    this.world.leave(client);
    this.#happened("leave", client);
  }
  /** Resolves when the player leaves, is dropped, or when everything that it has sent before was received. */
  async after(what: "drop" | "leave" | "sync", { room }: Player): Promise<void> {
    const happens = new Promise<void>((done) => this.#waiting.set(`${what} ${room.sessionId}`, done));
    if (what === "sync") room.send("sync");
    await happens;
  }
  #happened(what: string, { sessionId }: RoomClient): void {
    this.#waiting.get(`${what} ${sessionId}`)?.();
  }
  /** Where the crates are, in their order. */
  get truth(): unknown[] {
    return this.crates.map((e) => this.ecs.get(e, Place).x);
  }
  place(crate: number): Place {
    return this.ecs.get(this.crates[crate] as Entity, Place);
  }
  /** The client of the room for a player. */
  clientOf({ room }: Player): RoomClient {
    return this.clients.getById(room.sessionId) as RoomClient;
  }
  /** One update; returns how many bytes were sent. */
  tick(): number {
    this.ecs.update();
    return this.world.send();
  }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a server with rooms of the class, and returns its address. */
export async function serve(room: new () => Room): Promise<{ address: string; close(): Promise<void> }> {
  const server = new Server({ transport: new WebSocketTransport(), greet: false, gracefullyShutdown: false });
  server.define("yard", room as never).filterBy(["yard"]);
  const port = await freePort();
  await server.listen(port, "127.0.0.1");
  return { address: `ws://127.0.0.1:${port}`, close: () => server.gracefullyShutdown(false) };
}

/** A client that shows the world of a room. */
export class Player {
  readonly ecs = new ECS();
  readonly replica = new Replica(this.ecs, { components: [Place, Label] });
  bytes = 0;
  #arrived: (() => void)[] = [];

  constructor(readonly room: JoinedRoom) {
    room.reconnection.minUptime = 0;
    joinWorld(room, this.replica, (bytes) => {
      this.bytes += bytes;
      for (const wake of this.#arrived.splice(0)) wake();
    });
  }
  /** Resolves when the next bytes have been applied. */
  applied(): Promise<void> {
    return new Promise((done) => this.#arrived.push(done));
  }
  /** Where it shows the crates of the room. */
  shows(yard: Yard): unknown[] {
    return yard.crates.map((e) => this.ecs.tryGet(this.replica.entity(e), Place)?.x);
  }
}
