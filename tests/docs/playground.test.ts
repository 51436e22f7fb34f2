// The playground of the site: the editor with TypeScript, running programs, and addresses with programs.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, deflateRawSync, inflateRawSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { findings } from "../browser/axe.js";
import { root, tool } from "../package/consumer.js";
import { joined, section, STRICT } from "../package/snippets.js";
import { site, servedSite } from "./built_site.js";
import { consoleOf, editorOf, programIn, wide } from "./workbench.js";

const { withPage, open } = servedSite();

const folder = path.join(root, "docs/.vitepress/playground/examples");
const examples = readdirSync(folder).map((file) => path.basename(file, ".ts"));

const addressOf = (program: string) => `/playground#code=${deflateRawSync(program).toString("base64url")}`;
/** The program in the address of a page, if it has one. */
const programInAddress = (address: URL | string) => {
  const code = new URLSearchParams(new URL(address).hash.slice(1)).get("code");
  return code === null ? undefined : inflateRawSync(Buffer.from(code, "base64url")).toString();
};

const WORLD = `
import { ECS, defineComponent, init } from "crateful";
class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
await init();
const ecs = new ECS();
ecs.addEntity([Position, { x: 3, y: 4 }]);
const places = ecs.query({ position: Position });
`.trimStart();

test("a shared address opens the same program in a new page, which prints the same", async () => {
  const shared = await withPage(wide, async (page) => {
    await open(
      page,
      addressOf(`${WORLD}for (const { position } of places) console.log(position.x + position.y, position);\n`),
    );
    await consoleOf(page).getByText("7 Position { x: 3, y: 4 }").waitFor();
    await editorOf(page).press("ControlOrMeta+End");
    await page.keyboard.type('console.log("— edited", [1, "two"]);');
    await page.keyboard.press("ControlOrMeta+Enter");
    await consoleOf(page).getByText("— edited [ 1, 'two' ]").waitFor();
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("status").getByText("address").waitFor();
    expect(programInAddress(page.url())).toBe(await programIn(page));
    return {
      hash: new URL(page.url()).hash,
      program: await programIn(page),
      printed: await consoleOf(page).innerText(),
    };
  });
  await withPage(wide, async (page) => {
    await open(page, `/playground${shared.hash}`);
    await consoleOf(page).getByText("— edited").waitFor();
    expect(await programIn(page)).toBe(shared.program);
    expect(await consoleOf(page).innerText()).toBe(shared.printed);
  });
});

/** Adds a line to the program that is shown, and runs it. */
async function addLine(page: Page, line: string) {
  await editorOf(page).press("ControlOrMeta+End");
  await page.keyboard.type(line);
  await page.keyboard.press("ControlOrMeta+Enter");
}

test("what is changed is kept when the page is loaded again, until Reset brings back the example", async () => {
  await withPage(wide, async (page) => {
    const original = readFileSync(path.join(folder, "saving.ts"), "utf8");
    await open(page, "/playground#example=saving");
    await consoleOf(page).locator("div").first().waitFor();
    const reset = page.getByRole("button", { name: "Reset" });
    expect(await reset.isDisabled()).toBe(true);
    await addLine(page, 'console.log("edited");');
    const edited = `${original}console.log("edited");`;
    await page.waitForURL((address) => programInAddress(address) === edited);

    await page.reload();
    await consoleOf(page).getByText("edited", { exact: true }).waitFor();
    expect(await page.getByLabel("Example").inputValue()).toBe("saving");

    await reset.click();
    await page.waitForURL(({ hash }) => hash === "#example=saving");
    await consoleOf(page).getByText("edited", { exact: true }).waitFor({ state: "detached" });
    expect(await reset.isDisabled()).toBe(true);
    await page.reload();
    await consoleOf(page).locator("div").first().waitFor();
    await editorOf(page).press("ControlOrMeta+End");
    expect(await editorOf(page).locator(".cm-line").allTextContents()).not.toContain('console.log("edited");');
  });
});

test("Back leads to the changed program after another example was chosen, and choosing its example to the original", async () => {
  await withPage(wide, async (page) => {
    await open(page, "/playground#example=rows");
    await consoleOf(page).getByText("1500 drops").waitFor();
    const editor = (await editorOf(page).elementHandle())!;
    await addLine(page, 'console.log("edited");');
    await page.getByLabel("Example").selectOption("hierarchy");
    await consoleOf(page).getByText("below the sun").waitFor();
    expect(programInAddress(page.url())).toBeUndefined();

    await page.goBack();
    await consoleOf(page).getByText("edited", { exact: true }).waitFor();
    await consoleOf(page).getByText("1500 drops").waitFor();
    await page.goForward();
    await consoleOf(page).getByText("below the sun").waitFor();
    await page.getByLabel("Example").selectOption("rows");
    await consoleOf(page).getByText("1500 drops").waitFor();
    expect(await page.getByRole("button", { name: "Reset" }).isDisabled()).toBe(true);
    expect(await consoleOf(page).getByText("edited", { exact: true }).count()).toBe(0);
    expect(await editor.evaluate((element) => element.isConnected)).toBe(true); // so what was typed can be undone
  });
});

/** Opens an example and adds a line, whose compression for the address does not end before `release`. */
async function addHeldLine(page: Page) {
  const holdBytes = () => {
    const { arrayBuffer } = Response.prototype;
    Response.prototype.arrayBuffer = async function () {
      const bytes = await arrayBuffer.call(this);
      await (window as { held?: Promise<void> }).held;
      return bytes;
    };
  };
  await page.addInitScript(holdBytes);
  await open(page, "/playground#example=rows");
  await consoleOf(page).getByText("1500 drops").waitFor();
  await page.evaluate(() => {
    const held = new Promise<void>((release) => Object.assign(window, { release }));
    Object.assign(window, { held });
  });
  await addLine(page, 'console.log("edited");');
  await consoleOf(page).getByText("edited", { exact: true }).waitFor();
  return () => page.evaluate(() => (window as unknown as { release(): void }).release());
}

test("what was changed is kept also if another example is chosen while it is being compressed", async () => {
  await withPage(wide, async (page) => {
    const release = await addHeldLine(page);
    await page.getByLabel("Example").selectOption("hierarchy");
    await release();
    await consoleOf(page).getByText("below the sun").waitFor();
    await page.goBack();
    expect(programInAddress(page.url())).toMatch(/console\.log\("edited"\);$/);
  });
});

test("Reset while a change is being compressed also resets the address", async () => {
  await withPage(wide, async (page) => {
    const release = await addHeldLine(page);
    await page.getByRole("button", { name: "Reset" }).click();
    await consoleOf(page).getByText("edited", { exact: true }).waitFor({ state: "detached" });
    await release();
    await consoleOf(page).getByText("1500 drops").waitFor();
    expect(new URL(page.url()).hash).toBe("#example=rows");
  });
});

test("Reset brings back a shared program", async () => {
  await withPage(wide, async (page) => {
    const program = 'console.log("shared");\n';
    await open(page, addressOf(program));
    await consoleOf(page).getByText("shared").waitFor();
    await addLine(page, 'console.log("edited");');
    await consoleOf(page).getByText("edited").waitFor();
    await page.waitForURL((address) => programInAddress(address) === `${program}console.log("edited");`);
    await page.getByRole("button", { name: "Reset" }).click();
    await consoleOf(page).getByText("edited").waitFor({ state: "detached" });
    await page.waitForURL((address) => programInAddress(address) === program);
    expect(await programIn(page)).toBe(program);
  });
});

test("a program during which the page ended runs only when it is asked for", async () => {
  await withPage(wide, async (page) => {
    // A page that is blocked is not notified that it is left.
    const block = () =>
      addEventListener("pagehide", (event) => {
        if ("isBlocked" in window) event.stopImmediatePropagation();
      });
    await page.addInitScript(block);
    await open(page, addressOf('console.log("runs");\n'));
    await consoleOf(page).getByText("runs").waitFor();
    await page.evaluate(() => Object.assign(window, { isBlocked: true }));
    await page.reload();
    await page.getByRole("status").getByText("press Run").waitFor();
    await editorOf(page).waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    await page.getByRole("button", { name: "Run" }).click();
    await consoleOf(page).getByText("runs").waitFor();
    await page.reload();
    await consoleOf(page).getByText("runs").waitFor();
  });
});

test("a wrong field has an error under its line, and fields of rows are completed and explained", async () => {
  await withPage(wide, async (page) => {
    await open(page, addressOf(`${WORLD}for (const { position } of places) position.z;\n`));
    const lines = page.locator(".cm-content > *");
    await page.locator(".cm-message").waitFor();
    const texts = await lines.allTextContents();
    expect(texts[texts.findIndex((text) => text.includes("position.z")) + 1]).toMatch(
      /^Property 'z' does not exist on type/,
    );

    await editorOf(page).press("ControlOrMeta+End");
    await page.keyboard.type("for (const { position } of places) position.");
    const options = page.locator(".cm-tooltip-autocomplete li");
    for (const field of ["x", "y"]) await options.getByText(field, { exact: true }).waitFor();
    await page.keyboard.press("Escape");

    await page.locator(".cm-line", { hasText: "new ECS" }).getByText("ECS", { exact: true }).hover();
    await page.locator(".cm-explanation").getByText("Throws `NOT_INITIALISED` before").waitFor();
  });
});

test("the link below code opens this code", async () => {
  await withPage(wide, async (page) => {
    await open(page, "/");
    await page.getByRole("link", { name: "Open in the playground" }).click();
    await consoleOf(page).getByText("crate 2 is at 7").waitFor();
    expect(await programIn(page)).toBe(joined(section("README.md", "A first example"), "ts"));
  });
});

test("an error has the line of the program, to which it leads", async () => {
  const use = async (page: Page) => {
    await open(
      page,
      addressOf(`interface Unused {\n  a: 1;\n}\nconst fail = () => {\n  throw new Error("no crates");\n};\nfail();\n`),
    );
    const error = consoleOf(page).locator(".error", { hasText: "Error: no crates" });
    await error.getByRole("button", { name: "line 5" }).click();
    await page.locator(".cm-activeLine", { hasText: "no crates" }).waitFor();
    await editorOf(page).press("ControlOrMeta+End");
    await page.keyboard.type("const = 1;");
    await page.getByRole("button", { name: "Run" }).click();
    await consoleOf(page).getByRole("button", { name: "line 8" }).waitFor();
  };
  await withPage(wide, use);
});

test("an error of the package is explained by the development build", async () => {
  const use = async (page: Page) => {
    await open(
      page,
      addressOf(`${WORLD}const kept = Array.from(places, ({ position }) => position);\nconsole.log(kept[0].x);\n`),
    );
    const error = consoleOf(page).locator(".error", { hasText: "this row or cursor is not valid any more" });
    await error.getByRole("button", { name: "line 8" }).waitFor();
  };
  await withPage(wide, use);
});

test.each([
  { name: "a wide screen, light", options: { ...wide, colorScheme: "light" } },
  {
    name: "a phone, dark",
    options: { viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true },
  },
] as const)(
  "on $name, axe finds nothing where errors are shown, and nothing is wider than the screen",
  async ({ options }) => {
    await withPage(options, async (page) => {
      await open(
        page,
        addressOf(
          `${WORLD}for (const { position } of places) position.z;\nthrow new Error("${"long ".repeat(60)}");\n`,
        ),
      );
      await page.locator(".cm-message").waitFor();
      await consoleOf(page).locator(".error", { hasText: "long" }).waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width);
    });
  },
);

test("Stop ends an endless loop, and the next program runs", async () => {
  await withPage(wide, async (page) => {
    await open(page, addressOf('console.log("begins");\nfor (;;);\n'));
    await consoleOf(page).getByText("begins").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("iframe").waitFor({ state: "detached" });
    await page.getByLabel("Example").selectOption("rows");
    await consoleOf(page).getByText("1500 drops").waitFor();
  });
});

test("the inspector is docked below the canvas, and shows the systems of the program", async () => {
  await withPage(wide, async (page) => {
    await open(page, "/playground#example=hierarchy");
    await consoleOf(page).getByText("below the sun").waitFor();
    const program = await programIn(page);
    await page.getByLabel("Inspector").check();
    const frame = page.frameLocator("iframe[title='The running program']");
    await frame.locator("crateful-inspector").getByText("Places").first().waitFor();
    expect(await programIn(page)).toBe(program);
  });
});

test("a run whose parts are loaded after the next run was asked for does not replace it", async () => {
  await withPage(wide, async (page) => {
    const inspector = /\/inspector\.[^/]+\.js$/;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(inspector, async (route) => {
      await released;
      await route.continue();
    });
    await open(page, "/playground#example=rows");
    await consoleOf(page).getByText("1500 drops").waitFor();
    const asked = page.waitForRequest(inspector);
    await page.getByLabel("Inspector").check();
    await asked;
    await page.getByLabel("Inspector").uncheck();
    await consoleOf(page).getByText("1500 drops").waitFor();
    const frame = (await page.locator("iframe").elementHandle())!;
    release();
    await page.waitForLoadState("networkidle");
    expect(await frame.evaluate((element) => element.isConnected)).toBe(true);
  });
});

test("an editor that cannot be loaded is reported beside the buttons, and the program runs", async () => {
  await withPage(
    wide,
    async (page) => {
      await page.route(/\/editor\.[^/]+\.js$/, (route) => route.abort());
      await open(page, "/playground#example=rows");
      await consoleOf(page).getByText("1500 drops").waitFor();
      await page.getByRole("status").getByText("The editor cannot be loaded. Load this page again.").waitFor();
    },
    [expect.stringContaining("ERR_FAILED") as unknown as string],
  );
});

test("every example is offered, and compiles with all strict flags", async () => {
  await withPage(wide, async (page) => {
    await open(page, "/playground");
    const offered = page.getByLabel("Example").locator("option");
    const names = await offered.evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    expect(names.sort()).toEqual([...examples].sort());
  });
  mkdirSync(path.join(root, "build"), { recursive: true });
  const project = mkdtempSync(path.join(root, "build", "playground-"));
  try {
    const compilerOptions = {
      ...STRICT,
      noEmit: true,
      moduleDetection: "force",
      target: "ES2022",
      module: "ESNext",
      moduleResolution: "bundler",
      lib: ["ES2023", "DOM"],
      types: [],
      skipLibCheck: true,
    };
    writeFileSync(
      path.join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: [`${folder}/*.ts`] }),
    );
    tool("typescript/bin/tsc", ["-p", "."], project);
  } finally {
    rmSync(project, { recursive: true });
  }
});

test.each(examples)("the example %s draws and prints, without errors and warnings", async (name) => {
  await withPage(wide, async (page) => {
    await open(page, `/playground#example=${name}`);
    await consoleOf(page).locator("div").first().waitFor();
    const frame = await (await page.locator("iframe").elementHandle())!.contentFrame();
    await frame!.waitForFunction(() => {
      const canvas = document.querySelector("canvas")!;
      return canvas
        .getContext("2d")!
        .getImageData(0, 0, canvas.width, canvas.height)
        .data.some((byte) => byte > 0);
    });
    expect(await consoleOf(page).locator(".error, .warn").allTextContents()).toEqual([]);
  });
});

test("other pages load nothing of the editor, which is small", async () => {
  const chunks = readdirSync(path.join(site, "assets/chunks"));
  const parts = ["editor", "types", "run", "Playground", "Workbench"].map(
    (name) => chunks.find((file) => new RegExp(`^${name}\\..+\\.js$`).test(file))!,
  );
  await withPage(wide, async (page) => {
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(path.basename(request.url())));
    await open(page, "/guide/");
    await page.waitForLoadState("networkidle");
    expect(loaded.filter((file) => parts.includes(file) || file.startsWith("types.worker"))).toEqual([]);
    await open(page, "/playground");
    await editorOf(page).waitFor();
    expect(loaded).toEqual(expect.arrayContaining([parts[0]]));
  });
  const weight = (file: string) => brotliCompressSync(readFileSync(path.join(site, "assets/chunks", file))).length;
  expect(weight(parts[0]!) + weight(parts[1]!)).toBeLessThan(400 * 1024);
});
