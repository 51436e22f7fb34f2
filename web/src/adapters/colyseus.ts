// Colyseus: the world of a room, and its copies in the clients. It imports nothing of Colyseus, so that a page does not load the server, nor a
// server the client. See docs/multiplayer.md.
import { EcsError, type Entity } from "../api.js";
import type { Changes, Receiver, Replica } from "../state/index.js";

/** The type of the messages of both directions: bytes for the replica, and how many of them it has applied. */
const MESSAGE = "crateful";
/** A client says how many it has applied after each 16 messages. */
const ACKNOWLEDGE = 16;
/** How many bytes of messages are kept for a client that does not acknowledge them; each message counts `MESSAGE_BYTES` more. */
const KEPT = 2 ** 20;
/** What the objects of a message take. */
const MESSAGE_BYTES = 256;
/** Colyseus's `CloseCode.CONSENTED`: the client leaves at once. After others, a room that allows it waits for the client to reconnect. */
const LEAVES = 4000;
/** Colyseus's `CloseCode.MAY_TRY_RECONNECT`: the connection ends, and the client makes another one. */
const RECONNECTS = 4010;

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
  /** For messages that a client has sent with `room.send`, which are refused. */
  onMessage?(type: string, callback: (client: C) => void): unknown;
}
/** What is used of Colyseus's `Room` in a client. */
export interface ClientRoom {
  onMessage(type: string, callback: (bytes: Uint8Array) => void): () => void;
  sendBytes(type: string, bytes: Uint8Array): void;
  /** Calls this after the connection was lost and made again. */
  onReconnect(callback: () => void): unknown;
}

/** What a client gets. */
interface Stream<C> {
  /** The connection that has said what it has applied. After a reconnection it is another one, which gets nothing until it says so, too. */
  client: C;
  readonly receiver: Receiver;
  /** The messages that the client may not have received. */
  readonly kept: Uint8Array[];
  /** The number of the first one, and their bytes with `MESSAGE_BYTES` for each. */
  first: number;
  bytes: number;
}

/**
 * Sends the changes of an ECS to the clients of a room. A client that reconnects gets what it has not received, and continues. At most about
 * a megabyte of messages is kept for each client; a client that has missed more gets everything, and its entities keep their handles.
 */
export class RoomWorld<C extends RoomClient = RoomClient> {
  readonly #room: ServerRoom<C>;
  readonly #changes: Changes;
  readonly #streams = new Map<string, Stream<C>>();
  /** Connections that are being ended; what still arrives of them has no effect. */
  readonly #ending = new WeakSet<C>();
  /** The sessions of clients that were refused: a client can end its connection otherwise, and then reconnect. */
  readonly #refused = new Set<string>();

  /** Call it in `onCreate`. `changes` stays the caller's. */
  constructor(room: ServerRoom<C>, changes: Changes) {
    this.#room = room;
    this.#changes = changes;
    this.onMessage(MESSAGE, (client, bytes) => this.#acknowledge(client, bytes));
  }
  /**
   * Call it in `onJoin`. Returns what selects the client's entities. Another call replaces the receiver; it must be before the first `send`,
   * because the replica of the page cannot apply what another receiver returns. Throws what `changes.receiver` throws; nothing has changed then.
   */
  join(client: C, options: { readonly select?: Iterable<Entity> } = {}): Receiver {
    const receiver = this.#changes.receiver(options);
    this.leave(client);
    this.#streams.set(client.sessionId, { client, receiver, kept: [], first: 0, bytes: 0 });
    return receiver;
  }
  /** Call it in `onLeave`, which Colyseus does once a client cannot reconnect any more. */
  leave(client: C): void {
    this.#streams.get(client.sessionId)?.receiver.dispose();
    this.#streams.delete(client.sessionId);
    this.#refused.delete(client.sessionId);
  }
  /** The receiver of a client that has joined. */
  receiver(client: C): Receiver | undefined {
    return this.#streams.get(client.sessionId)?.receiver;
  }
  /**
   * Sends each connected client what has changed for it. Call it once after each `update`. O(changes · clients). Returns the bytes. A client
   * whose `sendBytes` throws is disconnected, with a line in the log, and can reconnect. What `take` throws for a client is thrown when the
   * others have got theirs.
   */
  send(options?: { readonly maxBytes?: number }): number {
    let sent = 0;
    let failed: { readonly error: unknown } | undefined;
    for (const client of this.#room.clients) {
      const stream = this.#streams.get(client.sessionId);
      if (stream?.client !== client || this.#ending.has(client)) continue; // it has not joined, or not said yet what it has received
      try {
        const bytes = stream.receiver.take(options);
        if (bytes.length === 0) continue;
        stream.kept.push(bytes);
        stream.bytes += bytes.length + MESSAGE_BYTES;
        if (stream.bytes > KEPT) forget(stream, stream.kept.length); // if it reconnects, it gets everything
        this.#send(client, bytes);
        sent += bytes.length;
      } catch (error) {
        failed ??= { error };
      }
    }
    if (failed) throw failed.error;
    return sent;
  }
  /**
   * As `room.onMessageBytes`; a client for whose message `handle` throws an `EcsError` or `RangeError` is disconnected, with a line in the
   * log: it leaves at once, with the code 4000 and a reason. So `handle` checks everything before it changes something. It always receives
   * bytes: a client that sends anything else under the type, also with `room.send`, is disconnected, too.
   */
  onMessage(type: string, handle: (client: C, bytes: Uint8Array) => void): void {
    const receive = (client: C, bytes?: unknown) => {
      if (this.#ending.has(client)) return;
      if (this.#refused.has(client.sessionId)) return this.#end(client);
      try {
        // A client can name the handler in a message of another kind, whose content is then any value.
        if (!isBytes(bytes)) throw new RangeError("it contains no bytes, as those of room.sendBytes do");
        handle(client, bytes);
      } catch (error) {
        if (!(error instanceof EcsError || error instanceof RangeError)) throw error;
        this.#refuse(client, `its message "${type}": ${error.message}`);
      }
    };
    this.#room.onMessageBytes(type, receive);
    this.#room.onMessage?.(type, (client) => receive(client)); // Colyseus would say that there is no handler
  }

  /** The client says how many messages it has applied: if it has reconnected, it gets the others again, or else everything. */
  #acknowledge(client: C, bytes: Uint8Array): void {
    const stream = this.#streams.get(client.sessionId);
    if (bytes.length !== 4) throw new RangeError("an acknowledgement has 4 bytes");
    if (!stream) return;
    const { kept } = stream;
    const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const applied = count - stream.first;
    if (applied > kept.length) throw new RangeError("it acknowledges what was not sent");
    if (applied > 0) forget(stream, applied);
    if (stream.client === client) return;
    stream.client = client;
    if (applied < 0) {
      stream.receiver.restart();
      forget(stream, kept.length);
      stream.first = count;
    }
    for (const message of kept) if (!this.#ending.has(client)) this.#send(client, message);
  }
  /** If it fails, the connection has a gap: the client needs another one, for which it says what it has received. */
  #send(client: C, bytes: Uint8Array): void {
    try {
      client.sendBytes(MESSAGE, bytes);
    } catch (error) {
      console.warn(`crateful: client ${client.sessionId} must reconnect: ${String(error)}`);
      this.#ending.add(client);
      client.leave(RECONNECTS, "the message could not be sent");
    }
  }
  #refuse(client: C, reason: string): void {
    console.warn(`crateful: client ${client.sessionId} is disconnected: ${reason}`);
    this.#refused.add(client.sessionId);
    this.#end(client);
  }
  #end(client: C): void {
    this.#ending.add(client);
    client.leave(LEAVES, "refused: the log of the server says why");
  }
}

/** The first `n` messages are not kept any more. */
function forget(stream: Stream<unknown>, n: number): void {
  for (const { length } of stream.kept.splice(0, n)) stream.bytes -= length + MESSAGE_BYTES;
  stream.first += n;
}

/** Of any realm. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/**
 * Applies what a room sends to a replica, and acknowledges it. What is predicted is reset before, so `applied` repeats the inputs that the
 * server has not processed yet; it receives the number of bytes. Returns a function that ends this. What callbacks throw during `reset` and
 * `apply` reaches Colyseus when `applied` has returned; the other errors of `apply` at once.
 */
export function joinWorld(room: ClientRoom, replica: Replica, applied?: (bytes: number) => void): () => void {
  let count = 0;
  const acknowledge = () => room.sendBytes(MESSAGE, new Uint8Array(Uint32Array.of(count).buffer));
  let ended = false;
  room.onReconnect(() => {
    if (!ended) acknowledge();
  });
  const end = room.onMessage(MESSAGE, (bytes) => {
    let failed: { readonly error: unknown } | undefined;
    try {
      replica.reset();
    } catch (error) {
      failed = { error };
    }
    try {
      replica.apply(bytes);
    } catch (error) {
      failed ??= { error };
      replica.apply(bytes); // has no effect if only a callback has thrown, because then everything was applied; throws otherwise
    }
    if (++count % ACKNOWLEDGE === 0) acknowledge();
    applied?.(bytes.length);
    if (failed) throw failed.error;
  });
  return () => {
    ended = true;
    end();
  };
}
