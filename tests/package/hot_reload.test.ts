// The pattern for hot reload in docs/guide.md, in Vite's development server.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { section } from "./snippets.js";
import { makeViteProject, type ViteProject } from "./vite.js";

const files = section("docs/guide.md", "Hot reload").blocks.map(
  ({ info, text }) => [info.split(" ")[2]!, text] as const,
);
const systems = Object.fromEntries(files)["systems.ts"]!;
const components = `import { defineComponent } from "crateful";
export class Position extends defineComponent("Position", { x: "f32" }) {}
`;

let project: ViteProject;
beforeAll(async () => {
  project = await makeViteProject();
  for (const [name, text] of files) project.consumer.write(`src/${name}`, text);
  project.consumer.write("src/components.ts", components);
  project.consumer.write(
    "src/main.ts",
    'import { init } from "crateful"; init().then(() => import("./game")).then(() => console.log("end"));',
  );
});
afterAll(() => project?.dispose());

/** Runs in the page. */
const thirtyFrames = () =>
  new Promise<void>((resolve) => {
    let left = 30;
    const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve());
    next();
  });

test("a changed file of systems replaces the systems and keeps the entities; changed components reload the page", async () => {
  const served = await project.serveForDevelopment();
  try {
    const printed = (where: Page, text: RegExp) =>
      where.waitForEvent("console", { predicate: (message) => text.test(message.text()), timeout: 0 });
    let connected: Promise<unknown> | undefined;
    const { page, lines } = await project.open(served.url, async (opened) => {
      connected = printed(opened, /^\[vite\] connected/);
    });
    expect(lines).toEqual(["x is 1"]);
    await connected; // Vite does not tell a page of earlier changes
    await page.evaluate(() => Object.assign(globalThis, { mark: true }));
    const isMarked = () => page.evaluate(() => "mark" in globalThis); // no longer after a reload

    /** Writes systems.ts until the page prints that: Vite ignores a change that follows another one within 50 ms. */
    const change = async (contents: string, text: RegExp) => {
      let waiting = true;
      const until = printed(page, text).then(() => {
        waiting = false;
      });
      while (waiting) {
        project.consumer.write("src/systems.ts", contents);
        await Promise.race([until, page.evaluate(thirtyFrames)]);
      }
    };
    await change(systems.replace("`x is", "`now x is"), /^now x is 1$/);
    expect(await isMarked()).toBe(true);
    await change("a syntax error", /Failed to reload/);
    await change(systems.replace("`x is", "`again x is"), /^again x is 1$/);
    expect(await isMarked()).toBe(true);

    const reloaded = printed(page, /^end$/);
    project.consumer.write("src/components.ts", components.replace("f32", "f64"));
    await reloaded;
    expect(await isMarked()).toBe(false);
    expect(lines.at(-1)).toBe("again x is 1");
    await page.close();
  } finally {
    await served.close();
  }
});
