// Loading the page: the room, or a text that says why it cannot start.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, stateHash, useRooms } from "./room.js";
import { serveForDevelopment } from "./serve.js";
import type { Served } from "../pages/server.js";

const rooms = useRooms();

describe("as `npm start` serves it", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveForDevelopment();
  });
  afterAll(() => served?.close());

  test("the room loads and runs without messages on the console", async () => {
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

  test("chooses the number of crates and guards, and dirty tracking", async () => {
    const page = await rooms.open("?crates=321&tracking=off&guards=3&muted");
    expect(
      await page.evaluate(() => ({ crates: window.play.crates().length, guards: window.play.all("Guard").length })),
    ).toEqual({ crates: 321, guards: 3 });
    expect(await page.getByRole("switch", { name: "Dirty tracking" }).isChecked()).toBe(false);
    expect(await page.evaluate(() => window.theRoom().room.tracking)).toBe(false);
    expect(await page.locator("#crates-shown").textContent()).toBe("321");
  });

  test("creates the same room for the same seed", async () => {
    const hashOf = async (query: string) => stateHash(await rooms.open(query));
    const first = await hashOf("?crates=200&seed=11&guards=2&muted");
    expect(await hashOf("?crates=200&seed=11&guards=2&muted")).toBe(first);
    expect(await hashOf("?crates=200&seed=12&guards=2&muted")).not.toBe(first);
  });

  test("enables debug systems, by their names or the names of their buttons", async () => {
    const page = await rooms.open("?crates=200&debug=boxes,DebugHash&muted");
    expect(await enabled(page)).toEqual(expect.arrayContaining(["DebugCollision", "DebugHash"]));
    expect(await enabled(page)).not.toContain("DebugHeat");
  });

  test("chooses the system of the heat view", async () => {
    const page = await rooms.open("?crates=200&heat=SpatialHash&muted");
    expect(await enabled(page)).toContain("DebugHeat");
    expect(await page.getByLabel("Heat of").inputValue()).toBe("SpatialHash");
    expect(await page.evaluate(() => window.theRoom().room.heat)).toBe("SpatialHash");
  });

  test.each([
    ["?crates=200&muted", "false"],
    ["?crates=200&muted=off", "true"],
  ])("%s decides whether sound is on", async (query, wanted) => {
    const page = await rooms.open(query);
    expect(await page.getByRole("button", { name: "Sound" }).getAttribute("aria-pressed")).toBe(wanted);
  });

  test("may contain invalid values", async () => {
    const page = await rooms.open("?crates=1e9&seed=x&guards=-7&debug=unknown&heat=unknown&muted");
    expect(await page.evaluate(() => window.play.crates().length)).toBe(50_000);
    expect(await page.getByLabel("Heat of").inputValue()).toBe("");
  });
});

describe("during loading", () => {
  test("a bar shows the progress and the controls are inert; afterwards the bar is hidden and the controls work", async () => {
    const release = rooms.served.holdBack(".wasm");
    const page = await rooms.load("?crates=200&guards=0&muted", { context: {} }); // a new page, which has cached nothing
    const bar = page.getByRole("progressbar", { name: /Loading the room/ });
    await page.waitForFunction(() => document.querySelector<HTMLProgressElement>("#loading-bar")!.value > 0.2);
    expect(await bar.isVisible()).toBe(true);
    expect(await page.evaluate(() => document.querySelector<HTMLProgressElement>("#loading-bar")!.value)).toBeLessThan(
      0.8,
    );
    expect(await page.locator("#loading-text").textContent()).toMatch(/^Loading the room… [2-7]\d%$/);
    const focusable = () =>
      page.evaluate(() =>
        ["pause", "tab-scaling"].map((id) => {
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

  test("a module that cannot be compiled during the download is downloaded as a whole", async () => {
    const page = await rooms.open("?crates=200&muted", {
      before: (fresh) =>
        fresh.addInitScript(() => {
          WebAssembly.instantiateStreaming = () => Promise.reject(new TypeError("not today"));
        }),
    });
    expect(await page.evaluate(() => window.play.crates().length)).toBe(200);
  });
});

describe("if something is missing, the page shows a text:", () => {
  const message = async (opening: Parameters<typeof rooms.load>[1]): Promise<string> => {
    const page = await rooms.load("", opening);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await page.locator("#loading").isVisible()).toBe(false);
    expect(await page.evaluate(() => document.querySelector<HTMLElement>("#controls")!.inert)).toBe(true);
    return (await alert.textContent())!;
  };

  test("WebGL 2", async () => {
    expect(
      await message({
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
      await message({
        allowed: /WebAssembly/,
        before: (page) =>
          page.addInitScript(() => {
            Reflect.deleteProperty(globalThis, "WebAssembly");
          }),
      }),
    ).toMatch(/could not start.*WebAssembly/s);
  });

  test("the module is not on the server", async () => {
    expect(
      await message({
        allowed: /404/,
        before: (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404 })),
      }),
    ).toMatch(/could not start.*404/s);
  });

  test("the connection broke during the download of the module", async () => {
    expect(
      await message({
        allowed: /fetch|ERR_FAILED/i,
        before: (page) => page.route("**/*.wasm", (route) => route.abort()),
      }),
    ).toMatch(/could not start.*fetch/s);
  });
});
