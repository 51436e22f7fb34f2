// node bench/three.mjs: prints the table of docs/three.md. It measures in headless Chromium with software graphics; the
// package must be built.
import { softwareFlags } from "../scripts/chromium.mjs";
import { main } from "../scripts/process.mjs";
import { ensureBrowser } from "../scripts/toolchain.mjs";
import { bundle, wasmOf } from "./harness/bundle.mjs";
import { withChromium } from "./harness/chromium.mjs";

const settings = { n: 50_000, ks: [0, 100, 1000, 10_000], frames: 200 };

const bytes = (value) =>
  value < 1000 ? `${value} B` : value < 1e6 ? `${(value / 1000).toFixed(1)} KB` : `${(value / 1e6).toFixed(2)} MB`;
const time = (ms) => (ms < 1 ? `${Math.round(ms * 1000)} µs` : `${ms.toFixed(1)} ms`);

await main(async () => {
  const script = await bundle('import "./three_page.mjs";');
  await withChromium({ executablePath: ensureBrowser(), args: softwareFlags }, wasmOf, async (browser, url) => {
    const page = await browser.newPage();
    await page.goto(url);
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
  });
});
