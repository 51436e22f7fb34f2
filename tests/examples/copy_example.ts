import { cpSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder } from "../browser/serve.js";
import { makeConsumer, root, tool, type Consumer } from "../package/consumer.js";

/** Copies the files of an example that git would track into the consumer's folder. Returns the copy. */
export function copyExample(example: string, consumer: Consumer): string {
  const folder = path.join(consumer.folder, example);
  cpSync(path.join(root, "examples", example), folder, {
    recursive: true,
    filter: (file) => !/^(build|dist|out|node_modules)$/.test(path.basename(file)),
  });
  return folder;
}

/** An example with a page, built with Vite and served, and Chromium to open it. */
export interface ServedExample {
  readonly url: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Builds and serves an example that needs these packages of this repository. */
export async function serveExample(example: string, packages = ["vite"]): Promise<ServedExample> {
  const consumer = makeConsumer();
  const folder = copyExample(example, consumer);
  for (const name of packages)
    symlinkSync(path.join(root, "node_modules", name), path.join(consumer.folder, "node_modules", name));
  tool("typescript/bin/tsc", [], folder);
  tool("vite/bin/vite.js", ["build", "--logLevel", "error"], folder);
  const served = await serveFolder(path.join(folder, "dist"));
  const browser = await connectToChromium();
  return {
    url: served.url,
    browser,
    async close() {
      await browser.close();
      await served.close();
      consumer.dispose();
    },
  };
}
