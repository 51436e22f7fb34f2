// Enabling and disabling systems: debug systems by buttons, all systems in the inspector.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { enabled, frames, playersPlace, pointOf, standBelowCrate, toggleSystem, useRooms } from "./room.js";

const rooms = useRooms();
const chip = (page: Page, label: string) =>
  page.locator("#debug-buttons").getByRole("button", { name: label, exact: true });
const pressed = async (page: Page, label: string) => (await chip(page, label).getAttribute("aria-pressed")) === "true";
const picture = (page: Page) =>
  page.evaluate(() => {
    window.play.frames(1);
    return window.play.picture().hash;
  });

describe("the buttons of the debug view", () => {
  test.each([
    ["Boxes", "DebugCollision"],
    ["Cells", "DebugHash"],
    ["Heat", "DebugHeat"],
  ])("%s adds drawings to the picture and removes them again", async (label, system) => {
    const page = await rooms.open();
    await page.locator("#pause").click(); // debug systems still run
    const bare = await picture(page);
    const states = async () => [await pressed(page, label), await enabled(page, system)];
    expect(await states()).toEqual([false, false]);
    await chip(page, label).click();
    expect(await states()).toEqual([true, true]);
    expect(await picture(page)).not.toBe(bare);
    await toggleSystem(page, system); // the inspector and the button show the same state
    expect(await states()).toEqual([false, false]);
    expect(await picture(page)).toBe(bare);
  });

  test("Inspect marks the entity under the pointer, and finds nothing when it is switched off", async () => {
    const page = await rooms.open();
    const crate = await standBelowCrate(page);
    await page.locator("#pause").click();
    const bare = await picture(page);
    const found = () => page.evaluate(() => window.theRoom().room.inspected);
    const { x, y } = await pointOf(page, crate);
    await page.mouse.move(x, y);
    expect(await picture(page)).not.toBe(bare);
    expect(await found()).toBe(crate);
    await chip(page, "Inspect").press("Enter"); // the pointer stays where it is
    expect(await enabled(page, "DebugInspection")).toBe(false);
    expect(await picture(page)).toBe(bare);
    expect(await found()).toBe(0xffffffff);
  });
});

describe("the heat view", () => {
  test("D3 the heat view marks exactly the entities that were dirty for the chosen system", async () => {
    const page = await rooms.open();
    await page.getByLabel("Heat of").selectOption("SpatialHash");
    expect(await pressed(page, "Heat")).toBe(true); // choosing a system turns it on
    const heated = () =>
      page.evaluate(() => {
        window.play.frames(1);
        return window.theRoom().room.heated;
      });
    await frames(page, 2);
    expect(await heated()).toBe(0);
    await page.evaluate(() => {
      window.play.get(window.play.crates()[0]!, "Position")!["y"]! += 1;
    });
    expect(await heated()).toBe(1);
    expect(await heated()).toBe(0);

    await page.getByLabel("Heat of").selectOption("Lighting"); // a crate has no Light
    await page.evaluate(() => {
      window.play.get(window.play.crates()[0]!, "Position")!["y"]! -= 1;
    });
    expect(await heated()).toBe(0);
    await page.getByLabel("Heat of").selectOption({ label: "all systems" });
    await page.evaluate(() => {
      window.play.get(window.play.crates()[0]!, "Position")!["y"]! += 1;
    });
    expect(await heated()).toBe(3); // SpatialHash, CollisionDetection, AnimationRenderer
  });

  test("the heat view marks all entities while tracking is off", async () => {
    const page = await rooms.open();
    await page.getByLabel("Heat of").selectOption("SpatialHash");
    await page.getByRole("switch", { name: "Dirty tracking" }).click();
    await frames(page, 1);
    const { heated, tracked } = await page.evaluate(() => ({
      heated: window.theRoom().room.heated,
      tracked: window.theRoom().ecs.systems.find((system) => system.name === "SpatialHash")!.tracked,
    }));
    expect(tracked).toBeGreaterThan(600);
    expect(heated).toBe(tracked);
  });
});

describe("systems in the inspector", () => {
  test("S4 a system whose box is cleared does not run: without Movement the player does not walk", async () => {
    const page = await rooms.open();
    const before = await playersPlace(page);
    await toggleSystem(page, "Movement");
    expect(await enabled(page, "Movement")).toBe(false);
    await page.locator("#canvas").focus();
    await page.keyboard.down("d");
    await frames(page, 20);
    expect(await playersPlace(page)).toEqual(before);
    await toggleSystem(page, "Movement");
    await page.locator("#canvas").focus();
    await page.keyboard.up("d");
    await page.keyboard.down("d");
    await frames(page, 20);
    expect((await playersPlace(page)).x).toBeGreaterThan(before.x);
  });

  test("D4 a disabled system keeps its dirty set, in C++ and in TypeScript", async () => {
    const page = await rooms.open();
    for (const system of ["AnimationRenderer", "Pedometer"]) await toggleSystem(page, system);
    await page.evaluate(() => {
      window.play.get(window.play.crates()[0]!, "Position")!["y"]! += 1;
      window.play.get(window.theRoom().room.player, "Position")!["x"]! += 20;
    });
    await frames(page, 10);
    expect(await page.evaluate(() => window.theRoom().pedometer.metres)).toBe(0);
    await toggleSystem(page, "Pedometer");
    await toggleSystem(page, "AnimationRenderer");
    const visited = () => page.evaluate(() => window.theRoom().room.visited("AnimationRenderer"));
    expect(await visited()).toBe(2); // both entities, after more than ten frames
    expect(await page.evaluate(() => window.theRoom().pedometer.metres)).toBeGreaterThan(1);
    await frames(page, 1);
    expect(await visited()).toBe(0);
  });
});
