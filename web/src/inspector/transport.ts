// The protocol between threads, tabs and programs: messages with a number, which answers repeat.
import type { ECS } from "../ecs/ecs.js";
import { badArgument, show } from "./internals.js";
import { answerAll } from "./answers.js";
import { inspectionOf } from "./inspection.js";
import type { History } from "../state/history.js";
import type { Rewind } from "../state/rewind.js";
import type { AnswerMessage, AnyAnswer, InspectRequest, ReadyMessage, RequestMessage } from "./protocol.js";

/** What sends and receives messages: a `MessagePort`, `Worker`, `BroadcastChannel`, the scope of a worker, or a `WebSocket`. */
export interface InspectorPort {
  /** Sends an object. */
  postMessage?(message: unknown): void;
  /** Without `postMessage`: sends JSON. */
  send?(message: string): void;
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  removeEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  /** Of a `MessagePort`. */
  start?(): void;
  /** Of a `WebSocket`: 0 while it is connecting. */
  readonly readyState?: number;
}

/** Sends requests to a world, and returns its answers, in the same order. */
export type AskWorld = (requests: readonly InspectRequest[]) => Promise<readonly AnyAnswer[]>;

/** Calls `receive` with each message that has the number of the protocol; returns what ends this. */
function listen(
  port: InspectorPort,
  receive: (message: RequestMessage & AnswerMessage & ReadyMessage) => void,
): () => void {
  const listener = ({ data }: { readonly data?: unknown }): void => {
    let message: unknown = data;
    try {
      if (typeof data === "string") message = JSON.parse(data);
    } catch {
      return; // a message of the game
    }
    if (typeof (message as { crateful?: unknown } | null)?.crateful === "number")
      receive(message as RequestMessage & AnswerMessage & ReadyMessage);
  };
  port.addEventListener("message", listener);
  port.start?.();
  return () => port.removeEventListener("message", listener);
}
/** Sends a message, over a `WebSocket` that is connecting when it is open. */
function send(port: InspectorPort, message: RequestMessage | AnswerMessage | ReadyMessage): void {
  if (port.readyState === 0) port.addEventListener("open", () => send(port, message));
  else if (port.postMessage !== undefined) port.postMessage(message);
  else port.send!(JSON.stringify(message));
}
function requirePort(call: string, port: InspectorPort, others = ""): void {
  const { postMessage, send: sendText, addEventListener } = Object(port) as Partial<InspectorPort>;
  if (typeof addEventListener !== "function" || typeof (postMessage ?? sendText) !== "function")
    throw badArgument(`${call}: pass ${others}a MessagePort, Worker, BroadcastChannel or WebSocket, not ${show(port)}`);
}

/**
 * Answers the inspector that is attached to the other end of a connection: of a worker, another tab, or another machine (rule I1). Call
 * it where the ECS is. Other messages on the same connection are left to the program. Returns a function that ends it. Throws
 * `BAD_ARGUMENT`. Who can send to the connection can change everything in the world: serve only during development.
 *
 *     serveInspector(ecs, self); // in a worker; the page calls attachInspector(worker)
 */
export function serveInspector(
  ecs: ECS,
  port: InspectorPort,
  recordings: {
    readonly history?: Pick<History, "why" | "bySystem" | "watch" | "dispose">;
    readonly rewind?: Rewind;
  } = {},
): () => void {
  const inspection = inspectionOf("serveInspector", ecs, recordings);
  requirePort("serveInspector", port);
  const end = listen(port, ({ crateful, request }) => {
    if (request === undefined) return; // an answer for another page, on a BroadcastChannel
    send(port, { crateful, answer: inspection.answer(request) });
  });
  send(port, { crateful: 1, ready: true });
  return end;
}

/** How to ask the world at the other end of a connection, whose answers are completed here. Throws `BAD_ARGUMENT`. */
export function connect(call: string, port: InspectorPort): { ask: AskWorld; end: () => void } {
  requirePort(call, port, "an ECS of the same copy of crateful, or ");
  const waiting = new Map<number, { message: RequestMessage; resolve: (answers: readonly AnyAnswer[]) => void }>();
  let next = Math.floor(Math.random() * 2 ** 31); // so that two inspectors can share a BroadcastChannel
  const end = listen(port, ({ crateful, answer, ready }) => {
    if (ready) for (const { message } of waiting.values()) send(port, message);
    if (answer === undefined) return;
    waiting.get(crateful)?.resolve(answer as readonly AnyAnswer[]);
    waiting.delete(crateful);
  });
  const exchange = (request: readonly InspectRequest[]): Promise<readonly AnyAnswer[]> =>
    new Promise((resolve) => {
      const message = { crateful: next++, request };
      waiting.set(message.crateful, { message, resolve });
      send(port, message);
    });
  const ask: AskWorld = async (requests) => {
    const asking = answerAll(requests);
    let round = asking.next();
    while (!round.done) round = asking.next(await exchange(round.value as readonly InspectRequest[]));
    return round.value;
  };
  return { ask, end };
}
