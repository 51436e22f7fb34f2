// node bench/three.mjs: prints the table of docs/three.md. It measures in headless Chromium with software graphics; the
// package must be built.
import { createRequire } from "node:module";
import { softwareFlags } from "../scripts/chromium.mjs";
import { fromRoot, main } from "../scripts/process.mjs";
import { ensureBrowser } from "../scripts/toolchain.mjs";
import { bundle } from "./harness/bundle.mjs";

const settings = { n: 50_000, ks: [0, 100, 1000, 10_000], frames: 200 };

const bytes = (value) =>
  value < 1000 ? `${value} B` : value < 1e6 ? `${(value / 1000).toFixed(1)} KB` : `${(value / 1e6).toFixed(2)} MB`;
const time = (ms) => (ms < 1 ? `${Math.round(ms * 1000)} µs` : `${ms.toFixed(1)} ms`);

await main(async () => {
  const script = await bundle('import "./three_page.mjs";');
  const { chromium } = createRequire(import.meta.url)("playwright-core"); // from the root's node_modules
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: softwareFlags });
  try {
    const page = await browser.newPage();
    await page.route("http://bench.localhost/", (route) =>
      route.fulfill({
        contentType: "text/html",
        // Browsers then give the clock a resolution of 5 µs.
        headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" },
        body: "<!doctype html>",
      }),
    );
    await page.route("http://bench.localhost/crateful.wasm", (route) =>
      route.fulfill({ contentType: "application/wasm", path: fromRoot("dist/crateful.wasm") }),
    );
    await page.goto("http://bench.localhost/");
    await page.addScriptTag({ content: script, type: "module" });
    await page.waitForFunction("globalThis.measure !== undefined");
    const results = await page.evaluate(`measure(${JSON.stringify(settings)})`);
    console.log(`${browser.version()}, ${await page.evaluate("gpu()")}`);
    console.log(
      `\n| ${settings.n} instances | moving | uploaded | update | render | total |\n| --- | --: | --: | --: | --: | --: |`,
    );
    for (const { name, k, ...medians } of results)
      console.log(
        `| ${name} | ${k} | ${bytes(medians.bytes)} | ${time(medians.update)} | ${time(medians.render)} | ${time(medians.total)} |`,
      );
  } finally {
    await browser.close();
  }
});
