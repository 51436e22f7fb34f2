// The example with three.js is built with Vite and run in Chromium. The clock of the page stands still, except where this test
// advances it.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { stopClock } from "../pages/page.js";
import { expectNoInspector, serveExample, type ServedExample } from "./copy_example.js";

let example: ServedExample;
let page: Page;
const problems: string[] = [];
beforeAll(async () => {
  example = await serveExample("three", ["vite", "three", "@types"]);
  page = await example.browser.newPage({ viewport: { width: 320, height: 180 } });
  page.setDefaultTimeout(0); // Jest's timeout applies
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.addInitScript(() => {
    const calls = { bytes: 0, draws: 0 };
    Object.assign(globalThis, { calls });
    const { prototype } = WebGL2RenderingContext;
    const { bufferSubData, drawElementsInstanced } = prototype;
    prototype.bufferSubData = function (...args: unknown[]) {
      calls.bytes += 4 * ((args[4] as number | undefined) ?? (args[2] as Float32Array).length);
      return Reflect.apply(bufferSubData, this, args);
    };
    prototype.drawElementsInstanced = function (...args: unknown[]) {
      calls.draws += 1;
      return Reflect.apply(drawElementsInstanced, this, args);
    };
  });
  await stopClock(page);
  await page.goto(example.url);
  await page.waitForFunction(() => document.querySelector("canvas")!.width !== 300); // it has the size of the page
});
afterAll(() => example?.close());

/** Runs one frame of 0.1 seconds. Returns what was sent and drawn, and the texts of the panel. */
async function frame() {
  await page.evaluate(() => Object.assign((globalThis as unknown as { calls: object }).calls, { bytes: 0, draws: 0 }));
  await page.clock.fastForward(100);
  return page.evaluate(() => {
    const text = (id: string) => document.getElementById(id)!.textContent!;
    const { calls } = globalThis as unknown as { calls: { bytes: number; draws: number } };
    return { ...calls, crates: text("crates"), moving: text("moving"), uploaded: text("uploaded") };
  });
}
async function framesUntilRest() {
  for (;;) {
    const shown = await frame();
    expect(problems).toEqual([]);
    if (shown.uploaded === "0 KB") return shown;
  }
}

test("the page shows what it really uploads, and draws nothing when all crates are at rest", async () => {
  const atRest = { bytes: 0, draws: 0, crates: "50,000", moving: "0", uploaded: "0 KB" };
  let first = await frame();
  while (first.bytes === 0) first = await frame(); // until the buffers exist
  expect(first.draws).toBe(1);
  expect(first.bytes).toBeGreaterThan(1000);
  expect(first.bytes).toBeLessThan(200_000); // of 3.8 MB
  expect(first.uploaded).toBe(`${(first.bytes / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} KB`);
  expect(await framesUntilRest()).toEqual(atRest);

  await page.mouse.move(160, 100); // a few crates
  const few = await frame();
  await page.mouse.down();
  const many = await frame();
  expect(Number(few.moving)).toBeGreaterThan(5);
  expect(Number(many.moving)).toBeGreaterThan(10 * Number(few.moving));
  expect(many.bytes).toBeGreaterThan(5 * few.bytes);
  await page.mouse.up();
  expect(await framesUntilRest()).toEqual(atRest);
});

test("I1 the built page does not contain the inspector", () => expectNoInspector(example.folder));
