// Redis, two processes of the server, and one port for both. It starts a process again that has ended.
import { fork, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createProxyServer } from "httpxy";

const PORT = Number(process.env["PORT"] ?? 2567);
const folder = mkdtempSync(path.join(tmpdir(), "crate-yard-"));
const redisPort = PORT + 10;
const redis = spawn("redis-server", [
  "--port",
  String(redisPort),
  "--bind",
  "127.0.0.1",
  "--save",
  "",
  "--dir",
  folder,
]);
redis.on("error", () => {
  console.error("Redis is missing: install redis-server");
  process.exit(1);
});

/** The processes that are ready. A room is reached at the process of its id, the rest at each in turn. */
const servers = new Map<string, { target: string; pid: number }>();
function start(port: number): void {
  const env = { ...process.env, PORT: String(port), REDIS: `redis://127.0.0.1:${redisPort}` };
  const server = fork("server.ts", { env, execArgv: ["--import", "tsx"] });
  let id = "";
  server.on("message", (message) => {
    id = String(message);
    servers.set(id, { target: `http://127.0.0.1:${port}`, pid: server.pid! });
    console.log(`process ${server.pid} is ready: ${id}`);
  });
  server.on("exit", () => {
    servers.delete(id);
    console.log(`process ${server.pid} has ended`);
    if (!ending) start(port);
  });
}
let ending = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    ending = true;
    redis.kill();
    for (const { pid } of servers.values()) process.kill(pid);
    process.exit();
  });

const proxy = createProxyServer();
let requests = 0;
const next = () => [...servers.values()][requests++ % servers.size]?.target;
const front = createServer((request, response) => {
  const target = next();
  if (target) proxy.web(request, response, { target }).catch(() => response.destroy());
  else response.writeHead(503).end();
});
front.on("upgrade", (request, socket, head) => {
  const target = servers.get(request.url?.split("/")[1] ?? "")?.target;
  if (target) proxy.ws(request, socket as never, { target }, head).catch(() => socket.destroy());
  else socket.destroy(); // its process has ended: the client joins again
});
start(PORT + 1);
start(PORT + 2);
front.listen(PORT, () => console.log(`http://localhost:${PORT}`));
