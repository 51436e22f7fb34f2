// Many rooms of changing size, for some time: the used memory must not grow.
import { expect, test } from "@jest/globals";
import type { CDPSession, Page } from "playwright-core";
import { useRooms } from "../browser/room.js";

const SHORT = 2; // rounds
const LONG = 4;
const rooms = useRooms();

const slider = (page: Page) => page.getByRole("slider", { name: "Crates" });

/** Creates rooms of two sizes by the page's slider and plays in them. Returns the number of smashed crates. */
async function round(page: Page): Promise<number> {
  let smashed = 0;
  for (const at of ["0.85", "0.1"]) {
    // about 20,000 and 200 crates
    await slider(page).fill(at);
    await page.locator("#canvas").focus();
    await page.keyboard.down("Space");
    for (const key of ["w", "d", "s", "a"]) {
      await page.keyboard.down(key);
      await page.evaluate(() => window.play.frames(15));
      await page.keyboard.up(key);
    }
    await page.evaluate(() => window.play.standBelowCrate());
    await page.keyboard.up("Space");
    smashed += await page.evaluate(() => window.theRoom().score.smashed);
  }
  return smashed;
}

/** The memory that is used in a small room after garbage collection. */
async function usedMemory(page: Page, devtools: CDPSession) {
  await slider(page).fill("0.1");
  await page.evaluate(() => window.play.frames(60));
  await devtools.send("HeapProfiler.collectGarbage");
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await devtools.send("Runtime.getHeapUsage")) as { usedSize: number };
  return {
    heap: usedSize,
    ...(await page.evaluate(() => ({
      all: window.theRoom().room.memoryBytes,
      inUse: window.theRoom().room.memoryUsed,
      crates: window.play.crates().length,
    }))),
  };
}

test(
  "after many rooms no more memory is in use than after a third of them",
  async () => {
    const page = await rooms.open("?crates=200&seed=3&guards=4&muted", { allowed: /GL Driver Message.*Performance/ }); // a message of the software driver
    const devtools = await page.context().newCDPSession(page);
    const play = async (rounds: number) => {
      let smashed = 0;
      for (let i = 0; i < rounds; i++) smashed += await round(page);
      expect(smashed).toBeGreaterThan(rounds);
      return usedMemory(page, devtools);
    };
    const third = await play(SHORT);
    const end = await play(LONG);
    expect(end.crates).toBe(third.crates);
    expect(end.all).toBe(third.all);
    expect(end.inUse).toBeLessThan(1.1 * third.inUse + 256 * 1024);
    expect(end.heap).toBeLessThan(1.1 * third.heap + 1024 * 1024);
  },
  30 * 60_000, // a limit for tests that hang, not for slow machines
);
