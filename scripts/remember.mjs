// Checks whose result depends on their inputs alone are not run again. The cache folder remembers for all clones what has
// succeeded.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cacheFolder, fromRoot } from "./process.mjs";

/** The names and the contents of files, as inputs of a check. */
export const contentsOf = (files) => files.map((file) => [file, readFileSync(fromRoot(file), "utf8")]);

/** Whether `check` succeeds, or has succeeded with the same inputs. Paths in the repository are the same in all clones. */
export async function succeeds(name, inputs, check) {
  const text = JSON.stringify([name, inputs]).replaceAll(fromRoot(), "");
  const stamp = path.join(cacheFolder, "succeeded", createHash("sha256").update(text).digest("hex"));
  if (existsSync(stamp)) {
    console.log(`${name}: not run again, because it has succeeded with the same inputs`);
    return true;
  }
  if (!(await check())) return false;
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, "");
  return true;
}
