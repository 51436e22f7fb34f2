// A stranger's project: an empty folder into which the packed tarball was installed, offline.
// Everything here runs as separate programs, because that is how strangers run it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The environment without what the surrounding `npm test` and Jest put there. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      name !== "NODE_OPTIONS" &&
      name !== "NODE_ENV" &&
      name !== "npm_config_local_prefix" &&
      !/^npm_(package|lifecycle)_/.test(name),
  ),
);

/** Runs a program to its end; returns what it printed, and throws with it when it fails. */
export function run(command: string, args: string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  }
}

/** Runs one of this repository's development tools by its script below node_modules. */
export function tool(script: string, args: string[], cwd: string): string {
  return run(process.execPath, [path.join(root, "node_modules", script), ...args], cwd);
}

export interface Consumer {
  folder: string;
  tarball: string;
  /** What the tarball holds, by path inside the package. */
  files: string[];
  /** Writes a file of the stranger's and returns its full path. */
  write(name: string, content: string): string;
  dispose(): void;
}

/** Packs the package and installs it into a new folder. */
export function makeConsumer(): Consumer {
  const base = mkdtempSync(path.join(tmpdir(), "crateful-consumer-"));
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", base], root)) as {
    filename: string;
    files: { path: string }[];
  }[];
  if (packed === undefined) throw new Error("npm pack reported nothing");
  const tarball = path.join(base, packed.filename);
  const folder = path.join(base, "project");
  mkdirSync(folder);
  const write = (name: string, content: string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  write("package.json", JSON.stringify({ name: "stranger", private: true, type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], folder);
  return {
    folder,
    tarball,
    write,
    files: packed.files.map((file) => file.path),
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** The shortest whole program; what it prints is `programOutput`. `from` is the entry it imports. */
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
ecs.update(1 / 2); // nothing changed since, so nothing moves
const { x, y } = ecs.getComponents(e).get(Position);
console.log(\`moved to \${x}, \${y}\`);
ecs.dispose();
`;
export const programOutput = "moved to 1.5, 2\n";
