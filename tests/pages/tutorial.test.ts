// The steps of the tutorial: each program does in Chromium what its page says, with the development build.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { documentsWithPrograms, joined } from "../package/snippets.js";
import { makePrograms, repeatable, type Programs } from "./programs.js";

const steps = documentsWithPrograms("docs/tutorial");
const printing = steps.filter((step) => joined(step, "text") !== "");

/** What the tests use of the programs; it exists in their pages only. */
declare const program: {
  ecs: import("crateful").ECS;
  Position: new () => { x: number; y: number } & import("crateful").Component;
  Velocity: new () => { x: number; y: number } & import("crateful").Component;
  Ship: new () => import("crateful").Component;
  Crate: new () => import("crateful").Component;
  Mine: new () => import("crateful").Component;
  Score: new () => { crates: number; sunkAt: number } & import("crateful").Component;
};

/** Where the entities with a class are. */
const places = (page: Page, name: "Position" | "Velocity" | "Ship" | "Crate" | "Mine") =>
  page.evaluate(
    (key) =>
      Array.from(program.ecs.query({ tag: program[key], position: program.Position }), ({ position }) => [
        position.x,
        position.y,
      ]),
    name,
  );
const ship = async (page: Page) => (await places(page, "Ship"))[0];
const score = (page: Page) =>
  page.evaluate(() => {
    const { crates, sunkAt } = program.ecs.get(program.ecs.world, program.Score);
    return { crates, sunkAt };
  });
/** Puts the ship there, at rest. */
const sail = (page: Page, to: number[]) =>
  page.evaluate(([x, y]) => {
    const { ecs, Ship, Position, Velocity } = program;
    for (const row of ecs.query({ ship: Ship, position: Position, velocity: Velocity })) {
      Object.assign(row.position, { x, y });
      Object.assign(row.velocity, { x: 0, y: 0 });
    }
  }, to);
/** Puts all mines into a corner, at rest. */
const calm = (page: Page) =>
  page.evaluate(() => {
    const { ecs, Mine, Position, Velocity } = program;
    for (const row of ecs.query({ mine: Mine, position: Position, velocity: Velocity })) {
      Object.assign(row.position, { x: 480, y: 300 });
      Object.assign(row.velocity, { x: 0, y: 0 });
    }
  });
/** How many pixels have one of the three colours, in hexadecimal digits. */
const pixels = (page: Page, color: string) =>
  page.evaluate((digits) => {
    const canvas = document.querySelector("canvas")!;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true })!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const wanted = [0, 2, 4].map((i) => Number.parseInt(digits.slice(i, i + 2), 16));
    let n = 0;
    for (let i = 0; i < data.length; i += 4) if (wanted.every((value, k) => data[i + k] === value)) n += 1;
    return n;
  }, color);
const [WHITE, ORANGE, TOMATO] = ["ffffff", "ffa500", "ff6347"];

let programs: Programs;
let page: Page;
beforeAll(async () => {
  programs = await makePrograms(steps);
});
afterAll(() => programs?.dispose());

test.each(printing)("$title: the program prints what the page shows", async (step) => {
  const opened = await programs.open(step.name);
  expect(`${opened.lines.join("\n")}\n`).toBe(joined(step, "text"));
  await opened.page.close();
});

test("Drawing: mines drift on the canvas, and the others rest", async () => {
  ({ page } = await programs.open("drawing", repeatable));
  await page.clock.runFor(100);
  const [resting, before] = [await places(page, "Position"), await places(page, "Velocity")];
  expect([resting.length, before.length]).toEqual([5, 3]);
  for (const color of [WHITE, ORANGE, TOMATO]) expect(await pixels(page, color!)).toBeGreaterThan(100);
  await page.clock.runFor(500);
  const soon = await places(page, "Velocity");
  const moved = soon.map(([x, y], i) => [x! - before[i]![0]!, y! - before[i]![1]!]);
  [-60, 35, 80].forEach((speed, i) => {
    expect(Math.abs(moved[i]![0]! - speed / 2)).toBeLessThan(5);
    expect(Math.abs(moved[i]![1]! - (50 - speed / 2) / 2)).toBeLessThan(5);
  });
  await page.clock.runFor(60_000);
  const after = await places(page, "Velocity");
  for (const [x, y] of after) {
    expect(Math.abs(x! - 240)).toBeLessThan(250);
    expect(Math.abs(y! - 160)).toBeLessThan(170);
  }
  expect((await places(page, "Position")).slice(0, 2)).toEqual(resting.slice(0, 2));
  await page.close();
});

test("Input: the ship is steered with keys and with the pointer", async () => {
  ({ page } = await programs.open("input", repeatable));
  await page.clock.runFor(500);
  expect(await ship(page)).toEqual([240, 160]);
  await page.keyboard.down("ArrowRight");
  await page.clock.runFor(500);
  await page.keyboard.up("ArrowRight");
  const [x, y] = (await ship(page))!;
  expect(x).toBeGreaterThan(260);
  expect(y).toBe(160);
  const box = (await page.locator("canvas").boundingBox())!;
  await page.mouse.move(box.x + x!, box.y + 10);
  await page.mouse.down();
  await page.clock.runFor(300);
  await page.mouse.up();
  const [, risen] = (await ship(page))!;
  expect(risen).toBeLessThan(150);
  await page.clock.runFor(10_000);
  const atRest = await ship(page);
  await page.clock.runFor(100);
  expect((await ship(page))![0]).toBeCloseTo(atRest![0]!, 1); // the water has slowed it down
  await page.close();
});

test("Spawning and removal: crates appear, are collected and bring mines, which sink the ship", async () => {
  const opened = await programs.open("spawning-and-removal", repeatable);
  ({ page } = opened);
  await calm(page);
  await page.clock.runFor(20_000);
  expect((await places(page, "Crate")).length).toBe(5);
  for (const mines of [1, 1, 2]) {
    const [crate] = await places(page, "Crate");
    await sail(page, crate!);
    await page.clock.runFor(50);
    expect(await places(page, "Crate")).not.toContainEqual(crate);
    expect((await places(page, "Mine")).length).toBe(mines);
  }
  await sail(page, (await places(page, "Mine"))[0]!);
  await page.clock.runFor(100);
  expect(await ship(page)).toBeUndefined();
  await opened.flush();
  expect(opened.lines).toEqual(["crates: 1", "crates: 2", "crates: 3", "The ship has sunk."]);
  await page.close();
});

test("Dirty tracking: each crate is painted once, and the score when it changes", async () => {
  const opened = await programs.open("dirty-tracking", repeatable);
  ({ page } = opened);
  const printed = async () => {
    await opened.flush();
    return opened.lines
      .splice(0)
      .map((line) => line.replace(/\d+ painted/, (text) => (line[0] === "c" ? "painted" : text)));
  };
  await calm(page);
  await page.clock.runFor(10_000);
  expect(await printed()).toEqual(["score 0 painted", ...Array(5).fill("crate painted")]);
  const [crate] = await places(page, "Crate");
  const before = await pixels(page, ORANGE!);
  await sail(page, crate!);
  await page.clock.runFor(17); // one frame
  expect(await printed()).toContain("score 1 painted");
  expect(await pixels(page, ORANGE!)).toBeLessThan(before); // it was erased
  await sail(page, [240, 160]); // between the squares of crates
  await page.clock.runFor(3000);
  expect(await printed()).toEqual(["crate painted"]); // there are five again
  await page.clock.runFor(3000);
  expect(await printed()).toEqual([]);
  await page.close();
});

test("Saving and rewinding: three times the game goes back three seconds, and then it begins again", async () => {
  ({ page } = await programs.open("rewinding", repeatable));
  await calm(page);
  await page.clock.runFor(10_000);
  for (const press of ["key", "pointer", "key"]) {
    const [crate] = await places(page, "Crate");
    await sail(page, crate!);
    await page.clock.runFor(50);
    await sail(page, (await places(page, "Mine"))[0]!);
    await page.clock.runFor(100);
    const { sunkAt, crates } = await score(page);
    expect([sunkAt > 0, crates]).toEqual([true, 1]);
    expect(await places(page, "Crate")).not.toContainEqual(crate);
    const lit = await pixels(page, ORANGE!);
    await page.clock.runFor(5000); // the game is paused
    if (press === "key") await page.keyboard.press("Space");
    else await page.locator("canvas").click();
    expect(await page.evaluate(() => program.ecs.frame)).toBe(sunkAt - 180);
    expect(await score(page)).toEqual({ sunkAt: 0, crates: 0 });
    await page.clock.runFor(50);
    expect(await places(page, "Crate")).toContainEqual(crate);
    expect(await pixels(page, ORANGE!)).not.toBe(lit); // its picture is there again
    await page.clock.runFor(4000);
  }
  await sail(page, (await places(page, "Mine"))[0]!);
  await page.clock.runFor(100);
  await page.keyboard.press("Space");
  expect(await page.evaluate(() => program.ecs.frame)).toBe(0);
  expect((await places(page, "Crate")).length).toBe(0);
  expect(await ship(page)).toEqual([240, 160]);
  await page.clock.runFor(50);
  expect(await pixels(page, ORANGE!)).toBe(0);
  await page.close();
});
