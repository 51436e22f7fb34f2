// The tabs beside the room.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, pointOf, standBelowCrate, useRooms } from "./room.js";

const rooms = useRooms();
const tab = (page: Page, name: string) => page.getByRole("tab", { name });
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
  await tab(page, "Systems").focus();
  const order = [
    ["ArrowRight", "Inspect", "tab-inspect"],
    ["End", "One frame apart", "tab-one-frame"],
    ["ArrowRight", "Systems", "tab-systems"],
    ["ArrowLeft", "One frame apart", "tab-one-frame"],
    ["ArrowLeft", "Memory", "tab-memory"],
    ["Home", "Systems", "tab-systems"],
  ] as const;
  for (const [key, name, id] of order) {
    await page.keyboard.press(key);
    expect(await state()).toEqual({ chosen: [name], reachable: [name], focused: name, shown: [id] });
  }
});

describe("Inspect", () => {
  test("shows the components of the entity under the pointer or of the picked one, and their changes", async () => {
    const page = await rooms.open();
    const crate = await standBelowCrate(page);
    await tab(page, "Inspect").click();
    expect(await page.locator("#inspected-title").textContent()).toBe("Nothing is inspected");
    const { x, y } = await pointOf(page, crate);
    await page.mouse.move(x, y);
    await frames(page, 2);
    expect(await page.locator("#inspected-title").textContent()).toBe(`Entity ${crate & 0x3fffff}`);
    expect(await page.locator("#inspected-how").textContent()).toBe("under the pointer");
    expect(await texts(page, "#inspected h4")).toEqual(["Position", "Animation", "CollisionShape", "Health", "Crate"]);
    const value = (component: string, field: string) =>
      page
        .locator("#inspected section", { has: page.getByRole("heading", { name: component }) })
        .locator("dl > div", { has: page.getByText(field, { exact: true }) })
        .locator("dd")
        .textContent();
    expect(await value("CollisionShape", "kinds")).toBe("5 (solid, vulnerable)");
    expect(await value("Crate", "powder")).toBe("no");

    await page.locator("#canvas").focus();
    await page.keyboard.press("i");
    await frames(page, 1);
    await page.mouse.move(5, 5);
    await frames(page, 2);
    expect(await page.locator("#inspected-how").textContent()).toBe("picked");
    expect(await texts(page, "#inspected section.changed h4")).toEqual([]);
    await page.evaluate((e) => {
      window.play.get(e, "Position")!["x"] = 123;
    }, crate);
    await frames(page, 1);
    expect(await value("Position", "x")).toBe("123");
    expect(await texts(page, "#inspected section.changed h4")).toEqual(["Position"]);

    await page.evaluate((e) => window.theRoom().ecs.removeEntity(e), crate);
    await frames(page, 2);
    expect(await page.locator("#inspected-title").textContent()).toBe("Nothing is inspected");
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
});

test("Memory shows a row for each component class, and the total", async () => {
  const page = await rooms.open();
  await tab(page, "Memory").click();
  const rows = await page
    .locator("#memory tr:not(.aside)")
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  const report = await page.evaluate(() =>
    window
      .theRoom()
      .ecs.memoryReport()
      .map(({ name, count, bytes }) => ({ name, count, bytes })),
  );
  expect(rows).toHaveLength(report.length);
  expect(rows.find(([name]) => name === "Crate")![2]).toBe("600");
  const total = report.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(await page.locator("#memory-components").textContent()).toBe(
    `${(total / 1024).toFixed(total < 10_240 ? 1 : 0)} KB`,
  );
  expect(await page.locator("#memory-used").textContent()).toMatch(/^\d+(\.\d)? [KM]B$/);
  expect(await page.locator("#memory-all").textContent()).toMatch(/^\d+(\.\d)? MB$/);
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

test("History measures rooms of other sizes, can be cancelled, and restores the settings", async () => {
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
  await page.getByRole("button", { name: "Heat" }).click();
  const heat = () => page.getByRole("button", { name: "Heat" }).getAttribute("aria-pressed");
  const collisions = page.getByRole("checkbox", { name: "CollisionDetection enabled", includeHidden: true });
  await collisions.click();
  await tab(page, "History").click();
  const button = page.locator("#measure");
  await button.click();
  expect(await button.textContent()).toBe("Cancel");
  for (const id of ["#pause", "#guide", "#share"]) expect(await page.locator(id).isDisabled()).toBe(true);
  expect(await heat()).toBe("false"); // its own work would be measured too
  expect(await collisions.isChecked()).toBe(true); // its work would be missing
  expect(await until("#crates-left", "500")).toBe(true);
  expect(await until("#scaling th", "500")).toBe(true);
  await button.click();
  expect(await until("#measure", "Measure")).toBe(true);
  expect(await page.locator("#measure-status").textContent()).toMatch(/^Cancelled/);
  expect(await page.evaluate(() => window.play.crates().length)).toBe(300);
  expect(await page.evaluate(() => window.theRoom().room.tracking)).toBe(true);
  for (const id of ["#pause", "#guide", "#share"]) expect(await page.locator(id).isDisabled()).toBe(false);
  expect(await heat()).toBe("true");
  expect(await collisions.isChecked()).toBe(false);
  expect(await page.locator("#scaling-chart canvas").count()).toBe(1);
});

test("Systems marks those that visit many entities, but no debug systems, which do so on purpose", async () => {
  const page = await rooms.open("?crates=600&seed=3&guards=0&tracking=off&muted");
  await frames(page, 2);
  const marked = await page.locator("tr.busy").evaluateAll((all) => all.map((row) => row.dataset["system"]));
  expect(marked).toContain("SpatialHash");
  const visited = (name: string) => page.locator(`[data-system=${name}] [data-figure=visited]`).textContent();
  expect(Number(await visited("DebugInspection"))).toBeGreaterThan(100);
  expect(marked.filter((name) => name!.startsWith("Debug"))).toEqual([]);
});

test("Memory gives advice only where it saves much", async () => {
  const page = await rooms.open("?crates=600&seed=3&guards=0&muted");
  await tab(page, "Memory").click();
  const advised = async () => {
    const shown = await texts(page, "#memory tr.aside");
    const report = await page.evaluate(() => window.theRoom().ecs.memoryReport());
    const saves = report
      .filter(({ advice }) => advice !== "")
      .map((one) => ({ ...one, saved: one.bytes - one.otherBytes }));
    expect(shown.sort()).toEqual(
      saves
        .filter(({ saved }) => saved >= 64 * 1024)
        .map(({ advice }) => advice)
        .sort(),
    );
    return { shown: shown.length, hidden: saves.length - shown.length };
  };
  expect(await advised()).toEqual({ shown: 0, hidden: expect.any(Number) });
  await page.locator("#crates").press("End");
  await frames(page, 1);
  const { shown, hidden } = await advised();
  expect(shown).toBeGreaterThan(0);
  expect(hidden).toBeGreaterThan(0);
});
