// npm run lint: formatting, and Biome's rules (the layers of web/ among them). The part `tidy` of the tests runs clang-tidy.
import process from "node:process";
import { cppFiles, format } from "./format.mjs";
import { complaints, unitsOfSources, writeUnits } from "./parts/headers.mjs";
import { fromRoot, isMain, main, output, runStatus, say } from "./process.mjs";
import { contentsOf, remembered } from "./remember.mjs";
import { ensure, ensureNodeModules } from "./toolchain.mjs";

/** Runs clang-tidy over the core's sources as two files, so that it reads each header twice, not once for each source. */
async function tidyCore() {
  const files = cppFiles().filter((file) => file.startsWith("core/"));
  const inputs = [output("clang-tidy", ["--version"]), contentsOf([".clang-tidy", ...files])];
  return remembered("clang-tidy", inputs, async () => {
    const flags = ["-std=c++20", `-I${fromRoot("core/include")}`, "-Wall", "-Wextra"];
    const config = `--config-file=${fromRoot(".clang-tidy")}`;
    const units = writeUnits("build/tidy", unitsOfSources());
    const texts = await Promise.all(
      units.map((unit) => complaints("clang-tidy", ["--quiet", config, unit, "--", ...flags], process.env)),
    );
    console.log(texts.join(""));
    return texts.every((text) => text === "");
  });
}

/** Each check counts as one test. @param {Record<string, () => unknown>} checks */
async function count(checks) {
  let passed = 0;
  for (const [name, check] of Object.entries(checks)) {
    say(`lint: ${name}`);
    const ok = await check();
    console.log(`${name}: ${ok ? "ok" : name === "format" ? "NOT ok: npm run format" : "NOT ok"}`);
    if (ok) passed += 1;
  }
  return { passed, failed: Object.keys(checks).length - passed };
}

export async function checkLint() {
  await ensureNodeModules();
  const biome = [fromRoot("node_modules/@biomejs/biome/bin/biome"), "lint", "--error-on-warnings", "."];
  return count({
    format: () => format({ check: true }),
    biome: () => runStatus(process.execPath, biome) === 0,
  });
}

export function checkTidy() {
  ensure("clangTidy", "json");
  return count({ "clang-tidy": tidyCore });
}

if (isMain(import.meta.url)) {
  await main(async () => {
    if ((await checkLint()).failed > 0) process.exitCode = 1;
  });
}
