// crateful/colyseus with the real engine, in one process.
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { matchMaker } from "@colyseus/core";
import { ECS, type Entity } from "crateful";
import { RoomWorld, type RoomClient } from "crateful/colyseus";
import { Changes, init, Replica } from "crateful/state";
import type { WebSocket } from "ws";
import { type Connection, Host } from "./fakes.js";
import { Client, Label, Place, Player, serve, Yard } from "./rooms.js";

let server: Awaited<ReturnType<typeof serve>>;
let yard: Yard;
beforeAll(async () => {
  await init();
  server = await serve(Yard);
});
afterAll(() => server.close());

async function join(): Promise<Player> {
  const client = new Client(server.address);
  return new Player(await client.joinById(yard.roomId));
}
beforeEach(async () => {
  const { roomId } = await matchMaker.createRoom("yard", {});
  yard = matchMaker.getLocalRoomById(roomId) as unknown as Yard;
});
/** Loses the connection. */
function terminate({ room }: Player): void {
  (room.connection.transport as unknown as { ws: WebSocket }).ws.terminate();
}
/** One update, which each of the players has applied. */
async function tick(...players: Player[]): Promise<void> {
  const all = players.map((player) => player.applied());
  yard.tick();
  await Promise.all(all);
}

test("each client gets the world, then what changes, and nothing if nothing does", async () => {
  const players = [await join(), await join()];
  await tick(...players);
  yard.place(7).x = 1.5;
  await tick(...players);
  for (const player of players) expect(player.shows(yard)).toEqual(yard.truth);
  expect(yard.tick()).toBe(0);
});

test("a client with a selection gets what is selected for it", async () => {
  const all = await join();
  const one = await join();
  const client = yard.clientOf(one);
  const [first, second] = yard.crates as [Entity, Entity];
  yard.world.join(client, { select: [first] });
  await tick(all, one);
  expect(one.shows(yard)).toEqual(yard.truth.map((x, i) => (i === 0 ? x : undefined)));

  yard.world.receiver(client)?.deselect(first);
  yard.world.receiver(client)?.select(second);
  await tick(one);
  expect(one.shows(yard)).toEqual(yard.truth.map((x, i) => (i === 1 ? x : undefined)));
});

test("a client that reconnects gets what it has not received, and continues", async () => {
  const player = await join();
  for (let k = 0; k < 20; ++k) {
    yard.place(3).x = k + 0.5;
    await tick(player); // some are acknowledged
  }
  const first = player.bytes;
  const back = new Promise<void>((done) => player.room.onReconnect(done));
  const dropped = yard.after("drop", player);
  yard.place(5).x = 50.5;
  terminate(player);
  expect(yard.tick()).toBeGreaterThan(0); // is lost
  await dropped;
  yard.place(6).x = 60.5;
  expect(yard.tick()).toBe(0); // nobody is there
  const again = player.applied();
  await back;
  await again; // what was lost
  await tick(player);
  expect(player.shows(yard)).toEqual(yard.truth);
  expect(player.bytes - first).toBeLessThan(100);
});

test("a client that has reconnected gets nothing before it has said what it has received", () => {
  const sent: Uint8Array[] = [];
  const connection = (): RoomClient => ({
    sessionId: "a",
    sendBytes: (_, bytes) => void sent.push(bytes),
    leave: () => {},
  });
  const clients = [connection()];
  let acknowledge: (client: RoomClient, bytes: Uint8Array) => void = () => {};
  const ecs = new ECS();
  const crate = ecs.addEntity([Place, { x: 1 }]);
  const world = new RoomWorld({ clients, onMessageBytes: (_, handle) => (acknowledge = handle) }, new Changes(ecs));
  world.join(clients[0] as RoomClient);
  world.send();
  clients[0] = connection();
  ecs.get(crate, Place).x = 2;
  ecs.update();
  expect(world.send()).toBe(0);
  expect(sent).toHaveLength(1);

  acknowledge(clients[0], new Uint8Array(4));
  expect(sent[1]).toEqual(sent[0]);
  expect(world.send()).toBeGreaterThan(0);
  const copy = new ECS();
  const replica = new Replica(copy, { components: [Place] });
  for (const bytes of sent) replica.apply(bytes);
  expect(copy.get(replica.entity(crate), Place).x).toBe(2);
  ecs.dispose();
  copy.dispose();
});

test("a client that has missed more than is kept for it gets everything, and its entities stay", () => {
  const host = new Host();
  const crate = host.ecs.addEntity([Place, { x: 1 }]);
  const gone = host.ecs.addEntity([Place, { x: 2 }]);
  const page = host.connect("a");
  host.world.join(page.connection as Connection);
  host.update();
  page.receive();
  const [there, left] = [page.replica.entity(crate), page.replica.entity(gone)];
  host.ecs.addComponent(crate, Label, { text: "first" });
  host.ecs.removeEntity(gone);
  for (let k = 0; k < 3; ++k) {
    host.ecs.get(crate, Label).text = "x".repeat(500_000 + k);
    host.update();
  }
  host.drop(page); // with the messages that have not arrived
  host.ecs.get(crate, Label).text = "last";
  host.reconnect(page);
  host.receive(page.connection as Connection);
  expect(page.connection?.down).toEqual([]); // those from before are not kept
  host.update();
  page.receive();
  expect(page.replica.entity(crate)).toBe(there);
  expect(page.ecs.get(there, Label).text).toBe("last");
  expect(page.ecs.alive(left)).toBe(false);

  host.ecs.get(crate, Place).x = 7; // and from then on as before
  host.update();
  host.drop(page);
  host.reconnect(page);
  host.receive(page.connection as Connection);
  expect(page.connection?.down).toHaveLength(1);
  page.receive();
  expect(page.ecs.get(there, Place).x).toBe(7);
});

test("a selection stays when the client reconnects", async () => {
  const one = await join();
  const [first, second] = yard.crates as [Entity, Entity];
  yard.world.join(yard.clientOf(one), { select: [first] });
  await tick(one);
  const back = new Promise<void>((done) => one.room.onReconnect(done));
  const dropped = yard.after("drop", one);
  (one.room.connection.transport as unknown as { ws: WebSocket }).ws.terminate();
  await dropped;
  await back;
  await yard.after("sync", one); // it has said what it has received
  yard.world.receiver(yard.clientOf(one))?.select(second);
  yard.ecs.get(first, Place).x = 5;
  await tick(one);
  expect(one.shows(yard)).toEqual(yard.truth.map((x, i) => (i < 2 ? x : undefined)));
});

test("a client that uses send in place of sendBytes is disconnected, and the log says so", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  const player = await join();
  const left = new Promise((done) => player.room.onLeave(done));
  player.room.send("name", new TextEncoder().encode("Ada"));
  player.room.send("name", "Ada");
  expect(await left).toBe(4000);
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching('its message "name": it contains no bytes, as those of room.sendBytes do')],
  ]);
  expect(yard.ecs.query({ label: Label }).count).toBe(0);
  warn.mockRestore();
});

describe("a client is disconnected, with a line in the log, and nobody else notices,", () => {
  const messages: Record<string, [type: string, bytes: Uint8Array]> = {
    "that acknowledges what was not sent": ["crateful", Uint8Array.of(9, 0, 0, 0)],
    "that sends an acknowledgement of another length": ["crateful", new Uint8Array(3)],
    "whose message the game refuses": ["name", new Uint8Array(9)],
  };
  test.each(Object.entries(messages))("%s", async (_, [type, bytes]) => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    const [other, player] = [await join(), await join()];
    await tick(other, player);
    const gone = yard.after("leave", player);
    const left = new Promise((done) => player.room.onLeave((code, reason) => done({ code, reason })));
    player.room.sendBytes(type, bytes);
    player.room.sendBytes("name", new TextEncoder().encode("late")); // has no effect
    expect(await left).toEqual({ code: 4000, reason: "refused: the log of the server says why" });
    await gone;
    expect(warn.mock.calls.flat().join()).toMatch(
      `client ${player.room.sessionId} is disconnected: its message "${type}": `,
    );
    warn.mockRestore();

    yard.place(0).x = 9;
    await tick(other);
    expect(other.shows(yard)).toEqual(yard.truth);
    expect(yard.clients).toHaveLength(1);
    expect(yard.ecs.query({ label: Label }).count).toBe(0);
  });
});

test.each([[undefined], [null], ["text"], [[1, 2]], [{ length: 4 }]])(
  "a client is disconnected that sends %j as a message of another kind under the name of one with bytes",
  async (value) => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    for (const type of ["_$bcrateful", "_$bname"]) {
      // what Colyseus calls these handlers
      const player = await join();
      await tick(player);
      const left = new Promise((done) => player.room.onLeave(done));
      player.room.send(type, value);
      expect(await left).toBe(4000);
    }
    expect(warn.mock.calls).toEqual(
      ["crateful", "name"].map((type) => [expect.stringMatching(`"${type}": it contains no bytes`)]),
    );
    warn.mockRestore();
    expect(yard.ecs.query({ label: Label }).count).toBe(0);
  },
);

test("a client that was refused cannot come back by losing its connection first", async () => {
  const player = await join();
  await tick(player);
  const dropped = yard.after("drop", player);
  const left = new Promise((done) => player.room.onLeave(done));
  const warn = jest.spyOn(console, "warn").mockImplementation(() => terminate(player)); // before it is told to leave
  player.room.sendBytes("name", new Uint8Array(9));
  await dropped;
  expect(await left).toBe(4000);
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

test("messages that not even Colyseus can read disturb nobody", async () => {
  const [other, player] = [await join(), await join()];
  await tick(other, player);
  let state = 1;
  const random = () => (state = (state * 16807) % 2147483647) % 256;
  for (let k = 0; k < 200; ++k) player.room.connection.send(Uint8Array.from({ length: 1 + (random() % 30) }, random));
  player.room.leave();
  await yard.after("leave", player);
  yard.place(1).x = 9;
  await tick(other);
  expect(other.shows(yard)).toEqual(yard.truth);
});

test("the receiver of a client ends when the client leaves", async () => {
  const player = await join();
  const client = yard.clientOf(player);
  const receiver = yard.world.receiver(client);
  const gone = yard.after("leave", player);
  await player.room.leave();
  await gone;
  expect(yard.world.receiver(client)).toBeUndefined();
  expect(() => receiver?.take()).toThrow("was disposed");
});
