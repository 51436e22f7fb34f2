// A user's project with Vite, as `npm create vite` makes it from its template vanilla-ts, and its page in Chromium.
import { cpSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder } from "../browser/serve.js";
import { makeConsumer, root, tool, type Consumer } from "../package/consumer.js";
import { openPage, type Opened } from "./page.js";
import { startServer, type Served } from "./server.js";

export interface ViteProject {
  consumer: Consumer;
  /** Builds the project as its `npm run build` does, and serves the result. Warnings of Vite are errors. */
  build(): Promise<Served>;
  /** Serves the project as its `npm run dev` does. */
  serveForDevelopment(): Promise<Served>;
  /** Opens a page, and waits until its program, which must be `ending`, has run. */
  open(url: string, before?: (page: Page) => Promise<unknown>): Promise<Opened>;
  dispose(): Promise<void>;
}

/** Serves a folder with Vite: for development, or with the argument "preview" what was built. */
export function serveWithVite(folder: string, ...command: string[]): Promise<Served> {
  const vite = path.join(root, "node_modules/vite/bin/vite.js");
  const options = ["--host", "127.0.0.1", "--port", "0", "--clearScreen", "false"];
  return startServer(vite, [...command, ...options], folder);
}

/** Makes a project into which the packed package is installed. */
export async function makeViteProject(): Promise<ViteProject> {
  const consumer = makeConsumer();
  const { folder } = consumer;
  const template = path.join(root, "node_modules/create-vite/template-vanilla-ts");
  cpSync(template, folder, {
    recursive: true,
    filter: (file) => path.basename(file) !== "package.json", // the consumer's lists the package
  });
  // The template's package.json names TypeScript 7.
  for (const [name, source] of [
    ["vite", "vite"],
    ["typescript", "typescript-7"],
  ] as const)
    symlinkSync(path.join(root, "node_modules", source), path.join(folder, "node_modules", name));
  const browser = await connectToChromium();

  return {
    consumer,
    build() {
      tool("typescript-7/bin/tsc", [], folder);
      const printed = tool("vite/bin/vite.js", ["build", "--logLevel", "warn"], folder);
      if (printed !== "") throw new Error(`vite build warns: ${printed}`);
      return serveFolder(path.join(folder, "dist"));
    },
    serveForDevelopment: () => serveWithVite(folder),
    open: (url, before) => openPage(browser, url, before),
    async dispose() {
      await browser.close();
      consumer.dispose();
    },
  };
}
