// Redis, two processes of the server, and one port for both. It starts a process again that has ended.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createProxyServer } from "httpxy";

const PORT = Number(process.env["PORT"] ?? 2567);
const folder = mkdtempSync(path.join(tmpdir(), "crate-yard-"));
const socket = path.join(folder, "redis.sock"); // no port, so that only this program uses it
const options = ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder];
const redis = spawn("redis-server", options, { detached: true }); // Ctrl-C would end it before the rooms are saved
redis.on("error", () => {
  console.error("Redis is missing: install redis-server");
  process.exit(1);
});

/** Where the processes are that are ready, by their ids. A room is reached at its process, the rest at each in turn. */
const servers = new Map<string, string>();
let ending = false;
let hasRedis = true;
redis.on("exit", () => {
  hasRedis = false;
  if (!ending) console.error("Redis has ended: rooms cannot be saved or opened any more");
});
function start(): ChildProcess {
  const env = { ...process.env, PORT: "0", REDIS: socket };
  const server = fork("server.ts", { env, execArgv: ["--import", "tsx"] });
  let id = "";
  server.on("message", (message) => {
    const { processId, port } = message as { processId: string; port: number };
    servers.set((id = processId), `http://127.0.0.1:${port}`);
    console.log(`process ${server.pid} is ready: ${id} at port ${port}`);
  });
  server.on("exit", () => {
    servers.delete(id);
    if (ending) return;
    console.log(`process ${server.pid} has ended`);
    processes[processes.indexOf(server)] = start();
  });
  return server;
}
const processes = [start(), start()];
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    ending = true;
    const ended = processes.map((server) => new Promise((done) => server.on("exit", done)));
    // They save their rooms; without Redis, they would wait for it without end.
    for (const server of processes) server.kill(hasRedis ? "SIGTERM" : "SIGKILL");
    void Promise.all(ended).then(() => {
      redis.kill();
      process.exit();
    });
  });

const proxy = createProxyServer();
let requests = 0;
const next = () => [...servers.values()][requests++ % servers.size];
const front = createServer((request, response) => {
  const target = next();
  if (target) proxy.web(request, response, { target }).catch(() => response.destroy());
  else response.writeHead(503).end();
});
front.on("upgrade", (request, socket, head) => {
  const target = servers.get(request.url?.split("/")[1] ?? "");
  if (target) proxy.ws(request, socket as never, { target }, head).catch(() => socket.destroy());
  else socket.destroy(); // its process has ended: the client joins again
});
console.log(`Redis: ${socket}`);
front.listen(PORT, () => console.log(`http://localhost:${(front.address() as AddressInfo).port}`));
