// The recipes: each program does in Chromium what its page says, with the development build.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { documentsWithPrograms, joined } from "../package/snippets.js";
import { makePrograms, repeatable, type Programs } from "./programs.js";

const recipes = documentsWithPrograms("docs/recipes");
const printing = recipes.filter((recipe) => joined(recipe, "text") !== "");

/** How many colours the canvas shows. */
const colors = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector("canvas")!;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d")!;
    copy.drawImage(canvas, 0, 0);
    return new Set(new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
  });

let programs: Programs;
beforeAll(async () => {
  programs = await makePrograms(recipes);
});
afterAll(() => programs?.dispose());

test.each(printing)("$title: the program prints what the page shows", async (recipe) => {
  const { page, lines, flush } = await programs.open(recipe.name, repeatable);
  await page.clock.runFor(2600); // for those with a loop
  await flush();
  expect(`${lines.join("\n")}\n`).toBe(joined(recipe, "text"));
  await page.close();
});

test("Drawing on a canvas: squares move between updates", async () => {
  const { page } = await programs.open("canvas", repeatable);
  await page.clock.runFor(1000);
  const picture = () => page.locator("canvas").evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  expect(await colors(page)).toBeGreaterThan(1);
  const pictures = new Set<string>();
  for (let i = 0; i < 6; i++) {
    await page.clock.runFor(17);
    pictures.add(await picture());
  }
  expect(pictures.size).toBe(6); // although there were at most three updates
  await page.close();
});

test("Input: a key that is held moves the hero, and a short press is a jump", async () => {
  const { page, lines, flush } = await programs.open("input", repeatable);
  const x = () =>
    page.evaluate(() => {
      const { ecs, Hero } = (globalThis as unknown as { program: { ecs: import("crateful").ECS; Hero: never } })
        .program;
      return Array.from(
        ecs.query({ hero: Hero as unknown as new () => { x: number } & import("crateful").Component }),
        ({ hero }) => hero.x,
      )[0]!;
    });
  await page.clock.runFor(200);
  expect(await x()).toBe(100);
  await page.keyboard.press("Space"); // no frame is between down and up
  await page.keyboard.down("KeyD");
  await page.clock.runFor(500);
  await page.keyboard.up("KeyD");
  expect(await x()).toBeGreaterThan(140);
  await page.clock.runFor(2000);
  const rests = await x();
  await page.clock.runFor(200);
  expect(await x()).toBe(rests);
  await flush();
  expect(lines).toEqual(["jump"]);
  expect(await colors(page)).toBeGreaterThan(1);
  await page.close();
});

test("Cameras: the camera follows the player, and a click is a place in the world", async () => {
  const { page, lines, flush } = await programs.open("cameras", repeatable);
  await page.clock.runFor(100);
  await page.locator("canvas").click(); // in the middle
  await page.clock.runFor(6000); // the player is on the other side
  await page.locator("canvas").click();
  await flush();
  const places = lines.map((line) => /^clicked at (\d+), (\d+)$/.exec(line)!.slice(1).map(Number));
  expect(Math.hypot(places[0]![0]! - 800, places[0]![1]! - 500)).toBeLessThan(20);
  expect(Math.hypot(places[1]![0]! - 200, places[1]![1]! - 540)).toBeLessThan(80);
  expect(await colors(page)).toBeGreaterThan(2);
  await page.close();
});
