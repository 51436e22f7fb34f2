// The bar that goes back in time.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, standBelowCrate, useRooms } from "./room.js";

const rooms = useRooms();
const QUERY = "?crates=300&seed=3&guards=2&muted";

/** Hashes of the state and the picture, and what the page shows. The pause is not part of it, and the bytes contain the later input, too. */
const state = (page: Page) =>
  page.evaluate(() => {
    const { ecs, room, score, snapshot } = window.theRoom();
    const { paused } = ecs;
    ecs.paused = false;
    let bytes = 0;
    for (const byte of snapshot()) bytes = (Math.imul(bytes, 31) + byte) | 0;
    ecs.paused = paused;
    return {
      bytes,
      hash: room.stateHash(),
      picture: window.play.picture().hash,
      smashed: score.smashed,
      recorded: room.recordedFrames,
    };
  });
const paused = (page: Page) => page.evaluate(() => window.theRoom().ecs.paused);
const bar = (page: Page) => page.getByRole("slider", { name: "Rewind" });
const record = (page: Page) => page.locator("#record");
const ago = (page: Page) => bar(page).getAttribute("aria-valuetext");
/** How many frames the bar contains. */
const length = (page: Page) => bar(page).evaluate((it: HTMLInputElement) => Number(it.max) - Number(it.min));

/** Walks and strikes. */
async function fight(page: Page, n: number): Promise<void> {
  await page.locator("#canvas").focus();
  await page.keyboard.down("Space");
  await page.keyboard.down("w");
  await frames(page, n);
  await page.keyboard.up("w");
  await page.keyboard.up("Space");
}
/** Drags the thumb from the end to that share of the bar. */
async function drag(page: Page, to: number): Promise<void> {
  const box = (await bar(page).boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 8, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 8 + (box.width - 16) * to, y, { steps: 5 });
}

describe("the bar", () => {
  test("N7 shows an earlier room while it is dragged, from which the game goes on", async () => {
    const page = await rooms.open(QUERY);
    expect(await bar(page).isDisabled()).toBe(true);
    await record(page).click();
    await standBelowCrate(page);
    const before = await state(page);
    const sounds = await page.evaluate(() => window.theRoom().speaker.played);
    await fight(page, 60);
    const after = await state(page);
    expect(after.smashed).toBeGreaterThan(before.smashed);
    expect(await ago(page)).toBe("now");

    await drag(page, 0.2);
    expect(await paused(page)).toBe(true);
    await frames(page, 3); // they only draw
    expect(await ago(page)).toMatch(/^[23]\.\d s ago$/);
    const past = await state(page);
    expect(past.smashed).toBe(before.smashed);
    expect(past.picture).not.toBe(after.picture);
    expect(past.recorded).toBeLessThan(before.recorded);
    const box = (await bar(page).boundingBox())!;
    await page.mouse.move(box.x + box.width + 50, box.y + 5);
    expect(await state(page)).toEqual(after); // the later moments still exist
    expect(await ago(page)).toBe("now");
    await page.mouse.move(box.x + box.width / 2, box.y + 5);
    await page.mouse.up();
    await frames(page, 5);
    const middle = await state(page);
    expect(await page.locator("#paused-badge").isVisible()).toBe(true);
    expect(await page.evaluate(() => window.theRoom().speaker.played)).toBe(sounds);

    const rest = await length(page);
    await page.getByRole("button", { name: "Go on" }).click();
    await frames(page, 1);
    expect(await paused(page)).toBe(false);
    expect(await ago(page)).toBe("now");
    expect(await length(page)).toBeLessThan(rest);
    expect((await state(page)).recorded).toBe(middle.recorded + 1);
  });

  test("N7 plays the same again with the same input", async () => {
    const page = await rooms.open(QUERY);
    await standBelowCrate(page);
    await record(page).click();
    await frames(page, 5);
    const before = await state(page);
    await fight(page, 60);
    const after = await state(page);
    await bar(page).focus();
    for (let i = 0; i < 60; i++) await page.keyboard.press("ArrowLeft");
    expect(await ago(page)).toBe("1.0 s ago");
    expect(await state(page)).toEqual({ ...before, bytes: expect.any(Number) });
    await page.getByRole("button", { name: "Go on" }).click();
    await fight(page, 60);
    expect(await state(page)).toEqual(after);
  });

  test("has the keys of a slider: a frame, and both ends", async () => {
    const page = await rooms.open(QUERY);
    await record(page).click();
    await fight(page, 90);
    await bar(page).press("ArrowLeft");
    expect(await ago(page)).toBe("0.0 s ago");
    await bar(page).press("Home");
    expect(await ago(page)).toBe("1.5 s ago");
    expect(await page.locator("#rewind-shown").textContent()).toBe("1.5 s ago");
    await bar(page).press("ArrowRight");
    await bar(page).press("End");
    expect(await ago(page)).toBe("now");
    await page.locator("#step").click();
    expect(await paused(page)).toBe(true);
    expect(await ago(page)).toBe("now");
  });

  test("contains the last ten seconds of this room only", async () => {
    const page = await rooms.open(QUERY);
    await record(page).click();
    await frames(page, 700);
    expect([599, 600]).toContain(await length(page)); // sums of times are rounded
    await page.locator("#crates").press("Home");
    await frames(page, 1);
    expect(await bar(page).isDisabled()).toBe(true);
    await frames(page, 100);
    expect(await length(page)).toBe(100);
    await page.locator("#reset").click();
    await frames(page, 21);
    expect(await length(page)).toBe(20);
    await page.getByRole("button", { name: "Replay" }).click();
    await frames(page, 5);
    expect(await bar(page).isDisabled()).toBe(true);
    await page.evaluate(() => window.play.until(() => !window.theRoom().room.replaying, 500));
    await frames(page, 11);
    expect(await bar(page).isDisabled()).toBe(false);
    expect(await length(page)).toBeLessThan(15);
    await record(page).click();
    expect(await bar(page).isDisabled()).toBe(true);
  });

  test("begins again in another room and after a load, also from the past", async () => {
    const page = await rooms.open(QUERY, { context: {} });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForFunction(() => document.getElementById("save-result")!.textContent !== "");
    await record(page).click();
    await frames(page, 50);
    await bar(page).press("Home");
    await page.getByRole("button", { name: "Load", exact: true }).click();
    await page.waitForFunction(() => document.getElementById("save-result")!.textContent!.startsWith("Loaded"));
    expect(await bar(page).isDisabled()).toBe(true);
    await frames(page, 31);
    expect(await length(page)).toBe(30);
    await page.evaluate(() => {
      const { x, y } = window.play.at(window.play.all("Door")[0]!);
      window.play.put(window.theRoom().room.player, { x, y: y + 26 });
    });
    await page.locator("#canvas").focus();
    await page.keyboard.down("w");
    expect(await page.evaluate(() => window.play.until(() => window.theRoom().room.roomNumber === 2))).toBe(true);
    await page.keyboard.up("w");
    await frames(page, 20);
    expect(await length(page)).toBe(20);
    await bar(page).press("Home");
    expect(await page.evaluate(() => window.theRoom().room.roomNumber)).toBe(2);
  });

  test("leaves the debug view and the comparison as they are", async () => {
    const page = await rooms.open(QUERY);
    await record(page).click();
    await frames(page, 30);
    await page.getByRole("button", { name: "Boxes" }).click();
    await frames(page, 30);
    await bar(page).press("Home");
    expect(await page.getByRole("button", { name: "Boxes" }).getAttribute("aria-pressed")).toBe("true");
    const { picture } = await state(page);
    await page.getByRole("button", { name: "Boxes" }).click();
    await frames(page, 1);
    expect((await state(page)).picture).not.toBe(picture);
  });
});
