// The example in two pages of Chromium: one process, and a cluster with Redis.
import { createServer, connect as connectTo, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { init } from "crateful/state";
import { Redis } from "ioredis";
import type { Browser } from "playwright-core";
import { Game } from "../../../examples/multiplayer/game.js";
import { Place } from "../../../examples/multiplayer/rules.js";
import { connectToChromium } from "../../browser/chromium.js";
import { expectInspector, expectNoInspector, expectSystems } from "../../examples/copy_example.js";
import { makeExample, PlayingPage, sameWorld, type Example, type Program } from "./example.js";

let example: Example;
let browser: Browser;
let program: Program;
beforeAll(async () => {
  await init();
  example = makeExample();
  browser = await connectToChromium();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await program.stop();
});
afterAll(async () => {
  await browser?.close();
  example?.dispose();
});

test("two pages play in one process, and show the same world", async () => {
  program = example.start("start");
  const [url] = (await program.prints(/http:\/\/localhost:\d+/)) as [string];
  const ada = await PlayingPage.open(browser, `${url}/?name=Ada`);
  const bob = await PlayingPage.open(browser, `${url}/?name=Bob`, { width: 390, height: 844 });
  const before = await sameWorld(ada, bob);
  await Promise.all([ada.hold("d", 10), bob.hold("ArrowUp", 10)]);
  const after = await sameWorld(ada, bob);
  expect(after).not.toBe(before);
  const scores = (page: PlayingPage) => page.page.textContent("#scores");
  expect(await scores(ada)).toMatch(/Ada\n\d+ {2}Bob|Bob\n\d+ {2}Ada/);
  expect([...ada.problems, ...bob.problems]).toEqual([]);
});

/**
 * Passes bytes on to a port, 100 ms later and at most 30 ms more; a twentieth of them is sent again after 200 ms. What the test checks holds
 * for all delays, so a slow machine makes it longer only.
 */
async function slowConnection(port: number): Promise<{ port: number; close(): void }> {
  let state = 7;
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    const waiting: Buffer[] = [];
    let free = 0;
    from.on("data", (bytes: Buffer) => {
      const delay = 100 + 30 * random() + (random() < 0.05 ? 200 : 0);
      free = Math.max(free, performance.now() + delay); // what follows waits for it
      waiting.push(bytes);
      setTimeout(() => to.writable && to.write(waiting.shift() as Buffer), free - performance.now());
    });
    from.on("close", () => to.destroy());
    from.on("error", () => to.destroy());
    sockets.add(from);
  };
  const server = createServer((here) => {
    const there = connectTo(port, "127.0.0.1");
    pass(here, there);
    pass(there, here);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as { port: number }).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test("over a slow connection, the only player that acts is never corrected", async () => {
  program = example.start("start");
  const [port] = (await program.prints(/http:\/\/localhost:(\d+)/)) as [string];
  const slow = await slowConnection(Number(port));
  const url = `http://127.0.0.1:${slow.port}`;
  const ada = await PlayingPage.open(browser, `${url}/?name=Ada&yard=slow`);
  const bob = await PlayingPage.open(browser, `${url}/?name=Bob&yard=slow`);
  const before = await sameWorld(ada, bob);
  for (const key of ["d", "s", "a", "w", "d", "s", "a", "w"]) await ada.hold(key, 15);
  expect(await sameWorld(ada, bob)).not.toBe(before);
  expect(await ada.corrections).toBe(0);
  slow.close();
});

test("the cluster ends also if Redis has ended before", async () => {
  program = example.start("cluster");
  await program.prints(/is ready/, 2);
  const [address] = (await program.prints(/Redis: (\S+)/)) as [string];
  const redis = new Redis(address);
  redis.on("error", () => {});
  void redis.shutdown("NOSAVE").catch(() => {}); // ends without an answer
  await program.prints(/Redis has ended/);
  redis.disconnect(); // `afterEach` ends the cluster
});

/** Waits until a world was saved. */
async function saved(address: string, key: string, world: string): Promise<void> {
  const redis = new Redis(address);
  for (;;) {
    const bytes = await redis.getBuffer(key);
    if (bytes === null) continue;
    const { ecs } = new Game(bytes);
    const at = ({ entity, place }: { entity: number; place: Place }) => `${entity} ${place.x} ${place.y}`;
    const found = Array.from(ecs.query({ place: Place }), at)
      .sort()
      .join("\n");
    ecs.dispose();
    if (found === world) break;
  }
  redis.disconnect();
}

test("players of two processes are in one room, which survives the end of its process", async () => {
  program = example.start("cluster");
  const [url] = (await program.prints(/http:\/\/localhost:\d+/)) as [string];
  const ports = await program.prints(/is ready: \S+ at port (\d+)/, 2);

  // Both processes are asked for a room.
  const seats: { roomId: string; processId: string }[] = [];
  for (const [i, port] of ports.entries()) {
    const body = JSON.stringify({ yard: "shared", name: `Guest ${i}`, key: `guest ${i}` });
    const headers = { "Content-Type": "application/json" };
    const asked = await fetch(`http://127.0.0.1:${port}/matchmake/joinOrCreate/yard`, {
      method: "POST",
      headers,
      body,
    });
    seats.push((await asked.json()) as { roomId: string; processId: string });
  }
  expect(new Set(seats.map(({ roomId }) => roomId)).size).toBe(1);

  const ada = await PlayingPage.open(browser, `${url}/?name=Ada&yard=shared`);
  const bob = await PlayingPage.open(browser, `${url}/?name=Bob&yard=shared`, { width: 390, height: 844 });
  await ada.hold("d", 10);
  await ada.hold("s", 10);
  const world = await sameWorld(ada, bob);
  const [redis] = (await program.prints(/Redis: (\S+)/)) as [string];
  await saved(redis, "yard:shared", world);

  const [id] = seats.map(({ processId }) => processId) as [string];
  const [pid] = (await program.prints(new RegExp(`process (\\d+) is ready: ${id}`))) as [string];
  process.kill(Number(pid), "SIGKILL");
  await program.prints(new RegExp(`process ${pid} has ended`));
  await Promise.all([ada.plays(1), bob.plays(1)]);
  expect(await sameWorld(ada, bob)).toBe(world);
  await ada.hold("a", 10);
  expect(await sameWorld(ada, bob)).not.toBe(world);
});

test("I1 the inspector is only in the page of `npm run dev`, and shows the world of each new session", async () => {
  program = example.start("start");
  await program.prints(/http:\/\/localhost:\d+/);
  expectNoInspector(example.folder);
  await program.stop();
  program = example.start("dev");
  const [port] = (await program.prints(/http:\/\/localhost:(\d+)/)) as [string];
  const ada = await PlayingPage.open(browser, `http://localhost:${port}/?name=Ada`);
  await expectInspector(ada.page, ["Motion", "Scores"]);
  await program.stop();
  program = example.start("dev", port);
  await ada.plays(1);
  await expectSystems(ada.page, ["Motion", "Scores"]); // where it was last, and only one
  expect(ada.problems).toEqual([]);
});
