// Checks whose result depends on their inputs alone are not run again. The cache folder remembers for all clones what has
// succeeded.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cacheFolder, fromRoot } from "./process.mjs";

const digest = (data) => createHash("sha256").update(data).digest("hex");

/** The names of files, and what identifies their contents, as inputs of a check. */
export const contentsOf = (files) => files.map((file) => [file, digest(readFileSync(fromRoot(file)))]);

/**
 * What `check` returns, or has returned with the same inputs. Only results for which `succeeded` returns true are remembered.
 * Paths in the repository are the same in all clones.
 */
export async function remembered(name, inputs, check, succeeded = Boolean) {
  const text = JSON.stringify([name, inputs]).replaceAll(fromRoot(), "");
  const file = path.join(cacheFolder, "results", digest(text));
  if (existsSync(file)) {
    console.log(`${name}: not run again, because it has succeeded with the same inputs`);
    return JSON.parse(readFileSync(file, "utf8"));
  }
  const result = await check();
  if (!succeeded(result)) return result;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(result));
  return result;
}
