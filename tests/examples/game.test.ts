// The example of a game is built with Vite and played in Chromium. Frames and random numbers come from this test, so that
// every run is the same.
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { root } from "../package/consumer.js";
import { stopClock } from "../pages/page.js";
import { checkInspector, serveExample, type ServedExample } from "./copy_example.js";

let example: ServedExample;
let page: Page;
let problems: string[];
beforeAll(async () => {
  example = await serveExample("game");
});
afterAll(() => example?.close());

beforeEach(async () => {
  problems = [];
  page = await example.browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.setDefaultTimeout(0); // Jest's timeout applies
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => problems.push(message.text()));
  await page.addInitScript(() => {
    let state = 1;
    Math.random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  });
  await stopClock(page);
  await page.goto(example.url);
  await framesUntil(({ state }) => state === "playing", undefined, 1);
});
afterEach(async () => {
  await page?.close();
  expect(problems).toEqual([]);
});

interface Shown {
  state: string;
  score: number;
  text: string;
  /** Whether the message "Game over" is visible. */
  message: boolean;
}

const shown = (): Promise<Shown> =>
  page.evaluate(() => ({
    state: document.body.dataset["state"]!,
    score: Number(document.body.dataset["score"]),
    text: document.querySelector("#score")!.textContent!,
    message: document.querySelector("#message")!.checkVisibility(),
  }));

/**
 * Runs frames until the page is in that state, four at a time or as many as given; `each` is called before. Frames take 16 ms.
 * Throws an error if the game ends before.
 */
async function framesUntil(
  reached: (now: Shown) => boolean,
  each?: (step: number) => Promise<void>,
  frames = 4,
): Promise<Shown> {
  for (let step = 0; ; step++) {
    if (problems.length > 0) throw new Error(problems.join("\n"));
    await each?.(step);
    await page.clock.runFor(16 * frames);
    const now = await shown();
    if (reached(now)) return now;
    if (now.message) throw new Error(`the game has ended, with the score ${now.score}`);
  }
}

/** Moves the pointer on a circle around the middle of the canvas. */
const circle = (radius: number) => (step: number) =>
  page.mouse.move(640 + radius * Math.cos(0.03 * step), 360 + radius * Math.sin(0.03 * step));
const careful = circle(60);
const careless = circle(100);

/** How many opaque, light pixels of the canvas have such a hue, and where the middle of them is. */
const pixels = (from: number, to: number) =>
  page.evaluate(
    ([from, to]) => {
      const canvas = document.querySelector("canvas")!;
      const { width, height } = canvas;
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      let [x, y, count] = [0, 0, 0];
      for (let i = 0; i < width * height; i++) {
        const [red, green, blue, alpha] = [data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!, data[4 * i + 3]!];
        if (alpha < 255 || Math.max(red, green, blue) < 230) continue;
        const hue = (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI;
        if ((hue + 360) % 360 < from || (hue + 360) % 360 > to) continue;
        x += i % width;
        y += Math.floor(i / width);
        count += 1;
      }
      return { count, x: x / count, y: y / count };
    },
    [from, to] as const,
  );
const yellow = async () => (await pixels(40, 60)).count; // the blades
const player = () => pixels(180, 200);

test("the game has at most 150 lines", () => {
  const lines = readFileSync(path.join(root, "examples/game/game.ts"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(150);
});

test("gems that the pointer reaches are points, and five of them are a blade", async () => {
  expect(await shown()).toEqual({ state: "playing", score: 0, text: "Score 0 · Best 0", message: false });
  await page.clock.runFor(64); // the blades are added one by one
  const three = await yellow();
  expect(three).toBeGreaterThan(0);
  await framesUntil(({ score }) => score === 4, careful);
  expect(await yellow()).toBeLessThan(1.05 * three); // gems can hide a part of a blade
  expect((await framesUntil(({ score }) => score === 5, careful)).state).toBe("playing");
  expect(await yellow()).toBeGreaterThan(1.05 * three);
});

test("the keys move the player", async () => {
  const start = await player();
  expect(start.x).toBeCloseTo(640, -1);
  expect(start.y).toBeCloseTo(360, -1);
  await page.keyboard.down("ArrowRight");
  await page.keyboard.down("ArrowUp");
  await page.clock.runFor(25 * 16); // 0.4 s at 400 units per second
  await page.keyboard.up("ArrowRight");
  await page.keyboard.up("ArrowUp");
  await page.clock.runFor(10 * 16);
  const end = await player();
  expect(end.x - start.x).toBeGreaterThan(150);
  expect(end.y - start.y).toBeLessThan(-150);
});

test("the game ends, restarts by key and by click, and keeps the best score", async () => {
  const first = await framesUntil(({ state }) => state === "over", careless);
  expect(first.score).toBeGreaterThan(0);
  expect(first).toEqual({
    state: "over",
    score: first.score,
    text: `Score ${first.score} · Best ${first.score}`,
    message: true,
  });
  const best = first.score;

  await page.keyboard.press("Enter");
  await page.clock.runFor(16);
  const again = { state: "playing", score: 0, text: `Score 0 · Best ${best}`, message: false };
  expect(await shown()).toEqual(again);
  await page.clock.runFor(64);
  expect(await yellow()).toBeGreaterThan(100); // there are new blades
  await page.keyboard.press("Enter"); // has no effect during a round
  await page.mouse.click(640, 360);
  await page.clock.runFor(16);
  expect(await shown()).toEqual(again);

  await framesUntil(({ state }) => state === "over", careless);
  await page.clock.runFor(16); // draws without what was removed
  expect(await yellow()).toBe(0); // they were removed with the player
  await page.mouse.click(640, 360);
  await page.clock.runFor(16);
  expect(await shown()).toMatchObject({ state: "playing", score: 0, message: false });
});

test("I1 the inspector is only in the page that is served for development", () =>
  checkInspector(example.folder, example.browser, ["Chase", "Panel"]));
