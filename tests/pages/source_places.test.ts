// Rules D14 and I1: the places of changes are those in the source, also where Vite has translated it, and a click opens the editor there.
import { chmodSync, readFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { serveFolder } from "../browser/serve.js";
import { root, run } from "../package/consumer.js";
import { end, type Opened } from "./page.js";
import { serveWithVite, makeViteProject, type ViteProject } from "./vite.js";
import type { Served } from "./server.js";

/** What is only a type has no line in the code that runs. */
const TYPES = `
interface Wish {
  readonly x: number;
}

type Wishes =
  | readonly Wish[]
  | undefined;
`;
const MOVER = `import { defineComponent, defineSystem } from "crateful";
${TYPES}
export class Place extends defineComponent("Place", { x: "f32" }) {}
export class Mover extends defineSystem({ place: Place }, { watch: [Place] }) {
  wishes: Wishes;
  override update(): void {
    for (const { x } of this.wishes ?? [])
      for (const { place } of this.rows)
        place.x = x; // by the system
    this.wishes = undefined;
  }
}
`;
const GAME = `import { ECS, init } from "crateful";
import { attachInspector, History } from "crateful/inspector";
import { Mover, Place } from "../../shared/mover.js";
${TYPES}
await init();
const ecs = new ECS();
const mover = new Mover();
ecs.addSystem(0, mover);
const e = ecs.addEntity(Place);
ecs.update();
const history = new History(ecs);
const wish: Wish = { x: 2 };
ecs.get(e, Place).x = 1; // outside of systems
mover.wishes = [wish];
ecs.update();
const inspector = attachInspector(ecs, { history });
inspector.select(e);
Object.assign(globalThis, { places: () => history.why(e).map(({ at }) => at) });
`;
/** The number of the line that contains a text. */
const lineOf = (text: string, source: string) => source.split("\n").findIndex((line) => line.includes(text)) + 1;

let project: ViteProject;
let served: Served;
let opened: Opened;
/** What the editor was called with. */
let called: string;
beforeAll(async () => {
  project = await makeViteProject();
  const { consumer } = project;
  const editor = consumer.write("editor.sh", `#!/bin/sh\necho "$@" > "$0.new" && mv "$0.new" "$0.called"\n`);
  chmodSync(editor, 0o755);
  called = `${editor}.called`;
  consumer.write(
    "app/vite.config.js",
    `process.env.LAUNCH_EDITOR = ${JSON.stringify(editor)};
     export default { base: "/some/where/", server: { fs: { allow: [".."] } } };`,
  );
  consumer.write("app/index.html", '<!doctype html><script type="module" src="/src/game.ts"></script>');
  consumer.write("app/src/game.ts", GAME + end);
  consumer.write("shared/mover.ts", MOVER);
  served = await serveWithVite(path.join(consumer.folder, "app"));
  opened = await project.open(served.url);
});
afterAll(async () => {
  await served?.close();
  await project?.dispose();
});

/** Where it is changed, the last change first: by the server's address, and in the project's folder. */
const changes = () =>
  [
    ["mover.ts", `@fs${project.consumer.folder}/shared/mover.ts`, lineOf("by the system", MOVER)],
    ["game.ts", "src/game.ts", lineOf("outside of systems", GAME)],
  ] as const;

/** Runs in the page. */
const places = () => (globalThis as unknown as { places(): string[] }).places();

test("D14 places are those in sources that Vite has translated, of the project and elsewhere", async () => {
  const wanted = changes().map(([, address, line]) => `some/where/${address}:${line}`);
  await opened.page.waitForFunction(`(${places})().toString() === ${JSON.stringify(wanted.toString())}`);
});

test("I1 a click on a place opens the line in the editor, where Vite serves the page", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "Why" }).click();
  const [folder, name] = [path.dirname(called), path.basename(called)];
  for (const [file, address, line] of changes()) {
    const calls = watch(folder, { persistent: false });
    const ended = (async () => {
      for await (const { filename } of calls) if (filename === name) return readFileSync(called, "utf8").trimEnd();
      return undefined;
    })();
    await page.getByRole("button", { name: `${file}:${line}` }).click();
    const opens = address.startsWith("@fs") ? address.slice(3) : path.join(folder, "app", address);
    expect(await ended).toMatch(new RegExp(`^${opens} ${line}( 1)?$`));
  }
});

test.each(["linked", "inline", "linked --minify"])(
  "D14 places are those in sources that esbuild has bundled, with %s source maps",
  async (kind) => {
    const { consumer } = project;
    const options = ["--bundle", "--format=esm", "--conditions=development", "--keep-names", "--loader:.wasm=file"];
    const out = [...`--sourcemap=${kind}`.split(" "), "--source-root=/a/b/c", `--outfile=bundled/${kind}/game.js`];
    run(path.join(root, "node_modules/.bin/esbuild"), ["app/src/game.ts", ...options, ...out], consumer.folder);
    consumer.write(`bundled/${kind}/index.html`, '<!doctype html><script type="module" src="game.js"></script>');
    const [mover, game] = changes();
    const wanted = [`a/shared/mover.ts:${mover[2]}`, `a/app/src/game.ts:${game[2]}`];
    const bundled = await serveFolder(path.join(consumer.folder, "bundled", kind));
    try {
      const { page } = await project.open(bundled.url);
      await page.waitForFunction(`(${places})().toString() === ${JSON.stringify(wanted.toString())}`);
    } finally {
      await bundled.close();
    }
  },
);
