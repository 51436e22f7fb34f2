// The example's room with the real engine: connections that are lost, clients that do not behave, and rooms that cannot be saved.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import { matchMaker } from "@colyseus/core";
import type { Room as JoinedRoom } from "@colyseus/sdk";
import { init } from "crateful/state";
import type { WebSocket } from "ws";
import { Game } from "../../examples/multiplayer/game.js";
import { Keys, Player } from "../../examples/multiplayer/rules.js";
import { Session } from "../../examples/multiplayer/session.js";
import { Client, serve } from "./rooms.js";

const folder = mkdtempSync(path.join(tmpdir(), "crateful-yards-"));
process.env["SAVES"] = folder;
const { store } = await import("../../examples/multiplayer/store.js");
const { Yard } = await import("../../examples/multiplayer/yard.js");

let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  await init();
  server = await serve(Yard);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A page. */
class Visitor {
  readonly session: Session;
  readonly left: Promise<{ code: number; reason: string | undefined }>;
  #wake = (): void => {};
  constructor(readonly room: JoinedRoom) {
    Object.assign(room.reconnection, { minUptime: 0 });
    this.session = new Session(room, () => this.#wake());
    this.left = new Promise((done) => room.onLeave((code, reason) => done({ code, reason })));
  }
  /** Waits until this holds after a message. Fails if the connection ends. */
  async until(holds: () => boolean): Promise<void> {
    const left = this.left.then((why) => Promise.reject(new Error(JSON.stringify(why))));
    left.catch(() => {});
    while (!holds()) await Promise.race([left, new Promise<void>((done) => (this.#wake = done))]);
  }
  get inputs(): number | undefined {
    return this.session.ecs.tryGet(this.session.me, Player)?.inputs;
  }
  /** Loses the connection; resolves when the page notices. */
  async lose(): Promise<void> {
    const dropped = new Promise((done) => this.room.onDrop(done));
    (this.room.connection.transport as unknown as { ws: WebSocket }).ws.terminate();
    await dropped;
  }
  reconnected(): Promise<void> {
    return new Promise((done) => this.room.onReconnect(done));
  }
}
async function join(yard: string, key: string): Promise<Visitor> {
  const visitor = new Visitor(await new Client(server.address).joinOrCreate("yard", { yard, key, name: key }));
  await visitor.until(() => visitor.inputs !== undefined);
  return visitor;
}

test("inputs that a lost connection did not deliver are sent again", async () => {
  const visitor = await join("lost", "a");
  const { session } = visitor;
  session.input(Keys.left);
  await visitor.until(() => visitor.inputs === 1);
  const lost = visitor.lose();
  session.input(Keys.right); // does not arrive
  const back = visitor.reconnected();
  await lost;
  for (let k = 0; k < 15; ++k) session.input(Keys.right); // more than Colyseus keeps
  await back;
  session.input(Keys.left);
  await visitor.until(() => visitor.inputs === 18);
  expect(session.corrections).toBe(0);
});

test("who was away while another page took over the player is told so when it comes back", async () => {
  const first = await join("taken", "a");
  await first.lose();
  const second = await join("taken", "a");
  expect(await first.left).toEqual({ code: 4000, reason: "This player is played from elsewhere." });
  second.session.input(Keys.left);
  await second.until(() => second.inputs === 1);
});

test("a client that sends pings without end is disconnected, and nobody else notices", async () => {
  const [other, visitor] = [await join("pings", "a"), await join("pings", "b")];
  for (let k = 0; k < 1000; ++k) visitor.session.sendPing();
  expect(await visitor.left).toMatchObject({ code: 4002 });
  other.session.input(Keys.left);
  await other.until(() => other.inputs === 1);
});

test("a room whose file is damaged cannot be joined, and the file stays", async () => {
  const log = jest.spyOn(console, "error").mockImplementation(() => {});
  for (const bytes of [new Uint8Array(), new TextEncoder().encode("not a room"), new Uint8Array(1000)]) {
    writeFileSync(path.join(folder, "damaged"), bytes);
    await expect(join("damaged", "a")).rejects.toThrow();
    expect(new Uint8Array(readFileSync(path.join(folder, "damaged")))).toEqual(bytes);
  }
  await expect(join("\ud800", "a")).rejects.toThrow(); // no name of a file
  const errors = log.mock.calls.flat().map((error) => String(error).split("\n")[0]);
  expect(errors).toHaveLength(4);
  expect(errors.join()).toMatch(/^(EcsError: restore: .*,){3}URIError: URI malformed$/);
  await join("undamaged", "a");
});

test("while the store does not answer, one save waits at most, and the newest state is saved afterwards", async () => {
  const calls: (() => void)[] = [];
  let saved: Uint8Array | undefined;
  let answers = false;
  jest.spyOn(store, "save").mockImplementation(async (name, bytes) => {
    if (name !== "slow") return; // a room of another test
    saved = bytes;
    if (!answers) await new Promise<void>((done) => calls.push(done));
  });
  const visitor = await join("slow", "a");
  const yard = matchMaker.getLocalRoomById(visitor.room.roomId) as unknown as InstanceType<typeof Yard>;
  const first = yard.onDispose(); // saves
  while (calls.length === 0) await Promise.resolve();
  const others = Array.from({ length: 10 }, () => yard.onDispose());
  visitor.session.input(Keys.left);
  await visitor.until(() => visitor.inputs === 1);
  expect(calls).toHaveLength(1);
  answers = true;
  calls[0]?.();
  await first;
  await Promise.all(others);
  const { ecs } = new Game(saved);
  expect(Array.from(ecs.query({ player: Player }), ({ player }) => player.inputs)).toEqual([1]);
  ecs.dispose();
});
