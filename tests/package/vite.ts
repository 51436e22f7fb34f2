// A user's project with Vite, as `npm create vite` makes it from its template vanilla-ts, and its page in Chromium.
import { spawn } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Page } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder, type Served } from "../browser/serve.js";
import { env, makeConsumer, root, tool, type Consumer } from "./consumer.js";

export interface Opened {
  page: Page;
  /** The lines on the console, but not Vite's own. */
  lines: string[];
  /** Resolves when all lines that were printed before are in `lines`. */
  flush(): Promise<void>;
}

export interface ViteProject {
  consumer: Consumer;
  /** Builds the project as its `npm run build` does, and serves the result. Warnings of Vite are errors. */
  build(): Promise<Served>;
  /** Serves the project as its `npm run dev` does. */
  serveForDevelopment(): Promise<Served>;
  /** Opens a page, and waits until its program, which must be `ending`, has run. */
  open(url: string, before?: (page: Page) => Promise<unknown>): Promise<Opened>;
  dispose(): Promise<void>;
}

const END = "end";
/** A program that says when it has run. */
export const ending = (program: string) => `${program}console.log("${END}");\n`;

/** Makes a project into which the packed package is installed. */
export async function makeViteProject(): Promise<ViteProject> {
  const consumer = makeConsumer();
  const { folder } = consumer;
  const template = path.join(root, "node_modules/create-vite/template-vanilla-ts");
  cpSync(template, folder, {
    recursive: true,
    filter: (file) => path.basename(file) !== "package.json", // the consumer's lists the package
  });
  for (const name of ["vite", "typescript"])
    symlinkSync(path.join(root, "node_modules", name), path.join(folder, "node_modules", name));
  const browser = await connectToChromium();

  async function serveForDevelopment(): Promise<Served> {
    const vite = path.join(root, "node_modules/vite/bin/vite.js");
    const server = spawn(process.execPath, [vite, "--host", "127.0.0.1", "--port", "0", "--clearScreen", "false"], {
      cwd: folder,
      env: { ...env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise<void>((resolve) => {
      server.once("exit", () => resolve());
    });
    const close = () => {
      server.kill();
      return ended;
    };
    for await (const line of createInterface(server.stdout)) {
      const url = /http:\S+/.exec(line)?.[0];
      if (url === undefined) continue;
      server.stdout.resume(); // discards further output, because a full pipe would block the server
      return { url, close };
    }
    throw new Error("vite ended without serving the project");
  }

  async function open(url: string, before?: (page: Page) => Promise<unknown>): Promise<Opened> {
    const page = await browser.newPage();
    page.setDefaultTimeout(0); // Jest's timeout applies
    const lines: string[] = [];
    const failed = new Promise<never>((_, reject) => {
      page.on("pageerror", reject);
    });
    failed.catch(() => {}); // `untilEnd` reports it
    let reached = () => {};
    page.on("console", (message) => {
      if (message.text() === END) reached();
      else if (!message.text().startsWith("[vite]")) lines.push(message.text());
    });
    const untilEnd = async (action: () => Promise<unknown>) => {
      const end = new Promise<void>((resolve) => {
        reached = resolve;
      });
      await action();
      await Promise.race([end, failed]);
    };
    await before?.(page);
    await untilEnd(() => page.goto(url));
    return { page, lines, flush: () => untilEnd(() => page.evaluate((text) => console.log(text), END)) };
  }

  return {
    consumer,
    build() {
      tool("typescript/bin/tsc", [], folder);
      const printed = tool("vite/bin/vite.js", ["build", "--logLevel", "warn"], folder);
      if (printed !== "") throw new Error(`vite build warns: ${printed}`);
      return serveFolder(path.join(folder, "dist"));
    },
    serveForDevelopment,
    open,
    async dispose() {
      await browser.close();
      consumer.dispose();
    },
  };
}
