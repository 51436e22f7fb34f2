// Opens the crate room in a browser, and accesses it from the tests.
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { connectToChromium, pageFolder } from "./chromium.js";
import type { Entity, Place } from "./handle.js";
import { addHelpers } from "./in_page.js";
import { serveFolder, type ServedFolder } from "./serve.js";

export interface Opening {
  /** The page runs frames by itself; otherwise frames run only by `window.play`. */
  live?: boolean;
  /** Console messages that are expected. */
  allowed?: RegExp;
  /** For a new page of its own. */
  context?: BrowserContextOptions;
  /** The address, if it is not that of the built page. */
  url?: string;
  /** Prepares the page before it is loaded. */
  before?: (page: Page) => Promise<unknown>;
}

const VIEWPORT = { width: 1000, height: 640 }; // small, because every pixel is drawn in software

/** The software renderer's remark when the browser reads the canvas, to put it on the page. */
const DRIVER = /GL Driver Message \(OpenGL, Performance, .*\): GPU stall due to ReadPixels/;

/** A browser and the built page, for the tests of a file. */
export class Rooms {
  browser!: Browser;
  served!: ServedFolder;
  /** Errors and warnings on the console, and uncaught exceptions. A test fails if there are any. */
  readonly messages: string[] = [];
  readonly #pages: Page[] = [];
  #allowed: RegExp | undefined;
  #reused: Page | undefined;
  #reusedInThisTest = false;

  /** Opens a page without waiting for the room. */
  async load(query: string, opening: Opening = {}): Promise<Page> {
    this.#allowed = opening.allowed;
    const page = await this.#page(opening);
    await page.goto((opening.url ?? this.served.url) + query);
    return page;
  }
  /**
   * A page for one test. The first one without special settings is loaded again for each test, because a new one takes
   * four times as long: its process has to be started, and its WebAssembly and shaders compiled.
   */
  async #page({ live = false, context, before }: Opening): Promise<Page> {
    if (live || context !== undefined || before !== undefined || this.#reusedInThisTest) {
      const page = await this.#newPage(live, context);
      this.#pages.push(page);
      await before?.(page);
      return page;
    }
    this.#reusedInThisTest = true;
    if (this.#reused === undefined) return (this.#reused = await this.#newPage(false, {}));
    await this.#reused.setViewportSize(VIEWPORT);
    for (const key of ["w", "a", "s", "d", "Space", "Shift"]) await this.#reused.keyboard.up(key);
    await this.#reused.mouse.move(0, 0); // where it is on a new page
    return this.#reused;
  }
  async #newPage(live: boolean, context: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await this.browser.newContext({ viewport: VIEWPORT, ...context })).newPage();
    page.setDefaultTimeout(0); // Jest's timeout applies
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      if (!DRIVER.test(message.text())) this.messages.push(message.text());
    });
    page.on("pageerror", (error) => this.messages.push(error.message));
    await page.addInitScript(addHelpers, !live);
    return page;
  }
  /** Opens a page and waits for the room. Unless it is live, frames run until input controls the player. */
  async open(query = "?crates=600&seed=3&guards=0&muted", opening: Opening = {}): Promise<Page> {
    const page = await this.load(query, opening);
    await page.waitForFunction(() => window.crateRoom !== undefined);
    if (opening.live) await page.waitForFunction(() => window.theRoom().room.spritesDrawn > 0);
    else await page.evaluate(() => window.play.frames(60));
    return page;
  }
  async close(): Promise<void> {
    this.#reusedInThisTest = false;
    await Promise.all(this.#pages.splice(0).map((page) => page.context().close()));
  }
  /** Returns and clears the unexpected messages. */
  takeMessages(): string[] {
    return this.messages.splice(0).filter((text) => !this.#allowed?.test(text));
  }
}

/** Call it once per file, for all of its tests. */
export function useRooms(): Rooms {
  const rooms = new Rooms();
  beforeAll(async () => {
    rooms.served = await serveFolder(pageFolder());
    rooms.browser = await connectToChromium();
  });
  afterAll(async () => {
    await rooms.browser?.close();
    await rooms.served?.close();
  });
  afterEach(async () => {
    await rooms.close();
    expect(rooms.takeMessages()).toEqual([]);
  });
  return rooms;
}

/** Runs frames. */
export const frames = (page: Page, n: number): Promise<void> => page.evaluate((count) => window.play.frames(count), n);

/** The position of an entity on the page. */
export const pointOf = (page: Page, e: Entity): Promise<Place> =>
  page.evaluate((entity) => window.play.pointOf(entity), e);

export const standBelowCrate = (page: Page): Promise<Entity> => page.evaluate(() => window.play.standBelowCrate());
export const playersPlace = (page: Page) => page.evaluate(() => window.play.at(window.theRoom().room.player));
export const stateHash = (page: Page): Promise<string> => page.evaluate(() => window.theRoom().room.stateHash());
export const has = (page: Page, component: string): Promise<boolean> =>
  page.evaluate((name) => window.play.get(window.theRoom().room.player, name) !== undefined, component);
export const enabled = (page: Page, system: string): Promise<boolean> =>
  page.evaluate((name) => window.theRoom().ecs.systems.find((other) => other.name === name)!.enabled, system);

/** Switches a system on or off in the inspector. */
export async function toggleSystem(page: Page, system: string): Promise<void> {
  const before = await enabled(page, system);
  await page.getByRole("tab", { name: "Systems" }).click();
  await page.getByRole("searchbox", { name: "Find a system" }).fill(system); // quiet and debug systems are folded
  await page.getByRole("checkbox", { name: `${system} is on`, exact: true }).click();
  while ((await enabled(page, system)) === before) await page.evaluate(() => new Promise(requestAnimationFrame));
  await frames(page, 1); // the page notices it
}
