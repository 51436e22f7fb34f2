// docs/multiplayer.md, followed word for word: the files of its first room, the commands, and the program about interest.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { makeConsumer, root, tool, type Consumer } from "../package/consumer.js";
import { compilePrograms, joined, section, STRICT } from "../package/snippets.js";
import { Program } from "./example.js";
import { freePort } from "./rooms.js";

const dots = section("docs/multiplayer.md", "Dots: the first room");
let consumer: Consumer;
let browser: Browser;
beforeAll(async () => {
  consumer = makeConsumer();
  browser = await connectToChromium();
});
afterAll(async () => {
  await browser?.close();
  consumer?.dispose();
});

/** Makes the packages available that the commands install, which must be those of this repository. */
function install(folder: string): void {
  const [commands] = dots.blocks;
  const wanted = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).devDependencies;
  const named = [...(commands?.text.matchAll(/^npm install (?:--save-dev )?(.*)$/gm) ?? [])].flatMap(([, names]) =>
    (names as string).split(" "),
  );
  expect(named).toContain("crateful");
  for (const name of [...named.filter((name) => name !== "crateful"), ".bin"]) {
    if (name !== ".bin") expect(wanted).toHaveProperty([name]);
    const place = path.join(folder, "node_modules", name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), place);
  }
}

test("the first room runs, and two pages see each other's dot", async () => {
  install(consumer.folder);
  const [port, pagePort] = [await freePort(), await freePort()];
  let lines = 0;
  for (const { text } of dots.blocks) {
    const name = /^(?:\/\/|<!--) (\w+\.\w+)/.exec(text)?.[1];
    if (name === undefined) continue;
    consumer.write(name, text.replaceAll("2567", String(port)));
    lines += text.trim().split("\n").length - 1;
  }
  const stated = /These are (\d+) lines/.exec(readFileSync(path.join(root, "docs/multiplayer.md"), "utf8"))?.[1];
  expect(lines).toBeLessThanOrEqual(Number(stated));
  const compilerOptions = {
    ...{ target: "ES2022", module: "ESNext", moduleResolution: "bundler", noEmit: true, skipLibCheck: true },
    ...{ lib: ["ES2022", "DOM", "DOM.Iterable", "ESNext.Disposable"], types: [] },
    ...STRICT,
  };
  writeFileSync(
    path.join(consumer.folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["server.ts", "page.ts"] }),
  );
  tool("typescript/bin/tsc", ["-p", "."], consumer.folder);

  const [start] = dots.blocks.slice(-1);
  expect(start?.text).toBe("npx tsx server.ts & npx vite --open\n");
  const programs = [
    new Program("npx", ["tsx", "server.ts"], consumer.folder),
    new Program("npx", ["vite", "--host", "127.0.0.1", "--port", String(pagePort)], consumer.folder),
  ] as const;
  try {
    await programs[1].prints(/127\.0\.0\.1/);
    const open = async (): Promise<Page> => {
      const page = await (await browser.newContext()).newPage();
      page.setDefaultTimeout(0);
      await page.goto(`http://127.0.0.1:${pagePort}`);
      return page;
    };
    await programs[0].prints(/The server is ready/);
    const [one, other] = [await open(), await open()];
    const coloured = (page: Page, x: number, y: number) =>
      page.waitForFunction(
        ([x, y]) => {
          const canvas = document.querySelector("canvas") as HTMLCanvasElement;
          return canvas.getContext("2d")?.getImageData(x as number, y as number, 1, 1).data[3] === 255;
        },
        [x, y],
      );
    await coloured(one, 128, 128);
    await coloured(other, 128, 128);
    await one.locator("canvas").hover({ position: { x: 41, y: 61 } }); // with the border
    await coloured(other, 40, 60);
    await coloured(one, 40, 60);
  } finally {
    for (const program of programs) await program.stop();
  }
});

test("the program about interest prints what the page shows", () => {
  const interest = section("docs/multiplayer.md", "Interest");
  const programs = compilePrograms({ interest: joined(interest, "ts") }, "crateful/state");
  try {
    expect(programs.run("interest")).toBe(joined(interest, "text"));
  } finally {
    programs.dispose();
  }
});
