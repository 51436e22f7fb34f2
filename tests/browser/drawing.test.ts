// The picture, and the cost of drawing it.
import { expect, test } from "@jest/globals";
import { frames, useRooms } from "./room.js";

const rooms = useRooms();

test("crates are drawn at their positions, and floor elsewhere", async () => {
  const page = await rooms.open();
  await page.locator("#zoom").selectOption("1"); // shows the most crates
  await frames(page, 60);
  const { lids, floor } = await page.evaluate(() => {
    const { room } = window.theRoom();
    const { width, height } = document.querySelector<HTMLCanvasElement>("#canvas")!;
    const at = window.play.at(room.player);
    const inView = ({ x, y }: { x: number; y: number }) =>
      room.screenX(x) > 40 && room.screenX(x) < width - 40 && room.screenY(y) > 60 && room.screenY(y) < height - 60;
    // A crate's lid is drawn above its position.
    const crates = window.play
      .crates()
      .map((crate) => window.play.at(crate))
      .filter(inView);
    return {
      lids: window.play.colours(crates.map(({ x, y }) => ({ x, y: y - 8 }))),
      floor: window.play.colours([{ x: at.x + 30, y: at.y }])[0]!,
    };
  });
  expect(lids.length).toBeGreaterThan(30);
  const differs = ([r, g, b]: number[]) =>
    Math.abs(r! - floor[0]!) + Math.abs(g! - floor[1]!) + Math.abs(b! - floor[2]!) > 24;
  expect(lids.filter(differs).length / lids.length).toBeGreaterThan(0.9);
});

test("E3 after a crate was removed, the next picture shows floor in its place", async () => {
  const page = await rooms.open();
  const crate = await page.evaluate(() => window.play.standBelowCrate());
  const [before, after, floor] = await page.evaluate((e) => {
    const { x, y } = window.play.at(e);
    const [was] = window.play.colours([{ x, y: y - 8 }]);
    window.theRoom().ecs.removeEntity(e);
    window.play.frames(2);
    return [
      was!,
      ...window.play.colours([
        { x, y: y - 8 },
        { x: x + 20, y: y - 8 },
      ]),
    ];
  }, crate);
  const difference = (a: number[], b: number[]) => Math.max(...a.map((c, i) => Math.abs(c - b[i]!)));
  expect(difference(before!, after!)).toBeGreaterThan(24);
  expect(difference(after!, floor!)).toBeLessThan(difference(before!, floor!));
});

test("the cost of a picture depends on the visible sprites, not on the number of crates", async () => {
  const drawn = async (crates: number) => {
    const page = await rooms.open(`?crates=${crates}&seed=3&guards=0&muted`);
    await page.locator("#zoom").selectOption("1"); // shows the most sprites
    await frames(page, 60);
    const figures = await page.evaluate(() => ({
      sprites: window.theRoom().room.spritesDrawn,
      calls: window.theRoom().room.drawCalls,
    }));
    await rooms.close();
    return figures;
  };
  const [small, large] = [await drawn(2000), await drawn(20_000)];
  expect(small.sprites).toBeGreaterThan(100);
  expect(large.sprites).toBeLessThan(3 * small.sprites);
  expect(large.calls).toBe(small.calls);
  expect(large.calls).toBeLessThanOrEqual(6);
});

test("D10 a room at rest uploads nothing to the graphics card, and one moved crate uploads one sprite", async () => {
  const page = await rooms.open("?crates=20000&guards=0&muted");
  await frames(page, 60);
  const uploaded = await page.evaluate(() => {
    const { room } = window.theRoom();
    const nextFrames = () =>
      [1, 2, 3].map(() => {
        window.play.frames(1);
        return room.uploadedBytes;
      });
    window.play.frames(2); // the canvas may have been resized since the last frame; now it can't be
    const atRest = nextFrames();
    window.play.get(window.play.crates()[0]!, "Position")!["x"]! += 2;
    return { atRest, moved: nextFrames() };
  });
  expect(uploaded.atRest).toEqual([0, 0, 0]);
  expect(uploaded.moved[0]).toBeGreaterThan(0);
  expect(uploaded.moved[0]).toBeLessThan(2048); // one sprite
  expect(uploaded.moved.slice(1)).toEqual([0, 0]);
});

test("two frames of a paused room are the same picture, and it is not empty", async () => {
  const page = await rooms.open();
  await page.locator("#pause").click();
  const [one, two] = await page.evaluate(() =>
    [0, 1].map(() => {
      window.play.frames(1);
      return window.play.picture();
    }),
  );
  expect(two).toEqual(one);
  expect(one!.colours).toBeGreaterThan(100);
});

test("the canvas follows the size of the window, in pixels of the screen", async () => {
  const page = await rooms.open(undefined, {
    context: { deviceScaleFactor: 2, viewport: { width: 1000, height: 640 } },
  });
  await page.setViewportSize({ width: 1100, height: 700 });
  await page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
    return (
      canvas.width === 2 * canvas.clientWidth && canvas.height === 2 * canvas.clientHeight && canvas.clientHeight > 250
    );
  });
  await frames(page, 2);
  expect(await page.evaluate(() => window.play.picture().colours)).toBeGreaterThan(100);
});
