// From room to room, through doors and after a death.
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, useRooms } from "./room.js";

const rooms = useRooms();
const QUERY = "?crates=300&seed=3&guards=0&muted";

/** Strikes once, which provokes the guards of this run. */
async function provoke(page: Page): Promise<void> {
  await page.keyboard.press("Space");
  await frames(page, 30);
}
/** Places the guard beside the player, who has full health, with free ground around both. */
const meetGuard = (page: Page, distance = 22) =>
  page.evaluate((below) => {
    const { room } = window.theRoom();
    const at = window.play.at(room.player);
    window.play.clearAround(at);
    Object.assign(window.play.get(room.player, "Facing")!, { x: 0, y: 1 });
    window.play.put(window.play.all("Guard")[0]!, { x: at.x, y: at.y + below });
  }, distance);
const hurt = (page: Page, within: number) =>
  page.evaluate(
    (atMost) =>
      window.play.until(() => {
        const { now, most } = window.play.get(window.theRoom().room.player, "Health")!;
        return now! < most!;
      }, atMost),
    within,
  );

test("K1 a door leads to another room; the systems stay, old handles are stale", async () => {
  const page = await rooms.open(QUERY);
  const before = await page.evaluate(() => {
    const { ecs, room } = window.theRoom();
    return {
      systems: ecs.systems.map((system) => system.name),
      player: room.player,
      crate: window.play.crates()[0]!,
      places: window.play.crates().map(window.play.at),
      picture: window.play.picture(),
    };
  });
  await page.evaluate(() => {
    const { x, y } = window.play.at(window.play.all("Door")[0]!);
    window.play.put(window.theRoom().room.player, { x, y: y + 26 });
  });
  await page.keyboard.down("w");
  expect(await page.evaluate(() => window.play.until(() => window.theRoom().room.roomNumber === 2))).toBe(true);
  await page.keyboard.up("w");
  await frames(page, 60); // until the fade is over
  const after = await page.evaluate(({ player, crate }) => {
    const { ecs, room } = window.theRoom();
    return {
      systems: ecs.systems.map((system) => system.name),
      stale: [player, crate].map((e) => ecs.alive(e)),
      player: ecs.alive(room.player),
      crates: window.play.crates().map(window.play.at),
      picture: window.play.picture(),
      sprites: room.spritesDrawn,
    };
  }, before);
  expect(after.systems).toEqual(before.systems);
  expect(after.stale).toEqual([false, false]);
  expect(after.player).toBe(true);
  expect(after.crates).toHaveLength(300);
  expect(after.crates).not.toEqual(before.places);
  expect(after.picture.hash).not.toBe(before.picture.hash);
  expect(after.picture.colours).toBeGreaterThan(100);
  expect(after.sprites).toBeGreaterThan(50);
  expect(await page.locator("#room-number").textContent()).toBe("2");

  // Input controls the player in the next room, too.
  await page.keyboard.down("d");
  const from = await page.evaluate(() => window.play.at(window.theRoom().room.player).x);
  await frames(page, 20);
  await page.keyboard.up("d");
  expect(await page.evaluate(() => window.play.at(window.theRoom().room.player).x)).toBeGreaterThan(from);
});

test("the counts of smashed crates and walked metres continue in the next room", async () => {
  const page = await rooms.open(QUERY);
  await page.evaluate(() => window.play.standBelowCrate());
  await page.keyboard.press("Space");
  await frames(page, 60);
  await page.evaluate(() => {
    const { x, y } = window.play.at(window.play.all("Door")[0]!);
    window.play.put(window.theRoom().room.player, { x, y: y + 26 });
  });
  await page.keyboard.down("w");
  expect(await page.evaluate(() => window.play.until(() => window.theRoom().room.roomNumber === 2))).toBe(true);
  expect(await page.evaluate(() => window.theRoom().score.smashed)).toBe(1);
  expect(await page.evaluate(() => window.theRoom().pedometer.metres)).toBeGreaterThan(1);
});

test("after a guard killed the player, the same room starts again with full health", async () => {
  const page = await rooms.open("?crates=300&seed=3&guards=1&muted");
  const fresh = await page.evaluate(() => window.play.crates().map(window.play.at));
  await provoke(page);
  await meetGuard(page);
  const player = await page.evaluate(() => {
    const { room } = window.theRoom();
    window.play.get(room.player, "Health")!["now"] = 1;
    return room.player;
  });
  expect(await page.evaluate((e) => window.play.until(() => window.play.get(e, "Dead") !== undefined), player)).toBe(
    true,
  );
  await page.keyboard.down("d"); // a dead player does not walk
  const died = await page.evaluate((e) => window.play.at(e), player);
  await frames(page, 5);
  expect(await page.evaluate((e) => window.play.at(e), player)).toEqual(died);
  await page.keyboard.up("d");
  expect(await page.evaluate((e) => window.play.until(() => window.theRoom().room.player !== e), player)).toBe(true);
  expect(
    await page.evaluate((e) => {
      const { ecs, room } = window.theRoom();
      const { now, most } = window.play.get(room.player, "Health")!;
      return {
        old: ecs.alive(e),
        number: room.roomNumber,
        full: now === most && now! > 1,
        guards: window.play.all("Guard").length,
      };
    }, player),
  ).toEqual({ old: false, number: 1, full: true, guards: 1 });
  expect(await page.evaluate(() => window.play.crates().map(window.play.at))).toEqual(fresh);
});

test("a guard's blow against the shield does no damage and makes the guard stagger", async () => {
  const page = await rooms.open("?crates=300&seed=3&guards=1&muted");
  await provoke(page);
  await meetGuard(page);
  await page.keyboard.down("Shift");
  expect(
    await page.evaluate(() =>
      window.play.until(() => window.play.get(window.play.all("Guard")[0]!, "Staggered") !== undefined),
    ),
  ).toBe(true);
  expect(
    await page.evaluate(() => {
      const { now, most } = window.play.get(window.theRoom().room.player, "Health")!;
      return now === most;
    }),
  ).toBe(true);
});

test("a guard beside the player stands still until the player's first blow", async () => {
  const page = await rooms.open("?crates=300&seed=3&guards=1&muted");
  await meetGuard(page);
  expect(await hurt(page, 200)).toBe(false);
  await page.keyboard.press("Space");
  expect(await hurt(page, 200)).toBe(true);
});

test("guards stand still while a panel has the focus", async () => {
  const page = await rooms.open("?crates=300&seed=3&guards=1&muted");
  await provoke(page);
  await meetGuard(page, 50);
  await page.getByRole("tab", { name: "Scaling" }).focus();
  await frames(page, 2);
  const guard = () => page.evaluate(() => window.play.at(window.play.all("Guard")[0]!));
  const stopped = await guard();
  await frames(page, 100);
  expect(await guard()).toEqual(stopped);
  expect(await page.evaluate(() => window.theRoom().room.calm)).toBe(true);
  await page.locator("#canvas").focus();
  expect(await hurt(page, 200)).toBe(true);
  expect(await guard()).not.toEqual(stopped);
});
