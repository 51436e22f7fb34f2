// The two builds of the package (rule B1): bundlers choose one, and the checks of one are not in the other.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { build as bundle } from "esbuild";
import { makeConsumer, root, run, type Consumer } from "./consumer.js";

const dist = (name: string) => readFileSync(path.join(root, "dist", name), "utf8");
const checks = readdirSync(path.join(root, "web/src/development")).map((name) =>
  readFileSync(path.join(root, "web/src/development", name), "utf8"),
);
/** What the checks say: the strings of at least 20 characters in their sources, up to the first value. */
const messages = checks.flatMap((source) =>
  [...source.matchAll(/["`]([^"`$\n]{20,})["`$]/g)]
    .map(([, text]) => text!)
    .filter((text) => !/\/|&&|\|\||^crateful:/.test(text)),
);

let consumer: Consumer;
beforeAll(() => {
  consumer = makeConsumer();
  consumer.write("main.js", 'import { ECS, init } from "crateful"; await init(); console.log(new ECS().count);');
});
afterAll(() => consumer?.dispose());

test("B1 the production build contains none of the checks", () => {
  expect(messages.length).toBeGreaterThan(5);
  const contained = (code: string) => messages.filter((message) => code.includes(message));
  for (const names of [["development/crateful", "development/state"], ["cjs/development/api"]])
    expect(contained(names.map((name) => dist(`${name}.js`)).join("\n"))).toEqual(messages);
  for (const name of ["crateful", "browser", "inline", "state", "state_inline", "cjs/api"])
    expect(contained(dist(`${name}.js`))).toEqual([]);
});

/** Which builds of the package are in a bundle of the program. */
async function bundled(conditions: string[]): Promise<string[]> {
  const { metafile } = await bundle({
    entryPoints: [path.join(consumer.folder, "main.js")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    metafile: true,
    conditions,
  });
  const shared = Object.keys(metafile.inputs).filter((file) => file.endsWith("crateful.js"));
  return shared.map((file) => file.slice(file.indexOf("dist/")));
}

test("B1 bundlers use the development build only with its condition", async () => {
  expect(await bundled([])).toEqual(["dist/crateful.js"]);
  expect(await bundled(["production"])).toEqual(["dist/crateful.js"]);
  expect(await bundled(["development"])).toEqual(["dist/development/crateful.js"]);
});

test("B1 both builds, or import and require, in one program share nothing, and say so", () => {
  consumer.write(
    "both.js",
    `import { createRequire } from "node:module";
    const load = (name) => import("./node_modules/crateful/dist/" + name);
    const [one, two] = [await load("inline.js"), await load("development/inline.js")];
    const three = createRequire(import.meta.url)("crateful"); // the same build, but another copy
    const code = (call) => {
      try {
        return call();
      } catch (error) {
        return error.code;
      }
    };
    await one.init();
    console.log(code(() => new two.ECS()));
    await two.init();
    await three.init();
    const [a, b] = [new one.ECS(), new two.ECS()];
    class Position extends one.defineComponent("Position", { x: "f32" }) {}
    a.addEntity(Position);
    const c = new three.ECS();
    console.log(a.count, b.count, code(() => b.addEntity(Position)), code(() => c.addEntity(Position)), [...a.query({ p: Position })][0].p.x);`,
  );
  expect(run(process.execPath, ["both.js"], consumer.folder)).toBe(
    "NOT_INITIALISED\n1 0 BAD_ARGUMENT BAD_ARGUMENT 0\n",
  );
});
