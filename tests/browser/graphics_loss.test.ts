// A WebGL context can be lost, and may be restored.
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { useRooms } from "./room.js";

const rooms = useRooms();

const extension = (page: Page) =>
  page.evaluateHandle(
    () =>
      document.querySelector<HTMLCanvasElement>("#canvas")!.getContext("webgl2")!.getExtension("WEBGL_lose_context")!,
  );
const alert = (page: Page) => page.getByRole("alert");
/** Waits for that many animation frames of the browser. */
const animationFrames = (page: Page, n: number) =>
  page.evaluate(async (count) => {
    for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
  }, n);
const inspections = (page: Page) => page.evaluate(() => window.theRoom().room.inspections);

test("after a lost context the page says so and the room stops; when it is restored, the same picture is drawn", async () => {
  const page = await rooms.open("?crates=600&seed=3&guards=0&muted", { live: true });
  await page.evaluate(() => window.play.until(() => window.theRoom().ecs.gameTime > 1)); // until the fade is over
  await page.locator("#pause").click();
  await animationFrames(page, 3);
  const before = await page.evaluate(() => window.play.picture());
  expect(before.colours).toBeGreaterThan(100);

  const card = await extension(page);
  await card.evaluate((lose) => lose.loseContext());
  await alert(page).waitFor();
  expect(await alert(page).textContent()).toMatch(/graphics card was lost/);
  const stopped = await inspections(page);
  await animationFrames(page, 10);
  expect(await inspections(page)).toBe(stopped);

  await card.evaluate((restore) => restore.restoreContext());
  await alert(page).waitFor({ state: "hidden" });
  await page.waitForFunction((until) => window.theRoom().room.inspections >= until, stopped + 3);
  expect(await page.evaluate(() => window.play.picture())).toEqual(before);
});

test("after each of several losses the room continues", async () => {
  const page = await rooms.open(undefined, { live: true });
  const card = await extension(page);
  for (let i = 0; i < 3; i++) {
    await card.evaluate((lose) => lose.loseContext());
    await alert(page).waitFor();
    await card.evaluate((restore) => restore.restoreContext());
    await alert(page).waitFor({ state: "hidden" });
    const from = await inspections(page);
    await page.waitForFunction((until) => window.theRoom().room.inspections >= until, from + 2);
    expect(await page.evaluate(() => window.theRoom().room.spritesDrawn)).toBeGreaterThan(50);
  }
  expect(await page.evaluate(() => window.play.picture().colours)).toBeGreaterThan(100);
});

test("changes of the room while the context is lost are drawn afterwards", async () => {
  const page = await rooms.open();
  const card = await extension(page);
  await card.evaluate((lose) => lose.loseContext());
  await alert(page).waitFor();
  const [lid, floor] = await page.evaluate(() => {
    const crate = window.play.standBelowCrate();
    const { x, y } = window.play.at(crate);
    window.theRoom().ecs.removeEntity(crate);
    return [
      { x, y: y - 8 },
      { x: x + 20, y: y - 8 },
    ];
  });
  await card.evaluate((restore) => restore.restoreContext());
  await alert(page).waitFor({ state: "hidden" });
  const [atLid, atFloor] = await page.evaluate(
    (points) => {
      window.play.frames(2);
      return window.play.colours(points);
    },
    [lid!, floor!],
  );
  expect(Math.max(...atLid!.map((c, i) => Math.abs(c - atFloor![i]!)))).toBeLessThan(40); // both show floor
  expect(Math.max(...atLid!)).toBeGreaterThan(10);
});
