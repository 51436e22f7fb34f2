// The installed package in browser bundles: no modules of Node, and nothing that a strict Content-Security-Policy
// blocks.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { makeConsumer, program, root, run, tool, type Consumer } from "./consumer.js";

let consumer: Consumer;
beforeAll(() => {
  consumer = makeConsumer();
});
afterAll(() => consumer?.dispose());

const read = (...parts: string[]) => readFileSync(path.join(consumer.folder, ...parts), "utf8");

/** Static and dynamic imports of Node's modules, also in minified code. */
const nodeImports = (code: string) => code.match(/["'`]node:\w+["'`]|\brequire\(\s*["'`]\w+["'`]\s*\)/g) ?? [];

/** Code that is created from strings. */
const dynamicCode = (code: string) => code.match(/\bnew\s+Function\b|\bFunction\s*\(|(?<![.\w])eval\s*\(/g) ?? [];

describe.each([
  ["crateful", "crateful.wasm"],
  ["crateful/inline", undefined],
  ["crateful/state", "crateful_state.wasm"],
  ["crateful/state/inline", undefined],
])("%s bundled for browsers", (entry, binary) => {
  const name = entry.replaceAll("/", "-");

  test("by esbuild imports no modules of Node", () => {
    consumer.write(`${name}.ts`, program(entry));
    run(
      path.join(root, "node_modules/.bin/esbuild"),
      [
        `${name}.ts`,
        "--bundle",
        "--format=esm",
        "--platform=browser",
        `--outfile=esbuild/${name}.js`,
        `--metafile=esbuild/${name}.json`,
        "--loader:.wasm=file",
      ],
      consumer.folder,
    );
    const { inputs } = JSON.parse(read("esbuild", `${name}.json`)) as { inputs: Record<string, unknown> };
    expect(Object.keys(inputs).filter((file) => /\bnode\.m?js$/.test(file))).toEqual([]);
    expect(nodeImports(read("esbuild", `${name}.js`))).toEqual([]);
    // The README says where the binary has to be.
    expect(readdirSync(path.join(consumer.folder, "esbuild")).filter((file) => file.endsWith(".wasm"))).toEqual([]);
    const addresses = read("esbuild", `${name}.js`).match(/(?<=new URL\(")[^"]*(?=", import\.meta\.url\))/g);
    expect(addresses).toEqual(binary === undefined ? null : [binary]);
  });

  test("by Vite imports no modules of Node, and emits the binary as a file", () => {
    consumer.write(`vite-${name}/index.html`, '<!doctype html><script type="module" src="./main.ts"></script>');
    consumer.write(`vite-${name}/main.ts`, program(entry));
    tool(
      "vite/bin/vite.js",
      ["build", `vite-${name}`, "--target", "es2022", "--assetsInlineLimit", "0", "--logLevel", "warn"],
      consumer.folder,
    );
    const assets = readdirSync(path.join(consumer.folder, `vite-${name}/dist/assets`));
    const scripts = assets.filter((file) => file.endsWith(".js")).map((file) => read(`vite-${name}/dist/assets`, file));
    expect(scripts).not.toEqual([]);
    expect(scripts.flatMap(nodeImports)).toEqual([]);
    const binaries = assets.filter((file) => file.endsWith(".wasm")).map((file) => file.replace(/-.*(?=\.wasm)/, ""));
    expect(binaries).toEqual(binary === undefined ? [] : [binary]);
  });
});

test("no file of the package creates code from strings", () => {
  const dist = path.join(consumer.folder, "node_modules/crateful/dist");
  const scripts = readdirSync(dist, { recursive: true })
    .map(String)
    .filter((file) => /\.m?js$/.test(file));
  expect(scripts).toContain("crateful.js");
  const found = scripts.map((file) => [file, dynamicCode(readFileSync(path.join(dist, file), "utf8"))] as const);
  expect(found.filter(([, matches]) => matches.length > 0)).toEqual([]);
});

test("the Node entry works when code generation from strings is disabled", () => {
  consumer.write("strict.js", 'import { init, ECS } from "crateful"; await init(); console.log(new ECS().count);');
  expect(run(process.execPath, ["--disallow-code-generation-from-strings", "strict.js"], consumer.folder)).toBe("0\n");
});
