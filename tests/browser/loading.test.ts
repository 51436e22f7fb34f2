// From an address to a room, or to words that say why there is none.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, stateHash, useRooms } from "./room.js";
import { serveForDevelopment, type Served } from "./serve.js";

const rooms = useRooms();

describe("as `npm start` serves it", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveForDevelopment();
  });
  afterAll(() => served?.close());

  test("the room loads and runs without a complaint on the console", async () => {
    const page = await rooms.open("?muted", { url: served.url, live: true });
    await page.waitForFunction(() => window.theRoom().room.inspections > 10);
    expect(await page.evaluate(() => window.play.crates().length)).toBe(5000);
  });
});

describe("the address", () => {
  const enabled = (page: Page) =>
    page.evaluate(() =>
      window
        .theRoom()
        .ecs.systems.filter((system) => system.enabled)
        .map((system) => system.name),
    );

  test("chooses how many crates and guards there are, and whether changes are tracked", async () => {
    const page = await rooms.open("?crates=321&tracking=off&guards=3&muted");
    expect(
      await page.evaluate(() => ({ crates: window.play.crates().length, guards: window.play.all("Guard").length })),
    ).toEqual({ crates: 321, guards: 3 });
    expect(await page.getByRole("switch", { name: "Dirty tracking" }).isChecked()).toBe(false);
    expect(await page.evaluate(() => window.theRoom().room.tracking)).toBe(false);
    expect(await page.locator("#crates-shown").textContent()).toBe("321");
  });

  test("makes the same room of the same seed", async () => {
    const hashOf = async (query: string) => stateHash(await rooms.open(query));
    const first = await hashOf("?crates=200&seed=11&guards=2&muted");
    expect(await hashOf("?crates=200&seed=11&guards=2&muted")).toBe(first);
    expect(await hashOf("?crates=200&seed=12&guards=2&muted")).not.toBe(first);
  });

  test("starts debug systems, by the names of their buttons or their own", async () => {
    const page = await rooms.open("?crates=200&debug=boxes,DebugTiming&muted");
    expect(await enabled(page)).toEqual(expect.arrayContaining(["DebugCollision", "DebugTiming"]));
    expect(await enabled(page)).not.toContain("DebugHash");
    expect(await enabled(page)).not.toContain("DebugHeat");
  });

  test("chooses whose dirty entities flash", async () => {
    const page = await rooms.open("?crates=200&heat=SpatialHash&muted");
    expect(await enabled(page)).toContain("DebugHeat");
    expect(await page.getByLabel("Heat of").inputValue()).toBe("SpatialHash");
    expect(await page.evaluate(() => window.theRoom().room.heat)).toBe("SpatialHash");
  });

  test.each([
    ["?crates=200&muted", "false"],
    ["?crates=200&muted=off", "true"],
  ])("%s says whether there will be sound", async (query, wanted) => {
    const page = await rooms.open(query);
    expect(await page.getByRole("button", { name: "Sound" }).getAttribute("aria-pressed")).toBe(wanted);
  });

  test("is forgiven for nonsense", async () => {
    const page = await rooms.open("?crates=1e9&seed=x&guards=-7&debug=nobody&heat=nobody&muted");
    expect(await page.evaluate(() => window.play.crates().length)).toBe(50_000);
    expect(await page.getByLabel("Heat of").inputValue()).toBe("");
  });
});

describe("on the way", () => {
  test("a bar says how much has come, the controls wait, and then both are done with it", async () => {
    const release = rooms.served.holdBack(".wasm");
    const page = await rooms.load("?crates=200&guards=0&muted");
    const bar = page.getByRole("progressbar", { name: /Loading the room/ });
    await page.waitForFunction(() => document.querySelector<HTMLProgressElement>("#loading-bar")!.value > 0.2);
    expect(await bar.isVisible()).toBe(true);
    expect(await page.evaluate(() => document.querySelector<HTMLProgressElement>("#loading-bar")!.value)).toBeLessThan(
      0.8,
    );
    expect(await page.locator("#loading-text").textContent()).toMatch(/^Loading the room… [2-7]\d%$/);
    const focusable = () =>
      page.evaluate(() =>
        ["pause", "tab-memory"].map((id) => {
          document.getElementById(id)!.focus();
          return document.activeElement?.id === id;
        }),
      );
    expect(await focusable()).toEqual([false, false]);

    release();
    await page.waitForFunction(() => window.crateRoom !== undefined);
    expect(await bar.isVisible()).toBe(false);
    expect(await focusable()).toEqual([true, true]);
    await frames(page, 2);
  });

  test("a module that cannot be compiled while it comes is fetched as a whole", async () => {
    const page = await rooms.open("?crates=200&muted", {
      before: (fresh) =>
        fresh.addInitScript(() => {
          WebAssembly.instantiateStreaming = () => Promise.reject(new TypeError("not today"));
        }),
    });
    expect(await page.evaluate(() => window.play.crates().length)).toBe(200);
  });
});

describe("where something is missing the page says so instead of staying blank", () => {
  const words = async (opening: Parameters<typeof rooms.load>[1]): Promise<string> => {
    const page = await rooms.load("", opening);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await page.locator("#loading").isVisible()).toBe(false);
    expect(await page.evaluate(() => document.querySelector<HTMLElement>("#controls")!.inert)).toBe(true);
    return (await alert.textContent())!;
  };

  test("WebGL 2", async () => {
    expect(
      await words({
        allowed: /WebGL/,
        before: (page) =>
          page.addInitScript(() => {
            HTMLCanvasElement.prototype.getContext = () => null;
          }),
      }),
    ).toMatch(/could not start.*WebGL 2/s);
  });

  test("WebAssembly", async () => {
    expect(
      await words({
        allowed: /WebAssembly/,
        before: (page) =>
          page.addInitScript(() => {
            Reflect.deleteProperty(globalThis, "WebAssembly");
          }),
      }),
    ).toMatch(/could not start.*WebAssembly/s);
  });

  test("the module, which the server does not have", async () => {
    expect(
      await words({
        allowed: /404/,
        before: (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404 })),
      }),
    ).toMatch(/could not start.*404/s);
  });

  test("the module, because the connection broke", async () => {
    expect(
      await words({
        allowed: /fetch|ERR_FAILED/i,
        before: (page) => page.route("**/*.wasm", (route) => route.abort()),
      }),
    ).toMatch(/could not start.*fetch/s);
  });
});
