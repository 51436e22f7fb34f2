// node server.mjs NAME LIBRARY PARAMS: a server with 60 clients in 4 rooms for 10 seconds. Prints what share of a core it takes, and how
// much a client receives.
import { fork } from "node:child_process";
import process from "node:process";
import { matchMaker, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { fromRoot } from "../../scripts/process.mjs";
import { rooms } from "./rooms.mjs";

const [, , , library, params] = process.argv;
const ROOMS = 4;
const CLIENTS = 60;
const SECONDS = 10;
const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false, gracefullyShutdown: false });
server.define("yard", rooms[library]);
await server.listen(0, "127.0.0.1");
const { port } = transport.server.address();
const made = [];
for (let k = 0; k < ROOMS; k++)
  made.push(matchMaker.getLocalRoomById((await matchMaker.createRoom("yard", {})).roomId));

const bots = fork(fromRoot("bench/multiplayer/bots.mjs"), [library, String(port), ...made.map((room) => room.roomId)], {
  stdio: ["ignore", "ignore", "inherit", "ipc"],
});
bots.send({ clients: CLIENTS / ROOMS });
await new Promise((done) => bots.once("message", done)); // all are there
await pause(2);

/** The bytes that left through the sockets of a room's clients, with everything. */
const written = () => made[0].clients.map((client) => client.ref._socket.bytesWritten);
const measure = async (seconds) => {
  const [bytes, start, cpu] = [written(), performance.now(), process.cpuUsage()];
  await pause(seconds);
  const { user, system } = process.cpuUsage(cpu);
  const wall = (performance.now() - start) / 1000;
  const received = written().map((now, i) => now - bytes[i]);
  return { share: (user + system) / 1e6 / wall, kbit: (8 * received[0]) / wall / 1000 };
};
const moving = await measure(SECONDS);
for (const room of made) room.moves = false;
await pause(1);
const before = made[0].sent;
await pause(2);
const state = made[0].sent - before;
bots.kill();
console.log(
  JSON.stringify([
    {
      params: JSON.parse(params)[0] ?? {},
      quantities: [
        { what: "share", unit: "%", value: 100 * moving.share },
        { what: "client", unit: "kbit/s", value: moving.kbit },
        { what: "quiet", unit: "bytes", value: state },
      ],
    },
  ]),
);
process.exit();
