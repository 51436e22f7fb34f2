// The connection to a server: a room of Colyseus, or a WebSocket of the native server, which has the same methods.
import { Client } from "@colyseus/sdk";
import type { ClientRoom } from "crateful/colyseus";
import { connectNative } from "./native.js";

export interface Connection extends ClientRoom {
  /** Calls this when the connection has ended, with a code and a reason. */
  onLeave(callback: (code: number, reason?: string) => void): void;
}
export interface Join {
  /** The room: players who name the same one play together. */
  readonly yard: string;
  /** Known to this page only: whoever has it controls the player. */
  readonly key: string;
  readonly name: string;
}

/**
 * Joins a room of the server that served this page, or of the native server in the page's address, `?server=ws://host:port`; `status`
 * says what happens to the connection.
 */
export async function connect(join: Join, status: (text: string) => void): Promise<Connection> {
  const native = new URLSearchParams(location.search).get("server");
  if (native) return connectNative(native, join);
  const room = await new Client(location.origin).joinOrCreate("yard", join);
  Object.assign(room.reconnection, { minUptime: 0, maxRetries: 5 });
  room.onDrop(() => status("Reconnecting …"));
  room.onReconnect(() => status(""));
  return room;
}
