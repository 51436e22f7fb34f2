// Enabling and disabling systems: debug systems by buttons, all systems in the table.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, playersPlace, pointOf, standBelowCrate, useRooms } from "./room.js";

const rooms = useRooms();
const box = (page: Page, system: string) =>
  page.getByRole("checkbox", { name: `${system} enabled`, exact: true, includeHidden: true });
const chip = (page: Page, label: string) =>
  page.locator("#debug-buttons").getByRole("button", { name: label, exact: true });
const pressed = async (page: Page, label: string) => (await chip(page, label).getAttribute("aria-pressed")) === "true";
const enabled = (page: Page, system: string) =>
  page.evaluate((name) => window.theRoom().ecs.systems.find((other) => other.name === name)!.enabled, system);
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
    ["Timing", "DebugTiming"],
  ])("%s adds drawings to the picture and removes them again", async (label, system) => {
    const page = await rooms.open();
    await page.getByRole("button", { name: "Pause" }).click(); // debug systems still run
    const bare = await picture(page);
    const states = async () => [
      await pressed(page, label),
      await enabled(page, system),
      await box(page, system).isChecked(),
    ];
    expect(await states()).toEqual([false, false, false]);
    await chip(page, label).click();
    expect(await states()).toEqual([true, true, true]);
    expect(await picture(page)).not.toBe(bare);
    await page.getByRole("button", { name: "Debug systems" }).click();
    await box(page, system).click(); // the box and the button show the same state
    expect(await states()).toEqual([false, false, false]);
    expect(await picture(page)).toBe(bare);
  });

  test("Inspect marks the entity under the pointer, and finds nothing when it is switched off", async () => {
    const page = await rooms.open();
    const crate = await standBelowCrate(page);
    await page.getByRole("button", { name: "Pause" }).click();
    const bare = await picture(page);
    const found = () => page.evaluate(() => window.theRoom().room.inspected);
    const { x, y } = await pointOf(page, crate);
    await page.mouse.move(x, y);
    expect(await picture(page)).not.toBe(bare);
    expect(await found()).toBe(crate);
    await chip(page, "Inspect").press("Enter"); // the pointer stays where it is
    expect(await box(page, "DebugInspection").isChecked()).toBe(false);
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

describe("the table of systems", () => {
  const listed = (page: Page, body: string) =>
    page.evaluate(
      (id) =>
        [...document.querySelectorAll<HTMLElement>(`#${id} tr`)].map((row) => ({
          name: row.dataset["system"]!,
          priority: Number(row.children[1]!.textContent),
        })),
      body,
    );
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

  test("S1 the table lists all systems in the order in which they run, and debug systems after them", async () => {
    const page = await rooms.open();
    await page.getByRole("button", { name: "at", exact: true }).click();
    const systems = await page.evaluate(() => window.theRoom().ecs.systems.map(({ name, debug }) => ({ name, debug })));
    const rows = await listed(page, "systems");
    expect(names(rows)).toEqual(names(systems.filter(({ debug }) => !debug)));
    expect(names(rows)).toEqual(expect.arrayContaining(["Pedometer", "Nudge", "ScoreKeeper"])); // those in TypeScript are included
    const priorities = rows.map(({ priority }) => priority);
    expect(priorities).toEqual([...priorities].sort((a, b) => a - b));
    expect(names(await listed(page, "debug-systems"))).toEqual(names(systems.filter(({ debug }) => debug)));
  });

  test("busy systems come first, but no row moves under the pointer; debug systems are folded", async () => {
    const page = await rooms.open();
    expect(await page.locator("#debug-systems").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Debug systems" }).click();
    expect(await page.locator("#debug-systems").isVisible()).toBe(true);
    const atRest = names(await listed(page, "systems"));
    await page.locator("#systems tr").last().hover();
    await page.getByRole("switch", { name: "Dirty tracking" }).focus();
    await page.keyboard.press("Space");
    await frames(page, 4);
    expect(names(await listed(page, "systems"))).toEqual(atRest);
    await page.mouse.move(0, 0);
    await frames(page, 4);
    const busy = names(await listed(page, "systems"));
    expect(busy).not.toEqual(atRest);
    expect(busy.slice(0, 4)).toEqual(["SpatialHash", "CollisionDetection", "Animations", "AnimationRenderer"]);
    const visited = await page.locator("#systems [data-figure=visited]").allTextContents();
    const numbers = visited.map((text) => Number(text.replace(",", "")));
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
  });

  test("S4 a system whose box is cleared does not run: without Movement the player does not walk", async () => {
    const page = await rooms.open();
    const before = await playersPlace(page);
    await box(page, "Movement").click();
    expect(await enabled(page, "Movement")).toBe(false);
    await page.locator("#canvas").focus();
    await page.keyboard.down("d");
    await frames(page, 20);
    expect(await playersPlace(page)).toEqual(before);
    expect(await page.locator('tr[data-system="Movement"] td[data-figure="visited"]').textContent()).toBe("–");
    await box(page, "Movement").click();
    await page.locator("#canvas").focus();
    await page.keyboard.up("d");
    await page.keyboard.down("d");
    await frames(page, 20);
    expect((await playersPlace(page)).x).toBeGreaterThan(before.x);
  });

  test("D4 a disabled system keeps its dirty set, in C++ and in TypeScript", async () => {
    const page = await rooms.open();
    for (const system of ["AnimationRenderer", "Pedometer"]) await box(page, system).click();
    await page.evaluate(() => {
      window.play.get(window.play.crates()[0]!, "Position")!["y"]! += 1;
      window.play.get(window.theRoom().room.player, "Position")!["x"]! += 20;
    });
    await frames(page, 10);
    expect(await page.evaluate(() => window.theRoom().pedometer.metres)).toBe(0);
    for (const system of ["AnimationRenderer", "Pedometer"]) await box(page, system).click();
    await frames(page, 1);
    const visited = () => page.evaluate(() => window.theRoom().room.visited("AnimationRenderer"));
    expect(await visited()).toBe(2); // both entities, after ten frames
    expect(await page.locator('tr[data-system="Pedometer"] td[data-figure="visited"]').textContent()).toBe("1");
    expect(await page.evaluate(() => window.theRoom().pedometer.metres)).toBeGreaterThan(1);
    await frames(page, 1);
    expect(await visited()).toBe(0);
  });
});
