// The README's example in a new project, as `npm create vite` makes it from its template vanilla-ts.
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder } from "../browser/serve.js";
import { env, makeConsumer, root, tool, type Consumer } from "./consumer.js";
import { STRICT, joined, section } from "./snippets.js";

const first = section("README.md", "A first example");
const example = joined(first, "ts");
const printed = joined(first, "text").trimEnd().split("\n");
const game = example + joined(section("README.md", "What every game needs"), "ts");

/** Prints which build of the package the page has (rule B1). */
const which = `
const [late] = [...ecs.query({ position: Position })];
try {
  late!.position.x += 1;
  console.log("production");
} catch {
  console.log("development");
}
`;

let consumer: Consumer;
let browser: Browser;
beforeAll(async () => {
  consumer = makeConsumer();
  const template = path.join(root, "node_modules/create-vite/template-vanilla-ts");
  cpSync(template, consumer.folder, {
    recursive: true,
    filter: (file) => path.basename(file) !== "package.json", // the consumer's lists the package
  });
  for (const name of ["vite", "typescript"])
    symlinkSync(path.join(root, "node_modules", name), path.join(consumer.folder, "node_modules", name));
  const strict = { extends: "./tsconfig.json", compilerOptions: { ...STRICT, skipLibCheck: false } };
  consumer.write("tsconfig.strict.json", JSON.stringify(strict));
  browser = await connectToChromium();
});
afterAll(async () => {
  await browser?.close();
  consumer?.dispose();
});

/** Builds the project as its `npm run build` does, and serves the result. */
function build() {
  tool("typescript/bin/tsc", [], consumer.folder);
  tool("vite/bin/vite.js", ["build", "--logLevel", "warn"], consumer.folder);
  return serveFolder(path.join(consumer.folder, "dist"));
}

interface Opened {
  page: Page;
  /** The lines on the console, but not Vite's own. */
  lines: string[];
  /** Resolves when all lines that were printed before are in `lines`. */
  flush(): Promise<void>;
}

const END = "end";
/** A program that prints END when it has run. */
const ending = (program: string) => `${program}console.log("${END}");\n`;

/** Opens a page, and waits until its program has run. */
async function open(url: string, before?: (page: Page) => Promise<unknown>): Promise<Opened> {
  const page = await browser.newPage();
  page.setDefaultTimeout(0); // Jest's timeout applies
  const lines: string[] = [];
  const failed = new Promise<never>((_, reject) => {
    page.on("pageerror", reject);
  });
  failed.catch(() => {}); // `untilEnd` reports it
  let reached = () => {};
  page.on("console", (message) => {
    if (message.text() === END) reached();
    else if (!message.text().startsWith("[vite]")) lines.push(message.text());
  });
  const untilEnd = async (action: () => Promise<unknown>) => {
    const end = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await action();
    await Promise.race([end, failed]);
  };
  await before?.(page);
  await untilEnd(() => page.goto(url));
  return { page, lines, flush: () => untilEnd(() => page.evaluate((text) => console.log(text), END)) };
}

test.each(["typescript", "typescript-7"])("%s accepts the programs of the README with all strict flags", (compiler) => {
  consumer.write("src/main.ts", example);
  consumer.write("src/game.ts", game);
  tool(`${compiler}/bin/tsc`, ["-p", "tsconfig.strict.json"], consumer.folder);
});

test("B1 the first example of the README has at most 25 lines, and prints what the README shows in the built page", async () => {
  expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
  consumer.write("src/main.ts", ending(example + which));
  const served = await build();
  try {
    const { page, lines } = await open(served.url);
    expect(lines).toEqual([...printed, "production"]);
    await page.close();
  } finally {
    await served.close();
  }
});

/** Runs the project as its `npm run dev` does. */
async function serveForDevelopment(): Promise<{ url: string; server: ChildProcess }> {
  const vite = path.join(root, "node_modules/vite/bin/vite.js");
  const server = spawn(process.execPath, [vite, "--host", "127.0.0.1", "--port", "0", "--clearScreen", "false"], {
    cwd: consumer.folder,
    env: { ...env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(server.stdout)) {
    const url = /http:\S+/.exec(line)?.[0];
    if (url === undefined) continue;
    server.stdout.resume(); // discards further output, because a full pipe would block the server
    return { url, server };
  }
  throw new Error("vite ended without serving the project");
}

test("B1 while Vite serves it for development, the first example prints the same with the development build", async () => {
  consumer.write("src/main.ts", ending(example + which));
  const { url, server } = await serveForDevelopment();
  const ended = new Promise((resolve) => {
    server.once("exit", resolve);
  });
  try {
    const { page, lines } = await open(url);
    expect(lines).toEqual([...printed, "development"]);
    await page.close();
  } finally {
    server.kill();
    await ended;
  }
});

test("the game of the README runs, limits its delta, removes crates and restarts", async () => {
  consumer.write("src/main.ts", ending(game));
  const served = await build();
  try {
    // The page's clock stands still, except where this test advances it.
    const { page, lines, flush } = await open(served.url, async (fresh) => {
      await fresh.clock.install({ time: 0 });
      await fresh.clock.pauseAt(1000);
    });
    const place = async () => {
      await flush();
      return Number(/^crate 2 is at (.*)$/.exec(lines.at(-1)!)?.[1]);
    };
    await page.clock.runFor(1000);
    const before = await place();
    expect(before).toBeGreaterThan(7 + 4);
    expect(before).toBeLessThan(7 + 6);
    await page.clock.fastForward(60_000); // as if the tab had been hidden
    expect(await place()).toBeCloseTo(before + 0.1 * 5, 3);

    await page.clock.runFor(25_000);
    expect(await place()).toBeGreaterThanOrEqual(100); // then it was removed
    const removed = lines.length;
    await page.clock.runFor(1000);
    await flush();
    expect(lines.length).toBe(removed);

    const entities = new Set([1, 2, 3]);
    for (const score of [1, 0]) {
      const printedBefore = lines.length;
      await page.keyboard.press("r");
      await page.clock.runFor(100);
      await flush();
      const [restart, ...crates] = lines.slice(printedBefore);
      expect(restart).toBe(`restart, score ${score}`);
      expect(crates.map((line) => line.replace(/\d+/, "…"))).toEqual([1, 2, 3].map((x) => `crate … is at ${x}`));
      for (const line of crates) entities.add(parseInt(line.slice("crate ".length), 10));
    }
    expect(entities.size).toBe(9); // each restart has new entities
    await page.close();
  } finally {
    await served.close();
  }
});
