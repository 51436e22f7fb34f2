// The example with React is built with Vite and opened in Chromium. Frames come from this test.
import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder } from "../browser/serve.js";
import { makeConsumer, root, tool, type Consumer } from "../package/consumer.js";
import type { Served } from "../pages/server.js";
import { stopClock } from "../pages/page.js";
import { checkInspector, copyExample } from "./copy_example.js";

let consumer: Consumer;
let browser: Browser;
let served: Served;
let folder: string;
beforeAll(async () => {
  consumer = makeConsumer();
  folder = copyExample("react", consumer);
  for (const name of ["vite", "react", "react-dom", "@types"])
    symlinkSync(path.join(root, "node_modules", name), path.join(consumer.folder, "node_modules", name));
  tool("typescript/bin/tsc", [], folder);
  tool("vite/bin/vite.js", ["build", "--logLevel", "warn"], folder);
  served = await serveFolder(path.join(folder, "dist"));
  browser = await connectToChromium();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  consumer?.dispose();
});

/** Opens the page, and runs frames until it shows the element. */
async function open(selector: string, prepare?: (page: Page) => Promise<unknown>) {
  const problems: string[] = [];
  const page = await browser.newPage({ viewport: { width: 1280, height: 960 } });
  page.setDefaultTimeout(0); // Jest's timeout applies
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => problems.push(message.text()));
  await prepare?.(page);
  await stopClock(page);
  await page.goto(served.url);
  // Playwright's own waiting needs frames, which come from this test.
  const text = (of: string) => page.evaluate((name) => document.querySelector(name)?.textContent ?? undefined, of);
  const click = (of: string) => page.evaluate((name) => document.querySelector<HTMLElement>(name)!.click(), of);
  while ((await text(selector)) === undefined) await page.clock.runFor(16);
  return { page, problems, text, click };
}

test("the example has fewer than 200 lines", () => {
  const files = ["game.ts", "App.tsx", "main.tsx"];
  const lines = files.map((file) =>
    readFileSync(path.join(root, "examples/react", file), "utf8")
      .trimEnd()
      .split("\n"),
  );
  expect(lines.flat().length).toBeLessThan(200);
});

test("only the cells that a ball reaches are rendered, and the list only when a crate is removed", async () => {
  const { page, problems, text, click } = await open("#cells");
  const count = async (name: string) => Number((await text(`#${name}`))!.replace(",", ""));
  /** Runs frames until no component of the crates is rendered any more. */
  const settle = async () => {
    for (let idle = 0; idle < 3; ) {
      await page.clock.runFor(16);
      idle = (await count("frame")) === 0 ? idle + 1 : 0;
    }
    return { lists: await count("lists"), cells: await count("cells"), title: await text("h1") };
  };

  await click("#pause");
  const before = await settle();
  expect(before).toMatchObject({ lists: 1, title: "10,000 crates" });
  expect(before.cells).toBeGreaterThanOrEqual(10_000);

  await page.evaluate(() => {
    document.body.dataset["changed"] = "0";
    const observer = new MutationObserver((records) => {
      document.body.dataset["changed"] = String(Number(document.body.dataset["changed"]) + records.length);
    });
    observer.observe(document.querySelector("#crates")!, { attributes: true, subtree: true });
  });
  await click("#pause");
  await page.clock.runFor(100 * 16);
  await click("#pause");
  const after = await settle();
  const changed = Number(await page.evaluate(() => document.body.dataset["changed"]));
  expect(changed).toBeGreaterThan(100);
  expect(changed).toBeLessThan(1000);
  expect(after).toEqual({ ...before, cells: before.cells + changed });

  await click("#crates i:nth-child(5051)");
  expect(await text("#selected")).toMatch(/^Crate 50, 50 · hits: \d Remove$/);
  await click("#selected button");
  expect(await settle()).toEqual({ lists: 2, cells: after.cells, title: "9,999 crates" });
  expect(await text("#selected")).toBe("This crate was removed.");
  expect(problems).toEqual([]);
  await page.close();
});

test("a module that can't be loaded is reported in the page", async () => {
  const { page, text } = await open("[role=alert]", (created) =>
    created.route("**/*.wasm", (route) => route.fulfill({ status: 404 })),
  );
  expect(await text("[role=alert]")).toMatch(/^init: http.*\.wasm can't be used: 404/);
  await page.close();
});

test("I1 the inspector is only in the page that is served for development", () =>
  checkInspector(folder, browser, ["Roll", "useComponent(Crate)"]));
