// Pages whose programs write to the console.
import type { Browser, Page } from "playwright-core";
import { thenRun } from "../package/snippets.js";

const END = "end";
/** The statement with which a program says that it has run. */
export const end = `console.log("${END}");`;
/** A program that says when it has run what follows `init()`, and then these statements. */
export const ending = (program: string, statements = "") => thenRun(program, statements + end);

export interface Opened {
  page: Page;
  /** The lines on the console, but not those of bundlers, browsers and React. */
  lines: string[];
  /** Resolves when all lines that were printed before are in `lines`. */
  flush(): Promise<void>;
}

/** Opens a page, and waits until its program, which must be `ending`, has run. Rejects with an error that it throws. */
export async function openPage(
  browser: Browser,
  url: string,
  before?: (page: Page) => Promise<unknown>,
): Promise<Opened> {
  const page = await browser.newPage();
  page.setDefaultTimeout(0); // Jest's timeout applies
  const lines: string[] = [];
  const failed = new Promise<never>((_, reject) => {
    page.on("pageerror", reject);
  });
  failed.catch(() => {}); // `untilEnd` reports it
  let reached = () => {};
  page.on("console", (message) => {
    if (message.text() === END) reached();
    else if (!/^\[(vite|HMR|Fast Refresh)\]|^\[\.WebGL|^Failed to load resource|React DevTools/.test(message.text()))
      lines.push(message.text());
  });
  const untilEnd = async (action: () => Promise<unknown>) => {
    const end = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await action();
    await Promise.race([end, failed]);
  };
  await before?.(page);
  await untilEnd(() => page.goto(url));
  return { page, lines, flush: () => untilEnd(() => page.evaluate((text) => console.log(text), END)) };
}

/**
 * Stops the clock of a page before it is opened: from then on, only `clock.runFor` and `clock.fastForward` let time pass there. It stops
 * an hour after the beginning, which has not passed meanwhile, however busy the machine is.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(3_600_000);
}
