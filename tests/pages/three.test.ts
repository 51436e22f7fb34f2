// The adapter for three.js in Chromium, from the packed package: what renderers send to the GPU, and the picture.
import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { root, run } from "../package/consumer.js";
import type { Served } from "./server.js";
import { joined, section, starting } from "../package/snippets.js";
import { makeViteProject, type ViteProject } from "./vite.js";
import type { ThreePage } from "./three_page.js";

let project: ViteProject;
let served: Served;
beforeAll(async () => {
  project = await makeViteProject();
  for (const name of ["three", "@types"])
    symlinkSync(path.join(root, "node_modules", name), path.join(project.consumer.folder, "node_modules", name));
  project.consumer.write("src/main.ts", readFileSync(path.join(root, "tests/pages/three_page.ts"), "utf8"));
  served = await project.build();
});
afterAll(async () => {
  await served?.close();
  await project?.dispose();
});

const INSTANCE = 64 + 12; // the bytes of a matrix and a colour
const NONE = { pending: 0, bytes: 0, calls: 0 };

/** Calls functions of the page in their order; returns what the last one returns. */
const on = (page: Page, ...calls: [keyof ThreePage, ...unknown[]][]): Promise<unknown> =>
  page.evaluate(async (list) => {
    const functions = (globalThis as unknown as { page: Record<string, (...args: unknown[]) => unknown> }).page;
    let result: unknown;
    for (const [name, ...args] of list) result = await functions[name as string]!(...args);
    return result;
  }, calls);

describe.each([
  ["WebGLRenderer", ""],
  ["WebGPURenderer", "?webgpu"],
])("%s", (_, search) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await project.open(served.url + search));
    await on(page, ["spawn", 50_000], ["frame"]);
    await on(page, ["move", 1, 0], ["frame"]); // WebGPURenderer sends a new buffer once more
  });
  afterAll(() => page?.close());

  test("sends what 100 of 50,000 instances need, and nothing at rest", async () => {
    expect(await on(page, ["compare"])).toEqual({ different: 0, lit: 500 * 400 - 4 });
    for (const from of [0, 17, 499]) {
      const moved = await on(page, ["move", 100, from], ["frame"]);
      expect(moved).toEqual({ pending: 100 * INSTANCE, bytes: 100 * INSTANCE, calls: 200 });
      expect(await on(page, ["compare"])).toEqual({ different: 0, lit: expect.any(Number) });
      expect(await on(page, ["frame"])).toEqual(NONE);
    }
  });

  test("sends neighbours in one call", async () => {
    const { bytes, calls } = (await on(page, ["move", 5000, 3], ["frame"])) as { bytes: number; calls: number };
    expect([bytes, calls]).toEqual([(4999 * 10 + 1) * INSTANCE, 2]); // every tenth instance
    expect(await on(page, ["compare"])).toEqual({ different: 0, lit: expect.any(Number) });
  });

  test("shows the right picture after removals, growth and a restart", async () => {
    const removed = (await on(page, ["remove", 300], ["frame"])) as { bytes: number };
    expect(removed.bytes).toBeLessThanOrEqual(300 * 17 * INSTANCE);
    expect(removed.bytes).toBeGreaterThan(0);
    expect(await on(page, ["compare"])).toEqual({ different: 0, lit: expect.any(Number) });
    await on(page, ["spawn", 30_000], ["move", 10, 4], ["frame"]);
    expect(await on(page, ["compare"])).toEqual({ different: 0, lit: expect.any(Number) });
    await on(page, ["move", 10, 5], ["frame"]);
    expect(await on(page, ["compare"])).toEqual({ different: 0, lit: expect.any(Number) });
    await on(page, ["clear"], ["spawn", 1234], ["frame"]);
    expect(await on(page, ["compare"])).toEqual({ different: 0, lit: 1234 * 4 });
    expect(await on(page, ["pick", 21, 400 - 1])).toEqual({ x: 10, y: 0 });
    await on(page, ["clear"], ["frame"]);
    expect(await on(page, ["compare"])).toEqual({ different: 0, lit: 0 });
  });
});

test("the picture is right after a lost context of WebGL, and then only changes are sent again", async () => {
  const { page } = await project.open(served.url);
  await on(page, ["spawn", 5000], ["frame"], ["move", 10, 3], ["frame"]);
  await on(page, ["move", 10, 5], ["loseContext"], ["frame"]);
  expect(await on(page, ["compare"])).toEqual({ different: 0, lit: expect.any(Number) });
  expect(await on(page, ["move", 10, 7], ["frame"])).toEqual({ pending: 760, bytes: 760, calls: 20 });
  await page.close();
});

/** A program that prints how many instances there are, which build of the package they use, and what a mistake throws. */
const program = `
  init().then(() => {
    class Position extends defineComponent("Position", { x: "f32" }) {}
    const ecs = new ECS();
    const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 1);
    const kept = [];
    ecs.addSystem(0, new InstancedRows(mesh, { position: Position }, { matrix: (row) => kept.push(row) }));
    ecs.addComponents(ecs.addEntities(3), Position);
    ecs.update();
    let build = "production";
    try { kept[0].entity; } catch { build = "development"; }
    try { new InstancedRows({}, {}, {}); } catch (error) { console.log(mesh.count, build, error instanceof EcsError); }
  });
`;
const names = {
  three: "InstancedMesh, BoxGeometry, MeshBasicMaterial",
  "crateful/three": "InstancedRows",
  crateful: "init, EcsError",
  "crateful/inline": "ECS, defineComponent", // of the same package
};
const loading = {
  import: Object.entries(names).map(([from, list]) => `import { ${list} } from "${from}";`),
  require: Object.entries(names).map(([from, list]) => `const { ${list} } = require("${from}");`),
};
test.each(["import", "require"] as const)("B1 it shares the package with the other entries, loaded by %s", (way) => {
  const { write, folder } = project.consumer;
  const file = `shared.${way === "import" ? "mjs" : "cjs"}`;
  write(file, loading[way].join("\n") + program);
  expect(run(process.execPath, [file], folder)).toBe("3 production true\n");
  expect(run(process.execPath, ["--conditions=development", file], folder)).toBe("3 development true\n");
});

test("B1 it works with the development build, while Vite serves the project", async () => {
  const development = await project.serveForDevelopment();
  const { page } = await project.open(development.url);
  await on(page, ["spawn", 100], ["frame"], ["move", 3, 1], ["remove", 2], ["frame"]);
  expect(await on(page, ["compare"])).toEqual({ different: 0, lit: expect.any(Number) });
  await page.close();
  await development.close();
});

test("the program for PixiJS in docs/three.md prints what the document shows", async () => {
  const pixi = section("docs/three.md", "PixiJS");
  const source = path.join(project.consumer.folder, "node_modules/pixi.js");
  symlinkSync(path.join(root, "node_modules/pixi.js"), source);
  project.consumer.write("src/program.ts", `${joined(pixi, "ts pixi")}console.log("end");`);
  project.consumer.write("src/main.ts", starting("program"));
  const built = await project.build();
  const { page, lines } = await project.open(built.url);
  expect(`${lines.join("\n")}\n`).toBe(joined(pixi, "text"));
  await page.close();
  await built.close();
});
