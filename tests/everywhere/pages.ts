// Tools that make pages, which are opened in Chromium.
import { copyFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { serveFolder } from "../browser/serve.js";
import { root } from "../package/consumer.js";
import { ending, openPage } from "../pages/page.js";
import { startServer, type Served } from "../pages/server.js";
import { STRICT } from "../package/snippets.js";
import type { Environment } from "./environment.js";
import { frameworks } from "./frameworks.js";
import { example, MODULES, script, type Entry, type Project } from "./project.js";

const html = (file: string, head = "", type = 'type="module" ') =>
  `<!doctype html>${head}<link rel="icon" href="data:,"><script ${type}src="${file}"></script>`;

/** What the program prints in the page that `served` shows. */
async function linesOf(browser: Browser, serving: Promise<Served>, at = ""): Promise<string[]> {
  const served = await serving;
  try {
    const { page, lines } = await openPage(browser, served.url + at);
    await page.close();
    return lines;
  } finally {
    await served.close();
  }
}

/** The program with `await init()` instead of `init().then(…)`. */
const awaiting = (program: string) =>
  program.replace(/^init\(\)\.then\(\(\) => \{/m, "await init();\n{").replace(/^\}\);$/m, "}");

/** The files of a page that runs the example, or another program, in a worker; `before` is run in the page before that. */
function writeWorker(
  project: Project,
  entry: Entry,
  file: string,
  program = script(ending(example(entry))),
  before = "",
): void {
  project.write(
    file,
    `${before}const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => console.log(data);`,
  );
  project.write(file.replace(/\w+\.js$/, "worker.js"), `console.log = (line) => postMessage(line);\n${program}`);
}

export function pages(browser: () => Browser): Environment[] {
  const open = (serving: Promise<Served>, at?: string) => linesOf(browser(), serving, at);
  const built = (project: Project, folder = "dist") => open(serveFolder(path.join(project.folder, folder)));

  const vite = (major: number): Environment[] => {
    const name = `Vite ${major}`;
    const version = major === 8 ? "vite" : `vite-${major}`;
    const folder = path.join(root, major === 8 ? "node_modules" : "build/everywhere/node_modules", version);
    const command = path.join(folder, "bin/vite.js");
    const build = (project: Project) => {
      project.run("node", command, "build", "--logLevel", "warn");
      return built(project);
    };
    const awaited: Environment = {
      name: `${name}, build with a worker, both with \`await init()\` outside of functions`,
      version,
      needs: {
        text: `${major < 7 ? '`build.target: "es2022"` and ' : ""}\`worker.format: "es"\``,
        message: /top-level await/i,
      },
      run(project, entry, fixed) {
        const options = fixed ? { ...(major < 7 && { build: { target: "es2022" } }), worker: { format: "es" } } : {};
        project.write("vite.config.mjs", `export default ${JSON.stringify(options)};`);
        project.write("index.html", html("./main.js"));
        const before = `import { init } from "${entry}";\nawait init();\n`;
        writeWorker(project, entry, "main.js", awaiting(script(ending(example(entry)))), before);
        return build(project);
      },
    };
    return [
      {
        name: `${name}, development server`,
        version,
        run(project, entry) {
          project.write("index.html", html("./main.ts"));
          project.write("main.ts", ending(example(entry)));
          return open(startServer(command, ["--host", "127.0.0.1", "--port", "0"], project.folder));
        },
      },
      {
        name: `${name}, build`,
        version,
        run(project, entry) {
          project.write("index.html", html("./main.ts"));
          project.write("main.ts", ending(example(entry)));
          return build(project);
        },
      },
      {
        name: `${name}, build with a worker`,
        version,
        run(project, entry) {
          project.write("index.html", html("./main.js"));
          writeWorker(project, entry, "main.js");
          return build(project);
        },
      },
      ...(major < 9 ? [awaited] : []),
    ];
  };

  /** webpack and Rspack have the same options. */
  const webpack = (name: string, tool: string, args: string[]): Environment[] =>
    [
      [`${name}, production`, "production", false],
      [`${name}, development`, "development", false],
      [`${name}, with a worker`, "production", true],
    ].map(([title, mode, worker]) => ({
      name: title as string,
      version: tool === "webpack" ? "webpack" : "@rspack/core",
      run(project, entry) {
        project.write("dist/index.html", html("main.js"));
        if (worker) writeWorker(project, entry, "main.js");
        else project.write("main.js", script(ending(example(entry))));
        const output = { path: path.join(project.folder, "dist") };
        const config = project.write(
          "config.mjs",
          `export default ${JSON.stringify({ mode, entry: "./main.js", output })};`,
        );
        project.run(tool, ...args, "--config", config);
        return built(project);
      },
    }));

  /** What `init` says if the bundler has not copied the file. */
  const notCopied = /crateful\.wasm can't be used: 404 Not Found; import from "crateful\/inline", or pass the address/;

  /** Bundlers that copy no files. */
  const copiesNothing = (name: string, tool: string, bundle: (project: Project) => void): Environment => ({
    name,
    version: tool,
    needs: {
      entry: "crateful",
      text: "copy `node_modules/crateful/dist/crateful.wasm` to the folder of the bundle",
      message: notCopied,
    },
    run(project, entry, fixed) {
      project.write("main.js", script(ending(example(entry))));
      project.write("dist/index.html", html("main.js"));
      bundle(project);
      const wasm = path.join(project.folder, "../node_modules/crateful/dist/crateful.wasm");
      if (fixed && entry === "crateful") copyFileSync(wasm, path.join(project.folder, "dist/crateful.wasm"));
      return built(project);
    },
  });

  /** The builder of Angular's CLI, without the CLI. */
  const angular: Environment = {
    name: "Angular",
    version: "@angular/build",
    needs: {
      entry: "crateful",
      text: '`assets: [{ glob: "crateful.wasm", input: "node_modules/crateful/dist", output: "/" }]` in `angular.json`',
      message: notCopied,
    },
    run(project, entry, fixed) {
      const assets = [{ glob: "crateful.wasm", input: "node_modules/crateful/dist", output: "/" }];
      symlinkSync("../node_modules", path.join(project.folder, "node_modules")); // assets must be inside the project
      const options = {
        ...{ browser: "main.ts", index: "index.html", tsConfig: "tsconfig.json", outputPath: "dist", progress: false },
        assets: fixed ? assets : [],
      };
      const architect = { build: { builder: "@angular/build:application", options } };
      const app = { projectType: "application", root: "", architect };
      project.write(
        "angular.json",
        JSON.stringify({ version: 1, cli: { cache: { enabled: false } }, projects: { app } }),
      );
      const compilerOptions = { ...STRICT, target: "ES2022", module: "preserve", lib: ["ES2023", "DOM"], types: [] };
      project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["main.ts"] }));
      project.write(
        "index.html",
        '<!doctype html><html><head><link rel="icon" href="data:,"></head><body></body></html>',
      );
      project.write("main.ts", ending(example(entry)));
      project.run("architect", "app:build");
      return built(project, "dist/browser");
    },
  };

  return [
    ...[8, 7, 6, 5].flatMap(vite),
    ...webpack("webpack", "webpack", ["build"]),
    ...webpack("Rspack", "rspack", ["build"]),
    ...frameworks(open),
    {
      name: "Parcel",
      version: "parcel",
      run(project, entry) {
        project.write("index.html", html("./main.ts"));
        project.write("main.ts", ending(example(entry)));
        project.run("parcel", "build", "index.html", "--no-cache", "--dist-dir", "dist");
        return built(project);
      },
    },
    copiesNothing("esbuild", "esbuild", (project) => {
      project.run("esbuild", "main.js", "--bundle", "--format=esm", "--outdir=dist");
    }),
    angular,
    copiesNothing("tsup, for pages (`--platform browser`)", "tsup", (project) => {
      project.write("package.json", MODULES); // in which the package is not a dependency, which tsup would not bundle
      project.run("tsup", "main.js", "--format", "esm", "--platform", "browser");
    }),
    copiesNothing("Rollup", "rollup", (project) => {
      project.run("rollup", "main.js", "--plugin", "@rollup/plugin-node-resolve", "--dir", "dist");
    }),
    {
      name: "Rollup with @web/rollup-plugin-import-meta-assets",
      version: "rollup",
      run(project, entry) {
        project.write("main.js", script(ending(example(entry))));
        project.write("dist/index.html", html("main.js"));
        project.write(
          "rollup.config.mjs",
          `import resolve from "@rollup/plugin-node-resolve";
          import { importMetaAssets } from "@web/rollup-plugin-import-meta-assets";
          export default { input: "main.js", plugins: [resolve(), importMetaAssets()], output: { dir: "dist" } };`,
        );
        project.run("rollup", "--config");
        return built(project);
      },
    },
    copiesNothing("Bun, as a bundler for pages (`--production`)", "bun", (project) => {
      project.run("bun", "build", "main.js", "--production", "--outdir", "dist");
    }),
    {
      name: "a script without modules (esbuild, `--format=iife`)",
      version: "esbuild",
      needs: {
        entry: "crateful",
        text: '`init({ wasm: "/crateful.wasm" })`, the address of the file',
        message: /crateful\.wasm can't be used: .*URL.*; import from "crateful\/inline", or pass the address/,
      },
      run(project, entry, fixed) {
        const program = script(ending(example(entry)));
        const address = "/node_modules/crateful/dist/crateful.wasm";
        project.write("main.js", fixed ? program.replace("init()", `init({ wasm: "${address}" })`) : program);
        project.run("esbuild", "main.js", "--bundle", "--format=iife", "--outfile=bundle.js", "--log-level=error");
        project.write("index.html", html("bundle.js", "", "defer "));
        const served = serveFolder(path.join(project.folder, ".."));
        return open(served, `${path.basename(project.folder)}/index.html`);
      },
    },
    {
      name: "an import map, without a bundler, and a strict Content-Security-Policy",
      version: "",
      run(project, entry) {
        const file = entry === "crateful" ? "browser.js" : "inline.js";
        const imports = JSON.stringify({ imports: { [entry]: `/node_modules/crateful/dist/${file}` } });
        const policy = "script-src 'self' 'wasm-unsafe-eval' 'nonce-1'";
        project.write(
          "index.html",
          html(
            "main.js",
            `<meta http-equiv="Content-Security-Policy" content="${policy}">
            <script type="importmap" nonce="1">${imports}</script>`,
          ),
        );
        project.write("main.js", script(ending(example(entry))));
        return open(serveFolder(path.join(project.folder, "..")), `${path.basename(project.folder)}/index.html`);
      },
    },
  ];
}
