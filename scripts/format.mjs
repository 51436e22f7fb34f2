// npm run format: formats C++ with clang-format, everything else with Biome. `--check` only reports.
// Both come from package-lock.json, so that every machine formats alike.
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fromRoot, isMain, main, output, runStatus } from "./process.mjs";
import { ensureNodeModules } from "./toolchain.mjs";

/** The C++ files that git tracks or would track. */
export function cppFiles() {
  const list = output("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.cpp", "*.hpp"]);
  return list.split("\n").filter((file) => file !== "");
}

/** Formats C++ sources, or with `check` leaves them; returns the files that are not formatted. */
async function formatCpp(check) {
  const { format } = await import("@wasm-fmt/clang-format"); // node_modules may have been installed just now
  const style = readFileSync(fromRoot(".clang-format"), "utf8");
  const unformatted = [];
  for (const file of cppFiles()) {
    const source = readFileSync(fromRoot(file), "utf8");
    const formatted = format(source, file, style);
    if (formatted === source) continue;
    unformatted.push(file);
    if (!check) writeFileSync(fromRoot(file), formatted);
  }
  return unformatted;
}

/** Whether everything is formatted (after formatting it, unless `check`). */
export async function format({ check }) {
  await ensureNodeModules();
  const unformatted = await formatCpp(check);
  for (const file of unformatted) console.log(`${check ? "not formatted" : "formatted"}: ${file}`);
  const biome = [fromRoot("node_modules/@biomejs/biome/bin/biome"), "format", ...(check ? [] : ["--write"]), "."];
  const status = runStatus(process.execPath, biome);
  return status === 0 && (!check || unformatted.length === 0);
}

if (isMain(import.meta.url)) {
  await main(async () => {
    if (!(await format({ check: process.argv.includes("--check") }))) process.exitCode = 1;
  });
}
