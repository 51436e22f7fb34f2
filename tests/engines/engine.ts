// What the tests use of a browser, with the same calls for Chromium, Firefox and WebKit.
import process from "node:process";
import { chromium } from "playwright-core";
import { launch } from "puppeteer-core";
import { Builder, Origin } from "selenium-webdriver";
import { ServiceBuilder } from "selenium-webdriver/safari.js";
import { softwareFlags } from "../../scripts/chromium.mjs";

/** A browser with one page. */
export interface Engine {
  version: string;
  /** Resolves when the page and what it refers to are loaded. */
  open(url: string): Promise<void>;
  /** Calls a function in the page, which must not use anything outside of itself. Awaits its promise. */
  evaluate<A extends unknown[], R>(call: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
  /** Presses the key of a character, until `keyUp`. */
  keyDown(character: string): Promise<void>;
  keyUp(character: string): Promise<void>;
  /** Clicks at a place of the page, in its pixels. */
  click(x: number, y: number): Promise<void>;
  /** The visible part of the page as a PNG file. */
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export type EngineName = "chromium" | "firefox" | "webkit";

const VIEWPORT = { width: 1000, height: 640 }; // small, because every pixel is drawn in software

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with \`npm test -- engines\``);
  return value;
}

async function startChromium(): Promise<Engine> {
  const browser = await chromium.launch({
    executablePath: setting("CHROMIUM_PATH"),
    timeout: 0, // Jest's timeout applies
    args: [...softwareFlags, "--disable-gpu-compositing"],
  });
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.setDefaultTimeout(0);
  return {
    version: `Chromium ${browser.version()}`,
    open: async (url) => void (await page.goto(url)),
    evaluate: (call, ...args) => page.evaluate(`(${call})(...${JSON.stringify(args)})`),
    keyDown: (character) => page.keyboard.down(character),
    keyUp: (character) => page.keyboard.up(character),
    click: (x, y) => page.mouse.click(x, y),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}

/** It draws with WebGL only on a display, also without a window; global_setup.mjs starts one. */
async function startFirefox(): Promise<Engine> {
  const browser = await launch({
    browser: "firefox",
    executablePath: setting("FIREFOX_PATH"),
    timeout: 0,
    protocolTimeout: 0,
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  await page.setViewport(VIEWPORT);
  return {
    version: (await browser.version()).replace(/^firefox\//i, "Firefox "),
    open: async (url) => void (await page.goto(url)),
    evaluate: async (call, ...args) => (await page.evaluate(`(${call})(...${JSON.stringify(args)})`)) as never,
    keyDown: (character) => page.keyboard.down(character as "a"),
    keyUp: (character) => page.keyboard.up(character as "a"),
    click: (x, y) => page.mouse.click(x, y),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}

/** WebKitGTK's small browser, in a window. */
async function startWebkit(): Promise<Engine> {
  const service = new ServiceBuilder(setting("WEBKIT_DRIVER_PATH")) // started as the one of Safari
    // In the locale C, `navigator.language` is "C", which Intl rejects.
    .setEnvironment({ ...(process.env as Record<string, string>), LC_ALL: "en_US.UTF-8" })
    .build();
  const driver = await new Builder()
    .usingServer(await service.start(600_000))
    .forBrowser("MiniBrowser")
    .build();
  const capabilities = await driver.getCapabilities();
  await driver.manage().setTimeouts({ script: 600_000, pageLoad: 600_000 }); // as Jest's timeout
  const [width, height] = await driver.executeScript<[number, number]>(
    "return [outerWidth - innerWidth, outerHeight - innerHeight]",
  );
  await driver
    .manage()
    .window()
    .setRect({ width: VIEWPORT.width + width, height: VIEWPORT.height + height });
  return {
    version: `WebKitGTK ${capabilities.getBrowserVersion()}`,
    open: (url) => driver.get(url),
    async evaluate(call, ...args) {
      const { value, error } = await driver.executeAsyncScript<{ value: never; error?: string }>(
        `const done = arguments[0];
         (async () => (${call})(...${JSON.stringify(args)}))().then(
           (value) => done({ value }),
           (error) => done({ error: error + "\\n" + error?.stack }),
         );`,
      );
      if (error !== undefined) throw new Error(error);
      return value;
    },
    keyDown: (character) => driver.actions().keyDown(character).perform(),
    keyUp: (character) => driver.actions().keyUp(character).perform(),
    click: (x, y) =>
      driver
        .actions()
        .move({ origin: Origin.VIEWPORT, x: Math.round(x), y: Math.round(y) })
        .click()
        .perform(),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), "base64"),
    async close() {
      await driver.quit();
      await service.kill();
    },
  };
}

const starters: Record<EngineName, () => Promise<Engine>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebkit,
};

export const startEngine = (name: EngineName): Promise<Engine> => starters[name]();
