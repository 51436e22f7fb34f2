// What npm users get: the tarball's contents, its metadata, and a program that runs.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import path from "node:path";
import process from "node:process";
import { makeConsumer, program, programOutput, root, run, tool, type Consumer } from "./consumer.js";

let consumer: Consumer;
beforeAll(() => {
  consumer = makeConsumer();
});
afterAll(() => consumer?.dispose());

const compilerOptions = {
  strict: true,
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "ESNext.Disposable"],
  types: [],
  skipLibCheck: false,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  rootDir: ".",
  outDir: "out",
};

/** Compiles the stranger's main.ts; throws with the compiler's complaints. */
function compile(options: object): void {
  consumer.write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: ["main.ts"] }),
  );
  tool("typescript/bin/tsc", ["-p", "."], consumer.folder);
}

describe("the tarball", () => {
  test("holds dist, the licence, the readme and package.json, and nothing else", () => {
    const strangers = consumer.files.filter((file) => !/^(dist\/.+|LICENSE|README\.md|package\.json)$/.test(file));
    expect(strangers).toEqual([]);
    expect(consumer.files).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "package.json",
        "dist/index.d.ts",
        "dist/node.js",
        "dist/browser.js",
        "dist/inline.js",
        "dist/crateful.wasm",
      ]),
    );
  });

  test("installs without anything else", () => {
    const tree = JSON.parse(run("npm", ["ls", "--all", "--json"], consumer.folder)) as {
      dependencies: Record<string, { dependencies?: object }>;
    };
    expect(Object.keys(tree.dependencies)).toEqual(["crateful"]);
    expect(tree.dependencies["crateful"]?.dependencies).toBeUndefined();
  });

  test("has no complaint from publint", () => {
    expect(tool("publint/src/cli.js", ["run", consumer.tarball, "--strict"], root)).toContain("All good!");
  });

  test("has the types that each kind of resolution finds", () => {
    // CommonJS can only import() an ES module, which is what this package is; the binary has no types.
    const options = ["--profile", "esm-only", "--exclude-entrypoints", "./crateful.wasm", "--no-color", "--no-emoji"];
    expect(() => tool("@arethetypeswrong/cli/dist/index.js", [consumer.tarball, ...options], root)).not.toThrow();
  });
});

describe("a ten-line program", () => {
  test("compiles and runs under Node", () => {
    consumer.write("main.ts", program());
    compile({ module: "NodeNext" });
    expect(run(process.execPath, [path.join("out", "main.js")], consumer.folder)).toBe(programOutput);
  });

  test("compiles with a bundler's resolution", () => {
    consumer.write("main.ts", program());
    compile({ module: "ESNext", moduleResolution: "bundler", noEmit: true });
  });

  test("compiles and runs with the single-file entry", () => {
    consumer.write("main.ts", program("crateful/inline"));
    compile({ module: "NodeNext" });
    expect(run(process.execPath, [path.join("out", "main.js")], consumer.folder)).toBe(programOutput);
  });

  test("can be reached from CommonJS by import()", () => {
    consumer.write(
      "main.cjs",
      'import("crateful").then(async ({ init, ECS }) => { await init(); console.log(new ECS().count); });',
    );
    expect(run(process.execPath, ["main.cjs"], consumer.folder)).toBe("0\n");
  });

  test("may find the binary by its own entry", () => {
    consumer.write("where.js", 'console.log(import.meta.resolve("crateful/crateful.wasm"));');
    expect(run(process.execPath, ["where.js"], consumer.folder)).toMatch(/\/dist\/crateful\.wasm\n$/);
  });
});
