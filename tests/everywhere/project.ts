// A user's project beside the tools of package.json, with the packed package and the first example of the README.
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";
import { makeConsumer, root, run, type Consumer } from "../package/consumer.js";
import { joined, section } from "../package/snippets.js";

export type Entry = "crateful" | "crateful/inline" | "crateful/state" | "crateful/state/inline";

/** Where `npm test` has installed the tools. Projects are below, so that they find them. */
const tools = path.join(root, "build/everywhere");

const first = section("README.md", "A first example");
/** What the example prints. */
export const printed = joined(first, "text").trimEnd().split("\n");

/** The example in TypeScript, with another entry. */
export const example = (entry: Entry) => joined(first, "ts").replace('"crateful"', JSON.stringify(entry));

/** TypeScript, which may contain JSX, without types. */
export const script = (source: string, loader: "ts" | "tsx" = "ts") =>
  transformSync(source, { loader, jsx: "preserve", target: "es2022" }).code;

/**
 * The example as a module in JavaScript: `run(print)` runs it, and calls `print` with each line. It resolves when the example
 * has run.
 */
export const exampleModule = (entry: Entry) =>
  script(example(entry))
    .replaceAll("console.log(", "print(")
    .replace(/^init\(\)/m, "let print;\nexport const run = (to) => (print = to) && init()");

/** package.json of a project of ES modules. */
export const MODULES = JSON.stringify({ name: "project", private: true, type: "module" });

const { devDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  devDependencies: Record<string, string>;
};

/**
 * A file of an installed tool. Some tools are those that this repository names in its package.json, and may also be in the other
 * folder in a version that another tool needs. What those need in turn, as Vite's Rollup, finds no plugin of the other folder.
 */
function installed(file: string): string {
  const own = path.join(root, "node_modules");
  const found = path.join(own, file);
  const named =
    existsSync(found) &&
    Object.keys(devDependencies).some((name) => realpathSync(found).startsWith(path.join(own, name, "/")));
  return named ? found : path.join(tools, "node_modules", file);
}

/** The version of a tool, without the last number. */
export function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(installed(`${name}/package.json`), "utf8")) as { version: string };
  return version.split(".").slice(0, 2).join(".");
}

export interface Project {
  folder: string;
  /** The packed package. */
  tarball: string;
  /** Writes a file; returns its full path. */
  write(name: string, content: string): string;
  /** Runs Node, a tool, or a program of the folder (`./name`); returns what it prints. */
  run(tool: string, ...args: string[]): string;
}

/** The program of a tool. */
export const binary = (name: string) => installed(`.bin/${name}`);

export interface Projects {
  consumer: Consumer;
  /** A new folder that uses the installed package. */
  make(): Project;
}

export function makeProjects(): Projects {
  mkdirSync(tools, { recursive: true });
  const consumer = makeConsumer(tools);
  let count = 0;
  return {
    consumer,
    make() {
      const name = `project${++count}`;
      const folder = path.join(consumer.folder, name);
      mkdirSync(folder);
      return {
        folder,
        tarball: consumer.tarball,
        write: (file, content) => consumer.write(path.join(name, file), content),
        run: (tool, ...args) => run(tool === "node" || tool.startsWith(".") ? tool : binary(tool), args, folder),
      };
    },
  };
}
