// The example with sprites that are sorted by depth is built with Vite and run in Chromium. Frames and random numbers come from
// this test.
import { afterAll, beforeAll, afterEach, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { stopClock } from "../pages/page.js";
import { expectNoInspector, serveExample, type ServedExample } from "./copy_example.js";

let example: ServedExample;
let page: Page;
const problems: string[] = [];
beforeAll(async () => {
  example = await serveExample("sprites");
});
afterAll(() => example?.close());
afterEach(async () => {
  await page?.close();
  expect(problems).toEqual([]);
});

/** Opens the page and runs its first frame. If `random` is 0, numbers are random, the same in each run; otherwise all are `random`. */
async function open(random: number): Promise<void> {
  page = await example.browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(0); // Jest's timeout applies
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => problems.push(message.text()));
  await page.addInitScript((random) => {
    let state = 1;
    Math.random = () => random || (state = (state * 16807) % 2147483647) / 2147483647;
    const { prototype } = CanvasRenderingContext2D;
    const { clearRect } = prototype;
    Object.assign(globalThis, { draws: 0 });
    prototype.clearRect = function (...args) {
      (globalThis as unknown as { draws: number }).draws += 1;
      clearRect.apply(this, args);
    };
  }, random);
  await stopClock(page);
  await page.goto(example.url);
  while ((await text()) === "") await page.clock.runFor(16);
}
const text = () => page.locator("p").innerText();
const draws = () => page.evaluate(() => (globalThis as unknown as { draws: number }).draws);

/** Plants a tree with its foot at this point of the canvas, and draws it. */
async function plant(kind: "pine" | "birch", x: number, y: number): Promise<void> {
  await page.locator("canvas").click({ position: { x, y }, button: kind === "pine" ? "left" : "right" });
  await page.clock.runFor(16);
}
/** The colour of a pixel: red is larger than green in a birch, and smaller in a pine. */
const kindAt = (x: number, y: number) =>
  page.evaluate(
    ([x, y]) => {
      const copy = new OffscreenCanvas(1, 1).getContext("2d")!;
      copy.drawImage(document.querySelector("canvas")!, -x, -y);
      const { data } = copy.getImageData(0, 0, 1, 1);
      return data[3] === 0 ? "nothing" : data[0]! > data[1]! ? "birch" : "pine";
    },
    [x, y] as const,
  );

test("a tree hides those behind it, in whatever order they are planted", async () => {
  await open(0.999); // all others are in a corner
  const at = [400, 240] as const; // inside the crowns
  expect(await kindAt(...at)).toBe("nothing");
  await plant("pine", 400, 300);
  expect(await kindAt(...at)).toBe("pine");
  await plant("birch", 400, 290);
  expect(await kindAt(...at)).toBe("pine");
  await plant("birch", 400, 310);
  expect(await kindAt(...at)).toBe("birch");
  await plant("pine", 400, 305);
  expect(await kindAt(...at)).toBe("birch");
  expect(await text()).toBe("1,264 sprites, 1 of them new or moved. Click to plant.");
});

test("only walkers move, and nothing is drawn while all rest", async () => {
  await open(0);
  expect(await text()).toBe("1,260 sprites, 1,260 of them new or moved. Click to plant.");
  await page.clock.runFor(16);
  expect(await text()).toBe("1,260 sprites, 60 of them new or moved. Click to plant.");
  await page.close();

  await open(0.999);
  await page.clock.runFor(160);
  const before = await draws();
  await page.clock.runFor(160);
  expect(await draws()).toBe(before);
});

test("I1 the built page does not contain the inspector", () => expectNoInspector(example.folder));
