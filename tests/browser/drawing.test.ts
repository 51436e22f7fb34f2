// The picture, and what it takes to keep it right.
import { expect, test } from "@jest/globals";
import { frames, useRooms } from "./room.js";

const rooms = useRooms();

test("crates are drawn where they are, and floor where none is", async () => {
  const page = await rooms.open();
  const { lids, floor } = await page.evaluate(() => {
    const { room } = window.theRoom();
    const { width, height } = document.querySelector<HTMLCanvasElement>("#canvas")!;
    const at = window.play.at(room.player);
    const inView = ({ x, y }: { x: number; y: number }) =>
      room.screenX(x) > 40 && room.screenX(x) < width - 40 && room.screenY(y) > 60 && room.screenY(y) < height - 60;
    // Lids are drawn above the ground their crates stand on.
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

test("E3 where a crate was removed there is floor in the next picture", async () => {
  const page = await rooms.open();
  const crate = await page.evaluate(() => window.play.standBelowCrate());
  const [before, gone, floor] = await page.evaluate((e) => {
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
  const apart = (a: number[], b: number[]) => Math.max(...a.map((c, i) => Math.abs(c - b[i]!)));
  expect(apart(before!, gone!)).toBeGreaterThan(24);
  expect(apart(gone!, floor!)).toBeLessThan(apart(before!, floor!));
});

test("what is drawn follows what is seen, in a few calls, however many crates there are", async () => {
  const drawn = async (crates: number) => {
    const page = await rooms.open(`?crates=${crates}&seed=3&guards=0&muted`);
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

test("D10 a room at rest sends nothing to the graphics card, and one crate that moved nothing of the others'", async () => {
  const page = await rooms.open("?crates=20000&guards=0&muted");
  await frames(page, 60);
  const uploaded = await page.evaluate(() => {
    const { room } = window.theRoom();
    const nextFrames = () =>
      [1, 2, 3].map(() => {
        window.play.frames(1);
        return room.uploadedBytes;
      });
    const atRest = nextFrames();
    window.play.get(window.play.crates()[0]!, "Position")!["x"]! += 2;
    return { atRest, moved: nextFrames() };
  });
  expect(uploaded.atRest).toEqual([0, 0, 0]);
  expect(uploaded.moved[0]).toBeGreaterThan(0);
  expect(uploaded.moved[0]).toBeLessThan(2048); // one sprite
  expect(uploaded.moved.slice(1)).toEqual([0, 0]);
});

test("two frames of a room at rest are the same picture, and it is not an empty one", async () => {
  const page = await rooms.open();
  await page.getByRole("button", { name: "Pause" }).click();
  const [one, two] = await page.evaluate(() =>
    [0, 1].map(() => {
      window.play.frames(1);
      return window.play.picture();
    }),
  );
  expect(two).toEqual(one);
  expect(one!.colours).toBeGreaterThan(100);
});

test("the canvas follows the window, in the screen's own pixels", async () => {
  const page = await rooms.open(undefined, {
    context: { deviceScaleFactor: 2, viewport: { width: 1000, height: 640 } },
  });
  await page.setViewportSize({ width: 1100, height: 700 });
  await page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
    return (
      canvas.width === 2 * canvas.clientWidth && canvas.height === 2 * canvas.clientHeight && canvas.clientHeight > 300
    );
  });
  await frames(page, 2);
  expect(await page.evaluate(() => window.play.picture().colours)).toBeGreaterThan(100);
});
