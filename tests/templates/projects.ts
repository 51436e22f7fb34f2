// Projects as `npm create crateful` makes them, outside of this repository: both packages are packed, and the packed script
// runs. Their dependencies are installed offline: the packed crateful, and links to this repository's Vite and TypeScript.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { env, makeConsumer, root } from "../package/consumer.js";

export const templates = ["typescript", "cpp", "sdl2"] as const;
export type Template = (typeof templates)[number];

/** The folder of a template in this repository. */
export const folderOf = (template: Template) => path.join(root, "create-crateful/templates", template);

export interface Creator {
  /** An empty folder. */
  readonly folder: string;
  /** The files of the packed create-crateful. */
  readonly files: string[];
  /** The packed script. */
  readonly script: string;
  /** Runs the script in the empty folder, without a terminal. */
  create(...args: string[]): { status: number | null; stdout: string; stderr: string };
  /** Creates a project, and installs its dependencies; returns its folder. */
  project(template: Template): string;
  dispose(): void;
}

export function makeCreator(): Creator {
  const consumer = makeConsumer(tmpdir(), "create-crateful");
  const packages = path.join(consumer.folder, "node_modules");
  const script = path.join(packages, ".bin/create-crateful");
  const folder = path.join(consumer.folder, "empty");
  mkdirSync(folder);
  const create = (...args: string[]) => {
    const { PATH, HOME } = env; // what the script prints must not depend on npm's variables
    return spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: "utf8", env: { PATH, HOME } });
  };
  return {
    folder,
    files: consumer.files,
    script,
    create,
    project(template) {
      const { status, stderr } = create(template, "--template", template);
      if (status !== 0) throw new Error(stderr);
      const modules = path.join(folder, template, "node_modules");
      mkdirSync(path.join(modules, ".bin"), { recursive: true });
      cpSync(path.join(packages, "crateful"), path.join(modules, "crateful"), { recursive: true });
      for (const [name, script] of [
        ["vite", "bin/vite.js"],
        ["typescript", "bin/tsc"],
      ] as const) {
        symlinkSync(path.join(root, "node_modules", name), path.join(modules, name));
        symlinkSync(path.join("..", name, script), path.join(modules, ".bin", path.parse(script).name));
      }
      return path.join(folder, template);
    },
    dispose: () => consumer.dispose(),
  };
}

/** All files below a folder with their contents, to see that nothing has changed. */
export function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    files.map((name) => {
      const file = path.join(folder, name);
      return [name, statSync(file).isDirectory() ? "folder" : readFileSync(file, "utf8")];
    }),
  );
}
