// Opening the crate room in a browser, and looking at it from the outside.
import type { Browser, Page } from "playwright-core";

/** What of the page's debugging handle the tests use. */
interface Handle {
  ecs: {
    count: number;
    paused: boolean;
    gameTime: number;
    wallTime: number;
    alive(e: number): boolean;
    getComponents(e: number): { get(cls: unknown): { x: number; y: number } };
    storage(cls: unknown): { count: number; entities: Uint32Array };
    systems: { name: string; tracked: number; dirty: number; debug: boolean }[];
  };
  room: {
    player: number;
    inspected: number;
    inspections: number;
    spritesDrawn: number;
    drawCalls: number;
    tracking: boolean;
    zoom: number;
    lookedAt(system: string): number;
    screenX(x: number): number;
    screenY(y: number): number;
    render(): void;
  };
  figures: { update: { median: number; count: number }; render: { median: number }; restart(): void };
  score: { smashed: number };
  pedometer: { metres: number };
  nativeComponent(name: string): unknown;
}
declare global {
  interface Window {
    crateRoom?: Handle;
    /** The handle, once the room is there. */
    theRoom(): Handle;
    /** A crate's or the player's place. */
    placeOf(e: number): { x: number; y: number };
    /** All crates there are. */
    crates(): number[];
    /** The mean colour of a patch of the picture around each of these points of the room. */
    coloursAt(points: { x: number; y: number }[]): [number, number, number][];
  }
}

export interface OpenRoom {
  page: Page;
  /** Errors and warnings on the console, and what was thrown and not caught. */
  complaints: string[];
}

/** Opens the page with that query in a browser of its own, and waits until the room is drawn. */
export async function openRoom(browser: Browser, url: string, query = "?crates=600&seed=3"): Promise<OpenRoom> {
  // Not larger than it has to be: every pixel is drawn in software.
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.addInitScript(addHelpers);
  await page.goto(url + query);
  await page.waitForFunction(() => window.crateRoom !== undefined && window.crateRoom.room.spritesDrawn > 0);
  return { page, complaints };
}

// Runs in the page: it may use nothing from here.
function addHelpers(): void {
  window.theRoom = () => {
    if (window.crateRoom === undefined) throw new Error("the room is not there");
    return window.crateRoom;
  };
  window.placeOf = (e) => {
    const { ecs, nativeComponent } = window.theRoom();
    const { x, y } = ecs.getComponents(e).get(nativeComponent("Position"));
    return { x, y };
  };
  window.crates = () => {
    const { ecs, nativeComponent } = window.theRoom();
    return [...ecs.storage(nativeComponent("Breakable")).entities];
  };
  window.coloursAt = (points) => {
    const { room } = window.theRoom();
    const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true })!;
    room.render(); // the browser keeps a WebGL picture only until it has shown it
    copy.drawImage(canvas, 0, 0);
    const half = 2 * room.zoom;
    return points.map(({ x, y }) => {
      const { data } = copy.getImageData(Math.round(room.screenX(x)) - half, Math.round(room.screenY(y)) - half, 2 * half, 2 * half);
      const mean: [number, number, number] = [0, 0, 0];
      for (let i = 0; i < data.length; i += 4) for (const k of [0, 1, 2] as const) mean[k] += (4 * data[i + k]!) / data.length;
      return mean;
    });
  };
}

/** Puts the player beside the crate nearest to it that has free ground in front; returns that crate. */
export function standBeforeCrate(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { ecs, room, nativeComponent } = window.theRoom();
    const player = ecs.getComponents(room.player).get(nativeComponent("Position"));
    const all = window.crates().map((crate) => ({ crate, ...window.placeOf(crate) }));
    const near = (x: number, y: number, reach: number) => all.some((other) => Math.abs(other.x - x) < reach && Math.abs(other.y - y) < reach);
    const free = all.filter(({ x, y }) => !near(x, y + 16, 12));
    free.sort((a, b) => Math.hypot(a.x - player.x, a.y - player.y) - Math.hypot(b.x - player.x, b.y - player.y));
    const chosen = free[0];
    if (chosen === undefined) throw new Error("no crate has free ground in front");
    player.x = chosen.x;
    player.y = chosen.y + 16;
    return chosen.crate;
  });
}

/** Lets the page run that many frames. */
export async function runFrames(page: Page, frames: number): Promise<void> {
  const from = await page.evaluate(() => window.theRoom().room.inspections);
  await page.waitForFunction((until) => window.theRoom().room.inspections >= until, from + frames);
}

/** Moves the pointer to a point of the room. */
export async function pointAt(page: Page, e: number): Promise<{ x: number; y: number }> {
  const at = await page.evaluate((entity) => {
    const { room } = window.theRoom();
    const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
    const box = canvas.getBoundingClientRect();
    const { x, y } = window.placeOf(entity);
    return { x: box.x + (room.screenX(x) * box.width) / canvas.width, y: box.y + (room.screenY(y - 4) * box.height) / canvas.height };
  }, e);
  await page.mouse.move(at.x, at.y);
  return at;
}
