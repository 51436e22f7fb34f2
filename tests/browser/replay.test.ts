// The same input results in the same run: in a replay, and after loading the page again.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, standBelowCrate, stateHash, useRooms } from "./room.js";

const rooms = useRooms();

const STATE = { hash: "", number: 0, smashed: 0, crates: 0 };
const state = (page: Page): Promise<typeof STATE> =>
  page.evaluate(() => ({
    hash: window.theRoom().room.stateHash(),
    number: window.theRoom().room.roomNumber,
    smashed: window.theRoom().score.smashed,
    crates: window.play.crates().length,
  }));
/** Strikes and walks through the crates to the door straight ahead. */
async function playThroughDoor(page: Page): Promise<void> {
  await page.keyboard.down("Space");
  await page.keyboard.down("w");
  expect(await page.evaluate(() => window.play.until(() => window.theRoom().room.roomNumber === 2, 3000))).toBe(true);
  await frames(page, 40);
  await page.keyboard.up("w");
  await page.keyboard.down("d");
  await frames(page, 60);
  await page.keyboard.up("d");
  await page.keyboard.up("Space");
  await frames(page, 1);
}

describe("Replay", () => {
  const replay = async (page: Page) => {
    await page.getByRole("button", { name: "Replay" }).click();
    expect(await page.locator("#pause").isDisabled()).toBe(true);
    await frames(page, 1);
    const badge = await page.locator("#replay-badge").textContent();
    await page.evaluate(() => window.play.until(() => !window.theRoom().room.replaying, 5000));
    await frames(page, 1);
    expect(await page.locator("#pause").isDisabled()).toBe(false);
    expect(await page.locator("#replay-badge").isVisible()).toBe(false);
    return { badge, result: await page.locator("#replay-result").textContent() };
  };

  test("replays smashed crates and a door, with the same resulting state", async () => {
    const page = await rooms.open("?crates=200&seed=3&guards=0&muted");
    await playThroughDoor(page);
    const [before, recorded] = [await state(page), await page.evaluate(() => window.theRoom().room.recordedFrames)];
    expect(before).toMatchObject({ number: 2 });
    expect(before.smashed).toBeGreaterThan(1);
    const { badge, result } = await replay(page);
    expect(badge).toBe(`Replay 1/${recorded.toLocaleString("en")}`);
    expect(result).toBe(`The replay came to the same state: ${before.hash}`);
    expect(await state(page)).toMatchObject({ number: 2, smashed: before.smashed });
  });

  test("ignores input during a replay", async () => {
    const page = await rooms.open("?crates=200&seed=3&guards=2&muted");
    await page.keyboard.down("d");
    await frames(page, 30);
    await page.keyboard.up("d");
    const { hash } = await state(page);
    await page.keyboard.down("a");
    expect((await replay(page)).result).toBe(`The replay came to the same state: ${hash}`);
  });

  test("replays guards that were provoked, and that stood still while a panel had the focus", async () => {
    const page = await rooms.open("?crates=100&seed=3&guards=3&muted");
    const guards = () => page.evaluate(() => window.play.all("Guard").map(window.play.at));
    const stood = await guards();
    await page.keyboard.press("Space");
    await page.keyboard.down("d");
    await frames(page, 60);
    await page.keyboard.up("d");
    await frames(page, 20);
    expect(await guards()).not.toEqual(stood);
    await page.getByRole("tab", { name: "Scaling" }).focus();
    await frames(page, 60);
    await page.locator("#canvas").focus();
    await frames(page, 30);
    const { hash } = await state(page);
    expect((await replay(page)).result).toBe(`The replay came to the same state: ${hash}`);
  });

  test("reports another resulting state, and the change that was not recorded", async () => {
    const page = await rooms.open("?crates=200&seed=3&guards=0&muted");
    await page.getByRole("tab", { name: "One frame apart" }).click();
    await page.locator("#nudge").click();
    await page.getByRole("button", { name: "Go on" }).click();
    await frames(page, 5);
    expect((await replay(page)).result).toMatch(/different state: .*a crate was nudged/);
  });

  test("can be stopped, and the player continues from there", async () => {
    const page = await rooms.open("?crates=200&seed=3&guards=0&muted");
    await page.keyboard.down("d");
    await frames(page, 60);
    await page.keyboard.up("d");
    await page.getByRole("button", { name: "Replay" }).click();
    await frames(page, 20);
    await page.getByRole("button", { name: "Stop" }).click();
    expect(
      await page.evaluate(() => ({
        replaying: window.theRoom().room.replaying,
        recorded: window.theRoom().room.recordedFrames,
      })),
    ).toEqual({ replaying: false, recorded: 20 });
    expect(await page.locator("#pause").isDisabled()).toBe(false);
    await frames(page, 10);
    const { hash } = await state(page);
    expect((await replay(page)).result).toBe(`The replay came to the same state: ${hash}`);
  });

  test("does not start without recorded frames", async () => {
    const page = await rooms.open("?crates=200&seed=3&guards=0&muted");
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByRole("button", { name: "Replay" }).click();
    expect(await page.locator("#replay-result").textContent()).toBe("Nothing is recorded yet.");
    expect(await page.evaluate(() => window.theRoom().room.replaying)).toBe(false);
  });
});

describe("after loading the page again", () => {
  const run = async (seed: number, keys: string[]) => {
    const page = await rooms.open(`?crates=400&seed=${seed}&guards=3&muted`);
    const hashes: string[] = [];
    for (const key of keys) {
      await page.keyboard.down(key);
      await frames(page, 45);
      if (key !== "Space") await page.keyboard.up(key);
      hashes.push(await stateHash(page));
    }
    const smashed = await page.evaluate(() => window.theRoom().score.smashed);
    await rooms.close();
    return { hashes, smashed };
  };
  const KEYS = ["d", "Space", "d", "s", "Shift", "a", "w", "w"];

  test("the same seed and input result in the same state, and others do not", async () => {
    const first = await run(5, KEYS);
    expect(first.smashed).toBeGreaterThan(0);
    expect(await run(5, KEYS)).toEqual(first);
    expect((await run(6, KEYS)).hashes[0]).not.toBe(first.hashes[0]);
    const others = await run(5, ["d", "Space", "a"]);
    expect(others.hashes.slice(0, 2)).toEqual(first.hashes.slice(0, 2));
    expect(others.hashes[2]).not.toBe(first.hashes[2]);
  });

  test("a moved crate is another state", async () => {
    const page = await rooms.open("?crates=200&seed=3&guards=0&muted");
    const crate = await standBelowCrate(page);
    const before = await stateHash(page);
    const move = (by: number) =>
      page.evaluate(
        ([e, x]) => {
          window.play.get(e!, "Position")!["x"]! += x!;
        },
        [crate, by],
      );
    await move(1);
    expect(await stateHash(page)).not.toBe(before);
    await move(-1);
    expect(await stateHash(page)).toBe(before);
  });
});
