// The programs of docs/workers.md in Chromium.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { section } from "../package/snippets.js";
import { end } from "./page.js";
import type { Served } from "./server.js";
import { makeViteProject, type ViteProject } from "./vite.js";

const document = "docs/workers.md";
/** The programs of a section, by the names in their first lines. */
const programs = (title: string) =>
  Object.fromEntries(
    section(document, title).blocks.map(({ text }) => {
      const [, name, code] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? [];
      return [name ?? "", code ?? ""];
    }),
  );

let project: ViteProject;
beforeAll(async () => {
  project = await makeViteProject();
});
afterAll(() => project?.dispose());

/** Builds a page with these files, opens it, and returns what it prints. */
async function printed(files: Record<string, string>): Promise<string[]> {
  for (const [name, code] of Object.entries(files)) project.consumer.write(`src/${name}`, code);
  let served: Served | undefined;
  try {
    served = await project.build();
    const { page, lines: shown } = await project.open(served.url);
    await page.close();
    return shown;
  } finally {
    await served?.close();
  }
}

test("M4 a worker of a worker has no animation frames in Chromium", async () => {
  const nested = `
import { ECS, init, startLoop } from "crateful";
init()
  .then(() => startLoop(new ECS()))
  .catch((error: Error) => postMessage(error.message));
`;
  const outer = (name: string, act: string) => `
const worker = new Worker(new URL("./${name}", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => ${act};
`;
  const main = outer("outer.ts", `{ console.log(data); ${end} }`);
  expect(
    await printed({ "nested.ts": nested, "outer.ts": outer("nested.ts", "postMessage(data)"), "main.ts": main }),
  ).toEqual(["startLoop: there is no requestAnimationFrame here; call ecs.update(delta) yourself"]);
});

test("M4 a shared worker has no animation frames, and the timer of docs/workers.md updates its world", async () => {
  const shared = `
import { ECS, init, startLoop } from "crateful";
import "./timer.js";

const { update } = ECS.prototype;
addEventListener("connect", (event) => {
  const port = (event as MessageEvent).ports[0]!;
  init().then(() => {
    try {
      startLoop(new ECS());
    } catch (error) {
      port.postMessage((error as Error).message);
    }
    ECS.prototype.update = function (this: ECS, delta?: number) {
      const effective = update.call(this, delta);
      if (effective > 0) port.postMessage("updated");
      return effective;
    };
  });
});
`;
  const main = `
const worker = new SharedWorker(new URL("./shared.ts", import.meta.url), { type: "module" });
worker.port.onmessage = ({ data }) => {
  console.log(data);
  if (data !== "updated") return;
  worker.port.onmessage = null;
  ${end}};
`;
  expect(await printed({ "shared.ts": shared, "timer.ts": programs("Time")["timer.ts"]!, "main.ts": main })).toEqual([
    "startLoop: there is no requestAnimationFrame here; call ecs.update(delta) yourself",
    "updated",
  ]);
});

test("the worker of docs/workers.md draws on the page's canvas", async () => {
  const { "page.ts": page, "worker.ts": worker } = programs("Drawing in the worker");
  const main = `
const element = document.createElement("canvas");
document.body.replaceChildren(element);
await import("./page.js");
const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
const opaque = (x: number, y: number) => context.getImageData(x, y, 1, 1).data[3] === 255;
do {
  await new Promise(requestAnimationFrame);
  context.drawImage(element, 0, 0);
} while (!opaque(50, 40));
console.log(opaque(41, 31), opaque(59, 49), opaque(38, 40), opaque(50, 51));
`;
  const files = { "page.ts": `${page}export {};\n`, "worker.ts": worker!, "main.ts": main + end };
  expect(await printed(files)).toEqual(["true true false false"]);
});
