// The example of a world in a worker, built and served for development, in Chromium. The worker's animation frames come
// from this test, so that the world is the same in every run; the page draws whenever the browser wants.
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder } from "../browser/serve.js";
import { makeConsumer, root, tool, type Consumer } from "../package/consumer.js";
import type { Served } from "../pages/server.js";
import { serveWithVite } from "../pages/vite.js";
import { copyExample, expectInspector, expectNoInspector } from "./copy_example.js";

const isolating = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
let consumer: Consumer;
let browser: Browser;
let isolated: Served;
let plain: Served;
let folder: string;
beforeAll(async () => {
  consumer = makeConsumer();
  folder = copyExample("worker", consumer);
  const installed = path.join(folder, "node_modules"); // Vite serves no files outside of the folder
  cpSync(path.join(consumer.folder, "node_modules"), installed, { recursive: true });
  symlinkSync(path.join(root, "node_modules/vite"), path.join(installed, "vite"));
  tool("typescript/bin/tsc", [], folder);
  expect(tool("vite/bin/vite.js", ["build", "--logLevel", "warn"], folder)).toBe(""); // no warnings
  isolated = await serveFolder(path.join(folder, "dist"), "/", isolating);
  plain = await serveFolder(path.join(folder, "dist"));
  browser = await connectToChromium();
});
afterAll(async () => {
  await browser?.close();
  await isolated?.close();
  await plain?.close();
  consumer?.dispose();
});

let pages: Page[] = [];
let problems: string[] = [];
afterEach(async () => {
  for (const page of pages) await page.close();
  expect(problems).toEqual([]);
  [pages, problems] = [[], []];
});

/** What the test adds to the page and to the worker. */
interface Harness {
  worker: Worker;
  /** Called when the worker has run the frames that were asked for. */
  onRan?: () => void;
  counts: Int32Array;
}

/** Runs before the worker's script: the frames of its loop are those that the test asks for by a message. */
function holdFrames(): void {
  let call: FrameRequestCallback | undefined;
  let now = 0;
  let ready = () => {};
  const started = new Promise<void>((resolve) => {
    ready = resolve;
  });
  globalThis.cancelAnimationFrame = () => {
    call = undefined;
  };
  globalThis.requestAnimationFrame = (next) => {
    call = next;
    if (now === 0) setTimeout(ready); // startLoop first tries whether there are frames
    return 1;
  };
  addEventListener("message", (event: MessageEvent<{ run?: number }>) => {
    const { run } = event.data;
    if (run === undefined) return;
    event.stopImmediatePropagation();
    void started.then(() => {
      for (let i = 0; i < run; i++) call!((now += 16.7)); // one update each
      postMessage({ ran: true });
    });
  });
}

/** Opens the example. `before` runs in the worker before its script. */
async function open(url: string, before: () => void = holdFrames): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 500, height: 460 } });
  pages.push(page);
  page.setDefaultTimeout(0); // Jest's timeout applies
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (!/^\[vite\]|GPU stall due to ReadPixels/.test(message.text())) problems.push(message.text()); // `look` reads pixels
  });
  await page.addInitScript(() => {
    const harness = globalThis as unknown as Harness;
    globalThis.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        harness.worker = this;
        this.addEventListener("message", (event: MessageEvent<{ ran?: true }>) => {
          if (event.data.ran !== true) return;
          event.stopImmediatePropagation(); // it is not for the example
          harness.onRan!();
        });
      }
    };
  });
  await page.route(/\/worker[^/]*\.[jt]s/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `(${String(before)})();\n${await response.text()}` });
  });
  await page.goto(url);
  return page;
}

/** Runs frames of the worker; resolves when the page has drawn what the worker has published. */
const run = (page: Page, frames: number) =>
  page.evaluate(async (count) => {
    const harness = globalThis as unknown as Harness;
    await new Promise<void>((resolve) => {
      harness.onRan = resolve;
      harness.worker.postMessage({ run: count });
    });
    await new Promise(requestAnimationFrame); // after the page's own
    return Number(document.body.dataset["update"]);
  }, frames);

interface Picture {
  black: number;
  hot: number;
  /** Differs if any pixel does. */
  hash: number;
}

/** The number of pixels of the canvas that are black and that are hot. */
const look = (page: Page): Promise<Picture> =>
  page.evaluate(async () => {
    const canvas = document.querySelector("canvas")!;
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
    await new Promise((resolve) => {
      requestAnimationFrame(resolve); // after the page's own, so that the canvas still has its picture
    });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    let [black, hot, hash] = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
      const [red, green, blue] = [data[i]!, data[i + 1]!, data[i + 2]!];
      if (red + green + blue === 0) black += 1;
      if (red > 200) hot += 1;
      hash = (Math.imul(hash, 31) + red * 65536 + green * 256 + blue) | 0;
    }
    return { black, hot, hash };
  });
const mode = async (page: Page) => (await page.locator("#mode").textContent())!.split("\n")[0];

test("the example of a worker has fewer than 200 lines, without drawing", () => {
  const lines = ["packets.ts", "main.ts", "worker.ts"].map(
    (name) =>
      readFileSync(path.join(root, "examples/worker", name), "utf8")
        .trimEnd()
        .split("\n").length,
  );
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThan(200);
});

test("shared memory and transferred buffers show the same, also if the page receives few packets", async () => {
  const seen: Picture[] = [];
  for (const [url, how, atOnce] of [
    [isolated.url, "shared memory", 1],
    [isolated.url, "shared memory", 8],
    [`${isolated.url}?transfer`, "transferred buffers", 1],
    [plain.url, "transferred buffers", 1],
    [plain.url, "transferred buffers", 8],
  ] as const) {
    const page = await open(url);
    expect(await mode(page)).toBe(how);
    const first = await run(page, atOnce);
    for (let done = atOnce; done < 8; done += atOnce) await run(page, atOnce);
    await run(page, 1); // after this, the worker has both buffers
    const last = await run(page, 1);
    expect([first < last, last]).toEqual([true, 9]); // the first frame of the loop only begins to measure time
    seen.push(await look(page));
  }
  expect(seen[0]!.hot).toBeGreaterThan(1000);
  expect(seen).toEqual(seen.map(() => seen[0]));
});

test("the pointer pushes and removes boxes, and the key makes a wave", async () => {
  for (const url of [isolated.url, plain.url]) {
    const page = await open(url);
    const canvas = (await page.locator("canvas").boundingBox())!;
    const lookAfter = async (x: number, y: number, frames: number) => {
      await page.mouse.move(canvas.x + x * canvas.width, canvas.y + y * canvas.height);
      await run(page, frames);
      for (let i = 0; i < 2; i++) await run(page, 1); // until the page has all changes
      return look(page);
    };
    const rest = await lookAfter(0.75, 0.75, 200);
    const pushed = await lookAfter(0.25, 0.25, 5);
    expect(pushed.hot).toBeGreaterThan(rest.hot);
    await page.mouse.down();
    await run(page, 3);
    await page.mouse.up();
    const removed = await lookAfter(0.75, 0.75, 200);
    expect(removed.black - rest.black).toBeGreaterThan(60 * 36); // at least 60 boxes, of 6 by 6 pixels
    await page.keyboard.press("w");
    expect((await lookAfter(0.75, 0.75, 1)).hot).toBeGreaterThan(10 * pushed.hot);
  }
});

test("the world goes on while the page is blocked, and the page draws while the world is slow", async () => {
  const page = await open(isolated.url, () => {
    const request = globalThis.requestAnimationFrame.bind(globalThis);
    let counts: Int32Array | undefined;
    addEventListener("message", (event: MessageEvent<{ counts?: Int32Array }>) => {
      if (event.data.counts === undefined) return;
      event.stopImmediatePropagation();
      counts = event.data.counts;
    });
    globalThis.requestAnimationFrame = (call) =>
      request((now) => {
        call(now);
        if (counts === undefined) return;
        Atomics.add(counts, 0, 1); // a frame of the world has ended
        while (Atomics.load(counts, 1) > 0); // the page wants it to be slow
      });
  });
  await page.waitForFunction(() => Number(document.body.dataset["update"]) > 0); // the worker has loaded what it needs
  const blocked = await page.evaluate(() => {
    const counts = new Int32Array(new SharedArrayBuffer(8));
    const harness = globalThis as unknown as Harness;
    harness.counts = counts;
    harness.worker.postMessage({ counts });
    const before = document.body.dataset["update"];
    while (Atomics.load(counts, 0) < 5); // blocks the page until the world has had five frames
    return { before, after: document.body.dataset["update"] };
  });
  expect(blocked.after).toBe(blocked.before);
  await page.waitForFunction((before) => Number(document.body.dataset["update"]) > Number(before), blocked.before);
  const drawn = await page.evaluate(async () => {
    const { counts } = globalThis as unknown as Harness;
    Atomics.store(counts, 1, 1); // the world waits until the page has had five frames
    for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
    const { update } = document.body.dataset;
    for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
    Atomics.store(counts, 1, 0);
    return { update, later: document.body.dataset["update"] };
  });
  expect(drawn.later).toBe(drawn.update);
  await page.waitForFunction((before) => Number(document.body.dataset["update"]) > Number(before), drawn.update);
});

test("the buttons block the page and slow the world down, and the figures show it", async () => {
  const page = await open(plain.url, () => {});
  const figure = (id: string, pattern: RegExp) =>
    page.waitForFunction(
      ({ id, source }) => Number(new RegExp(source).exec(document.getElementById(id)!.textContent)?.[1]) > 0,
      { id, source: pattern.source },
    );
  await figure("world", /(\d+) updates per second/);
  await figure("data", /([\d.]+) KiB per frame/);
  await page.click("#block");
  await page.waitForFunction(() =>
    /longest: [2-9]\d\d|longest: \d{4}/.test(document.querySelector("#page")!.textContent!),
  );
  await page.click("#slow");
  await page.waitForFunction(() => Number(/^[\d.]+/.exec(document.querySelector("#world")!.textContent!)?.[0]) >= 40);
});

/** Serves the example for development. Vite has found the packages of the worker, so it does not load the page again. */
async function serveForDevelopment(): Promise<Served> {
  const developed = await serveWithVite(folder);
  const page = await browser.newPage();
  page.setDefaultTimeout(0); // Jest's timeout applies
  await page.goto(developed.url);
  await page.waitForFunction(() => Number(document.body.dataset["update"]) > 0);
  await page.close();
  return developed;
}

test("Vite's development server and preview of the example are isolated, and show the same as the built page", async () => {
  const seen: Picture[] = [];
  for (const serve of [serveForDevelopment, () => serveWithVite(folder, "preview")]) {
    const served = await serve();
    try {
      const page = await open(served.url);
      expect(await mode(page)).toBe("shared memory");
      for (let i = 0; i < 8; i++) await run(page, 1);
      seen.push(await look(page));
    } finally {
      await served.close();
    }
  }
  expect(seen[0]!.hot).toBeGreaterThan(0);
  expect(seen[1]).toEqual(seen[0]);
});

test("I1 the inspector is only in the page that is served for development, and shows the worker's world", async () => {
  expectNoInspector(folder);
  const developed = await serveForDevelopment();
  try {
    for (const url of [developed.url, `${developed.url}?transfer`]) {
      const page = await open(url, () => {});
      await expectInspector(page, ["Push", "Swing", "Publish"]);
      const before = Number(await page.evaluate(() => document.body.dataset["update"]));
      await page.waitForFunction((update) => Number(document.body.dataset["update"]) > update, before); // the page goes on
    }
  } finally {
    await developed.close();
  }
});

test("an isolated page can't load a worker whose script has no Cross-Origin-Embedder-Policy", async () => {
  const page = await browser.newPage();
  pages.push(page);
  await page.addInitScript(() => {
    globalThis.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        this.addEventListener("error", () => (document.title = "refused"));
      }
    };
  });
  await page.route(/\/worker/, async (route) => {
    const response = await route.fetch();
    const { "cross-origin-embedder-policy": _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await page.goto(isolated.url);
  await page.waitForFunction(() => document.title === "refused");
});
