// A user's project: an empty folder into which the packed tarball was installed, offline. Everything runs as separate
// programs, as it does for users.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The environment without the variables that `npm test` and Jest add. */
export const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      name !== "NODE_OPTIONS" &&
      name !== "NODE_ENV" &&
      name !== "npm_config_local_prefix" &&
      !/^npm_(package|lifecycle)_/.test(name),
  ),
);

/** Runs a program; returns its output. Throws an error with the output if the program fails. */
export function run(command: string, args: string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  }
}

/** Runs a development tool of this repository, given its script below node_modules. */
export function tool(script: string, args: string[], cwd: string): string {
  return run(process.execPath, [path.join(root, "node_modules", script), ...args], cwd);
}

/** Compiles the TypeScript project in a folder; throws an error with what the compiler prints. */
export function compileTypeScript(folder: string, ...options: string[]): void {
  tool("typescript-7/bin/tsc", ["--singleThreaded", ...options], folder);
}

export interface Consumer {
  folder: string;
  tarball: string;
  /** The files of the tarball, as paths inside the package. */
  files: string[];
  /** Writes a file of the project; returns its full path. */
  write(name: string, content: string): string;
  dispose(): void;
}

/** Copies the project with a packed package, which scripts/pack.mjs has made, into a new folder inside `place`. */
export function makeConsumer(place = tmpdir(), name: "crateful" | "create-crateful" = "crateful"): Consumer {
  const base = mkdtempSync(path.join(place, "crateful-consumer-"));
  cpSync(path.join(root, "build/packed", name), base, { recursive: true, verbatimSymlinks: true });
  const [packed] = JSON.parse(readFileSync(path.join(base, "report.json"), "utf8")) as [
    { filename: string; files: { path: string }[] },
  ];
  const folder = path.join(base, "project");
  return {
    folder,
    tarball: path.join(base, packed.filename),
    files: packed.files.map((file) => file.path),
    write(name, content) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** A short complete program. It imports the entry `from` and prints `programOutput`. */
export const program = (from = "crateful") => `
import { init, ECS, System, defineComponent, type Aspect, type Entity } from "${from}";

await init();
const ecs = new ECS();
class Position extends defineComponent("Position", { x: "f32", y: "f32", angle: "f32" }) {}
class Mover extends System {
  componentsRequired = new Set([Position]);
  dirtyComponents = new Set([Position]);
  update(delta: number, entities: ReadonlyMap<Entity, Aspect>, dirty: ReadonlySet<Entity>): void {
    for (const e of dirty) ecs.getComponents(e).get(Position).x += delta;
  }
}
ecs.addSystem(10, new Mover());
const e = ecs.addEntity();
ecs.addComponent(e, new Position({ x: 1, y: 2 }));
ecs.update(1 / 2);
ecs.update(1 / 2); // nothing has changed, so nothing is moved
const { x, y } = ecs.getComponents(e).get(Position);
console.log(\`moved to \${x}, \${y}\`);
ecs.dispose();
`;
export const programOutput = "moved to 1.5, 2\n";
