// The pattern for hot reload in docs/guide/hot-reload.md, in Vite's development server.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { page as pageOf } from "../package/snippets.js";
import { makeViteProject, type ViteProject } from "./vite.js";

const files = Object.fromEntries(
  pageOf("docs/guide/hot-reload.md").blocks.map(({ info, text }) => [info.split(" ")[2]!, text]),
);
/** The game of the guide, which the test can change while it runs, and which says when the old one was removed. */
const game = `${files["game.ts"]!.replace("  override update", '  override onRemove() {\n    console.log("removed");\n  }\n  override update')}
function move(to: number) {
  for (const { position } of ecs.query({ position: Position })) position.x = to;
}
Object.assign(globalThis, { move });
console.log("end");
`;
const components = files["components.ts"]!;

let project: ViteProject;
beforeAll(async () => {
  project = await makeViteProject();
  for (const [name, text] of Object.entries(files)) project.consumer.write(`src/${name}`, text);
  project.consumer.write("src/game.ts", game);
});
afterAll(() => project?.dispose());

/** Runs in the page. */
const thirtyFrames = () =>
  new Promise<void>((resolve) => {
    let left = 30;
    const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve());
    next();
  });
const move = (page: Page, to: number) =>
  page.evaluate((x) => (globalThis as unknown as { move(x: number): void }).move(x), to);

test("a changed system, and a component class with a new field, continue the world without a reload", async () => {
  const served = await project.serveForDevelopment();
  try {
    const printed = (where: Page, text: RegExp) =>
      where.waitForEvent("console", { predicate: (message) => text.test(message.text()), timeout: 0 });
    let connected: Promise<unknown> | undefined;
    let first: Promise<unknown> | undefined;
    const { page, lines } = await project.open(served.url, async (opened) => {
      connected = printed(opened, /^\[vite\] connected/);
      first = printed(opened, /^x is 1$/);
    });
    await Promise.all([connected, first]); // Vite does not tell a page of earlier changes
    await page.evaluate(() => Object.assign(globalThis, { mark: true }));
    /** Changes x, and waits until that is printed. */
    const moved = async (to: number, text: RegExp) => {
      const until = printed(page, text);
      await move(page, to);
      await until;
    };
    /** Writes a file until the page prints that: Vite ignores a change that follows another one within 50 ms. */
    const change = async (file: string, contents: string, text: RegExp) => {
      let waiting = true;
      const until = printed(page, text).then(() => {
        waiting = false;
      });
      while (waiting) {
        project.consumer.write(`src/${file}`, contents);
        await Promise.race([until, page.evaluate(thirtyFrames)]);
      }
    };

    await moved(7, /^x is 7$/);
    await change("game.ts", game.replace("`x is", "`now x is"), /^now x is 7$/);
    await moved(8, /^now x is 8$/);
    await change("game.ts", "a syntax error", /Failed to reload/);
    await moved(9, /^now x is 9$/); // the world goes on
    const reading = game.replace("position.x}`", `position.x}, y is \${(position as { y?: number }).y}\``);
    await change("game.ts", reading, /^x is 9, y is undefined$/);
    await change(
      "components.ts",
      components.replace('x: "f32"', 'y: { type: "i8", default: 5 }, x: "f64"'),
      /^x is 9, y is 5$/,
    );
    await moved(0.1, /^x is 0.1, y is 5$/);
    await change("components.ts", components.replace("f32", "u8"), /field cannot store 0\.1/);
    await moved(4, /^x is 4, y is 5$/);
    await change("components.ts", components.replace("f32", "u8"), /^x is 4, y is undefined$/);

    expect(await page.evaluate(() => "mark" in globalThis)).toBe(true);
    expect(lines).toContain("removed");
    expect(lines.filter((line) => line.startsWith("crateful"))).toEqual([]); // no warnings
    await page.close();
  } finally {
    await served.close();
  }
});

test("the built page loads the binary without snapshots", async () => {
  project.consumer.write("src/game.ts", game);
  project.consumer.write("src/components.ts", components);
  const served = await project.build();
  try {
    const requested: string[] = [];
    const { page } = await project.open(served.url, async (opened) => {
      opened.on("request", (request) => requested.push(request.url()));
    });
    const binaries = requested.filter((url) => url.endsWith(".wasm"));
    expect(binaries).toEqual([expect.stringMatching(/\/crateful-\w+\.wasm$/)]);
    await page.close();
  } finally {
    await served.close();
  }
});
