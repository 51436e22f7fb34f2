// The opening with explosions, and the guide through the first minute.
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, useRooms } from "./room.js";

const rooms = useRooms();
const burning = (page: Page) =>
  page.evaluate(() => window.play.all("Fuse").length + window.play.all("Exploding").length > 0);
const guide = (page: Page) =>
  page.evaluate(() => ({
    step: document.getElementById("guide-step")!.textContent,
    button: document.getElementById("guide")!.textContent,
    heat: window.theRoom().ecs.systems.find(({ name }) => name === "DebugHeat")!.enabled,
  }));
const advice = (page: Page) => page.locator("#advice").textContent();
/** Runs frames until the opening has ended. */
const rest = async (page: Page) => {
  await page.evaluate(() =>
    window.play.until(() => window.play.all("Fuse").length + window.play.all("Exploding").length === 0),
  );
  await frames(page, 1);
};
const tracking = (page: Page) => page.getByRole("switch", { name: "Dirty tracking" });

test("the guide shows its steps with the heat view, until the visitor is to watch the time", async () => {
  const page = await rooms.open("", { context: {} });
  expect(await burning(page)).toBe(true);
  expect(await guide(page)).toEqual({ step: "", button: "Skip", heat: true });
  await rest(page);
  expect(await guide(page)).toEqual({ step: "1 of 3", button: "Skip", heat: true });
  await tracking(page).click();
  expect(await guide(page)).toEqual({ step: "2 of 3", button: "Skip", heat: true });
  await page.locator("#crates").press("Home");
  expect(await guide(page)).toEqual({ step: "2 of 3", button: "Skip", heat: true });
  await page.locator("#crates").press("End");
  expect(await guide(page)).toEqual({ step: "3 of 3", button: "Skip", heat: false });
  await tracking(page).click();
  expect(await guide(page)).toEqual({ step: "", button: "Close", heat: false });
  expect(await advice(page)).toMatch(/what changed, not what exists/);

  await tracking(page).click(); // what it said at the end is not true any more
  expect(await guide(page)).toEqual({ step: "", button: "Guide", heat: false });
  expect(await advice(page)).toMatch(/^Systems visit all 5\d,\d\d\d entities/);
  await page.locator("#guide").click(); // begins again
  expect(await guide(page)).toEqual({ step: "1 of 3", button: "Skip", heat: true });
  expect(await page.evaluate(() => window.play.crates().length)).toBe(5000);
});

test("who has skipped the guide or seen its end sees only the opening at the next visit", async () => {
  for (const leave of [
    (page: Page) => page.locator("#guide").click(),
    async (page: Page) => {
      await rest(page);
      await tracking(page).click();
      await page.locator("#crates").press("End");
      await tracking(page).click();
    },
  ]) {
    const page = await rooms.open("", { context: {} });
    await leave(page);
    await page.reload();
    await page.waitForFunction(() => window.crateRoom !== undefined);
    await frames(page, 60);
    expect(await burning(page)).toBe(true);
    expect(await guide(page)).toEqual({ step: "", button: "Skip", heat: true });
    await rest(page);
    expect(await guide(page)).toEqual({ step: "", button: "Guide", heat: false });
  }
});

test("the guide follows a visitor who goes back", async () => {
  const page = await rooms.open("", { context: {} });
  await rest(page);
  await tracking(page).click();
  expect((await guide(page)).step).toBe("2 of 3");
  await tracking(page).click();
  expect((await guide(page)).step).toBe("1 of 3");
  await tracking(page).click();
  await page.locator("#crates").press("End");
  expect(await guide(page)).toEqual({ step: "3 of 3", button: "Skip", heat: false });
  await page.locator("#crates").press("Home");
  expect(await guide(page)).toEqual({ step: "2 of 3", button: "Skip", heat: true });
});

test("a heat view that was on before the guide stays on", async () => {
  const page = await rooms.open();
  await page.getByRole("button", { name: "Heat", exact: true }).click();
  await page.locator("#guide").click();
  expect((await guide(page)).step).toBe("1 of 3");
  await page.locator("#guide").click();
  expect(await guide(page)).toEqual({ step: "", button: "Guide", heat: true });
});

test("Skip leaves the guide at once, and switches its heat view off", async () => {
  const page = await rooms.open("", { context: {} });
  await page.locator("#guide").click();
  expect(await guide(page)).toEqual({ step: "", button: "Guide", heat: false });
  expect(await advice(page)).toMatch(/^Systems visit only what has changed. Without tracking they visit all/);
});

test("there is no opening with reduced motion, and neither opening nor guide at an address with settings", async () => {
  const calm = await rooms.open("", { context: { reducedMotion: "reduce" } });
  expect(await burning(calm)).toBe(false);
  expect(await guide(calm)).toEqual({ step: "1 of 3", button: "Skip", heat: true });
  const shared = await rooms.open();
  expect(await burning(shared)).toBe(false);
  expect(await guide(shared)).toEqual({ step: "", button: "Guide", heat: false });
});

test("a browser that keeps nothing for the page shows the guide at each visit", async () => {
  const page = await rooms.open("", {
    before: (opened) =>
      opened.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
      }),
  });
  await page.locator("#guide").click();
  expect(await guide(page)).toEqual({ step: "", button: "Guide", heat: false });
  await page.reload();
  await page.waitForFunction(() => window.crateRoom !== undefined);
  await frames(page, 1);
  await rest(page);
  expect(await guide(page)).toEqual({ step: "1 of 3", button: "Skip", heat: true });
});
