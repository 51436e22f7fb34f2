// The switch "Dirty tracking", and its effect on the table of systems.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, playersPlace, useRooms } from "./room.js";

const rooms = useRooms();
const QUERY = "?crates=3000&seed=3&guards=0&muted";
// The systems that follow changes.
const SYSTEMS = [
  "SpatialHash",
  "CollisionDetection",
  "FigureAnimation",
  "Wield",
  "Attachments",
  "StaticRenderer",
  "AnimationRenderer",
  "Lighting",
];

const figure = (page: Page, system: string, which: "tracked" | "looked-at" | "ms") =>
  page.locator(`tr[data-system="${system}"] td[data-figure="${which}"]`).textContent();
const visited = async (page: Page) =>
  Object.fromEntries(await Promise.all(SYSTEMS.map(async (name) => [name, await figure(page, name, "looked-at")])));
const dirtyTracking = (page: Page) => page.getByRole("switch", { name: "Dirty tracking" });

describe("with dirty tracking", () => {
  test("D10 in a room at rest systems that follow changes visit no entity", async () => {
    const page = await rooms.open(QUERY);
    expect(Object.values(await visited(page))).toEqual(SYSTEMS.map(() => "0"));
    for (const system of ["SpatialHash", "CollisionDetection", "AnimationRenderer"]) {
      expect(Number((await figure(page, system, "tracked"))!.replace(",", ""))).toBeGreaterThanOrEqual(3000);
    }
  });

  test("D3 D13 systems that watch positions visit only a walking player and its weapon", async () => {
    const page = await rooms.open(QUERY);
    await page.keyboard.down("a");
    await frames(page, 5); // once it has begun to walk, its Animation stays the same
    expect(await visited(page)).toEqual({
      SpatialHash: "2",
      CollisionDetection: "1",
      FigureAnimation: "0",
      Wield: "1",
      Attachments: "1",
      StaticRenderer: "1", // the weapon
      AnimationRenderer: "1",
      Lighting: "1",
    });
    await page.keyboard.up("a");
    await frames(page, 5);
    expect(Object.values(await visited(page))).toEqual(SYSTEMS.map(() => "0"));
  });

  test("D3 systems that watch the position of a crate visit it once after TypeScript moved it", async () => {
    const page = await rooms.open(QUERY);
    await page.evaluate(() => {
      window.play.get(window.play.crates()[0]!, "Position")!["x"]! += 1;
    });
    await frames(page, 1);
    expect(await visited(page)).toEqual({
      SpatialHash: "1",
      CollisionDetection: "1",
      FigureAnimation: "0",
      Wield: "0",
      Attachments: "0",
      StaticRenderer: "0",
      AnimationRenderer: "1",
      Lighting: "0",
    });
    await frames(page, 1);
    expect(Object.values(await visited(page))).toEqual(SYSTEMS.map(() => "0"));
  });

  test("D11 a system with onlyWhenDirty is not updated while the player stands still", async () => {
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
  test("systems visit all entities that they track, and the table shows it", async () => {
    const page = await rooms.open(QUERY);
    await dirtyTracking(page).click();
    await frames(page, 1);
    for (const system of SYSTEMS)
      expect(await figure(page, system, "looked-at")).toBe(await figure(page, system, "tracked"));
    await dirtyTracking(page).click();
    await frames(page, 1);
    expect(Object.values(await visited(page))).toEqual(SYSTEMS.map(() => "0"));
  });

  test("D10 the game has the same states", async () => {
    const play = async (query: string) => {
      const page = await rooms.open(query);
      const hashes: string[] = [];
      for (const key of ["d", "w", "Space", "a", "Shift", "s", "Space"]) {
        await page.keyboard.down(key);
        await frames(page, 40);
        if (key !== "Space") await page.keyboard.up(key); // continues to strike
        hashes.push(await page.evaluate(() => window.theRoom().room.stateHash()));
      }
      const smashed = await page.evaluate(() => window.theRoom().score.smashed);
      const end = { hashes, smashed, place: await playersPlace(page) };
      await rooms.close();
      return end;
    };
    const [on, off] = [
      await play("?crates=600&seed=5&guards=4&muted"),
      await play("?crates=600&seed=5&guards=4&muted&tracking=off"),
    ];
    expect(new Set(on.hashes).size).toBe(on.hashes.length);
    expect(off).toEqual(on);
  });
});

test("beside the switch the page shows the time of an update, and its ratio to the time with tracking", async () => {
  const page = await rooms.open("?crates=3000&guards=0&muted");
  /** Makes every update take that long. */
  const setDuration = (milliseconds: number) =>
    page.evaluate((duration) => {
      const start = window.theRoom().clock();
      let readings = 0;
      window.theRoom().clock = () => start + duration * readings++;
    }, milliseconds);
  const cost = () => page.locator("#tracking-cost").textContent();
  await setDuration(0.5);
  await page.getByRole("button", { name: "Reset" }).click(); // discards the measurements so far
  await frames(page, 30);
  expect(await cost()).toBe("update 0.50 ms");
  await page.getByRole("switch", { name: "Dirty tracking" }).click();
  await setDuration(4);
  await frames(page, 30);
  expect(await cost()).toBe("update 4.00 ms (8×)");
  expect(await page.locator("#tracking-hint").textContent()).toMatch(/all 3,\d\d\d entities/);
});
