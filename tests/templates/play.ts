// A game of a template in Chromium. Frames, random numbers and input come from the test, so that every run is the same.
import type { Browser, Page } from "playwright-core";
import { stopClock } from "../pages/page.js";

export const FRAME = 16; // ms

export interface Played {
  page: Page;
  /** What was printed on the console, and errors. */
  problems: string[];
  /** Runs frames, one after another. */
  frames(n: number): Promise<void>;
  /** Runs frames until the page is in that state; `each` is called before each of them. */
  until(reached: () => Promise<boolean>, each?: (step: number) => Promise<unknown>, frames?: number): Promise<void>;
}

/** Opens a game whose time stands still. */
export async function play(browser: Browser, url: string, viewport = { width: 1280, height: 720 }): Promise<Played> {
  const page = await browser.newPage({ viewport, hasTouch: true });
  page.setDefaultTimeout(0); // Jest's timeout applies
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // Not Vite's own, and not the one of Chromium about the reading of a WebGL canvas by these tests.
    if (!/^\[vite\]|GPU stall due to ReadPixels/.test(message.text())) problems.push(message.text());
  });
  await page.addInitScript(() => {
    let state = 1;
    const next = () => (state = (state * 16807) % 2147483647);
    Math.random = () => next() / 2147483647;
    Object.assign(crypto, { getRandomValues: (array: Uint8Array) => array.map((_, i) => (array[i] = next() % 256)) });
    // So that a test can read what WebGL has drawn.
    const { getContext } = HTMLCanvasElement.prototype as { getContext: (type: string, options?: object) => unknown };
    Object.assign(HTMLCanvasElement.prototype, {
      getContext(this: HTMLCanvasElement, type: string, options?: object) {
        return getContext.call(this, type, { ...options, preserveDrawingBuffer: true });
      },
    });
  });
  await stopClock(page);
  await page.goto(url);
  const frames = (n: number) => page.clock.runFor(FRAME * n);
  return {
    page,
    problems,
    frames,
    async until(reached, each, count = 1) {
      for (let step = 0; !(await reached()); step++) {
        if (problems.length > 0) throw new Error(problems.join("\n"));
        await each?.(step);
        await frames(count);
      }
    },
  };
}

/** A phone, upright and on its side, and a screen. */
export const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1280, height: 720 },
];

/** The size of the page's contents, which is that of the window if nothing has to be scrolled. */
export const sizeOf = (page: Page): Promise<{ width: number; height: number }> =>
  page.evaluate(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    return { width, height };
  });

/** The colours of a canvas as numbers 0xrrggbb, row after row. It is scaled to that size, without smoothing. */
export const pixels = (page: Page, width: number, height: number): Promise<number[]> =>
  page.evaluate(
    ([width, height]) => {
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
      copy.imageSmoothingEnabled = false;
      copy.drawImage(document.querySelector("canvas")!, 0, 0, width, height);
      const { data } = copy.getImageData(0, 0, width, height);
      return Array.from({ length: width * height }, (_, i) => {
        return (data[4 * i]! << 16) + (data[4 * i + 1]! << 8) + data[4 * i + 2]!;
      });
    },
    [width, height] as const,
  );
