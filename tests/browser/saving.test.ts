// Quick-save and load.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, standBelowCrate, useRooms } from "./room.js";

const rooms = useRooms();
const QUERY = "?crates=300&seed=3&guards=2&muted";

/** A hash of all bytes of the state, the picture, and what the page shows of the room. */
const state = (page: Page) =>
  page.evaluate(() => {
    const { room, ecs, score, pedometer, settings } = window.theRoom();
    let hash = 0;
    for (const byte of window.theRoom().snapshot()) hash = (Math.imul(hash, 31) + byte) | 0;
    return {
      hash,
      picture: window.play.picture().hash,
      number: room.roomNumber,
      smashed: score.smashed,
      metres: pedometer.metres,
      recorded: room.recordedFrames,
      crates: settings.crates,
      seed: settings.seed,
      paused: ecs.paused,
      speed: document.querySelector<HTMLSelectElement>("#speed")!.value,
    };
  });
const say = (page: Page) => page.locator("#save-result").textContent();
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
const load = (page: Page) => page.getByRole("button", { name: "Load", exact: true });
/** Clicks, and waits for what the page says. */
async function press(page: Page, name: "Save" | "Load"): Promise<string> {
  await page.evaluate(() => document.getElementById("save-result")!.replaceChildren());
  await (name === "Save" ? save(page) : load(page)).click();
  await page.waitForFunction(() => document.getElementById("save-result")!.textContent !== "");
  return (await say(page))!;
}
/** Strikes and walks, with fixed inputs. */
async function play(page: Page, n = 90): Promise<void> {
  await page.locator("#canvas").focus();
  await page.keyboard.down("Space");
  await page.keyboard.down("w");
  await frames(page, n);
  await page.keyboard.up("w");
  await page.keyboard.down("d");
  await frames(page, n);
  await page.keyboard.up("d");
  await page.keyboard.up("Space");
  await frames(page, 1);
}

describe("Save and Load", () => {
  test("N3 bring the room back, which then continues in the same way", async () => {
    const page = await rooms.open(QUERY, { context: {} });
    expect(await load(page).isDisabled()).toBe(true);
    await standBelowCrate(page);
    await play(page, 20);
    const saved = await state(page);
    expect(saved.smashed).toBeGreaterThan(0);
    expect(await press(page, "Save")).toMatch(/^Saved in this browser: \d+(\.\d)? KB$/);
    expect(await state(page)).toEqual(saved);
    await play(page);
    const later = await state(page);
    expect(later.hash).not.toBe(saved.hash);
    expect(later.picture).not.toBe(saved.picture);
    expect(await press(page, "Load")).toMatch(/^Loaded/);
    expect(await state(page)).toEqual(saved);
    await play(page);
    expect(await state(page)).toEqual(later);
  });

  test("bring back another room, its settings, and the slow motion; the debug view stays as it is", async () => {
    const page = await rooms.open(QUERY, { context: {} });
    await page.locator("#speed").selectOption("4");
    await frames(page, 20);
    const saved = await state(page);
    await press(page, "Save");
    await page.locator("#speed").selectOption("1");
    await page.locator("#crates").press("Home");
    await page.getByRole("button", { name: "Boxes" }).click();
    await frames(page, 100);
    expect(await state(page)).toMatchObject({ crates: 100, speed: "1" });
    await press(page, "Load");
    await frames(page, 1);
    expect(await page.getByRole("button", { name: "Boxes" }).getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: "Boxes" }).click();
    expect(await page.locator("#crates-shown").textContent()).toBe("300");
    await press(page, "Load");
    expect(await state(page)).toEqual(saved);
  });

  test("draw the room that was loaded also while it is paused, with tracking and without", async () => {
    const page = await rooms.open(QUERY, { context: {} });
    for (const tracking of [true, false]) {
      await page.getByRole("switch", { name: "Dirty tracking" }).setChecked(tracking);
      await play(page, 10);
      await page.locator("#pause").click();
      await frames(page, 1);
      const saved = await state(page);
      await press(page, "Save");
      await page.locator("#pause").click();
      await play(page, 60);
      expect((await state(page)).picture).not.toBe(saved.picture);
      await press(page, "Load");
      expect(await state(page)).toEqual(saved);
      await frames(page, 1);
      expect((await state(page)).picture).toBe(saved.picture);
      expect(await page.locator("#paused-badge").isVisible()).toBe(true);
      await page.locator("#pause").click();
    }
  });

  test("are keys of the room", async () => {
    const page = await rooms.open(QUERY, { context: {} });
    await page.locator("#canvas").focus();
    await page.keyboard.press("2"); // nothing is saved
    await page.waitForFunction(() => document.getElementById("save-result")!.textContent === "Nothing is saved");
    const saved = await state(page);
    await page.keyboard.press("1");
    await page.waitForFunction(() => document.getElementById("save-result")!.textContent!.startsWith("Saved"));
    await play(page, 20);
    await page.locator("#speed").focus();
    await page.keyboard.press("2"); // a key of the control
    await page.locator("#canvas").focus();
    await page.keyboard.press("2");
    await page.waitForFunction(() => document.getElementById("save-result")!.textContent!.startsWith("Loaded"));
    expect(await state(page)).toEqual(saved);
  });

  test("keep the room over a reload of the page", async () => {
    const page = await rooms.open(QUERY, { context: {} });
    await play(page);
    const saved = await state(page);
    await press(page, "Save");
    await play(page);
    const later = await state(page);
    await page.goto(`${rooms.served.url}?crates=100&seed=9&muted`);
    await page.waitForFunction(() => window.crateRoom !== undefined);
    await frames(page, 30);
    await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>("#load")!.disabled);
    await press(page, "Load");
    expect(await state(page)).toEqual(saved);
    await play(page);
    expect(await state(page)).toEqual(later);
  });

  test("the recording is saved, too: a run that was loaded can be replayed", async () => {
    const page = await rooms.open(QUERY, { context: {} });
    await play(page);
    await press(page, "Save");
    await page.locator("#reset").click();
    await frames(page, 30);
    await press(page, "Load");
    await play(page, 40);
    await page.getByRole("button", { name: "Replay" }).click();
    expect(await save(page).isDisabled()).toBe(true);
    expect(await load(page).isDisabled()).toBe(true);
    await page.evaluate(() => window.play.until(() => !window.theRoom().room.replaying, 5000));
    await frames(page, 1);
    expect(await page.locator("#replay-result").textContent()).toMatch(/came to the same state/);
    expect(await load(page).isDisabled()).toBe(false);
  });
});

test.each<[string, () => void]>([
  [
    "throws",
    () => {
      Object.defineProperty(window, "indexedDB", {
        get() {
          throw new DOMException("The document is sandboxed", "SecurityError");
        },
      });
    },
  ],
  [
    "refuses to open a database",
    () => {
      IDBFactory.prototype.open = () => {
        const request = Object.create(IDBOpenDBRequest.prototype) as IDBOpenDBRequest;
        Object.defineProperties(request, {
          error: { value: new DOMException("blocked", "InvalidStateError") },
          onsuccess: { value: null, writable: true },
          onupgradeneeded: { value: null, writable: true },
          onerror: { set: (call: () => void) => queueMicrotask(call) },
        });
        return request;
      };
    },
  ],
  [
    "has no space left",
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("no space", "QuotaExceededError");
      };
    },
  ],
])("if the browser's storage %s, a save is kept until the page is closed, and the page says so", async (_, block) => {
  const page = await rooms.open(QUERY, { before: (fresh) => fresh.addInitScript(block) });
  const saved = await state(page);
  expect(await press(page, "Save")).toBe("Saved until this page is closed: the browser does not let it keep anything");
  await play(page);
  expect(await press(page, "Load")).toMatch(/^Loaded/);
  expect(await state(page)).toEqual(saved);
});

test("N8 a save that cannot be read changes nothing, and the page says so", async () => {
  const page = await rooms.open(QUERY, { context: {} });
  await press(page, "Save");
  await page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const database = await done(indexedDB.open("crate-room", 1));
    await done(database.transaction("saves", "readwrite").objectStore("saves").put(new Uint8Array(100), "quick"));
    database.close();
  });
  await play(page, 10);
  const before = await state(page);
  expect(await press(page, "Load")).toBe("This save is from another version of the room, and cannot be loaded");
  expect(await state(page)).toEqual(before);
});
