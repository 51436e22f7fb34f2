// Runs other programs. Uses Node's own modules only, because these scripts install everything else.
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { availableParallelism, homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
export const fromRoot = (...parts) => path.join(root, ...parts);
export const cores = availableParallelism();
/** What all clones of the repository share. */
export const cacheFolder = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "crateful");

/** An expected failure: `main` prints its message without a stack. */
export class Stop extends Error {}

/** Prints a heading for the output that follows. */
export function say(message) {
  console.log(`\n── ${message}`);
}

/** Runs a program with its output shown; returns its exit code. */
export function runStatus(command, args = [], { env = process.env, cwd = root } = {}) {
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: "inherit" });
  if (error) throw new Stop(`${command} could not be started: ${error.message}`);
  return status ?? 1; // null when a signal ended it
}

/** Runs a program with its output shown; throws unless it succeeds. */
export function run(command, args = [], options = {}) {
  const status = runStatus(command, args, options);
  if (status !== 0) throw new Stop(`failed (${status}): ${[command, ...args].join(" ")}`);
}

/** Runs a program beside this one, with its output shown; the promise is rejected unless it succeeds. */
export async function runBeside(command, args, { env = process.env, cwd = root } = {}) {
  const status = await new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (status !== 0) throw new Stop(`failed (${status}): ${[command, ...args].join(" ")}`);
}

/** Runs a program quietly; returns its standard output, and throws unless it succeeds. */
export function output(command, args = [], { env = process.env, cwd = root, stderr = "pipe" } = {}) {
  const done = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", stderr],
  });
  if (done.error) throw new Stop(`${command} could not be started: ${done.error.message}`);
  if (done.status !== 0) {
    throw new Stop(`failed (${done.status}): ${[command, ...args].join(" ")}\n${done.stdout}${done.stderr ?? ""}`);
  }
  return done.stdout;
}

/** The full path of a program on PATH, or undefined. */
export function which(name, env = process.env) {
  for (const folder of (env.PATH ?? "").split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      /* not in this folder */
    }
  }
  return undefined;
}

/** Whether the module at `url` is the script that Node was started with. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

/** Runs a script's main function; an exception becomes exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof Stop ? `\nerror: ${error.message}` : error);
    process.exitCode = 1;
  }
}
