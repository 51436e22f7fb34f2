// node bots.mjs LIBRARY PORT ROOM…: clients that apply what they receive.
import process from "node:process";
import { WebSocket } from "ws";
import { ECS } from "../../dist/inline.js";
import { joinWorld } from "../../dist/colyseus.js";
import { Replica } from "../../dist/state_inline.js";
import { Place, Yard } from "./rooms.mjs";

globalThis.WebSocket ??= WebSocket; // Node 20 has none
const { Client } = await import("@colyseus/sdk");
const [, , library, port, ...rooms] = process.argv;
const client = new Client(`ws://127.0.0.1:${port}`);

process.once("disconnect", () => process.exit());
process.once("message", async ({ clients }) => {
  for (let k = 0; k < clients * rooms.length; k++) {
    const id = rooms[k % rooms.length];
    if (library === "crateful") joinWorld(await client.joinById(id), new Replica(new ECS(), { components: [Place] }));
    else if (library === "colyseus") await client.joinById(id, {}, Yard);
    else (await client.joinById(id)).onMessage("bytes", () => {});
  }
  process.send("ready");
});
