// The demo, as somebody at the keyboard meets it: it loads, draws, and can be played.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchChromium, servePage, type Served } from "./chromium.js";
import { openRoom, pointAt, runFrames, standBeforeCrate, type OpenRoom } from "./room.js";

let browser: Browser;
let served: Served;
let opened: OpenRoom | undefined;

beforeAll(async () => {
  served = await servePage();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});
afterEach(async () => {
  await opened?.page.context().close();
  opened = undefined;
});

async function open(query?: string): Promise<Page> {
  opened = await openRoom(browser, served.url, query);
  return opened.page;
}
const player = (page: Page) => page.evaluate(() => window.placeOf(window.theRoom().room.player));

describe("loading", () => {
  test("the room loads without a complaint on the console", async () => {
    const page = await open();
    await runFrames(page, 10);
    expect(opened!.complaints).toEqual([]);
  });

  test("the address chooses how many crates there are and whether changes are tracked", async () => {
    const page = await open("?crates=321&tracking=off&seed=5");
    expect(await page.evaluate(() => window.crates().length)).toBe(321);
    expect(await page.getByRole("switch", { name: "Dirty tracking" }).isChecked()).toBe(false);
    expect(await page.evaluate(() => window.theRoom().room.tracking)).toBe(false);
  });

  test("the same seed makes the same room", async () => {
    const places = async (query: string) => {
      const page = await open(query);
      const found = await page.evaluate(() => window.crates().map((crate) => window.placeOf(crate)));
      await page.context().close();
      return found;
    };
    const first = await places("?crates=200&seed=11");
    expect(await places("?crates=200&seed=11")).toEqual(first);
    expect(await places("?crates=200&seed=12")).not.toEqual(first);
  });

  test("where WebGL is missing the page says so instead of staying blank", async () => {
    const page = await (await browser.newContext()).newPage();
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto(served.url);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/could not start.*WebGL/s);
    await page.context().close();
  });
});

describe("drawing", () => {
  test("crates are drawn where they are, and floor where none is", async () => {
    const page = await open();
    const { lids, floor } = await page.evaluate(() => {
      const { room } = window.theRoom();
      const { width, height } = document.querySelector<HTMLCanvasElement>("#canvas")!;
      const at = window.placeOf(room.player);
      const inView = (x: number, y: number) =>
        room.screenX(x) > 40 && room.screenX(x) < width - 40 && room.screenY(y) > 60 && room.screenY(y) < height - 60;
      return {
        // Lids are drawn above the ground their crates stand on.
        lids: window.coloursAt(window.crates().map((crate) => window.placeOf(crate)).filter(({ x, y }) => inView(x, y)).map(({ x, y }) => ({ x, y: y - 8 }))),
        // The ground around the start is kept free.
        floor: window.coloursAt([{ x: at.x + 30, y: at.y }])[0]!,
      };
    });
    expect(lids.length).toBeGreaterThan(50);
    const differs = ([r, g, b]: number[]) => Math.abs(r! - floor[0]!) + Math.abs(g! - floor[1]!) + Math.abs(b! - floor[2]!) > 24;
    expect(lids.filter(differs).length / lids.length).toBeGreaterThan(0.95);
  });

  test("what is drawn follows what is seen, in a few calls, however many crates there are", async () => {
    const drawn = async (crates: number) => {
      const page = await open(`?crates=${crates}&seed=3`);
      const figures = await page.evaluate(() => ({ sprites: window.theRoom().room.spritesDrawn, calls: window.theRoom().room.drawCalls }));
      await page.context().close();
      return figures;
    };
    const [small, large] = [await drawn(2000), await drawn(20_000)];
    expect(large.sprites).toBeLessThan(3 * small.sprites);
    expect(large.calls).toBe(small.calls);
    expect(large.calls).toBeLessThanOrEqual(4);
  });
});

describe("playing", () => {
  test("keys on the canvas walk the player, and the camera follows", async () => {
    const page = await open("?crates=2000&seed=3");
    const before = await player(page);
    const camera = () => page.evaluate(() => window.theRoom().room.screenX(0));
    const seen = await camera();
    await page.locator("#canvas").focus();
    await page.keyboard.down("d");
    await page.waitForFunction((x) => window.placeOf(window.theRoom().room.player).x > x + 20, before.x);
    await page.keyboard.up("d");
    await page.keyboard.down("ArrowUp");
    await page.waitForFunction((y) => window.placeOf(window.theRoom().room.player).y < y - 10, before.y);
    await page.keyboard.up("ArrowUp");
    expect(await camera()).toBeLessThan(seen);
  });

  test("keys on the page's own controls do not walk the player", async () => {
    const page = await open();
    const before = await player(page);
    await page.locator("#speed").focus();
    await page.keyboard.down("d");
    await runFrames(page, 10);
    await page.keyboard.up("d");
    expect(await player(page)).toEqual(before);
  });

  test("Tab leads from the canvas to the controls, and what was held down is let go", async () => {
    const page = await open();
    await page.locator("#canvas").focus();
    await page.keyboard.down("d");
    const before = await player(page);
    await page.waitForFunction((x) => window.placeOf(window.theRoom().room.player).x > x, before.x);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("tracking");
    await runFrames(page, 2);
    const after = await player(page);
    await runFrames(page, 10);
    expect(await player(page)).toEqual(after);
  });

  test("crates are solid: who walks into one stops in front of it", async () => {
    const page = await open();
    const crate = await standBeforeCrate(page);
    await page.locator("#canvas").focus();
    await page.keyboard.down("w");
    // It gets as near as it can, and stays there while the key is down.
    await page.waitForFunction((e) => window.placeOf(window.theRoom().room.player).y - window.placeOf(e).y < 12.1, crate);
    await runFrames(page, 15);
    const gap = await page.evaluate((e) => window.placeOf(window.theRoom().room.player).y - window.placeOf(e).y, crate);
    await page.keyboard.up("w");
    expect(gap).toBeGreaterThan(11.9); // half a crate and the player's radius
    expect(gap).toBeLessThan(12.1);
  });

  test("E3 a clicked crate explodes and is gone, from the count and from the picture", async () => {
    const page = await open();
    const crate = await standBeforeCrate(page);
    await runFrames(page, 30); // until the camera has come along
    const before = await page.evaluate((e) => {
      const { x, y } = window.placeOf(e);
      return { count: window.theRoom().ecs.count, crates: window.crates().length, x, y, colour: window.coloursAt([{ x, y: y - 8 }])[0]! };
    }, crate);
    const { x, y } = await pointAt(page, crate);
    await page.mouse.click(x, y);
    await page.waitForFunction((e) => !window.theRoom().ecs.alive(e), crate);
    await page.mouse.move(5, 5); // the marker is not to be taken for a change
    await runFrames(page, 5);
    const after = await page.evaluate((at) => ({
      count: window.theRoom().ecs.count, crates: window.crates().length, smashed: window.theRoom().score.smashed, colour: window.coloursAt([{ x: at.x, y: at.y - 8 }])[0]!,
    }), before);
    expect(after).toMatchObject({ count: before.count - 1, crates: before.crates - 1, smashed: 1 });
    expect(Math.max(...after.colour.map((c, i) => Math.abs(c - before.colour[i]!)))).toBeGreaterThan(12);
  });

  test("the space bar smashes what is straight ahead", async () => {
    const page = await open();
    const crate = await standBeforeCrate(page);
    await page.locator("#canvas").focus();
    await page.keyboard.down("w");
    await page.waitForFunction((e) => window.placeOf(window.theRoom().room.player).y - window.placeOf(e).y < 13, crate);
    await page.keyboard.up("w");
    await page.keyboard.press("Space");
    await page.waitForFunction((e) => !window.theRoom().ecs.alive(e), crate);
    expect(await page.evaluate(() => window.theRoom().score.smashed)).toBe(1);
  });

  test("D2 what TypeScript writes to a C++ component is seen by C++ systems in the next frame", async () => {
    const page = await open();
    await page.evaluate(() => {
      const { ecs, room, nativeComponent } = window.theRoom();
      ecs.getComponents(room.player).get(nativeComponent("Position")).x -= 40;
    });
    await page.waitForFunction(() => window.theRoom().pedometer.metres >= 2); // 16 pixels each
  });
});
