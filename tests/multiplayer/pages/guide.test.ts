// docs/multiplayer.md, followed word for word: the files of its first room, the commands, and its other programs.
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { connectToChromium } from "../../browser/chromium.js";
import { makeConsumer, root, run, tool, type Consumer } from "../../package/consumer.js";
import { section, STRICT } from "../../package/snippets.js";
import { Program } from "./example.js";
import { freePort } from "../rooms.js";

const dots = section("docs/multiplayer.md", "Dots: the first room");
let consumer: Consumer;
let browser: Browser;
beforeAll(async () => {
  consumer = makeConsumer();
  browser = await connectToChromium();
});
afterAll(async () => {
  await browser?.close();
  consumer?.dispose();
});

/** Makes the packages available that the commands install, which must be those of this repository. */
function install(folder: string): void {
  const [commands] = dots.blocks;
  const wanted = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).devDependencies;
  const named = [...(commands?.text.matchAll(/^npm install (?:--save-dev )?(.*)$/gm) ?? [])].flatMap(([, names]) =>
    (names as string).split(" "),
  );
  expect(named).toContain("crateful");
  for (const versioned of [...named.filter((name) => name !== "crateful"), ".bin"]) {
    const [, name = "", version = ""] = /^(@?[^@]+)@?(.*)$/.exec(versioned) ?? [];
    if (name !== ".bin") expect(wanted[name]).toMatch(new RegExp(`^${version}`));
    const place = path.join(folder, "node_modules", name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), place);
  }
}

/** Writes the files of the first room; the page connects to another port than the server listens to. */
function writeFiles(port: number, pagePort: number): void {
  let lines = 0;
  const text = readFileSync(path.join(root, "docs/multiplayer.md"), "utf8");
  const [, onNode20] = /begins with\s+`(globalThis.+)`/.exec(text) ?? [];
  for (const { text } of dots.blocks) {
    const name = /^(?:\/\/|<!--) (\w+\.\w+)/.exec(text)?.[1];
    if (name === undefined) continue;
    const content = text.replaceAll("2567", String(name === "server.ts" ? port : pagePort));
    const isOld = name === "server.ts" && Number.parseInt(process.versions.node, 10) < 22;
    consumer.write(name, isOld ? `${onNode20}\n${content}` : content);
    if (name !== "tsconfig.json") lines += text.split("\n").filter((line) => line.trim() !== "").length - 1;
  }
  expect(Number(/These are (\d+) lines/.exec(text)?.[1])).toBe(lines);
}

/** Passes bytes on to a port, until it is told to end all connections. */
async function passOn(to: number): Promise<{ port: number; end(): void; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((here) => {
    const there = connect(to, "127.0.0.1");
    for (const [from, other] of [
      [here, there],
      [there, here],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {}).on("close", () => other.destroy() && sockets.delete(from));
      from.pipe(other);
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    end,
    close: () => {
      server.close();
      end();
    },
  };
}

/** Waits until something is drawn at a place, or nothing. */
async function drawn(page: Page, x: number, y: number, is = true): Promise<void> {
  await page.waitForFunction(
    ([x, y, is]) => {
      const canvas = document.querySelector("canvas") as HTMLCanvasElement;
      const [, , , alpha] = canvas.getContext("2d")?.getImageData(x as number, y as number, 1, 1).data ?? [];
      return (alpha === 255) === is;
    },
    [x, y, is] as const,
  );
}
/** Holds a key until a place is drawn, or not any more, in some pages. */
async function hold(page: Page, key: string, x: number, y: number, is: boolean, pages: Page[]): Promise<void> {
  await page.keyboard.down(key);
  for (const other of pages) await drawn(other, x, y, is);
  await page.keyboard.up(key);
}

describe("the first room", () => {
  let line: Awaited<ReturnType<typeof passOn>>;
  beforeAll(async () => {
    install(consumer.folder);
    const port = await freePort();
    line = await passOn(port);
    writeFiles(port, line.port);
  });
  afterAll(() => line.close());

  test("is accepted by TypeScript, as the page says and with all strict flags", () => {
    tool("typescript/bin/tsc", [], consumer.folder);
    const compilerOptions = { ...STRICT, module: "ESNext", moduleResolution: "bundler", types: [] };
    consumer.write("strict.json", JSON.stringify({ extends: "./tsconfig.json", compilerOptions }));
    tool("typescript/bin/tsc", ["-p", "strict.json"], consumer.folder);
  });

  test("follows the time that it has been given, and Colyseus measures the same", () => {
    consumer.write(
      "time.ts",
      `import { mock } from "node:test";
      import { type Room, matchMaker } from "@colyseus/core";
      await import("./server.js");
      mock.timers.enable({ apis: ["setInterval"] });
      const { roomId } = await matchMaker.createRoom("dots", {});
      const { ecs, clock } = matchMaker.getLocalRoomById(roomId) as Room & { ecs: { gameTime: number } };
      let ticks = 0;
      const tick = clock.tick.bind(clock);
      clock.tick = () => (++ticks, tick());
      mock.timers.tick(2000);
      console.log(ecs.gameTime.toFixed(6), ticks);
      process.exit();`,
    );
    expect(run("npx", ["tsx", "time.ts"], consumer.folder)).toBe("The server is ready.\n2.000000 40\n");
  });

  test("shows each page the others' dots, also after a reload, a lost connection and the end of the server", async () => {
    const [server, pages] = dots.blocks.filter(({ text }) => /^npx (tsx|vite)/.test(text)).map(({ text }) => text);
    expect([server, pages]).toEqual(["npx tsx server.ts\n", "npx vite --open\n"]);
    const serve = () => new Program("npx", ["tsx", "server.ts"], consumer.folder);
    const pagePort = await freePort();
    const programs = [
      serve(),
      new Program("npx", ["vite", "--host", "127.0.0.1", "--port", String(pagePort)], consumer.folder),
    ] as [Program, Program];
    try {
      await programs[1].prints(/127\.0\.0\.1/);
      await programs[0].prints(/The server is ready/);
      const problems: string[] = [];
      const open = async (context: BrowserContext): Promise<Page> => {
        const page = await context.newPage();
        page.setDefaultTimeout(0);
        page.on("pageerror", (error) => problems.push(String(error)));
        await page.goto(`http://127.0.0.1:${pagePort}`);
        return page;
      };
      const [one, other] = [await open(await browser.newContext()), await open(await browser.newContext())];
      await drawn(one, 128, 128);
      await drawn(other, 128, 128);
      await hold(one, "ArrowRight", 254, 128, true, [one, other]); // up to the wall

      await one.reload();
      await drawn(one, 254, 128);
      await hold(one, "ArrowDown", 254, 128, false, [one, other]); // no second dot stays there
      await hold(one, "ArrowDown", 254, 254, true, [one, other]);

      await one.keyboard.down("ArrowLeft");
      await drawn(other, 2, 254);
      line.end();
      await one.keyboard.up("ArrowLeft"); // perhaps before it has reconnected
      await hold(one, "ArrowUp", 2, 2, true, [one, other]);
      await hold(other, "ArrowRight", 254, 128, true, [one, other]);

      await programs[0].stop();
      programs[0] = serve();
      for (const page of [one, other]) await drawn(page, 128, 128); // they have joined again
      await drawn(one, 2, 2, false);
      await hold(other, "ArrowLeft", 2, 128, true, [one, other]);

      // A page that is opened once more has the key, and plays the dot; the one before leaves.
      const key = await one.evaluate(() => sessionStorage["player"] as string);
      const context = await browser.newContext();
      await context.addInitScript((key) => void (sessionStorage["player"] = key), key);
      const twin = await open(context);
      await drawn(twin, 128, 128);
      await hold(twin, "ArrowRight", 254, 128, true, [twin, other]);
      expect(problems).toEqual([]);
    } finally {
      for (const program of programs) await program.stop();
    }
  });
});
