// The package as npm users install it: the files of the tarball, its metadata, and a program that runs.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { compileTypeScript, makeConsumer, program, programOutput, root, run, tool, type Consumer } from "./consumer.js";

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

/** Compiles the project's main.ts; throws an error with the messages of the compiler. */
function compile(options: object): void {
  consumer.write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: ["main.ts"] }),
  );
  compileTypeScript(consumer.folder);
}

describe("the tarball", () => {
  test("contains dist, the C++ sources and how to build them, the licence and the readme, and nothing else", () => {
    const sources = /^(core|bindings)\/(CMakeLists\.txt|(include|src)\/.+\.[hc]pp)$|^bindings\/src\/host\.js$/;
    const others =
      /^(dist\/.+|CMakeLists\.txt|core\/debug\/crateful(_gdb\.py|\.natvis)|port\/crateful\.py|LICENSE|README\.md|package\.json)$/;
    expect(consumer.files.filter((file) => !sources.test(file) && !others.test(file))).toEqual([]);
    expect(consumer.files).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "package.json",
        "dist/index.d.ts",
        "dist/browser.js",
        "dist/inline.js",
        "dist/crateful.wasm",
      ]),
    );
  });

  test("has few scripts, because each file takes time to load", () => {
    const scripts = consumer.files.filter((file) => /^dist.*\.js$/.test(file));
    const inFolder = (folder: string, names: string[]) => names.map((name) => `dist/${folder}${name}.js`);
    const expected = [
      ...inFolder("", [
        "binary",
        "browser",
        "colyseus",
        "crateful",
        "glue",
        "inline",
        "inspector",
        "module",
        "react",
        "state",
        "state_binary",
        "state_glue",
        "state_inline",
        "state_workerd",
        "three",
        "workerd",
      ]),
      ...inFolder("development/", [
        "binary",
        "glue",
        "colyseus",
        "crateful",
        "inline",
        "inspector",
        "module",
        "react",
        "state",
        "three",
      ]),
      ...inFolder("cjs/", [
        "adapters/colyseus",
        "adapters/react",
        "adapters/three",
        "api",
        "binary",
        "glue",
        "inspector",
        "state",
        "state_binary",
        "state_glue",
      ]),
      ...inFolder("cjs/development/", [
        "binary",
        "glue",
        "adapters/colyseus",
        "adapters/react",
        "adapters/three",
        "api",
        "inspector",
        "state",
      ]),
    ];
    expect(scripts.sort()).toEqual(expected.sort());
  });

  test("B1 has each binary once, for both builds, and no declarations of the checks", () => {
    expect(consumer.files.filter((file) => file.endsWith(".wasm"))).toEqual([
      "dist/crateful_state.wasm",
      "dist/crateful.wasm",
    ]);
    expect(consumer.files.filter((file) => /^dist\/development\/.*\.ts$/.test(file))).toEqual([]);
  });

  test("has no dependencies, and the libraries of its adapters are not installed with it", () => {
    const installed = readdirSync(path.join(consumer.folder, "node_modules")).filter((name) => !name.startsWith("."));
    expect(installed).toEqual(["crateful"]);
  });

  test("passes publint", () => {
    expect(tool("publint/src/cli.js", ["run", consumer.tarball, "--strict"], root)).toContain("All good!");
  });

  test("has types for each kind of module resolution", () => {
    const options = ["--no-color", "--no-emoji"];
    tool("@arethetypeswrong/cli/dist/index.js", [consumer.tarball, ...options], root); // fails if there are problems
  });
});

/** A program that prints for each entry which build it is. */
const WHICH = `
  for (const { init, ECS, defineComponent } of [await import("crateful"), await import("crateful/inline")]) {
    await init();
    const ecs = new ECS();
    class Position extends defineComponent("Position", { x: "f32" }) {}
    ecs.addEntity(Position);
    const [row] = [...ecs.query({ position: Position })];
    try {
      row.position.x += 1;
      console.log("production");
    } catch {
      console.log("development");
    }
  }
`;

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

  test("shares its classes and its module with the single-file entry", () => {
    consumer.write(
      "both.js",
      `import { ECS, init } from "crateful"; import * as inline from "crateful/inline";
      await init(); console.log(new inline.ECS() instanceof ECS);`,
    );
    expect(run(process.execPath, ["both.js"], consumer.folder)).toBe("true\n");
  });

  test("B1 uses the development build with Node's condition, which includes the single-file entry", () => {
    consumer.write("which.js", WHICH);
    const conditions = ["--conditions=development"];
    expect(run(process.execPath, ["which.js"], consumer.folder)).toBe("production\n".repeat(2));
    expect(run(process.execPath, [...conditions, "which.js"], consumer.folder)).toBe("development\n".repeat(2));
    expect(run(process.execPath, [...conditions, path.join("out", "main.js")], consumer.folder)).toBe(programOutput);
  });

  test("can be imported from CommonJS with import()", () => {
    consumer.write(
      "main.cjs",
      'import("crateful").then(async ({ init, ECS }) => { await init(); console.log(new ECS().count); });',
    );
    expect(run(process.execPath, ["main.cjs"], consumer.folder)).toBe("0\n");
  });

  test("can import the entry of the binary with types, for a bundler or a runtime that loads it", () => {
    consumer.write(
      "main.ts",
      'import { init } from "crateful"; import wasm from "crateful/crateful.wasm"; await init({ wasm });',
    );
    compile({ module: "NodeNext", noEmit: true });
    compile({ module: "ESNext", moduleResolution: "bundler", noEmit: true });
  });

  test.each(["crateful", "crateful_state"])("can resolve the entry of the binary %s", (name) => {
    consumer.write("where.js", `console.log(import.meta.resolve("crateful/${name}.wasm"));`);
    expect(run(process.execPath, ["where.js"], consumer.folder).endsWith(`/dist/${name}.wasm\n`)).toBe(true);
  });

  test.each(["crateful/state", "crateful/state/inline"])(
    "N1 can save and restore with %s, imported or required",
    (entry) => {
      const names = "{ ECS, init, restore, snapshot }";
      const program = `const ecs = new ECS(); ecs.addEntity(); const bytes = snapshot(ecs); ecs.clear();
      restore(ecs, bytes); console.log(ecs.count, ECS === require_or_import.ECS);`;
      consumer.write(
        "state.mjs",
        `import ${names} from "${entry}"; import * as require_or_import from "crateful"; await init(); ${program}`,
      );
      consumer.write(
        "state.cjs",
        `const ${names} = require("${entry}"); const require_or_import = require("crateful"); init().then(() => { ${program} });`,
      );
      for (const conditions of [[], ["--conditions=development"]]) {
        for (const file of ["state.mjs", "state.cjs"])
          expect(run(process.execPath, [...conditions, file], consumer.folder)).toBe("1 true\n");
      }
    },
  );
  test.each(["crateful", "crateful/state"])("%s exports the same names, imported or required", (entry) => {
    consumer.write(
      "names.mjs",
      `import * as imported from "${entry}"; import { createRequire } from "node:module";
      const required = createRequire(import.meta.url)("${entry}");
      console.log(Object.keys(imported).filter((name) => !(name in required)).join());`,
    );
    for (const conditions of [[], ["--conditions=development"]])
      expect(run(process.execPath, [...conditions, "names.mjs"], consumer.folder)).toBe("\n");
  });
});
