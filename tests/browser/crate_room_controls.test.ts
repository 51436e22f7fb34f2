// The controls and figures beside the crate room.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchChromium, servePage, type Served } from "./chromium.js";
import { openRoom, pointAt, runFrames, standBeforeCrate, type OpenRoom } from "./room.js";

let browser: Browser;
let served: Served;
let opened: OpenRoom | undefined;

beforeAll(async () => {
  served = await servePage();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});
afterEach(async () => {
  await opened?.page.context().close();
  opened = undefined;
});

async function open(query?: string): Promise<Page> {
  opened = await openRoom(browser, served.url, query);
  return opened.page;
}

/** A figure of a system's row in the table: 1 tracked, 2 looked at. */
const figure = (page: Page, system: string, column: number) =>
  page.evaluate(([name, at]) => document.querySelector(`tr[data-system="${name}"]`)?.children[Number(at)]?.textContent ?? "", [system, column] as const);
const waitForFigure = (page: Page, system: string, column: number, text: string) =>
  page.waitForFunction(([name, at, wanted]) => document.querySelector(`tr[data-system="${name}"]`)?.children[Number(at)]?.textContent === wanted, [system, column, text] as const);

const followers = ["SpatialHash", "Collision", "Animator", "SpriteBatch"];

describe("time", () => {
  test("S5 pausing stops the room and not the debug systems", async () => {
    const page = await open();
    const crate = await standBeforeCrate(page);
    await runFrames(page, 30);
    await page.getByRole("button", { name: "Pause" }).click();
    const before = await page.evaluate(() => ({ place: window.placeOf(window.theRoom().room.player), time: window.theRoom().ecs.gameTime }));

    await page.locator("#canvas").focus();
    await page.keyboard.down("s");
    const { x, y } = await pointAt(page, crate);
    await page.mouse.click(x, y);
    await page.waitForFunction((e) => window.theRoom().room.inspected === e, crate); // a debug system's work
    await runFrames(page, 20); // counted by it
    await page.keyboard.up("s");

    expect(await page.evaluate(() => ({ place: window.placeOf(window.theRoom().room.player), time: window.theRoom().ecs.gameTime }))).toEqual(before);
    expect(await page.evaluate(() => window.theRoom().score.smashed)).toBe(0);
    expect(await page.evaluate(() => window.theRoom().ecs.systems.filter((s) => s.debug).map((s) => s.name))).toEqual(["Inspector"]);
    expect(await page.getByText("Paused", { exact: true }).isVisible()).toBe(true);

    await page.getByRole("button", { name: "Go on" }).click();
    await page.keyboard.down("s");
    await page.waitForFunction((at) => window.placeOf(window.theRoom().room.player).y > at, before.place.y);
    expect(await page.evaluate(() => window.theRoom().score.smashed)).toBe(0); // the click was not saved up
  });

  test.each([["scale", "4"], ["step", "step"]])("M2 slow motion in style %s lets game time pass at a quarter of the speed", async (_style, value) => {
    const page = await open();
    const times = () => page.evaluate(() => ({ game: window.theRoom().ecs.gameTime, wall: window.theRoom().ecs.wallTime }));
    await page.locator("#speed").selectOption(value);
    const before = await times();
    await page.waitForFunction((from) => window.theRoom().ecs.wallTime > from + 1.5, before.wall);
    const after = await times();
    const speed = (after.game - before.game) / (after.wall - before.wall);
    expect(speed).toBeGreaterThan(0.15);
    expect(speed).toBeLessThan(0.35);

    await page.locator("#speed").selectOption("1");
    const normal = await times();
    await page.waitForFunction((from) => window.theRoom().ecs.wallTime > from + 0.5, normal.wall);
    const later = await times();
    expect(later.game - normal.game).toBeCloseTo(later.wall - normal.wall, 6);
  });
});

describe("dirty tracking", () => {
  test("D10 in a room at rest no system that follows changes looks at anything", async () => {
    const page = await open("?crates=3000");
    for (const system of followers) {
      await waitForFigure(page, system, 2, "0");
      expect(Number((await figure(page, system, 1)).replace(",", ""))).toBeGreaterThanOrEqual(3000);
    }
  });

  test("switched off, systems look at all they track, and the figures say so", async () => {
    const page = await open("?crates=3000");
    await waitForFigure(page, "SpriteBatch", 2, "0");
    await page.getByRole("switch", { name: "Dirty tracking" }).click();
    for (const system of followers) await waitForFigure(page, system, 2, await figure(page, system, 1));
    await page.getByRole("switch", { name: "Dirty tracking" }).click();
    for (const system of followers) await waitForFigure(page, system, 2, "0");
  });

  test("D3 only the player that walks is looked at, by those who watch its position", async () => {
    const page = await open("?crates=3000");
    await waitForFigure(page, "SpatialHash", 2, "0");
    await page.locator("#canvas").focus();
    await page.keyboard.down("a");
    await waitForFigure(page, "SpatialHash", 2, "1");
    await waitForFigure(page, "SpriteBatch", 2, "1");
    await waitForFigure(page, "Animator", 2, "0"); // once it has begun to walk, its Animation stays the same
    await page.keyboard.up("a");
    await waitForFigure(page, "SpriteBatch", 2, "0");
  });

  test("D11 a system that runs only when something is dirty rests while the player does", async () => {
    const page = await open();
    const metres = () => page.evaluate(() => window.theRoom().pedometer.metres);
    await runFrames(page, 10);
    expect(await metres()).toBe(0);
    await page.locator("#canvas").focus();
    await page.keyboard.down("a");
    await page.waitForFunction(() => window.theRoom().pedometer.metres > 1);
    await page.keyboard.up("a");
    await page.waitForFunction(() => document.querySelector("#walked")?.textContent !== "0 m");
  });
});

describe("the room", () => {
  test("K1 reset clears the world and builds the same room again, under new handles", async () => {
    const page = await open();
    const before = await page.evaluate(() => ({ count: window.theRoom().ecs.count, places: window.crates().map((e) => window.placeOf(e)), start: window.placeOf(window.theRoom().room.player) }));
    const crate = await standBeforeCrate(page);
    await runFrames(page, 30);
    const { x, y } = await pointAt(page, crate);
    await page.mouse.click(x, y);
    await page.waitForFunction((e) => !window.theRoom().ecs.alive(e), crate);
    const old = await page.evaluate(() => window.crates()[0]!);

    await page.getByRole("button", { name: "Reset" }).click();
    const after = await page.evaluate(() => ({ count: window.theRoom().ecs.count, places: window.crates().map((e) => window.placeOf(e)), start: window.placeOf(window.theRoom().room.player) }));
    expect(after).toEqual(before);
    expect(await page.evaluate((e) => ({ alive: window.theRoom().ecs.alive(e), smashed: window.theRoom().score.smashed }), old)).toEqual({ alive: false, smashed: 0 });
    await runFrames(page, 5);
    expect(opened!.complaints).toEqual([]);
  });

  test("the slider chooses how many crates there are, from 100 to 50,000", async () => {
    const page = await open();
    const slider = page.getByRole("slider", { name: "Crates" });
    for (const [value, crates] of [["0", 100], ["1", 50_000]] as const) {
      await slider.fill(value);
      await page.waitForFunction((n) => window.crates().length === n, crates);
      expect(await page.locator("#crates-shown").textContent()).toBe(crates.toLocaleString("en"));
    }
    await page.waitForFunction(() => document.querySelector("#crates-left")?.textContent === "50,000");
    expect(opened!.complaints).toEqual([]);
  });

  test("the figures show medians of update and render time", async () => {
    const page = await open();
    for (const id of ["update-now", "update-median", "render-now", "render-median"]) {
      await page.waitForFunction((name) => /^(<?\d+(\.\d+)?)$/.test(document.getElementById(name)?.textContent ?? ""), id);
    }
  });

  test("zooming changes how much of the room is drawn", async () => {
    const page = await open("?crates=3000");
    await page.locator("#zoom").selectOption("4");
    await page.waitForFunction(() => window.theRoom().room.zoom === 4);
    await runFrames(page, 3);
    const near = await page.evaluate(() => window.theRoom().room.spritesDrawn);
    await page.locator("#zoom").selectOption("1");
    await page.waitForFunction((n) => window.theRoom().room.spritesDrawn > 3 * n, near);
  });
});
