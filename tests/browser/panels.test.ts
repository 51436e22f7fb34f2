// The tabs beside the room.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { enabled, frames, playersPlace, pointOf, standBelowCrate, toggleSystem, useRooms } from "./room.js";

const rooms = useRooms();
/** The tabs of the page, without those inside of the inspector. */
const tab = (page: Page, name: string) => page.locator("#tabs").getByRole("tab", { name });
const texts = (page: Page, selector: string) => page.locator(selector).allTextContents();

test("arrow keys select tabs, and only the selected one is in the tab order", async () => {
  const page = await rooms.open();
  const state = () =>
    page.evaluate(() => ({
      chosen: [...document.querySelectorAll("[role=tab][aria-selected=true]")].map((one) => one.textContent),
      reachable: [...document.querySelectorAll<HTMLElement>("[role=tab]")]
        .filter((one) => one.tabIndex === 0)
        .map((one) => one.textContent),
      focused: document.activeElement?.textContent,
      shown: [...document.querySelectorAll<HTMLElement>("[role=tabpanel]")]
        .filter((one) => !one.hidden)
        .map((one) => one.getAttribute("aria-labelledby")),
    }));
  await tab(page, "Inspector").focus();
  const order = [
    ["ArrowRight", "Scaling", "tab-scaling"],
    ["End", "One frame apart", "tab-one-frame"],
    ["ArrowRight", "Inspector", "tab-inspector"],
    ["ArrowLeft", "One frame apart", "tab-one-frame"],
    ["ArrowLeft", "Scaling", "tab-scaling"],
    ["Home", "Inspector", "tab-inspector"],
  ] as const;
  for (const [key, name, id] of order) {
    await page.keyboard.press(key);
    expect(await state()).toEqual({ chosen: [name], reachable: [name], focused: name, shown: [id] });
  }
});

describe("the inspector", () => {
  const view = (page: Page, name: string) => page.locator("crateful-inspector").getByRole("tab", { name, exact: true });
  const choosePlayer = async (page: Page) => {
    await view(page, "Entities").click();
    await page.getByRole("searchbox").fill("Player");
    await page.getByRole("treeitem").first().click();
  };

  test("shows the entity that was picked in the room, and edits it", async () => {
    const page = await rooms.open();
    const crate = await standBelowCrate(page);
    const { x, y } = await pointOf(page, crate);
    await page.locator("crateful-inspector").waitFor();
    await page.mouse.click(x, y, { button: "middle" });
    await frames(page, 1);
    const heading = page.locator("crateful-inspector h2", { hasText: String(crate & 0x3fffff) });
    await heading.waitFor();
    for (const name of ["Position", "Animation", "CollisionShape", "Health", "Crate"])
      await page.locator("crateful-inspector h3", { hasText: name }).waitFor();
    const field = page.getByLabel("Position.x", { exact: true });
    await field.fill("123");
    await field.press("Enter");
    await page.waitForFunction((e) => window.play.get(e, "Position")!["x"] === 123, crate);
  });

  test("a middle click picks an entity, and a middle click on the floor ends that", async () => {
    const page = await rooms.open();
    const crate = await standBelowCrate(page);
    const { x, y } = await pointOf(page, crate);
    await page.mouse.click(x, y, { button: "middle" });
    await frames(page, 1);
    expect(await page.evaluate(() => [window.theRoom().room.picked, window.theRoom().room.inspected])).toEqual([
      true,
      crate,
    ]);
    await page.mouse.click(x + 60, y, { button: "middle" });
    await frames(page, 1);
    expect(await page.evaluate(() => window.theRoom().room.picked)).toBe(false);
  });

  test("records who changed what: a walking player", async () => {
    const page = await rooms.open();
    await choosePlayer(page);
    await view(page, "Why").click();
    const inspector = page.locator("crateful-inspector");
    await inspector.getByRole("button", { name: "Record", exact: true }).click();
    await inspector.getByRole("button", { name: "Stop recording" }).waitFor();
    await page.locator("#canvas").focus();
    await page.keyboard.down("d");
    await frames(page, 10);
    await page.keyboard.up("d");
    const changes = page.getByRole("region", { name: "Changes, newest first" }).getByRole("listitem");
    await changes
      .filter({ hasText: /Position\.x.*Movement.*dirty for.*SpatialHash/ })
      .first()
      .waitFor();
  });

  test("going back with it shows the room as it was, and pauses the page; the later frames remain", async () => {
    const page = await rooms.open();
    await choosePlayer(page);
    const inspector = page.locator("crateful-inspector");
    await view(page, "Rewind").click();
    await inspector.getByRole("button", { name: "Record", exact: true }).click();
    const slider = page.getByRole("slider", { name: "Frame to go to" });
    await slider.waitFor();
    const before = await playersPlace(page);
    const picture = () => page.evaluate(() => window.play.picture().hash);
    await page.locator("#canvas").focus();
    await page.keyboard.down("d");
    await frames(page, 20);
    await page.keyboard.up("d");
    const after = await playersPlace(page);
    const later = await picture();
    await page.waitForFunction(() => {
      const found = document
        .querySelector("crateful-inspector")!
        .shadowRoot!.querySelector<HTMLInputElement>("input[type=range]");
      return Number(found!.max) - Number(found!.min) === 20;
    });
    await slider.press("Home");
    await page.waitForFunction(() => window.theRoom().ecs.paused);
    await frames(page, 3);
    expect((await playersPlace(page)).x).toBe(before.x);
    expect(await picture()).not.toBe(later);
    expect(await page.locator("#paused-badge").isVisible()).toBe(true);
    await slider.press("End");
    await page.waitForFunction(({ x }) => window.play.at(window.theRoom().room.player).x === x, after);
  });
});

describe("One frame apart", () => {
  const cells = (page: Page) =>
    page
      .locator("#one-frame tr:not(.aside)")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!.replace(/ of .*/, ""))));

  test("D8 a change is visible to a later system in the same frame and to an earlier system in the next frame", async () => {
    const page = await rooms.open("?crates=600&seed=3&guards=2&muted");
    await tab(page, "One frame apart").click();
    expect(await page.locator("#one-frame-step").isDisabled()).toBe(true);
    await page.locator("#nudge").click();
    await page.locator("#one-frame-step").click();
    await page.locator("#one-frame-step").click();
    expect(await cells(page)).toEqual([
      ["1", "0", "moved a crate", "1"],
      ["2", "1", "–", "0"],
      ["3", "0", "–", "0"],
    ]);
    const descriptions = await texts(page, "#one-frame tr.aside");
    expect(descriptions[1]).toMatch(/SpatialHash found the crate in its dirty set/);
    expect(descriptions[2]).toMatch(/^Quiet/);
    expect(descriptions.join()).not.toMatch(/bug/);
    expect(await page.evaluate(() => window.theRoom().ecs.paused)).toBe(true);
  });

  test("the steps are cleared when the room continues, and the debug views that it showed are switched off", async () => {
    const page = await rooms.open();
    await tab(page, "One frame apart").click();
    await page.getByRole("button", { name: "Boxes" }).click();
    const views = () =>
      page.evaluate(() =>
        ["DebugCollision", "DebugHeat"].map((name) =>
          window.theRoom().ecs.systems.some((system) => system.name === name && system.enabled),
        ),
      );
    expect(await views()).toEqual([true, false]);
    await page.locator("#nudge").click();
    expect(await views()).toEqual([true, true]);
    await page.locator("#one-frame-step").click();
    expect((await cells(page)).map(([frame]) => frame)).toEqual(["1", "2"]);
    await page.getByRole("button", { name: "Go on" }).click();
    expect(await cells(page)).toEqual([]);
    expect(await views()).toEqual([true, false]);
    await frames(page, 3);
    await page.locator("#nudge").click();
    expect((await cells(page)).map(([frame]) => frame)).toEqual(["1"]);
  });
});

test("Scaling measures rooms of other sizes, can be cancelled, and restores the settings", async () => {
  const page = await rooms.open("?crates=300&seed=3&guards=0&muted");
  await page.evaluate(() => {
    let now = 0;
    window.theRoom().clock = () => (now += 20); // so that a frame takes 80 ms, whatever the machine
  });
  /** Runs frames until the text of an element matches; between them the page's asynchronous code continues. */
  const until = (selector: string, text: string) =>
    page.evaluate(
      async ([elements, wanted]) => {
        const found = () => [...document.querySelectorAll(elements!)].some((one) => one.textContent === wanted);
        for (let i = 0; i < 1000 && !found(); i++) {
          window.play.frames(1);
          await Promise.resolve();
        }
        return found();
      },
      [selector, text],
    );
  await page.getByRole("button", { name: "Heat", exact: true }).click();
  const heat = () => page.getByRole("button", { name: "Heat", exact: true }).getAttribute("aria-pressed");
  const collisions = () => enabled(page, "CollisionDetection");
  await toggleSystem(page, "CollisionDetection");
  await tab(page, "Scaling").click();
  const button = page.locator("#measure");
  await button.click();
  expect(await button.textContent()).toBe("Cancel");
  for (const id of ["#pause", "#guide", "#share"]) expect(await page.locator(id).isDisabled()).toBe(true);
  expect(await heat()).toBe("false"); // its own work would be measured too
  expect(await collisions()).toBe(true); // its work would be missing
  expect(await until("#crates-left", "500")).toBe(true);
  expect(await until("#scaling th", "500")).toBe(true);
  await button.click();
  expect(await until("#measure", "Measure")).toBe(true);
  expect(await page.locator("#measure-status").textContent()).toMatch(/^Cancelled/);
  expect(await page.evaluate(() => window.play.crates().length)).toBe(300);
  expect(await page.evaluate(() => window.theRoom().room.tracking)).toBe(true);
  for (const id of ["#pause", "#guide", "#share"]) expect(await page.locator(id).isDisabled()).toBe(false);
  expect(await heat()).toBe("true");
  expect(await collisions()).toBe(false);
  expect(await page.locator("#scaling-chart canvas").count()).toBe(1);
});
