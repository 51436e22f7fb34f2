// Runs once before the tests of all browsers: bundles what runs in pages, and starts a display.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { buildPage } from "../../scripts/page.mjs";
import { fromRoot } from "../../scripts/process.mjs";

/** What the tests import, and what replaces it in a page. */
const replaced = {
  "@jest/globals": "globals.ts",
  "node:assert/strict": "node.ts",
  "node:url": "node.ts",
  "node:util": "node.ts",
  "./fresh.js": "fresh.ts",
};

const replacements = {
  name: "replacements",
  setup({ onResolve }) {
    onResolve({ filter: /^crateful$/ }, () => ({ path: "/dist/browser.js", external: true }));
    onResolve({ filter: /^crateful\/state$/ }, () => ({ path: "/dist/state.js", external: true }));
    onResolve({ filter: /^crateful\/inspector$/ }, () => ({ path: "/dist/inspector.js", external: true }));
    // Bundled with three.js; what it shares with the other entries is not.
    onResolve({ filter: /^crateful\/three$/ }, () => ({ path: fromRoot("dist/three.js") }));
    onResolve({ filter: /^\.\/crateful\.js$/ }, () => ({ path: "/dist/crateful.js", external: true }));
    onResolve({ filter: /^(@jest\/globals|node:.*|\.\/fresh\.js)$/ }, ({ path: name }) =>
      name in replaced ? { path: fromRoot("tests/engines/page", replaced[name]) } : undefined,
    );
  },
};

/** The tests of tests/bindings and their runner, in folders as in the repository. */
const bundleTests = (outdir) =>
  build({
    entryPoints: [
      fromRoot("tests/engines/page/run.ts"),
      ...readdirSync(fromRoot("tests/bindings"))
        .filter((name) => name.endsWith(".test.ts"))
        .map((name) => fromRoot("tests/bindings", name)),
    ],
    outbase: fromRoot(),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    plugins: [replacements],
    logLevel: "warning",
  });

/** An X server without a screen, which Firefox and WebKit need for WebGL. */
async function startDisplay() {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const ended = new Promise((resolve) => {
    server.once("exit", resolve);
  });
  for await (const number of createInterface(server.stdio[3])) {
    return {
      name: `:${number}`,
      close() {
        server.kill();
        return ended;
      },
    };
  }
  throw new Error("Xvfb ended before it had started");
}

export default async function setUp() {
  const folder = await mkdtemp(path.join(tmpdir(), "crateful-engines-"));
  await Promise.all([bundleTests(folder), buildPage(path.join(folder, "demo"))]);
  const display = await startDisplay(); // last: if a bundle fails, nothing would close it
  process.env.ENGINES_FOLDER = folder;
  process.env.DISPLAY = display.name;
  globalThis.closeEngines = async () => {
    await display.close();
    await rm(folder, { recursive: true, force: true });
  };
}
