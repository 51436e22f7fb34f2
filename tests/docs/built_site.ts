// The built site, served, in Chromium.
import path from "node:path";
import { afterAll, beforeAll, expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder, type ServedFolder } from "../browser/serve.js";
import { root } from "../package/consumer.js";

export const site = path.join(root, "build/site");

/** Serves the site for the tests of a file. */
export function servedSite() {
  let browser: Browser;
  let served: ServedFolder;
  beforeAll(async () => {
    served = await serveFolder(site);
    browser = await connectToChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });
  return {
    /** Calls `use` with a new page, which must report these errors and no others. */
    async withPage<R>(
      options: BrowserContextOptions,
      use: (page: Page) => Promise<R>,
      expected: readonly string[] = [],
    ): Promise<R> {
      const context = await browser.newContext(options);
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(0); // Jest's timeout applies
        const problems: string[] = [];
        page.on("pageerror", (error) => problems.push(String(error)));
        page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
        const result = await use(page);
        expect(problems).toEqual(expected);
        return result;
      } finally {
        await context.close();
      }
    },
    open: (page: Page, address: string) => page.goto(new URL(address.slice(1), served.url).href),
  };
}
