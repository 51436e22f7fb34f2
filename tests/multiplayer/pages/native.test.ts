// The clients of the example with its server in C++, which is another program.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { connect as connectTo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { ECS } from "crateful";
import { init, restore, snapshot } from "crateful/state";
import { WebSocket } from "ws";
import { Game } from "../../../examples/multiplayer/game.js";
import { connectNative } from "../../../examples/multiplayer/native.js";
import { Crate, Keys, Place, Player, Rules, sent } from "../../../examples/multiplayer/rules.js";
import { Session } from "../../../examples/multiplayer/session.js";
import type { Connection } from "../../../examples/multiplayer/connection.js";
import { connectToChromium } from "../../browser/chromium.js";
import { root, run, tool } from "../../package/consumer.js";
import { makeExample, PlayingPage, sameWorld } from "./example.js";

globalThis.WebSocket ??= WebSocket as never; // Node 20 has none

const build = path.join(root, "build/examples/native-server"); // kept, so that the next run compiles nothing
beforeAll(async () => {
  await init();
  run("cmake", ["--fresh", "-S", path.join(root, "examples/native-server"), "-B", build], root);
  run("cmake", ["--build", build, "--parallel", "2"], root);
});

/** Where the program runs, with the file of the saved yard. */
const folder = mkdtempSync(path.join(tmpdir(), "crateful-native-server-"));
const file = path.join(folder, "saves/main");
mkdirSync(path.dirname(file));
afterAll(() => rmSync(folder, { recursive: true }));

let server: ChildProcess;
let ended: Promise<unknown[]>;
let port: number;
let output: AsyncIterator<string>;
let log: AsyncIterator<string>;
async function start(...options: string[]): Promise<void> {
  server = spawn(path.join(build, "native_server"), ["0", "page", ...options], { cwd: folder });
  ended = once(server, "exit");
  const lines = (input: unknown): AsyncIterator<string> =>
    createInterface({ input: input as never })[Symbol.asyncIterator]();
  [output, log] = [lines(server.stdout), lines(server.stderr)];
  port = Number(/^http:\/\/localhost:(\d+)$/.exec((await output.next()).value)?.[1]);
}
async function stop(): Promise<void> {
  server.kill();
  expect(await ended).toEqual([0, null]);
}
beforeEach(async () => {
  rmSync(file, { force: true });
  await start();
});
afterEach(() => stop());

/** A page. */
class Visitor {
  readonly session: Session;
  readonly left: Promise<{ code: number; reason: string | undefined }>;
  #wake = (): void => {};
  constructor(readonly connection: Connection) {
    this.session = new Session(connection, () => this.#wake());
    this.left = new Promise((done) => connection.onLeave((code, reason) => done({ code, reason })));
  }
  /** Waits until this holds after a message. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((done) => (this.#wake = done));
  }
  /** Everything that it shows, by the handles of the server. */
  shows(): Record<number, unknown> {
    const { ecs, replica } = this.session;
    const all = Array.from(ecs.query({ place: Place }, { optional: { player: Player } }), (row) => {
      const { x, y } = row.place;
      const { name, hue, score, inputs } = row.player ?? {};
      return [replica.remote(row.entity), { x, y, name, hue, score, inputs }];
    });
    return Object.fromEntries(all);
  }
  /** Where the crates are, in their order. */
  crates(): { x: number; y: number }[] {
    return cratesOf(this.session);
  }
  get place(): Place {
    return this.session.ecs.get(this.session.me, Place);
  }
  get player(): Player {
    return this.session.ecs.get(this.session.me, Player);
  }
  /** The entity of its player at the server. */
  get remote(): number {
    return this.session.replica.remote(this.session.me);
  }
}
const cratesOf = ({ ecs }: Pick<Session, "ecs">) =>
  Array.from(ecs.query({ place: Place, crate: Crate }), ({ place: { x, y } }) => ({ x, y }));
async function join(name: string, key = name): Promise<Visitor> {
  const visitor = new Visitor(await connectNative(`ws://127.0.0.1:${port}`, { yard: "main", key, name }));
  await visitor.until(() => visitor.session.ecs.alive(visitor.session.me));
  return visitor;
}

/** Walks to one crate after the other, until so many have moved. Returns the keys of its inputs. */
async function push(visitor: Visitor, wanted: number): Promise<number[]> {
  const before = visitor.crates();
  const tries = before.map(() => 0);
  const distance = ({ x, y }: { x: number; y: number }) => Math.hypot(x - visitor.place.x, y - visitor.place.y);
  const inputs: number[] = [];
  for (let moved = 0; moved < wanted; ) {
    const crates = visitor.crates();
    const rests = crates.map(({ x, y }, i) => x === before[i]?.x && y === before[i]?.y);
    moved = rests.filter((rest) => !rest).length;
    const left = crates.map((_, i) => i).filter((i) => rests[i] && (tries[i] ?? 0) < 40); // some cannot be pushed
    const next = left.sort((a, b) => distance(crates[a] as Place) - distance(crates[b] as Place))[0] as number;
    tries[next] = (tries[next] ?? 0) + 1;
    const x = (crates[next]?.x ?? 0) - visitor.place.x;
    const y = (crates[next]?.y ?? 0) - visitor.place.y;
    const horizontal = Math.abs(x) < 0.2 ? 0 : x < 0 ? Keys.left : Keys.right;
    const keys = horizontal | (horizontal !== 0 && Math.abs(y) < 0.2 ? 0 : y < 0 ? Keys.up : Keys.down);
    visitor.session.input(keys);
    inputs.push(keys);
    await visitor.until(() => inputs.length - visitor.player.inputs < 4); // it is up to four inputs ahead
  }
  await visitor.until(() => visitor.player.inputs === inputs.length);
  return inputs;
}

test("the only player that acts is never corrected, though it pushes crates, and all show the same", async () => {
  const [a, b] = [await join("Ada"), await join("Böb 100 %")];
  const copy = new ECS();
  restore(copy, snapshot(a.session.ecs), { components: sent });
  const inputs = await push(a, 3);
  const shown = () => b.session.ecs.get(b.session.replica.entity(a.remote), Player);
  await b.until(() => shown().inputs === inputs.length);
  expect(b.shows()).toEqual(a.shows());
  expect(a.session.corrections).toBe(0);
  const rules = new Rules(copy);
  const me = copy.get(a.session.me, Place);
  for (const keys of inputs) rules.move(me, keys);
  expect(a.crates()).toEqual(cratesOf({ ecs: copy }));
  expect({ x: a.place.x, y: a.place.y }).toEqual({ x: me.x, y: me.y });
  expect(Array.from(a.session.ecs.query({ player: Player }), ({ player }) => player.name)).toEqual([
    "Ada",
    "Böb 100 %",
  ]);
});

describe("a client is disconnected, with a line in the log, and nobody else notices,", () => {
  const messages: Record<string, [bytes: Uint8Array | string, why: RegExp]> = {
    "that sends an acknowledgement of another length": [new Uint8Array(4), /an acknowledgement has 4 bytes/],
    "that acknowledges what was not sent": [Uint8Array.of(0, 9, 9, 0, 0), /acknowledges what was not sent/],
    "that sends an input of another length": [Uint8Array.of(1, 1, 0, 0, 0), /an input has 5 bytes/],
    "that leaves out inputs": [Uint8Array.of(1, 2, 0, 0, 0, 1), /inputs are missing/],
    "that sends what only the server sends": [Uint8Array.of(2, 1, 0, 0, 0), /unknown type/],
    "that sends a long ping": [new Uint8Array(10).fill(3), /ping/],
    "that sends a type that does not exist": [Uint8Array.of(4), /unknown type/],
    "that sends nothing": [new Uint8Array(), /without a type/],
    "that sends a text": ["hello", /text/],
  };
  test.each(Object.entries(messages))("%s", async (_, [message, why]) => {
    const other = await join("other");
    const before = other.crates();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/?yard=main&key=k&name=n`);
    await once(socket, "open");
    socket.send(message);
    socket.send(Uint8Array.of(1, 1, 0, 0, 0, Keys.left)); // has no effect
    const [code, reason] = await once(socket, "close");
    expect([code, String(reason)]).toEqual([4000, "refused: the log of the server says why"]);
    expect((await log.next()).value).toMatch(why);

    other.session.input(Keys.left | Keys.right); // moves nothing
    await other.until(() => other.player.inputs === 1);
    expect(other.crates()).toEqual(before);
    const names = Array.from(other.session.ecs.query({ player: Player }), ({ player }) => [player.name, player.inputs]);
    expect(names).toEqual([
      ["other", 1],
      ["n", 0],
    ]);
  });
});

test("who does not say who it is, or at length, cannot join", async () => {
  for (const query of ["", "?yard=main&key=k", "?yard=main&key=&name=n", `?yard=main&key=k&name=${"n".repeat(161)}`]) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/${query}`);
    const [, response] = await once(socket, "unexpected-response");
    expect(response.statusCode).toBe(400);
    response.resume();
  }
});

test("60 clients can play, also if many more ask at the same moment", async () => {
  const sockets = Array.from({ length: 150 }, () => connectTo(port, "127.0.0.1"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const answers = sockets.map(async (socket, i) => {
    socket.write(
      `GET /?yard=main&key=${i}&name=n HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    );
    let answer = Buffer.alloc(0);
    for await (const bytes of socket.iterator({ destroyOnReturn: false })) {
      answer = Buffer.concat([answer, bytes]);
      const text = answer.toString("latin1");
      if (text.startsWith("HTTP/1.1 400") && text.endsWith("the yard is full")) return "full";
      const [head, frames = ""] = text.split("\r\n\r\n");
      if (frames.length >= 2) return `${head?.slice(9, 12)} ${frames.charCodeAt(0) === 0x82 ? "plays" : "closed"}`;
    }
    return "nothing";
  });
  const found = await Promise.all(answers);
  for (const socket of sockets) socket.destroy(); // not before, so that none gets the place of another
  expect(found.filter((answer) => answer === "101 plays")).toHaveLength(60);
  expect(found).not.toContain("nothing");
});

test("players play on if the yard cannot be saved", async () => {
  const visitor = await join("Ada");
  rmSync(path.dirname(file), { recursive: true, force: true });
  writeFileSync(path.dirname(file), "a file in the place of the folder");
  expect((await log.next()).value).toMatch(/^the yard was not saved: /);
  rmSync(path.dirname(file));
  visitor.session.input(Keys.left);
  await visitor.until(() => visitor.player.inputs === 1);
});

test("a player is played by the page that joined last with its key", async () => {
  const first = await join("Ada", "key");
  first.session.input(Keys.right);
  await first.until(() => first.player.inputs === 1);
  const second = await join("Ada", "key");
  expect(await first.left).toEqual({ code: 4000, reason: "This player is played from elsewhere." });
  expect(second.remote).toBe(first.remote);
  second.session.input(Keys.left);
  await second.until(() => second.player.inputs === 2);
  expect((await join("Ada", "another key")).remote).not.toBe(first.remote);
});

test("the yard is kept when the server is started again, and the server in TypeScript can continue it", async () => {
  const before = await join("Ada");
  await push(before, 1);
  const [crates, remote] = [before.crates(), before.remote];
  await stop();
  const game = new Game(readFileSync(file));
  expect(cratesOf(game)).toEqual(crates);
  expect(game.join("Ada", "Ada")).toBe(remote);
  const [first] = game.ecs.query({ place: Place, crate: Crate });
  Object.assign(first?.place as Place, { x: 30.5, y: 20.5 });
  game.update();
  writeFileSync(file, game.save());

  await start();
  const after = await join("Ada");
  expect(after.crates()).toEqual([{ x: 30.5, y: 20.5 }, ...crates.slice(1)]);
  expect(after.remote).toBe(remote);
});

test("a player that was absent for 10 s is removed", async () => {
  await stop();
  const game = new Game();
  game.leave(game.join("a", "Ada"));
  for (let k = 0; k < 195; ++k) game.update();
  expect(game.ecs.query({ player: Player }).count).toBe(1);
  writeFileSync(file, game.save());
  await start();
  const b = await join("Bob");
  await b.until(() => b.session.ecs.query({ player: Player }).count === 1);
  expect(b.player.name).toBe("Bob");
});

test("the page's files are served, and no others", async () => {
  mkdirSync(path.join(folder, "page/assets"), { recursive: true });
  for (const name of ["page/index.html", "page/assets/a.js", "secret.js"]) writeFileSync(path.join(folder, name), name);
  const status = async (target: string) => {
    const [response] = await once(get({ port, path: target }), "response");
    const chunks = await response.toArray();
    return `${response.statusCode} ${Buffer.concat(chunks)}`;
  };
  expect(await status("/?yard=main")).toBe("200 page/index.html");
  expect(await status("/assets/a.js")).toBe("200 page/assets/a.js");
  for (const target of ["/../secret.js", `/${path.join(folder, "secret.js")}`, "/assets", "/a.js", "a.js"])
    expect(await status(target)).toBe("400 there is no such file");
});

test("two pages play with it, and show the same world", async () => {
  const example = makeExample();
  const browser = await connectToChromium();
  try {
    tool("vite/bin/vite.js", ["build", "--logLevel", "error"], example.folder);
    rmSync(path.join(folder, "page"), { recursive: true, force: true });
    symlinkSync(path.join(example.folder, "dist"), path.join(folder, "page"));
    const address = `http://127.0.0.1:${port}/?server=ws://127.0.0.1:${port}`;
    const ada = await PlayingPage.open(browser, `${address}&name=Ada`);
    const bob = await PlayingPage.open(browser, `${address}&name=Bob`, { width: 390, height: 844 });
    const before = await sameWorld(ada, bob);
    await ada.hold("d", 10);
    await ada.hold("s", 10);
    expect(await sameWorld(ada, bob)).not.toBe(before);
    expect(await ada.corrections).toBe(0);
    expect([...ada.problems, ...bob.problems]).toEqual([]);
  } finally {
    await browser.close();
    example.dispose();
  }
});

describe("with --inspect,", () => {
  let inspect: string;
  beforeEach(async () => {
    await stop();
    await start("--inspect", "0");
    inspect = /^inspect (ws:\/\/127\.0\.0\.1:\d+)$/.exec((await output.next()).value)?.[1] as string;
  });

  test("a page of this machine shows and changes the server's world (I1)", async () => {
    rmSync(path.join(folder, "page"), { recursive: true, force: true });
    mkdirSync(path.join(folder, "page"));
    symlinkSync(path.join(root, "dist"), path.join(folder, "page/dist"));
    writeFileSync(
      path.join(folder, "page/index.html"),
      `<!doctype html><html lang="en"><title>Inspector</title><link rel="icon" href="data:,"><body><script type="module">
         import { attachInspector } from "/dist/inspector.js";
         attachInspector(new WebSocket("${inspect}"), { place: "right" });
       </script>`,
    );
    const ada = await join("Ada");
    const browser = await connectToChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
      page.setDefaultTimeout(0); // Jest's timeout applies
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
      await page.goto(`http://127.0.0.1:${port}`);
      for (const name of ["Move", "Collect", "Leave"]) await page.getByText(name, { exact: true }).first().waitFor();

      await page.getByRole("tab", { name: "Entities", exact: true }).click();
      await page.getByLabel("Find entities").fill("Player @Collect");
      await page.getByText("1 found").waitFor();
      await page.getByRole("treeitem").filter({ hasText: "Ada" }).click();
      await page.getByRole("heading", { name: "Ada" }).waitFor();
      await page.getByRole("button", { name: "Why", exact: true }).click();
      await page.getByRole("button", { name: "Record", exact: true }).click();
      await page.getByRole("button", { name: "Stop recording" }).waitFor();
      await page.getByRole("tab", { name: "Entities", exact: true }).click();
      const x = page.getByLabel("Place.x", { exact: true });
      await x.fill("12.5");
      await x.press("Enter");
      await ada.until(() => ada.place.x === 12.5); // the server has sent it to her page
      await page.getByRole("button", { name: "Why", exact: true }).click();
      const changes = page.getByRole("region", { name: "Changes, newest first" });
      await changes.getByText("Place.x").first().waitFor();
      expect(await changes.getByRole("listitem").last().innerText()).toMatch(
        /Place\.x\s+[\d.]+ → 12\.5\s+outside of systems\s+dirty for Collect/,
      );
      ada.session.input(Keys.left);
      await ada.until(() => ada.player.inputs === 1);
      await changes.getByText("Move", { exact: true }).first().waitFor();

      await page.getByRole("button", { name: "Pause", exact: true }).click();
      const frame = page.getByRole("button", { name: "Run one frame" }).first();
      ada.session.input(Keys.left);
      await frame.click();
      await ada.until(() => ada.player.inputs === 2);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test("pages from elsewhere are refused, and other messages are not answered (I1)", async () => {
    for (const origin of [
      "https://example.com",
      "http://localhost.example.com",
      "http://127.0.0.1.example.com:80",
      "null",
      "x",
    ]) {
      const socket = new WebSocket(inspect, { headers: { origin } });
      const [, response] = await once(socket, "unexpected-response");
      expect([origin, response.statusCode]).toEqual([origin, 400]);
      response.resume();
    }
    for (const origin of [undefined, "http://localhost:5173", "http://127.0.0.1", "http://[::1]:80"]) {
      const socket = new WebSocket(inspect, origin === undefined ? {} : { headers: { origin } });
      await once(socket, "open");
      socket.send("hello");
      socket.send('{"crateful":7,"request":[{"do":"destroy","entity":0},{"ask":"nothing"}]}');
      const [message] = await once(socket, "message");
      expect(JSON.parse(String(message))).toMatchObject({
        crateful: 7,
        answer: [{ error: { code: "BAD_ARGUMENT" } }, { error: { code: "BAD_ARGUMENT" } }],
      });
      socket.close();
    }
  });
});
