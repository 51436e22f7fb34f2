// The switch that the demo is about, and what the table of systems says of it.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, playersPlace, useRooms } from "./room.js";

const rooms = useRooms();
const QUERY = "?crates=3000&seed=3&guards=0&muted";
const FOLLOWERS = [
  "SpatialHash",
  "CollisionDetection",
  "FigureAnimation",
  "StaticRenderer",
  "AnimationRenderer",
  "Lighting",
];

const figure = (page: Page, system: string, which: "tracked" | "looked-at" | "ms") =>
  page.locator(`tr[data-system="${system}"] td[data-figure="${which}"]`).textContent();
const lookedAt = async (page: Page) =>
  Object.fromEntries(await Promise.all(FOLLOWERS.map(async (name) => [name, await figure(page, name, "looked-at")])));
const dirtyTracking = (page: Page) => page.getByRole("switch", { name: "Dirty tracking" });

describe("with dirty tracking", () => {
  test("D10 in a room at rest no system that follows changes looks at anything", async () => {
    const page = await rooms.open(QUERY);
    expect(Object.values(await lookedAt(page))).toEqual(FOLLOWERS.map(() => "0"));
    for (const system of ["SpatialHash", "CollisionDetection", "AnimationRenderer"]) {
      expect(Number((await figure(page, system, "tracked"))!.replace(",", ""))).toBeGreaterThanOrEqual(3000);
    }
  });

  test("D3 only the player that walks is looked at, by those who watch its position", async () => {
    const page = await rooms.open(QUERY);
    await page.keyboard.down("a");
    await frames(page, 5); // once it has begun to walk, its Animation stays the same
    expect(await lookedAt(page)).toEqual({
      SpatialHash: "1",
      CollisionDetection: "1",
      FigureAnimation: "0",
      StaticRenderer: "0",
      AnimationRenderer: "1",
      Lighting: "1",
    });
    await page.keyboard.up("a");
    await frames(page, 5);
    expect(Object.values(await lookedAt(page))).toEqual(FOLLOWERS.map(() => "0"));
  });

  test("D3 a crate that TypeScript moves is looked at once, by those who watch its position", async () => {
    const page = await rooms.open(QUERY);
    await page.evaluate(() => {
      window.play.get(window.play.crates()[0]!, "Position")!["x"]! += 1;
    });
    await frames(page, 1);
    expect(await lookedAt(page)).toEqual({
      SpatialHash: "1",
      CollisionDetection: "1",
      FigureAnimation: "0",
      StaticRenderer: "0",
      AnimationRenderer: "1",
      Lighting: "0",
    });
    await frames(page, 1);
    expect(Object.values(await lookedAt(page))).toEqual(FOLLOWERS.map(() => "0"));
  });

  test("D11 a system that runs only when something is dirty rests while the player does", async () => {
    const page = await rooms.open(QUERY);
    const updates = (n: number) =>
      page.evaluate((count) => {
        const { pedometer } = window.theRoom();
        const update = pedometer.update.bind(pedometer);
        let calls = 0;
        pedometer.update = (...args) => {
          calls += 1;
          update(...args);
        };
        window.play.frames(count);
        pedometer.update = update;
        return calls;
      }, n);
    expect(await updates(10)).toBe(0);
    expect(await page.locator("#walked").textContent()).toBe("0 m");
    await page.keyboard.down("a");
    expect(await updates(30)).toBe(30);
    await page.keyboard.up("a");
    expect(await page.locator("#walked").textContent()).not.toBe("0 m");
    await frames(page, 2);
    expect(await updates(10)).toBe(0);
  });
});

describe("without", () => {
  test("systems look at all they track, and the figures say so", async () => {
    const page = await rooms.open(QUERY);
    await dirtyTracking(page).click();
    await frames(page, 1);
    for (const system of FOLLOWERS)
      expect(await figure(page, system, "looked-at")).toBe(await figure(page, system, "tracked"));
    await dirtyTracking(page).click();
    await frames(page, 1);
    expect(Object.values(await lookedAt(page))).toEqual(FOLLOWERS.map(() => "0"));
  });

  test("all goes the same", async () => {
    const course = async (query: string) => {
      const page = await rooms.open(query);
      const hashes: string[] = [];
      for (const key of ["d", "w", "Space", "a", "Shift", "s", "Space"]) {
        await page.keyboard.down(key);
        await frames(page, 40);
        if (key !== "Space") await page.keyboard.up(key); // who strikes once strikes on
        hashes.push(await page.evaluate(() => window.theRoom().room.stateHash()));
      }
      const smashed = await page.evaluate(() => window.theRoom().score.smashed);
      const end = { hashes, smashed, place: await playersPlace(page) };
      await rooms.close();
      return end;
    };
    const [on, off] = [
      await course("?crates=600&seed=5&guards=4&muted"),
      await course("?crates=600&seed=5&guards=4&muted&tracking=off"),
    ];
    expect(new Set(on.hashes).size).toBe(on.hashes.length);
    expect(off).toEqual(on);
  });
});

test("beside the switch stands what an update costs, and how many times as much it is without tracking", async () => {
  const page = await rooms.open("?crates=3000&guards=0&muted");
  const cost = () => page.locator("#tracking-cost").textContent();
  await frames(page, 30);
  expect(await cost()).toMatch(/^update <?[\d.]+ ms$/);
  await page.getByRole("switch", { name: "Dirty tracking" }).click();
  await frames(page, 30);
  expect(await cost()).toMatch(/^update [\d.]+ ms \([\d,]+×\)$/);
  expect(await page.locator("#tracking-hint").textContent()).toMatch(/all 3,\d\d\d entities/);
});
