// A minute of rooms that grow and shrink: memory has to come back to where it was.
import { expect, test } from "@jest/globals";
import type { CDPSession, Page } from "playwright-core";
import { useRooms } from "./room.js";

const MINUTE = 60_000;
const rooms = useRooms();

const slider = (page: Page) => page.getByRole("slider", { name: "Crates" });

/** Builds rooms of two sizes by the page's own slider and plays in them; tells how many crates were smashed. */
async function round(page: Page): Promise<number> {
  let smashed = 0;
  for (const at of ["0.85", "0.1"]) {
    // some 20,000 and 200 crates
    await slider(page).fill(at);
    await page.locator("#canvas").focus();
    await page.keyboard.down("Space");
    for (const key of ["w", "d", "s", "a"]) {
      await page.keyboard.down(key);
      await page.evaluate(() => window.play.frames(40));
      await page.keyboard.up(key);
    }
    await page.evaluate(() => window.play.standBelowCrate());
    await page.keyboard.up("Space");
    smashed += await page.evaluate(() => window.theRoom().score.smashed);
  }
  return smashed;
}

/** What is used in a small room, after everything that can be let go was let go. */
async function used(page: Page, devtools: CDPSession) {
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
  "after a minute of growing, smashing and shrinking no more memory is in use than after a third of it",
  async () => {
    const page = await rooms.open("?crates=200&seed=3&guards=4&muted", { allowed: /GL Driver Message.*Performance/ }); // the software driver's own
    const devtools = await page.context().newCDPSession(page);
    const start = Date.now();
    let smashed = 0;
    let built = 0;
    const until = async (share: number) => {
      do {
        smashed += await round(page);
        built += 2;
      } while (Date.now() - start < share * MINUTE);
      return used(page, devtools);
    };
    const third = await until(1 / 3);
    const end = await until(1);
    expect(built).toBeGreaterThanOrEqual(8);
    expect(smashed).toBeGreaterThan(built / 2);
    expect(end.crates).toBe(third.crates);
    expect(end.all).toBe(third.all);
    expect(end.inUse).toBeLessThan(1.1 * third.inUse + 256 * 1024);
    expect(end.heap).toBeLessThan(1.1 * third.heap + 1024 * 1024);
  },
  3 * MINUTE,
);
