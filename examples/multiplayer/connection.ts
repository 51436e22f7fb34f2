// What the page needs of a connection: a room of Colyseus has it, and so has a WebSocket of the native server.
import type { ClientRoom } from "crateful/colyseus";

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
