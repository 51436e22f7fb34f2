// One process of the server, which also serves the page. With REDIS, it is one of several.
import type { AddressInfo } from "node:net";
import process from "node:process";
import { Server, matchMaker } from "@colyseus/core";
import { RedisDriver } from "@colyseus/redis-driver";
import { RedisPresence } from "@colyseus/redis-presence";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { init } from "crateful/state";
import express from "express";
import { Yard } from "./yard.js";

globalThis.WebSocket ??= { OPEN: 1 } as never; // Colyseus compares with it when a client reconnects; Node 20 has none
await init();
const { REDIS, PORT = "2567" } = process.env;
const transport = new WebSocketTransport();
transport.getExpressApp().use(express.static("dist"));
const shared = REDIS ? { driver: new RedisDriver(REDIS), presence: new RedisPresence(REDIS) } : {};
const server = new Server({ transport, greet: false, ...shared });
server.define("yard", Yard).filterBy(["yard"]);
await server.listen(Number(PORT));
const port = (transport.server?.address() as AddressInfo | undefined)?.port;
if (process.send)
  process.send({ processId: matchMaker.processId, port }); // to cluster.ts
else console.log(`http://localhost:${port}`);
