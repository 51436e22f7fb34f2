// Playing by touch and by gamepad.
import { describe, expect, test } from "@jest/globals";
import type { CDPSession, Page } from "playwright-core";
import { frames, has, playersPlace, pointOf, standBelowCrate, useRooms } from "./room.js";

const rooms = useRooms();

describe("fingers", () => {
  interface Finger {
    x: number;
    y: number;
    id: number;
  }
  const openTouched = async (): Promise<{ page: Page; fingers: (...all: Finger[]) => Promise<void> }> => {
    const page = await rooms.open(undefined, {
      context: { hasTouch: true, isMobile: true, viewport: { width: 1000, height: 640 } },
    });
    const devtools: CDPSession = await page.context().newCDPSession(page);
    let down: Finger[] = [];
    // Sets the fingers that are down; the difference to the previous ones is dispatched.
    const fingers = async (...all: Finger[]) => {
      const type = all.length > down.length ? "touchStart" : all.length < down.length ? "touchEnd" : "touchMove";
      await devtools.send("Input.dispatchTouchEvent", { type, touchPoints: all });
      down = all;
    };
    return { page, fingers };
  };
  const onCanvas = (page: Page, across: number, down: number) =>
    page.evaluate(
      ([right, below]) => {
        const box = document.querySelector("#canvas")!.getBoundingClientRect();
        return { x: box.x + right! * box.width, y: box.y + below! * box.height };
      },
      [across, down],
    );

  test("one on the left is a stick: the player walks in its direction until the finger is lifted", async () => {
    const { page, fingers } = await openTouched();
    const start = await playersPlace(page);
    const { x, y } = await onCanvas(page, 0.2, 0.5);
    await fingers({ x, y, id: 1 });
    await frames(page, 5);
    expect(await playersPlace(page)).toEqual(start);
    await fingers({ x: x + 60, y, id: 1 });
    await frames(page, 20);
    const right = await playersPlace(page);
    expect(right.x).toBeGreaterThan(start.x + 10);
    expect(Math.abs(right.y - start.y)).toBeLessThan(1);
    await fingers({ x, y: y + 60, id: 1 });
    await frames(page, 20);
    const down = await playersPlace(page);
    expect(down.y).toBeGreaterThan(right.y + 10);
    await fingers();
    await frames(page, 10);
    const after = await playersPlace(page);
    await frames(page, 10);
    expect(await playersPlace(page)).toEqual(after);
  });

  test("a tap elsewhere strikes at that position without walking", async () => {
    const { page, fingers } = await openTouched();
    const crate = await standBelowCrate(page);
    const start = await playersPlace(page);
    await page.evaluate(() => {
      window.play.get(window.theRoom().room.player, "Facing")!["y"] = 1;
    }); // faces another direction
    await fingers({ ...(await pointOf(page, crate)), id: 1 });
    await fingers();
    expect(await page.evaluate((e) => window.play.until(() => !window.theRoom().ecs.alive(e)), crate)).toBe(true);
    expect(await playersPlace(page)).toEqual(start);
  });

  test("two fingers elsewhere raise the shield", async () => {
    const { page, fingers } = await openTouched();
    const [one, two] = [
      { ...(await onCanvas(page, 0.6, 0.4)), id: 1 },
      { ...(await onCanvas(page, 0.8, 0.4)), id: 2 },
    ];
    await fingers(one);
    await fingers(one, two);
    expect(
      await page.evaluate(() =>
        window.play.until(() => window.play.get(window.theRoom().room.player, "Defending") !== undefined, 60),
      ),
    ).toBe(true);
    await fingers(one);
    await fingers();
    await frames(page, 2);
    expect(await has(page, "Defending")).toBe(false);
  });

  test.each([
    ["Hit", "Swinging"],
    ["Shield", "Defending"],
  ])("the button %s is pressed while a finger is on it", async (label, component) => {
    const { page, fingers } = await openTouched();
    const button = page.getByRole("button", { name: label, exact: true });
    const box = (await button.boundingBox())!;
    await fingers({ x: box.x + box.width / 2, y: box.y + box.height / 2, id: 1 });
    await frames(page, 2);
    expect(await has(page, component)).toBe(true);
    await frames(page, 60);
    // It is held down: the shield stays up, and one blow follows another.
    expect(
      await page.evaluate(
        (name) => window.play.until(() => window.play.get(window.theRoom().room.player, name) !== undefined, 30),
        component,
      ),
    ).toBe(true);
    await fingers();
    await frames(page, 30);
    expect(await has(page, component)).toBe(false);
    await frames(page, 30);
    expect(await has(page, component)).toBe(false);
  });

  test("without a touch screen there are no such buttons", async () => {
    const page = await rooms.open();
    expect(await page.getByRole("button", { name: "Hit", exact: true }).isVisible()).toBe(false);
  });
});

describe("a gamepad", () => {
  /** Connects a gamepad of the standard layout instead of the system's gamepads. */
  const connect = (page: Page) =>
    page.evaluate(() => {
      const pad = {
        id: "Standard Gamepad (Vendor: 0000 Product: 0000)",
        index: 0,
        connected: true,
        mapping: "standard",
        timestamp: 1,
        axes: [0, 0, 0, 0],
        buttons: Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 })),
      };
      Object.assign(window, { pad });
      navigator.getGamepads = () => [pad] as unknown as Gamepad[];
      window.dispatchEvent(Object.assign(new Event("gamepadconnected"), { gamepad: pad }));
      window.play.frames(2);
    });
  const set = (page: Page, state: { axes?: number[]; button?: number; pressed?: boolean }) =>
    page.evaluate(({ axes, button, pressed }) => {
      const { pad } = window as unknown as {
        pad: { timestamp: number; axes: number[]; buttons: { pressed: boolean; value: number }[] };
      };
      pad.timestamp += 1;
      if (axes) pad.axes = [...axes, 0, 0];
      if (button !== undefined) pad.buttons[button] = { pressed: pressed!, value: Number(pressed) };
    }, state);

  test("moves the player by its left stick, and the player stops when it is released", async () => {
    const page = await rooms.open();
    await connect(page);
    const start = await playersPlace(page);
    await set(page, { axes: [-1, 0] });
    await frames(page, 20);
    const left = await playersPlace(page);
    expect(left.x).toBeLessThan(start.x - 10);
    expect(left.y).toBe(start.y);
    await set(page, { axes: [0.1, 0.1] }); // sticks at rest report small values
    await frames(page, 10);
    const after = await playersPlace(page);
    await frames(page, 10);
    expect(await playersPlace(page)).toEqual(after);
  });

  test("strikes by its first button and shields by its second", async () => {
    const page = await rooms.open();
    await connect(page);
    const crate = await standBelowCrate(page);
    await set(page, { button: 0, pressed: true });
    await frames(page, 1);
    await set(page, { button: 0, pressed: false });
    expect(await page.evaluate((e) => window.play.until(() => !window.theRoom().ecs.alive(e)), crate)).toBe(true);
    await set(page, { button: 1, pressed: true });
    await frames(page, 2);
    expect(await has(page, "Defending")).toBe(true);
    await set(page, { button: 1, pressed: false });
    await frames(page, 2);
    expect(await has(page, "Defending")).toBe(false);
  });

  test("that is disconnected counts as released", async () => {
    const page = await rooms.open();
    await connect(page);
    await set(page, { axes: [0, 1] });
    await frames(page, 5);
    await page.evaluate(() => {
      const { pad } = window as unknown as { pad: object };
      navigator.getGamepads = () => [];
      window.dispatchEvent(
        Object.assign(new Event("gamepaddisconnected"), { gamepad: Object.assign(pad, { connected: false }) }),
      );
    });
    await frames(page, 5);
    const after = await playersPlace(page);
    await frames(page, 10);
    expect(await playersPlace(page)).toEqual(after);
  });
});
