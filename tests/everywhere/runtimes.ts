// Runtimes, test runners and compilers.
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { quietFlags } from "../../scripts/chromium.mjs";
import { root } from "../package/consumer.js";
import { STRICT } from "../package/snippets.js";
import { startServer } from "../pages/server.js";
import type { Environment } from "./environment.js";
import { binary, example, exampleModule, MODULES, printed, script, type Entry, type Project } from "./project.js";

const lines = (output: string) => output.trimEnd().split("\n");
/** Not the version that runs this test, which differs between machines. */
const node = "Node 20 or newer";

/** A program of CommonJS. */
const requiring = (program: string) => program.replace(/import (\{.*\}) from (.*);/, "const $1 = require($2);");

/** The example as a test, which compares what it prints. */
const asTest = (entry: Entry) => `import * as crateful from "${entry}";
  const lines: unknown[] = [];
  const console = { log: (line: unknown) => lines.push(line) };
  ${example(entry).replace(/^init\(\)/m, "const done = init()")}
  test("the example prints its lines", async () => {
    await done;
    expect(lines).toEqual(${JSON.stringify(printed)});
  });
  test("a text crosses into memory and back", () => {
    class Name extends crateful.defineComponent("Name", { text: "string" }) {}
    const ecs = new crateful.ECS();
    expect(ecs.get(ecs.addEntity([Name, { text: "\u{1F680}" }]), Name).text).toBe("\u{1F680}");
  });`;

/** A CommonJS project, as older ones are, or one of ES modules. */
function writeKind(project: Project, type: "commonjs" | "module"): void {
  project.write("package.json", JSON.stringify({ name: "project", private: true, type }));
}

const compilerOptions = { ...STRICT, target: "ES2022", lib: ["ES2023", "DOM"], types: [], outDir: "out" };

function typescript(name: string, type: "commonjs" | "module", options: object): Environment {
  return {
    name: `TypeScript, ${name}`,
    version: "typescript",
    run(project, entry) {
      writeKind(project, type);
      project.write("main.ts", example(entry));
      project.write(
        "tsconfig.json",
        JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: ["main.ts"] }),
      );
      project.run("tsc");
      return lines(project.run("node", "out/main.js"));
    },
  };
}

function jest(type: "commonjs" | "module", testEnvironment: string): Environment {
  const esm = type === "module";
  return {
    name: `Jest, ${esm ? "ES modules" : "CommonJS"}, ${testEnvironment}`,
    version: "jest",
    run(project, entry) {
      writeKind(project, type);
      project.write("main.test.ts", asTest(entry));
      const tsconfig = { ...compilerOptions, module: esm ? "ESNext" : "CommonJS", esModuleInterop: true };
      project.write(
        "jest.config.json",
        JSON.stringify({
          testEnvironment,
          extensionsToTreatAsEsm: esm ? [".ts"] : [],
          transform: { "\\.ts$": ["ts-jest", { useESM: esm, diagnostics: false, tsconfig }] },
        }),
      );
      const flags = esm ? ["--experimental-vm-modules"] : [];
      project.run("node", ...flags, path.join(root, "build/everywhere/node_modules/jest/bin/jest.js"));
      return printed; // the test compares them
    },
  };
}

/** Vitest with options of its command, and perhaps a configuration; from where the plugins of the configuration are. */
const vitest = (name: string, options: string[], configuration = "", from = "."): Environment => ({
  name: `Vitest, ${name}`,
  version: "vitest",
  run(project, entry) {
    project.write("main.test.ts", `import { expect, test } from "vitest";\n${asTest(entry)}`);
    project.write("vitest.config.mjs", configuration || "export default {};");
    project.run("node", path.join(root, from, "node_modules/vitest/vitest.mjs"), "run", ...options);
    return printed; // the test compares them
  },
});

/** Vitest's browser mode, in the Chromium of the tests. */
const BROWSER_MODE = `import { playwright } from "@vitest/browser-playwright";
  const launchOptions = { executablePath: process.env.CHROMIUM_PATH, args: ${JSON.stringify(quietFlags)} };
  export default {
    test: {
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions }),
        instances: [{ browser: "chromium" }],
      },
    },
  };`;

export const runtimes: Environment[] = [
  {
    name: "Node, `import`",
    version: node,
    run(project, entry) {
      project.write("main.mjs", script(example(entry)));
      return lines(project.run("node", "--disallow-code-generation-from-strings", "main.mjs"));
    },
  },
  {
    name: "Node, `require`",
    version: node,
    run(project, entry) {
      project.write("main.cjs", requiring(script(example(entry))));
      return lines(project.run("node", "main.cjs"));
    },
  },
  {
    name: "Node with Yarn's Plug'n'Play, `import` and `require`",
    version: "@yarnpkg/cli-dist",
    run(project, entry) {
      const dependencies = { crateful: `file:${project.tarball}` };
      project.write("package.json", JSON.stringify({ name: "project", private: true, dependencies }));
      project.write(
        ".yarnrc.yml",
        "enableGlobalCache: false\nenableImmutableInstalls: false\nenableNetwork: false\nenableTelemetry: false\n",
      );
      project.write("yarn.lock", ""); // so that the folder is a project of its own
      project.run("yarn", "install");
      const program = script(example(entry));
      const plain = "if (!process.versions.pnp) throw new Error(\"this is not Plug'n'Play\");\n";
      project.write("main.mjs", program + plain);
      project.write("main.cjs", requiring(program) + plain);
      const output = project.run("yarn", "node", "main.mjs");
      assert.equal(project.run("yarn", "node", "main.cjs"), output);
      return lines(output);
    },
  },
  {
    name: "tsup, for Node, with the package in the bundle",
    version: "tsup",
    run(project, entry) {
      project.write("package.json", MODULES);
      project.write("main.ts", example(entry));
      project.run("tsup", "main.ts", "--format", "esm,cjs");
      const output = project.run("node", "dist/main.js");
      assert.equal(project.run("node", "dist/main.cjs"), output);
      return lines(output);
    },
  },
  {
    name: "Bun",
    version: "bun",
    run(project, entry) {
      project.write("main.ts", example(entry));
      return lines(project.run("bun", "main.ts"));
    },
  },
  {
    name: "Bun, a program in one file (`--compile`)",
    version: "bun",
    run(project, entry) {
      project.write("main.ts", example(entry));
      project.run("bun", "build", "main.ts", "--compile", "--outfile", "program");
      return lines(project.run("./program"));
    },
  },
  {
    name: "Deno, without permissions, and `deno check`",
    version: "deno",
    run(project, entry) {
      project.write("main.ts", example(entry));
      project.run("deno", "check", "--node-modules-dir=manual", "main.ts");
      return lines(project.run("deno", "run", "--no-prompt", "--node-modules-dir=manual", "main.ts"));
    },
  },
  {
    name: "Cloudflare Workers (workerd)",
    version: "workerd",
    entries: ["crateful"], // `crateful/inline` is not possible: they compile no WebAssembly at run time
    async run(project, entry) {
      project.write("example.js", exampleModule(entry));
      project.write(
        "main.js",
        `import { run } from "./example.js";
        export default {
          async fetch() {
            const lines = [];
            await run((line) => lines.push(line));
            return new Response(lines.join("\\n"));
          },
        };`,
      );
      // As Cloudflare's Wrangler, which needs a newer Node.
      project.run(
        "esbuild",
        ...["main.js", "--bundle", "--format=esm", "--outfile=worker.js", "--external:*.wasm"],
        "--conditions=workerd,worker,browser",
      );
      const file = entry === "crateful" ? "crateful.wasm" : "crateful_state.wasm";
      copyFileSync(path.join(project.folder, "../node_modules/crateful/dist", file), path.join(project.folder, file));
      const config = project.write(
        "config.capnp",
        `using Workerd = import "/workerd/workerd.capnp";
        const config :Workerd.Config = (
          services = [(name = "main", worker = (
            modules = [
              (name = "worker.js", esModule = embed "worker.js"),
              (name = "./${file}", wasm = embed "${file}"),
            ],
            compatibilityDate = "2026-01-01",
          ))],
          sockets = [(name = "http", http = (), service = "main")],
        );`,
      );
      const args = ["serve", config, "--socket-addr=http=127.0.0.1:0", "--control-fd=1"];
      const served = await startServer(binary("workerd"), args, project.folder, /(?<="port":)\d+/);
      try {
        return lines(await (await fetch(`http://127.0.0.1:${served.url}/`)).text());
      } finally {
        await served.close();
      }
    },
  },
  vitest("node", ["--environment", "node"]),
  vitest("jsdom", ["--environment", "jsdom"]),
  vitest("browser mode", [], BROWSER_MODE, "build/everywhere"),
  jest("module", "node"),
  jest("module", "jsdom"),
  jest("commonjs", "node"),
  jest("commonjs", "jsdom"),
  typescript("`nodenext`", "module", { module: "NodeNext" }),
  typescript("`bundler`", "module", { module: "ESNext", moduleResolution: "bundler" }),
  typescript("CommonJS, `node16`", "commonjs", { module: "Node16", verbatimModuleSyntax: false }),
  typescript("CommonJS, `node10`", "commonjs", {
    module: "CommonJS",
    moduleResolution: "node10",
    ignoreDeprecations: "6.0",
    verbatimModuleSyntax: false,
  }),
];
