// What the page is for people who use it without a mouse, or without seeing it.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { findings } from "./axe.js";
import { frames, playersPlace, useRooms } from "./room.js";

const rooms = useRooms();

/** Runs frames until the guide asks for something. */
async function untilGuided(page: Page): Promise<void> {
  const asked = await page.evaluate(() =>
    window.play.until(() => document.getElementById("guide-step")!.textContent !== ""),
  );
  expect(asked).toBe(true);
}

describe.each([
  { name: "a wide screen", context: { viewport: { width: 1440, height: 900 } } },
  { name: "a phone", context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
])("axe finds nothing on $name", ({ context }) => {
  test("at the start and during the guide", async () => {
    const page = await rooms.open("", { context });
    expect(await findings(page)).toEqual([]);
    await untilGuided(page);
    expect(await findings(page)).toEqual([]);
  });

  test("with tracking off, and in each tab", async () => {
    const page = await rooms.open("?crates=600&guards=2&tracking=off&debug=boxes&muted", { context });
    expect(await findings(page)).toEqual([]);
    const inspector = ["Entities", "Why", "Rewind", "Frames", "Events", "Memory", "Systems"];
    for (const tab of ["Scaling", "One frame apart", "Inspector", ...inspector]) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      if (tab === "One frame apart") await page.locator("#nudge").click();
      await frames(page, 2);
      expect(await findings(page)).toEqual([]);
    }
  });
});

test("the keyboard alone plays, takes the guided steps, and reaches every control", async () => {
  const page = await rooms.open("", { context: { viewport: { width: 1440, height: 900 } } });
  const { keyboard } = page;
  const focused = () => page.evaluate(() => document.activeElement!.id);
  const step = () => page.locator("#guide-step").textContent();
  /** Presses Tab until that element has the focus. */
  const tabTo = async (id: string) => {
    for (let i = 0; i < 200 && (await focused()) !== id; i++) await keyboard.press("Tab");
    expect(await focused()).toBe(id);
  };

  expect(await focused()).toBe("canvas");
  const before = await playersPlace(page);
  await keyboard.down("d");
  await frames(page, 20);
  await keyboard.up("d");
  expect((await playersPlace(page)).x).toBeGreaterThan(before.x);

  await untilGuided(page);
  expect(await step()).toBe("1 of 3");
  await tabTo("tracking");
  await keyboard.press("Space");
  expect(await step()).toBe("2 of 3");
  await tabTo("crates");
  await keyboard.press("End");
  expect(await step()).toBe("3 of 3");
  await keyboard.press("Shift+Tab");
  await keyboard.press("Space");
  expect(await step()).toBe("");
  expect(await page.locator("#advice").textContent()).toMatch(/what changed, not what exists/);

  await page.locator("crateful-inspector").waitFor();
  await tabTo("canvas");
  await page.evaluate(() => {
    const reached = new Set<Element | null>();
    Object.assign(window, { reached });
    document.addEventListener("focusin", () => reached.add(document.activeElement));
  });
  for (let i = 0; i === 0 || ((await focused()) !== "canvas" && i < 300); i++) await keyboard.press("Tab");
  const { count, missing } = await page.evaluate(() => {
    const { reached } = window as unknown as { reached: Set<Element> };
    const controls = [
      ...document.querySelectorAll<HTMLElement>("a, button, select, input, [tabindex='0'], crateful-inspector"),
    ].filter(
      (one) => (one.tabIndex >= 0 || one.shadowRoot !== null) && one.checkVisibility() && !one.matches(":disabled"),
    );
    return { count: controls.length, missing: controls.filter((one) => !reached.has(one)).map((one) => one.outerHTML) };
  });
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(20);
});
