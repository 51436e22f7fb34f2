// examples/multiplayer as its readers run it: with the packed package, in a folder of its own, by its npm scripts.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { Browser, Page } from "playwright-core";
import { copyExample } from "../../examples/copy_example.js";
import { env, makeConsumer, root, tool } from "../../package/consumer.js";

/** A program that runs; what it prints can be awaited. */
export class Program {
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  #output = "";
  #printed: (() => void)[] = [];

  constructor(command: string, args: string[], cwd: string, variables: Record<string, string> = {}) {
    // It is the leader of a group, so that `stop` reaches the programs that npm has started.
    this.#process = spawn(command, args, { cwd, env: { ...env, ...variables }, detached: true });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on("data", (data) => {
        this.#output += data;
        for (const wake of this.#printed.splice(0)) wake();
      });
    this.#ended = new Promise((done) => this.#process.once("close", () => done()));
    this.#process.once("close", () => {
      for (const wake of this.#printed.splice(0)) wake();
    });
  }
  get output(): string {
    return this.#output;
  }
  /** Waits until the output contains `count` matches; returns what their first group matched. */
  async prints(pattern: RegExp, count = 1): Promise<string[]> {
    for (;;) {
      const found = [...this.#output.matchAll(new RegExp(pattern, "g"))].map(([whole, group]) => group ?? whole);
      if (found.length >= count) return found;
      if (this.#process.exitCode !== null) throw new Error(`it has ended, and printed ${this.#output}`);
      await new Promise<void>((done) => this.#printed.push(done));
    }
  }
  /** Ends it, and what it has started. */
  async stop(): Promise<void> {
    if (this.#process.exitCode === null) process.kill(-(this.#process.pid as number), "SIGTERM");
    await this.#ended;
  }
}

export interface Example {
  readonly folder: string;
  /** Runs a script of its package.json, on a free port by default. */
  start(script: "start" | "dev" | "cluster", port?: string): Program;
  dispose(): void;
}

export function makeExample(): Example {
  const consumer = makeConsumer();
  const folder = copyExample("multiplayer", consumer);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const modules = path.join(consumer.folder, "node_modules");
  for (const name of [...Object.keys({ ...dependencies, ...devDependencies }), ".bin"]) {
    if (name === "crateful") continue; // the packed one
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), path.join(modules, name));
  }
  tool("typescript/bin/tsc", [], folder);
  return {
    folder,
    start: (script, port = "0") => new Program("npm", ["run", script], folder, { PORT: port }),
    dispose: () => consumer.dispose(),
  };
}

/** A page that plays, in a context of its own. */
export class PlayingPage {
  private constructor(
    readonly page: Page,
    readonly problems: string[],
  ) {}
  static async open(browser: Browser, url: string, viewport = { width: 1280, height: 720 }): Promise<PlayingPage> {
    const page = await (await browser.newContext({ viewport })).newPage();
    page.setDefaultTimeout(0); // Jest's timeout applies
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(url);
    const opened = new PlayingPage(page, problems);
    await opened.plays();
    return opened;
  }
  /** Waits until its player is there, in another session than `not`. */
  plays(not = 0): Promise<unknown> {
    return this.page.waitForFunction((not) => globalThis.yard?.number > not && globalThis.yard.session.me > 0, not);
  }
  /** Holds a key until the page has received `updates` more of the server. */
  async hold(key: string, updates: number): Promise<void> {
    const from = await this.page.evaluate(() => globalThis.yard.session.replica.frame);
    await this.page.keyboard.down(key);
    await this.page.waitForFunction((frame) => globalThis.yard.session.replica.frame >= frame, from + updates);
    await this.page.keyboard.up(key);
  }
  /** The numbers and places of what it shows. */
  world(): Promise<string> {
    return this.page.evaluate(() => globalThis.yard.world());
  }
  get corrections(): Promise<number> {
    return this.page.evaluate(() => globalThis.yard.session.corrections);
  }
}

/** Waits until all pages show the same, and something, and returns it. */
export async function sameWorld(...pages: PlayingPage[]): Promise<string> {
  for (;;) {
    const [first, ...others] = await Promise.all(pages.map((page) => page.world()));
    if (first && others.every((world) => world === first)) return first;
  }
}

declare global {
  var yard: {
    number: number;
    session: { me: number; corrections: number; replica: { frame: number } };
    world(): string;
  };
}
