// The whole programs in the pages of a folder of docs, each in a fence "ts playground", in a project with Vite: a page runs the one
// that its address names.
import { symlinkSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { root, tool } from "../package/consumer.js";
import { end, stopClock, type Opened } from "./page.js";
import { STRICT, type Document } from "../package/snippets.js";
import { makeViteProject } from "./vite.js";

export interface Programs {
  /** Opens the page of a program, and waits until the program has run. What it declares is `program` there. */
  open(name: string, before?: (page: Page) => Promise<unknown>): Promise<Opened>;
  dispose(): Promise<void>;
}

const INDEX = `<!doctype html><link rel="icon" href="data:," /><canvas></canvas><script type="module" src="/src/main.ts"></script>`;

/** The statements that show a program's ECS and classes to a test. */
function showing(program: string): string {
  const names = Array.from(program.matchAll(/^(?:class|const) (ecs|[A-Z]\w*)\b/gm), ([, name]) => name!);
  return `Object.assign(globalThis, { program: { ${names.join(", ")} } });\n${end}\n`;
}

/** Compiles the programs with all strict flags, and serves them as Vite does for development, with the development build. */
export async function makePrograms(documents: Document[]): Promise<Programs> {
  const project = await makeViteProject();
  const { write, folder } = project.consumer;
  symlinkSync(path.join(root, "node_modules/pixi.js"), path.join(folder, "node_modules/pixi.js"));
  const strict = { extends: "./tsconfig.json", compilerOptions: { ...STRICT, skipLibCheck: true } }; // those of PixiJS have an error
  write("tsconfig.strict.json", JSON.stringify(strict));
  write("index.html", INDEX);
  write(
    "src/main.ts",
    `const programs: Record<string, () => Promise<unknown>> = {
  ${documents.map(({ name }) => `"${name}": () => import("./${name}.js"),`).join("\n  ")}
};
void programs[location.search.slice(1)]!();
`,
  );
  for (const { name, program } of documents) write(`src/${name}.ts`, program + showing(program));
  tool("typescript-7/bin/tsc", ["-p", "tsconfig.strict.json"], folder);
  const served = await project.serveForDevelopment();
  return {
    open: (name, before) => project.open(`${served.url}?${name}`, before),
    async dispose() {
      await served.close();
      await project.dispose();
    },
  };
}

/** Lets the clock of a page stand still, except where a test advances it, and the random numbers be the same each time. */
export async function repeatable(page: Page): Promise<void> {
  await stopClock(page);
  await page.addInitScript(() => {
    let state = 1;
    Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  });
}
