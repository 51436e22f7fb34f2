// The switch "Dirty tracking", and its effect on what systems visit.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, playersPlace, toggleSystem, useRooms } from "./room.js";

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

/** How many entities each of them tracks, and how many it visited in the last update. */
const figures = (page: Page): Promise<Record<string, { tracked: number; visited: number }>> =>
  page.evaluate((names) => {
    const { ecs, room } = window.theRoom();
    const tracked = (name: string) => ecs.systems.find((system) => system.name === name)!.tracked;
    return Object.fromEntries(names.map((name) => [name, { tracked: tracked(name), visited: room.visited(name) }]));
  }, SYSTEMS);
const visited = async (page: Page) =>
  Object.fromEntries(Object.entries(await figures(page)).map(([name, figure]) => [name, figure.visited]));
const dirtyTracking = (page: Page) => page.getByRole("switch", { name: "Dirty tracking" });

describe("with dirty tracking", () => {
  test("D10 in a room at rest systems that follow changes visit no entity", async () => {
    const page = await rooms.open(QUERY);
    expect(Object.values(await visited(page))).toEqual(SYSTEMS.map(() => 0));
    for (const system of ["SpatialHash", "CollisionDetection", "AnimationRenderer"]) {
      expect((await figures(page))[system]!.tracked).toBeGreaterThanOrEqual(3000);
    }
  });

  test("D3 D13 systems that watch positions visit only a walking player and its weapon", async () => {
    const page = await rooms.open(QUERY);
    await page.keyboard.down("a");
    await frames(page, 5); // once it has begun to walk, its Animation stays the same
    expect(await visited(page)).toEqual({
      SpatialHash: 2,
      CollisionDetection: 1,
      FigureAnimation: 0,
      Wield: 1,
      Attachments: 1,
      StaticRenderer: 1, // the weapon
      AnimationRenderer: 1,
      Lighting: 1,
    });
    await page.keyboard.up("a");
    await frames(page, 5);
    expect(Object.values(await visited(page))).toEqual(SYSTEMS.map(() => 0));
  });

  test("D3 systems that watch the position of a crate visit it once after TypeScript moved it", async () => {
    const page = await rooms.open(QUERY);
    await page.evaluate(() => {
      window.play.get(window.play.crates()[0]!, "Position")!["x"]! += 1;
    });
    await frames(page, 1);
    expect(await visited(page)).toEqual({
      SpatialHash: 1,
      CollisionDetection: 1,
      FigureAnimation: 0,
      Wield: 0,
      Attachments: 0,
      StaticRenderer: 0,
      AnimationRenderer: 1,
      Lighting: 0,
    });
    await frames(page, 1);
    expect(Object.values(await visited(page))).toEqual(SYSTEMS.map(() => 0));
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
  test("systems visit all entities that they track", async () => {
    const page = await rooms.open(QUERY);
    await dirtyTracking(page).click();
    await frames(page, 1);
    for (const { tracked, visited: all } of Object.values(await figures(page))) expect(all).toBe(tracked);
    await dirtyTracking(page).click();
    await frames(page, 1);
    expect(Object.values(await visited(page))).toEqual(SYSTEMS.map(() => 0));
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

describe("the comparison", () => {
  /** Makes every update take that long. */
  const setDuration = (page: Page, milliseconds: number) =>
    page.evaluate((duration) => {
      const start = window.theRoom().clock();
      let readings = 0;
      window.theRoom().clock = () => start + duration * readings++;
    }, milliseconds);
  const shown = (page: Page) =>
    page.evaluate(() =>
      ["cost-on", "cost-off", "ratio"].map((id) => document.getElementById(id)!.textContent!.replace(/ms$/, "").trim()),
    );
  /** Runs frames until both times are measured. */
  const measured = (page: Page) =>
    page.evaluate(() => {
      const times = () =>
        document.getElementById("cost-on")!.textContent! + document.getElementById("cost-off")!.textContent!;
      return window.play.until(() => !/measuring|≈|–/.test(times()), 5000);
    });

  test("shows the time of the room, and that of the other mode, which it measures in a twin of the room", async () => {
    const page = await rooms.open("?crates=3000&guards=0&muted");
    await setDuration(page, 0.5);
    await page.getByRole("button", { name: "Reset" }).click(); // discards the measurements so far
    await frames(page, 30);
    expect(await shown(page)).toEqual(["measuring …", "measuring …", "–"]);
    expect(await measured(page)).toBe(true);
    expect(await shown(page)).toEqual(["0.50", "0.50", "1×"]); // the room has not run without tracking

    await setDuration(page, 4);
    await page.getByRole("switch", { name: "Dirty tracking" }).click();
    await frames(page, 60);
    expect(await shown(page)).toEqual(["0.50", "4.00", "8×"]);
    expect(await page.locator("#advice").textContent()).toMatch(/all 3,\d\d\d entities/);
    const widths = await page.evaluate(() =>
      ["bar-on", "bar-off"].map((id) => Number.parseFloat(document.getElementById(id)!.style.width)),
    );
    expect(widths[1]! / widths[0]!).toBeCloseTo(8, 0);
  });

  test("measures both times in twins while the room is paused, slow, or draws a debug view", async () => {
    const page = await rooms.open("?crates=300&guards=0&muted");
    const unusual = [
      () => page.locator("#pause").click(),
      () => page.getByLabel("Time", { exact: true }).selectOption("4"),
      () => page.getByRole("button", { name: "Boxes" }).click(),
      () => toggleSystem(page, "CollisionDetection"),
    ];
    for (const make of unusual) {
      await page.reload();
      await page.waitForFunction(() => window.crateRoom !== undefined);
      await make();
      await setDuration(page, 2);
      expect(await measured(page)).toBe(true);
      expect(await shown(page)).toEqual(["2.00", "2.00", "1×"]);
      await setDuration(page, 20); // of a room that does other work than usually
      await frames(page, 100);
      expect(await shown(page)).toEqual(["2.00", "2.00", "1×"]);
    }
  });

  test("a time is not that of the frames in which a debug view was on", async () => {
    const page = await rooms.open("?crates=300&guards=0&debug=boxes&muted");
    await setDuration(page, 20);
    await frames(page, 200);
    await page.getByRole("button", { name: "Boxes" }).click();
    await setDuration(page, 4);
    await frames(page, 45);
    expect((await shown(page))[0]).toBe("4.00");
  });

  test("with another number of crates both times are estimated until they are measured", async () => {
    const page = await rooms.open("?crates=500&guards=0&muted");
    await setDuration(page, 2);
    await page.getByRole("button", { name: "Reset" }).click(); // discards the measurements so far
    expect(await measured(page)).toBe(true);
    const entities = () => page.evaluate(() => window.theRoom().ecs.count);
    const before = await entities();
    await page.locator("#crates").press("End");
    await frames(page, 1);
    expect(await entities()).toBeGreaterThan(50_000);
    expect(await shown(page)).toEqual(["≈ 2.00", "≈ 200.0", "≈ 100×"]);
    expect(await page.locator("#bar-off").getAttribute("style")).toMatch(/^width: 9\d/);
    await page.locator("#crates").press("Home");
    await page.locator("#crates").press("ArrowRight");
    expect(await entities()).toBeLessThan(before);
    expect(await measured(page)).toBe(true);
    expect(await shown(page)).toEqual(["2.00", "2.00", "1×"]);
  });

  test("the twin visits all entities only in the other mode, and leaves the room as it is", async () => {
    const page = await rooms.open("?crates=500&guards=2&muted");
    const found = await page.evaluate(() => {
      const { room, ecs } = window.theRoom();
      const before = { hash: room.stateHash(), entities: ecs.count, recorded: room.recordedFrames };
      const twin = room.twin();
      twin.update(3);
      const visited = [twin.visited("SpatialHash")];
      twin.tracking = false;
      twin.update(3);
      visited.push(twin.visited("SpatialHash"));
      const after = { hash: room.stateHash(), entities: ecs.count, recorded: room.recordedFrames };
      const tracking = [room.tracking, twin.tracking];
      twin.delete();
      return { before, after, tracking, visited };
    });
    expect(found.after).toEqual(found.before);
    expect(found.tracking).toEqual([true, false]);
    expect(found.visited[0]).toBeLessThan(10); // the guards at most
    expect(found.visited[1]).toBeGreaterThan(500);
  });
});
