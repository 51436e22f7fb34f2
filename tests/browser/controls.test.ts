// The controls below the room.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, playersPlace, pointOf, standBelowCrate, stateHash, useRooms } from "./room.js";

const rooms = useRooms();
const times = (page: Page) =>
  page.evaluate(() => ({ game: window.theRoom().ecs.gameTime, wall: window.theRoom().ecs.wallTime }));

describe("time", () => {
  test("S5 a pause stops the room but not the debug systems", async () => {
    const page = await rooms.open();
    const crate = await standBelowCrate(page);
    const state = async () => ({
      ...(await times(page)),
      wall: 0,
      hash: await stateHash(page),
      smashed: await page.evaluate(() => window.theRoom().score.smashed),
    });
    await page.locator("#pause").click();
    const before = await state();
    const inspections = await page.evaluate(() => window.theRoom().room.inspections);

    await page.locator("#canvas").focus();
    await page.keyboard.down("s");
    const { x, y } = await pointOf(page, crate);
    await page.mouse.click(x, y);
    await frames(page, 20);
    await page.keyboard.up("s");
    expect(await page.evaluate(() => window.theRoom().room.inspections)).toBe(inspections + 20);
    expect(
      await page.evaluate(() => ({ inspected: window.theRoom().room.inspected, picked: window.theRoom().room.picked })),
    ).toEqual({ inspected: crate, picked: true });
    expect(await state()).toEqual(before);
    expect(await page.getByText("Paused", { exact: true }).isVisible()).toBe(true);

    await page.getByRole("button", { name: "Go on" }).click();
    await page.keyboard.down("s"); // the canvas has the focus again
    const from = (await playersPlace(page)).y;
    await frames(page, 20);
    expect((await playersPlace(page)).y).toBeGreaterThan(from);
    expect(await page.evaluate(() => window.theRoom().score.smashed)).toBe(before.smashed); // the click had no later effect
    expect(await page.getByText("Paused", { exact: true }).isVisible()).toBe(false);
  });

  test("M2 slow motion in style scale divides the delta of every frame by four", async () => {
    const page = await rooms.open();
    await page.locator("#speed").selectOption("4");
    const before = await times(page);
    await frames(page, 3);
    const after = await times(page);
    expect(after.wall - before.wall).toBeCloseTo(3 / 60, 9);
    expect(after.game - before.game).toBeCloseTo(3 / 240, 9);

    await page.locator("#speed").selectOption("1");
    await frames(page, 3);
    expect((await times(page)).game - after.game).toBeCloseTo(3 / 60, 9);
  });

  test("M2 slow motion in style step runs every fourth frame with the full delta", async () => {
    const page = await rooms.open();
    await page.locator("#speed").selectOption("step");
    const lengths = await page.evaluate(() =>
      Array.from({ length: 8 }, () => {
        const { gameTime } = window.theRoom().ecs;
        window.play.frames(1);
        return window.theRoom().ecs.gameTime - gameTime;
      }),
    );
    expect(lengths.filter((length) => length === 0)).toHaveLength(6);
    const ran = lengths.flatMap((length, i) => (length > 0 ? [i] : []));
    expect(ran[1]! - ran[0]!).toBe(4);
    for (const i of ran) expect(lengths[i]).toBeCloseTo(1 / 60, 9);
  });

  test.each(["1", "4", "step"])("Step runs exactly one frame and then pauses the room (time: %s)", async (speed) => {
    const page = await rooms.open();
    await page.locator("#speed").selectOption(speed);
    const length = speed === "4" ? 1 / 240 : 1 / 60;
    for (const _ of [1, 2, 3]) {
      const before = await page.evaluate(() => ({
        game: window.theRoom().ecs.gameTime,
        recorded: window.theRoom().room.recordedFrames,
        inspections: window.theRoom().room.inspections,
      }));
      await page.locator("#step").click();
      const after = await page.evaluate(() => ({
        game: window.theRoom().ecs.gameTime,
        recorded: window.theRoom().room.recordedFrames,
        inspections: window.theRoom().room.inspections,
        paused: window.theRoom().ecs.paused,
      }));
      expect(after.game - before.game).toBeCloseTo(length, 9);
      expect(after.recorded - before.recorded).toBe(1);
      expect(after.inspections - before.inspections).toBe(1);
      expect(after.paused).toBe(true);
    }
    expect(await page.locator("#speed").inputValue()).toBe(speed);
    const stopped = (await times(page)).game;
    await frames(page, 10);
    expect((await times(page)).game).toBe(stopped);
  });
});

describe("the room", () => {
  test("K1 Reset clears the world and creates the same room again with new handles", async () => {
    const page = await rooms.open();
    const room = () =>
      page.evaluate(() => ({
        count: window.theRoom().ecs.count,
        places: window.play.crates().map(window.play.at),
        start: window.play.at(window.theRoom().room.player),
      }));
    await page.getByRole("button", { name: "Reset" }).click();
    const [before, hash] = [await room(), await stateHash(page)];
    await frames(page, 60);
    await standBelowCrate(page);
    await page.keyboard.press("Space");
    await frames(page, 60);
    expect(await page.evaluate(() => window.theRoom().score.smashed)).toBe(1);
    const old = await page.evaluate(() => [window.play.crates()[0]!, window.theRoom().room.player]);

    await page.getByRole("button", { name: "Reset" }).click();
    expect(await room()).toEqual(before);
    expect(await stateHash(page)).toBe(hash);
    expect(
      await page.evaluate(
        (all) => ({
          alive: all.map((e) => window.theRoom().ecs.alive(e)),
          smashed: window.theRoom().score.smashed,
          walked: window.theRoom().pedometer.metres,
        }),
        old,
      ),
    ).toEqual({ alive: [false, false], smashed: 0, walked: 0 });
    await frames(page, 5);
  });

  test("the slider chooses the number of crates, from 100 to 50,000", async () => {
    const page = await rooms.open();
    const slider = page.getByRole("slider", { name: "Crates" });
    for (const [value, crates] of [
      ["0", 100],
      ["0.5", 2000],
      ["1", 50_000],
    ] as const) {
      await slider.fill(value);
      await frames(page, 1);
      const count = await page.evaluate(() => window.play.crates().length);
      if (value === "0.5") expect(Math.abs(count - crates)).toBeLessThanOrEqual(500);
      else expect(count).toBe(crates);
      expect(await page.locator("#crates-shown").textContent()).toBe(count.toLocaleString("en"));
      expect(await page.locator("#crates-left").textContent()).toBe(count.toLocaleString("en"));
    }
  });

  test("the zoom changes how much of the room is drawn, and the pointer still selects the entity under it", async () => {
    const page = await rooms.open("?crates=3000&seed=3&guards=0&muted");
    const drawn = async (zoom: string) => {
      await page.locator("#zoom").selectOption(zoom);
      await frames(page, 2);
      return page.evaluate(() => ({ zoom: window.theRoom().room.zoom, sprites: window.theRoom().room.spritesDrawn }));
    };
    const near = await drawn("4");
    expect(near.zoom).toBe(4);
    const far = await drawn("1");
    expect(far.zoom).toBe(1);
    expect(far.sprites).toBeGreaterThan(3 * near.sprites);
    expect((await drawn("0")).zoom).toBe(2);
    await drawn("3");
    const crate = await standBelowCrate(page);
    const { x, y } = await pointOf(page, crate);
    await page.mouse.move(x, y);
    await frames(page, 2);
    expect(await page.evaluate(() => window.theRoom().room.inspected)).toBe(crate);
  });

  test("the zoom is in CSS pixels, and the pointer fits on a screen with more pixels", async () => {
    const page = await rooms.open("?crates=3000&seed=3&guards=0&muted", {
      context: { deviceScaleFactor: 2, viewport: { width: 1000, height: 640 } },
    });
    const zoom = () => page.evaluate(() => window.theRoom().room.zoom);
    expect(await zoom()).toBe(4); // automatic
    await page.locator("#zoom").selectOption("3");
    expect(await zoom()).toBe(6);
    const crate = await standBelowCrate(page);
    const { x, y } = await pointOf(page, crate);
    await page.mouse.move(x, y);
    await frames(page, 2);
    expect(await page.evaluate(() => window.theRoom().room.inspected)).toBe(crate);
  });

  test("a small room is enlarged in whole pixels until it fills the picture, and centred", async () => {
    const page = await rooms.open("?crates=100&seed=3&guards=0&muted", {
      context: { viewport: { width: 1900, height: 1400 } },
    });
    const margins = () =>
      page.evaluate(() => {
        window.play.frames(30);
        const { room } = window.theRoom();
        const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
        // Walls are around the room; a wall's position is in the middle of its tile of 16 pixels.
        const places = window.play
          .all("Sprite")
          .flatMap((e) => (window.play.get(e, "Position") ? [window.play.at(e)] : []));
        const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
        return {
          zoom: room.zoom,
          left: room.screenX(Math.min(...xs) - 8),
          right: canvas.width - room.screenX(Math.max(...xs) + 8),
          top: room.screenY(Math.min(...ys) - 8 - 28), // doors are drawn above the wall
          bottom: canvas.height - room.screenY(Math.max(...ys) + 8),
          width: room.screenX(Math.max(...xs) + 8) - room.screenX(Math.min(...xs) - 8),
          height: room.screenY(Math.max(...ys) + 8) - room.screenY(Math.min(...ys) - 36),
        };
      });
    const automatic = await margins();
    expect(automatic.zoom).toBeGreaterThan(2);
    expect(automatic.left).toBeCloseTo(automatic.right, 3);
    expect(automatic.top).toBeCloseTo(automatic.bottom, 3);
    expect(automatic.left).toBeGreaterThanOrEqual(0);
    expect(automatic.top).toBeGreaterThanOrEqual(0);
    // One more would not fit.
    expect(
      Math.min(
        2 * automatic.left - automatic.width / automatic.zoom,
        2 * automatic.top - automatic.height / automatic.zoom,
      ),
    ).toBeLessThan(0);

    await page.locator("#zoom").selectOption("1");
    const small = await margins();
    expect(small.zoom).toBe(1);
    expect(small.left).toBeCloseTo(small.right, 3);
    expect(small.top).toBeCloseTo(small.bottom, 3);
  });

  test("the figures beside the room show its entities and costs", async () => {
    const page = await rooms.open("?crates=432&seed=3&guards=0&muted");
    const figure = (id: string) => page.locator(`#${id}`).textContent();
    for (const id of ["update-now", "update-mean", "render-now", "render-mean"])
      expect(await figure(id)).toMatch(/^<?\d+(\.\d+)?$/);
    expect(await figure("crates-left")).toBe("432");
    expect(await figure("entities")).toBe(await page.evaluate(() => window.theRoom().ecs.count.toLocaleString("en")));
    expect(await figure("sprites")).toBe(String(await page.evaluate(() => window.theRoom().room.spritesDrawn)));
    expect(await figure("calls")).toBe(String(await page.evaluate(() => window.theRoom().room.drawCalls)));
    expect(await figure("room-number")).toBe("1");
  });
});
