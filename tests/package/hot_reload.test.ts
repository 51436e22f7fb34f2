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

test("a changed file of systems replaces the systems and keeps the entities; changed components reload the page", async () => {
  const served = await project.serveForDevelopment();
  try {
    const printedBy = (where: Page, text: string) =>
      where.waitForEvent("console", { predicate: (message) => message.text() === text, timeout: 0 });
    let connected: Promise<unknown> | undefined;
    const { page, lines } = await project.open(served.url, async (opened) => {
      connected = printedBy(opened, "[vite] connected.");
    });
    expect(lines).toEqual(["x is 1"]);
    await connected; // Vite does not tell a page of earlier changes

    const printed = (text: string) => printedBy(page, text);
    const isMarked = () => page.evaluate(() => "mark" in globalThis); // no longer after a reload
    await page.evaluate(() => Object.assign(globalThis, { mark: true }));
    const replaced = printed("now x is 1");
    project.consumer.write("src/systems.ts", systems.replace("`x is", "`now x is"));
    await replaced;
    expect(await isMarked()).toBe(true);

    const failed = page.waitForEvent("console", {
      predicate: (message) => /Failed to reload/.test(message.text()),
      timeout: 0,
    });
    project.consumer.write("src/systems.ts", "a syntax error");
    await failed;
    const corrected = printed("again x is 1");
    project.consumer.write("src/systems.ts", systems.replace("`x is", "`again x is"));
    await corrected;
    expect(await isMarked()).toBe(true);

    const reloaded = printed("again x is 1");
    project.consumer.write("src/components.ts", components.replace("f32", "f64"));
    await reloaded;
    expect(await isMarked()).toBe(false);
    await page.close();
  } finally {
    await served.close();
  }
});
