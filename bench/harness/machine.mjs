// The machine and the versions with which the results were measured.
import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import process from "node:process";
import { fromRoot, output } from "../../scripts/process.mjs";

export function machine(peers, chromium) {
  const attempt = (command, args) => {
    try {
      return output(command, args).trim();
    } catch {
      return undefined;
    }
  };
  return {
    machine: `${type()} ${release()} ${process.arch}`,
    cpu: cpus()[0].model,
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
    v8: process.versions.v8,
    ...(chromium ? { chromium: attempt(chromium, ["--version", "--no-sandbox"]) } : {}),
    commit: attempt("git", ["rev-parse", "--short", "HEAD"]),
    changed: attempt("git", ["status", "--porcelain"]) !== "",
    date: new Date().toISOString(),
    crateful: JSON.parse(readFileSync(fromRoot("package.json"), "utf8")).version,
    libraries: Object.fromEntries(
      Object.entries(peers)
        .filter(([, { version }]) => version)
        .map(([name, { version }]) => [name, version]),
    ),
  };
}
