// A room and clients of objects that have only what crateful/colyseus uses, and a connection that delivers when the test says so.
import { ECS } from "crateful";
import { joinWorld, RoomWorld, type ClientRoom, type RoomClient } from "crateful/colyseus";
import { Changes, Replica } from "crateful/state";
import { Label, Place } from "./rooms.js";

type Handle = (client: Connection, bytes: Uint8Array) => void;
interface Message {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A server with a room. */
export class Host {
  readonly ecs = new ECS();
  readonly clients: Connection[] = [];
  readonly handlers = new Map<string, Handle>();
  readonly world = new RoomWorld<Connection>(
    { clients: this.clients, onMessageBytes: (type, handle) => this.handlers.set(type, handle) },
    new Changes(this.ecs, { components: [Place, Label] }),
  );
  /** A page that has connected, and that the room has not joined yet. */
  connect(id: string): Page {
    const page = new Page(id);
    this.#connect(page);
    return page;
  }
  reconnect(page: Page): void {
    this.#connect(page);
    for (const call of page.reconnected) call();
  }
  #connect(page: Page): void {
    page.connection = new Connection(page.id);
    this.clients.push(page.connection);
  }
  /** What has not arrived is lost. */
  drop(page: Page): void {
    this.clients.splice(this.clients.indexOf(page.connection as Connection), 1);
    page.connection = undefined;
  }
  /** Receives what a client has sent, at most so many messages. */
  receive(client: Connection, most = Number.POSITIVE_INFINITY): void {
    for (const { type, bytes } of client.up.splice(0, most)) this.handlers.get(type)?.(client, bytes);
  }
  update(): number {
    this.ecs.update();
    return this.world.send();
  }
}

/** The server's end of a connection. */
export class Connection implements RoomClient {
  readonly up: Message[] = [];
  readonly down: Message[] = [];
  /** The code with which it was ended by the server. */
  left: number | undefined;
  /** Whether the next message cannot be sent. */
  fails = false;
  constructor(readonly sessionId: string) {}
  sendBytes(type: string, bytes: Uint8Array): void {
    if (this.fails) throw new Error("the socket is broken");
    this.down.push({ type, bytes });
  }
  leave(code: number): void {
    this.left = code;
  }
}

/** A page that shows the world of the room. */
export class Page {
  readonly ecs = new ECS();
  readonly replica = new Replica(this.ecs, { components: [Place, Label] });
  readonly reconnected: (() => void)[] = [];
  /** Undefined while it is lost. */
  connection: Connection | undefined;
  applied = 0;
  #receive: (bytes: Uint8Array) => void = () => {};

  constructor(readonly id: string) {
    const room: ClientRoom = {
      onMessage: (_, receive) => {
        this.#receive = receive;
        return () => {};
      },
      sendBytes: (type, bytes) => this.connection?.up.push({ type, bytes }),
      onReconnect: (call) => this.reconnected.push(call),
    };
    joinWorld(room, this.replica, () => void this.applied++);
  }
  /** Receives what the server has sent, at most so many messages. */
  receive(most = Number.POSITIVE_INFINITY): void {
    for (const { bytes } of this.connection?.down.splice(0, most) ?? []) this.#receive(bytes);
  }
}
