// The game of the template cpp: its module is built with Emscripten, and it is played in the built page.
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { checkInspector } from "../examples/copy_example.js";
import { tool } from "../package/consumer.js";
import { VIEWPORTS, pixels, sizeOf, type Played } from "./play.js";
import { buildTemplate } from "./build_template.js";

let game: Played;
const built = buildTemplate("cpp", async (opened) => {
  game = opened;
  await game.until(async () => (await shown()).score === "Score 0");
});

const shown = () =>
  game.page.evaluate(() => ({
    state: document.body.dataset["state"],
    score: document.querySelector("#score")!.textContent,
    message: document.querySelector("#message")!.checkVisibility() && document.querySelector("h1")!.textContent,
  }));
const points = async () => Number((await shown()).score!.slice("Score ".length));

/** The numbers of the pixels that show sand; and the middle of the bowl, in cells. */
async function picture() {
  const colours = await pixels(game.page, 120, 200);
  const sand = new Map<number, number>();
  const bowl: number[] = [];
  colours.forEach((colour, cell) => {
    if (colour === 0xf3e9dc) bowl.push(cell % 120);
    else if (colour !== 0x1d2127) sand.set(cell, colour);
  });
  return { sand, bowl: bowl.reduce((sum, x) => sum + x, 0) / bowl.length };
}

/** Moves the pointer to the column of the picture. */
const point = async (column: number) => {
  const x = await game.page.evaluate((column) => {
    const { x, y, width, height } = document.querySelector("canvas")!.getBoundingClientRect();
    return { x: x + width / 2 + (column - 60) * Math.min(width / 120, height / 200), y: y + height / 2 };
  }, column);
  await game.page.mouse.move(x.x, x.y);
};
/** Where the first spout pours sand that falls to the bowl now: it needs 150 steps of 1/120 seconds. */
const catching = async (step: number) => point(60 + 50 * Math.sin(0.8 * (step * 0.064 - 1.25)));

test("the page needs one module, and there is no await outside of functions", () => {
  const assets = readdirSync(path.join(built.project, "dist/assets")).map((name) => name.replace(/-.*\./, "."));
  expect(assets.sort()).toEqual(["game.js", "game.wasm", "index.css", "index.js"]);
  tool("typescript/bin/tsc", ["-p", ".", "--module", "es2020"], built.project);
});

test("sand falls, piles up, and stays where it is", async () => {
  expect(await shown()).toEqual({ state: "over", score: "Score 0", message: "Sand" });
  expect((await picture()).sand.size).toBe(0);
  await game.page.keyboard.press("Space");
  await point(11); // out of the way
  await game.frames(10);
  expect(await shown()).toEqual({ state: "playing", score: "Score 0", message: false });
  const lowest = async () => Math.max(...(await picture()).sand.keys());
  const before = await lowest();
  await game.frames(10);
  expect(Math.floor((await lowest()) / 120)).toBeGreaterThan(Math.floor(before / 120) + 15);
  await game.frames(250);
  const heap = [...(await picture()).sand].filter(([cell]) => cell > 197 * 120);
  expect(heap.length).toBeGreaterThan(100);
  await game.frames(60);
  const { sand } = await picture();
  expect(heap.every(([cell, colour]) => sand.get(cell) === colour)).toBe(true);
});

test("grains that the bowl catches are points and disappear", async () => {
  await game.page.keyboard.press("Space");
  await game.frames(1);
  for (let step = 0; (await points()) < 500; step++) {
    expect((await shown()).state).toBe("playing");
    await catching(step);
    await game.frames(4);
  }
  const { sand } = await picture();
  expect([...sand.keys()].filter((cell) => cell > 160 * 120).length).toBeLessThan(500);
});

test("the keys and the pointer move the bowl, which stays in the picture", async () => {
  await game.page.keyboard.press("Space");
  await game.frames(2);
  expect((await picture()).bowl).toBe(60);
  await game.page.keyboard.down("ArrowLeft");
  await game.frames(20);
  await game.page.keyboard.up("ArrowLeft");
  await game.frames(20);
  const { bowl } = await picture();
  expect(bowl).toBeGreaterThan(25);
  expect(bowl).toBeLessThan(40);
  await point(90);
  await game.frames(1);
  expect((await picture()).bowl).toBeCloseTo(90, -1);
  await game.page.mouse.move(0, 300);
  await game.frames(1);
  expect((await picture()).bowl).toBe(11);
});

test("a heap that reaches the bowl ends the round, and a click or a tap begins another one", async () => {
  for (const again of [() => game.page.mouse.click(640, 400), () => game.page.touchscreen.tap(640, 400)]) {
    await again();
    await game.frames(1);
    expect(await shown()).toEqual({ state: "playing", score: "Score 0", message: false });
    expect((await picture()).sand.size).toBeLessThan(10); // all that was there is gone
    await game.page.mouse.move(0, 300);
    await game.until(async () => (await shown()).state === "over", undefined, 60);
    expect((await shown()).message).toBe("Game over");
    const { sand } = await picture();
    expect(sand.size).toBeGreaterThan(1000);
    expect([...sand.keys()].some((cell) => Math.floor(cell / 120) === 150)).toBe(true);
  }
});

test("the page fits into each window", async () => {
  for (const viewport of VIEWPORTS) {
    await game.page.setViewportSize(viewport);
    expect(await sizeOf(game.page)).toEqual(viewport);
  }
});

test("I1 the inspector is only in the page that is served for development", () =>
  checkInspector(built.project, built.browser, ["Fall", "Pour"])); // in C++, and in TypeScript
