// Colyseus: the world of a room, and its copies in the clients. It imports nothing of Colyseus, so that a page does not load the server, nor a
// server the client. See docs/multiplayer.md.
import { EcsError } from "../api.js";
import type { Changes, Receiver, ReceiverOptions, Replica, TakeOptions } from "../state/index.js";

/** The messages of both directions. */
const MESSAGE = "crateful";
/** Colyseus's `CloseCode.CONSENTED`: the client leaves at once. After others, a room that allows it waits for the client to reconnect. */
const LEAVES = 4000;

/** What is used of Colyseus's `Client` in a room. */
export interface RoomClient {
  readonly sessionId: string;
  sendBytes(type: string, bytes: Uint8Array): void;
  leave(code?: number, reason?: string): void;
}
/** What is used of Colyseus's `Room` in a server. */
export interface ServerRoom<C extends RoomClient> {
  readonly clients: Iterable<C>;
  onMessageBytes(type: string, callback: (client: C, bytes: Uint8Array) => void): unknown;
}
/** What is used of Colyseus's `Room` in a client. */
export interface ClientRoom {
  onMessage(type: string, callback: (bytes: Uint8Array) => void): () => void;
  sendBytes(type: string, bytes: Uint8Array): void;
}

/**
 * Sends the changes of an ECS to the clients of a room. What a client has not acknowledged is sent again, so a client that reconnects
 * continues from there.
 */
export class RoomWorld<C extends RoomClient = RoomClient> {
  readonly #room: ServerRoom<C>;
  readonly #changes: Changes;
  readonly #receivers = new Map<string, Receiver>();
  /** Clients that are being disconnected; what they still send has no effect. */
  readonly #refused = new WeakSet<C>();

  /** Call it in `onCreate`. `changes` stays the caller's. */
  constructor(room: ServerRoom<C>, changes: Changes) {
    this.#room = room;
    this.#changes = changes;
    this.onMessage(MESSAGE, (client, bytes) => this.#receivers.get(client.sessionId)?.acknowledge(bytes));
  }
  /** Call it in `onJoin`. Returns what selects the client's entities. */
  join(client: C, options: Omit<ReceiverOptions, "lossy"> = {}): Receiver {
    this.leave(client);
    const receiver = this.#changes.receiver({ ...options, lossy: true });
    this.#receivers.set(client.sessionId, receiver);
    return receiver;
  }
  /** Call it in `onLeave`, which Colyseus does once a client cannot reconnect any more. */
  leave(client: C): void {
    this.#receivers.get(client.sessionId)?.dispose();
    this.#receivers.delete(client.sessionId);
  }
  /** The receiver of a client that has joined. */
  receiver(client: C): Receiver | undefined {
    return this.#receivers.get(client.sessionId);
  }
  /** Sends each connected client what has changed for it. Call it once after each `update`. O(changes · clients). Returns the bytes. */
  send(options?: TakeOptions): number {
    let sent = 0;
    for (const client of this.#room.clients) {
      const bytes = this.#receivers.get(client.sessionId)?.take(options);
      if (bytes === undefined || bytes.length === 0) continue;
      client.sendBytes(MESSAGE, bytes);
      sent += bytes.length;
    }
    return sent;
  }
  /**
   * As `room.onMessageBytes`; a client for whose message `handle` throws an `EcsError` or `RangeError` is disconnected, with a line in the
   * log: it leaves at once, with the code 4000 and a reason. So `handle` checks everything before it changes something.
   */
  onMessage(type: string, handle: (client: C, bytes: Uint8Array) => void): void {
    this.#room.onMessageBytes(type, (client, bytes) => {
      if (this.#refused.has(client)) return;
      try {
        handle(client, bytes);
      } catch (error) {
        if (!(error instanceof EcsError || error instanceof RangeError)) throw error;
        console.warn(`crateful: client ${client.sessionId} is disconnected: its message "${type}": ${error.message}`);
        this.#refused.add(client);
        client.leave(LEAVES, `message "${type}" refused`);
      }
    });
  }
}

/**
 * Applies what a room sends to a replica, and acknowledges it. What is predicted is reset before, so `applied` repeats the inputs that the
 * server has not processed yet; it receives the number of bytes. Returns a function that ends this. What `apply` throws reaches Colyseus.
 */
export function joinWorld(room: ClientRoom, replica: Replica, applied?: (bytes: number) => void): () => void {
  return room.onMessage(MESSAGE, (bytes) => {
    replica.reset();
    replica.apply(bytes);
    room.sendBytes(MESSAGE, replica.acknowledgement());
    applied?.(bytes.length);
  });
}
