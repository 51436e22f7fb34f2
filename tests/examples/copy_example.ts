import { cpSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder } from "../browser/serve.js";
import { makeConsumer, root, tool, type Consumer } from "../package/consumer.js";
import { serveWithVite } from "../pages/vite.js";

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
  readonly folder: string;
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
    folder,
    browser,
    async close() {
      await browser.close();
      await served.close();
      consumer.dispose();
    },
  };
}

/** Rule I1: the scripts that were built for production do not contain the inspector. */
export function expectNoInspector(folder: string): void {
  const assets = path.join(folder, "dist/assets");
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(0);
  for (const name of scripts)
    expect(readFileSync(path.join(assets, name), "utf8")).not.toMatch(/crateful-inspector|serveInspector/);
}

/** Rule I1: unfolds the inspector of a page, and waits until it shows each of these systems. The page's clock must run. */
export async function expectInspector(page: Page, systems: string[]): Promise<void> {
  await page.getByRole("button", { name: "Inspector", exact: true }).click();
  await expectSystems(page, systems);
}
/** Waits until the inspector, which is unfolded, shows each of these systems. */
export async function expectSystems(page: Page, systems: string[]): Promise<void> {
  await page.getByRole("tab", { name: "Systems", exact: true }).click();
  for (const name of systems) {
    await page.getByLabel("Find a system").fill(name);
    await page.getByRole("button", { name, exact: true }).waitFor();
  }
  expect(await page.locator("crateful-inspector").count()).toBe(1);
}

/** Rule I1: what was built for production has no inspector; the page that Vite serves for development has one, with these systems. */
export async function checkInspector(folder: string, browser: Browser, systems: string[]): Promise<void> {
  expectNoInspector(folder);
  const served = await serveWithVite(folder);
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  try {
    page.setDefaultTimeout(0); // Jest's timeout applies
    await page.goto(served.url);
    await expectInspector(page, systems);
    expect(problems).toEqual([]);
  } finally {
    await page.close();
    await served.close();
  }
}
