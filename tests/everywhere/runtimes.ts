// Runtimes, test runners and compilers.
import { copyFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { root } from "../package/consumer.js";
import { STRICT } from "../package/snippets.js";
import { startServer } from "../package/server.js";
import type { Environment } from "./environment.js";
import { binary, example, printed, script, type Entry, type Project } from "./project.js";

const lines = (output: string) => output.trimEnd().split("\n");
const node = `Node ${process.versions.node.split(".")[0]}`;

/** The example as a test, which compares what it prints. */
const asTest = (entry: Entry) => `const lines: unknown[] = [];
  const console = { log: (line: unknown) => lines.push(line) };
  ${example(entry).replace(/^init\(\)/m, "const done = init()")}
  test("the example prints its lines", async () => {
    await done;
    expect(lines).toEqual(${JSON.stringify(printed)});
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

const vitest = (environment: string): Environment => ({
  name: `Vitest, ${environment}`,
  version: "vitest",
  run(project, entry) {
    project.write("main.test.ts", `import { expect, test } from "vitest";\n${asTest(entry)}`);
    const command = path.join(root, "node_modules/vitest/vitest.mjs");
    project.run("node", command, "run", "--environment", environment);
    return printed; // the test compares them
  },
});

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
      const program = script(example(entry)).replace(/import (\{.*\}) from (.*);/, "const $1 = require($2);");
      project.write("main.cjs", program);
      return lines(project.run("node", "main.cjs"));
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
      const program = script(example(entry))
        .replaceAll("console.log(", "lines.push(")
        .replace(/^init\(\)/m, "await init()");
      const [start] = /^await init[\s\S]*/m.exec(program)!;
      project.write(
        "main.js",
        `${program.replace(start, "")}
        const lines = [];
        export default {
          async fetch() {
            ${start}
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
      copyFileSync(
        path.join(project.folder, "../node_modules/crateful/dist/crateful.wasm"),
        path.join(project.folder, "crateful.wasm"),
      );
      const config = project.write(
        "config.capnp",
        `using Workerd = import "/workerd/workerd.capnp";
        const config :Workerd.Config = (
          services = [(name = "main", worker = (
            modules = [
              (name = "worker.js", esModule = embed "worker.js"),
              (name = "./crateful.wasm", wasm = embed "crateful.wasm"),
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
  vitest("node"),
  vitest("jsdom"),
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
