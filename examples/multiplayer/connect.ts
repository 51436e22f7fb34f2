// Connects with a server: with a room of Colyseus, or with the native server.
import { Client } from "@colyseus/sdk";
import type { Connection, Join } from "./connection.js";
import { connectNative } from "./native.js";

export type { Connection };

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
