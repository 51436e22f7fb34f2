// Opening the crate room in a browser, and looking at it from the outside.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchChromium } from "./chromium.js";
import type { Entity } from "./handle.js";
import { addHelpers } from "./in_page.js";
import { buildPage, serveFolder, type ServedFolder } from "./serve.js";

export interface Opening {
  /** The page runs its own frames; else there are none but those of `window.play`. */
  live?: boolean;
  /** Complaints that are in order. */
  allowed?: RegExp;
  context?: BrowserContextOptions;
  /** Something else than the built page. */
  url?: string;
  /** What is to be done to the page before it is there. */
  before?: (page: Page) => Promise<unknown>;
}

/** For the tests of a file: a browser and the built page. */
export class Rooms {
  browser!: Browser;
  served!: ServedFolder;
  /** Errors and warnings on the console, and what was thrown and not caught; no test may leave any. */
  readonly complaints: string[] = [];
  readonly #pages: Page[] = [];
  #allowed: RegExp | undefined;

  /** A page on which the room is not waited for. */
  async load(
    query: string,
    { live = false, allowed, context = {}, url = this.served.url, before }: Opening = {},
  ): Promise<Page> {
    // Not larger than it has to be: every pixel is drawn in software.
    const page = await (
      await this.browser.newContext({ viewport: { width: 1000, height: 640 }, ...context })
    ).newPage();
    this.#pages.push(page);
    this.#allowed = allowed;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
    await page.addInitScript(addHelpers, !live);
    await before?.(page);
    await page.goto(url + query);
    return page;
  }
  /** A page with the room; unless it is live, so far into it that the player obeys. */
  async open(query = "?crates=600&seed=3&guards=0&muted", opening: Opening = {}): Promise<Page> {
    const page = await this.load(query, opening);
    await page.waitForFunction(() => window.crateRoom !== undefined);
    if (opening.live) await page.waitForFunction(() => window.theRoom().room.spritesDrawn > 0);
    else await page.evaluate(() => window.play.frames(60));
    return page;
  }
  async close(): Promise<void> {
    await Promise.all(this.#pages.splice(0).map((page) => page.context().close()));
  }
  /** Those that are not in order. */
  takeComplaints(): string[] {
    return this.complaints.splice(0).filter((text) => !this.#allowed?.test(text));
  }
}

/** To be called once in a file, for all of its tests. */
export function useRooms(): Rooms {
  const rooms = new Rooms();
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "crateful-page-"));
    await buildPage(folder);
    rooms.served = await serveFolder(folder);
    rooms.browser = await launchChromium();
  });
  afterAll(async () => {
    await rooms.browser?.close();
    await rooms.served?.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await rooms.close();
    expect(rooms.takeComplaints()).toEqual([]);
  });
  return rooms;
}

/** Runs frames by hand. */
export const frames = (page: Page, n: number): Promise<void> => page.evaluate((count) => window.play.frames(count), n);

/** Where on the page an entity is to be seen. */
export function pointOf(page: Page, e: Entity): Promise<{ x: number; y: number }> {
  return page.evaluate((entity) => {
    const { room } = window.theRoom();
    const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
    const box = canvas.getBoundingClientRect();
    const { x, y } = window.play.at(entity);
    return {
      x: box.x + (room.screenX(x) * box.width) / canvas.width,
      y: box.y + (room.screenY(y - 4) * box.height) / canvas.height,
    };
  }, e);
}

export const standBelowCrate = (page: Page): Promise<Entity> => page.evaluate(() => window.play.standBelowCrate());
export const playersPlace = (page: Page) => page.evaluate(() => window.play.at(window.theRoom().room.player));
export const stateHash = (page: Page): Promise<string> => page.evaluate(() => window.theRoom().room.stateHash());
export const has = (page: Page, component: string): Promise<boolean> =>
  page.evaluate((name) => window.play.get(window.theRoom().room.player, name) !== undefined, component);
