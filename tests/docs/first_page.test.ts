// The example of the first page: text at first, and an editor when it is asked for.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { findings } from "../browser/axe.js";
import { joined, section } from "../package/snippets.js";
import { servedSite, site } from "./built_site.js";
import { consoleOf, editorOf, programIn, wide } from "./workbench.js";

const { withPage, open } = servedSite();

const program = joined(section("README.md", "A first example"), "ts");
const printed = joined(section("README.md", "A first example"), "text").trim();

const exampleOf = (page: Page) => page.locator(".example");

/** Opens the first page, and begins to edit its example. */
async function edit(page: Page) {
  await open(page, "/");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await consoleOf(page).getByText("crate 2 is at 7").waitFor();
}
/** Adds a line at the end of the function of the example. */
async function addLine(page: Page, line: string) {
  await editorOf(page).press("ControlOrMeta+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type(line);
}

test("without JavaScript, the first page shows the example, its output, and a link", async () => {
  await withPage({ ...wide, javaScriptEnabled: false }, async (page) => {
    await open(page, "/");
    expect(await exampleOf(page).locator(".language-ts code").textContent()).toBe(program.trimEnd());
    expect((await exampleOf(page).locator(".language-text code").innerText()).trim()).toBe(printed);
    expect(await exampleOf(page).getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
    const link = page.getByRole("link", { name: "Open in the playground" });
    expect(await link.getAttribute("href")).toMatch(/^\/playground#code=/);
  });
});

test("the first page loads nothing of the editor before Edit is pressed", async () => {
  await withPage(wide, async (page) => {
    const loaded: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/assets\/.*(worker|wasm|\/(Workbench|editor|run|types|Playground)\.)/.test(pathname))
        loaded.push(path.basename(pathname).replace(/\W.*/, ""));
    });
    await open(page, "/");
    await page.getByRole("button", { name: "Edit", exact: true }).hover();
    await exampleOf(page).locator(".language-text").scrollIntoViewIfNeeded();
    await page.waitForLoadState("networkidle");
    expect(loaded).toEqual([]);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await consoleOf(page).getByText("crate 2 is at 7").waitFor();
    expect(loaded).toEqual(expect.arrayContaining(["Workbench", "editor", "run"]));
  });
});

test("everything that the first page loads, without the demo, has less than 300 KiB", async () => {
  await withPage(wide, async (page) => {
    const files = new Set<string>();
    page.on("request", (request) => {
      const { protocol, pathname } = new URL(request.url());
      const file = path.join(site, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
      if (protocol === "http:" && !pathname.startsWith("/room/")) files.add(file);
    });
    await open(page, "/");
    await page.waitForLoadState("networkidle"); // VitePress also loads the pages of links that are visible
    const weightOf = (file: string) => {
      const content = readFileSync(file);
      return file.endsWith(".woff2") ? content.length : brotliCompressSync(content).length;
    };
    const weight = [...files].filter((file) => existsSync(file) && statSync(file).isFile()).map(weightOf);
    expect(weight.length).toBeGreaterThan(5);
    expect(weight.reduce((sum, each) => sum + each)).toBeLessThan(300 * 1024);
  });
});

test("the example runs as the document says, shows errors under their line, and prints what a change prints", async () => {
  await withPage(wide, async (page) => {
    await edit(page);
    expect((await consoleOf(page).innerText()).trim()).toBe(printed);
    expect(await editorOf(page).evaluate((element) => element === document.activeElement)).toBe(true);

    await addLine(page, "ecs.updat(1);");
    await page.locator(".cm-message", { hasText: "Property 'updat' does not exist on type 'ECS'" }).waitFor();
    const rows = await page.locator(".cm-content > *").allTextContents();
    expect(rows[rows.findIndex((text) => text.includes("updat(1)")) + 1]).toMatch(/^Property 'updat' does not exist/);

    for (let i = 0; i < "(1);".length; ++i) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("e");
    await page.locator(".cm-message").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await consoleOf(page).getByText("crate 2 is at 12").waitFor();
    expect((await consoleOf(page).innerText()).trim()).toBe(`${printed}\ncrate 2 is at 12`);

    await page.getByRole("button", { name: "Reset" }).click();
    await consoleOf(page).getByText("crate 2 is at 12").waitFor({ state: "detached" });
    await consoleOf(page).getByText("crate 2 is at 7").waitFor();
    expect(await programIn(page)).toBe(program);
  });
});

test("the link opens the changed program in the playground", async () => {
  await withPage(wide, async (page) => {
    await edit(page);
    const link = page.getByRole("link", { name: "Open in the playground" });
    const before = await link.getAttribute("href");
    await addLine(page, "ecs.update(1);");
    await page.waitForFunction(
      (address) => ![...document.querySelectorAll(".example a")].some((each) => each.getAttribute("href") === address),
      before,
    );
    await link.click();
    await page.waitForURL("**/playground#code=*");
    await page.getByLabel("Example").waitFor();
    await consoleOf(page).getByText("crate 2 is at 12").waitFor();
  });
});

test("what was edited is still there when Back leads to another place of the page", async () => {
  await withPage(wide, async (page) => {
    await edit(page);
    await addLine(page, "ecs.update(2);");
    const edited = await programIn(page);
    const editor = (await editorOf(page).elementHandle())!;
    await page.locator("#a-first-example .header-anchor").press("Enter");
    await page.waitForURL("**/#a-first-example");
    await page.goBack();
    await page.waitForURL(/\/$/);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await consoleOf(page).getByText("crate 2 is at 17").waitFor();
    expect(await programIn(page)).toBe(edited);
    expect(await editor.evaluate((element) => element.isConnected)).toBe(true);
  });
});

test("the page can be left while the editor is loaded", async () => {
  await withPage(wide, async (page) => {
    const chunks = ["Workbench", "editor", "run"].map((name) => new RegExp(`/${name}\\.[^/]+\\.js$`));
    let release = () => {};
    const left = new Promise<void>((resolve) => (release = resolve));
    for (const chunk of chunks)
      await page.route(chunk, async (route) => {
        await left;
        await route.continue();
      });
    await open(page, "/");
    const requests = Promise.all(chunks.map((chunk) => page.waitForRequest(chunk)));
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await requests;
    await page.getByRole("link", { name: "Tutorial" }).first().click();
    await exampleOf(page).waitFor({ state: "detached" });
    release();
    await page.waitForLoadState("networkidle");
  });
});

test("a press into the code begins to edit the line that was pressed, and selecting some of it does not", async () => {
  await withPage(wide, async (page) => {
    await open(page, "/");
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    const line = exampleOf(page).locator(".line", { hasText: "all three are new" });
    await line.selectText();
    await line.dispatchEvent("click");
    expect(await page.getByRole("button", { name: "Edit", exact: true }).isEnabled()).toBe(true);
    await page.evaluate(() => getSelection()!.removeAllRanges());
    await line.click();
    await page.locator(".cm-activeLine", { hasText: "all three are new" }).waitFor();
    await page.keyboard.type(" and dirty");
    await page.locator(".cm-line", { hasText: "// all three are new and dirty" }).waitFor();
  });
});

test.each([
  { name: "a wide screen, light", options: { ...wide, colorScheme: "light" } },
  {
    name: "a phone, dark",
    options: { viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true },
  },
] as const)(
  "on $name, axe finds nothing while the example is edited, and nothing is wider than the screen",
  async ({ options }) => {
    await withPage(
      options,
      async (page) => {
        await edit(page);
        await addLine(page, `nothing(); console.error("${"long ".repeat(60)}");`);
        await page.locator(".cm-message").waitFor();
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await consoleOf(page).locator(".error", { hasText: "nothing is not defined" }).waitFor();
        expect(await findings(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
      },
      [expect.stringContaining("nothing is not defined") as unknown as string],
    );
  },
);
