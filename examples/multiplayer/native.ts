// A WebSocket of ../native-server. The first byte of each binary message is its type.
import type { Connection, Join } from "./connection.js";

const TYPES = ["crateful", "input", "you", "ping"];
type Receive = (bytes: Uint8Array) => void;

/** Joins the yard of a native server, "ws://host:port". */
export async function connectNative(server: string, { yard, key, name }: Join): Promise<Connection> {
  const socket = new WebSocket(`${server}/?${new URLSearchParams({ yard, key, name })}`);
  socket.binaryType = "arraybuffer";
  const receivers = new Map<string, Receive>();
  /** What has arrived before there was a receiver. */
  const early: { type: string; bytes: Uint8Array }[] = [];
  socket.onmessage = ({ data }) => {
    const message = new Uint8Array(data as ArrayBuffer);
    const type = TYPES[message[0] ?? TYPES.length] ?? "";
    const bytes = message.subarray(1);
    const receive = receivers.get(type);
    if (receive) receive(bytes);
    else early.push({ type, bytes });
  };
  await new Promise((opened, failed) => {
    socket.onopen = opened;
    socket.onerror = () => failed(new Error(`${server} cannot be reached, or refuses`));
  });
  return {
    onMessage(type, receive) {
      receivers.set(type, receive);
      queueMicrotask(() => {
        for (const message of early) if (message.type === type) receive(message.bytes);
      });
      return () => receivers.delete(type);
    },
    onReconnect() {}, // the page joins again
    sendBytes(type, bytes) {
      const message = new Uint8Array(1 + bytes.length);
      message[0] = TYPES.indexOf(type);
      message.set(bytes, 1);
      socket.send(message);
    },
    onLeave(callback) {
      socket.onclose = ({ code, reason }) => callback(code, reason);
    },
  };
}
