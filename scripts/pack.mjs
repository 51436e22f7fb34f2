// The packages as users get them: packed, and installed into an empty project. Tests use copies of these folders.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fromRoot, output, say } from "./process.mjs";

/** Packs the package of a folder, and installs it with `others` into build/packed/NAME/project. Returns the tarball. */
function pack(name, source, others = []) {
  say(`build/packed/${name}`);
  const { npm_config_local_prefix: _, ...env } = process.env; // npm would install into the repository
  const folder = fromRoot("build/packed", name);
  const project = path.join(folder, "project");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  const report = output("npm", ["pack", "--json", "--pack-destination", folder], { cwd: source, env });
  writeFileSync(path.join(folder, "report.json"), report);
  const tarball = path.join(folder, JSON.parse(report)[0].filename);
  writeFileSync(path.join(project, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
  output("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball, ...others], { cwd: project, env });
  return tarball;
}

export function packPackages() {
  const tarball = pack("crateful", fromRoot());
  pack("create-crateful", fromRoot("create-crateful"), [tarball]);
}
