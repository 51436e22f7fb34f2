// What gdb shows with the printers of core/debug, where gdb is installed.
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fromRoot, output, which } from "../process.mjs";
import { coreSources } from "./headers.mjs";

/** The values that are printed, and what is expected. */
const values = {
  e: "(index 1, generation 1)",
  none: "NONE",
  positions: "2 components = {[(index 2, generation 0)] = {x = 3, y = 4}, [(index 1, generation 1)] = {x = 5, y = 6}}",
  healths: "1 components = {[(index 3, generation 0)] = {points = 30}}",
  "positions.set_": "2 entities = {(index 2, generation 0), (index 1, generation 1)}",
};

/** What is printed if the core was compiled without debug information, as an install is. */
const unknown = "not known: compile crateful with -g, for example with CMAKE_BUILD_TYPE=RelWithDebInfo";

/** Each value is one test. */
export function checkDebugger() {
  if (!which("gdb")) {
    console.log("gdb: not here");
    return { passed: 0, failed: 0 };
  }
  const folder = fromRoot("build/debugger");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/core.cpp`, coreSources().join(""));
  const compile = (...args) =>
    output(process.env.CXX ?? "c++", ["-std=c++20", "-O0", `-I${fromRoot("core/include")}`, ...args]);
  compile("-g", "-c", "-o", `${folder}/storages.o`, fromRoot("tests/debugger/storages.cpp"));
  let passed = 0;
  let failed = 0;
  for (const [core, debugInfo, expected] of [
    ["with", ["-g"], values],
    ["without", [], { e: values.e, positions: unknown }],
  ]) {
    const program = `${folder}/${core}`;
    compile(...debugInfo, "-o", program, `${folder}/storages.o`, `${folder}/core.cpp`);
    const commands = [`source ${fromRoot("core/debug/crateful_gdb.py")}`, "break look_at", "run"];
    const prints = Object.keys(expected).map((name) => `print ${name}`);
    const args = [...commands, ...prints].flatMap((command) => ["-ex", command]);
    const shown = output("gdb", ["-nx", "-batch", ...args, program]);
    for (const [i, [name, text]] of Object.entries(expected).entries()) {
      if (shown.includes(`\n$${i + 1} = ${text}\n`)) passed += 1;
      else {
        failed += 1;
        console.log(`gdb, ${core} debug information of the core: "print ${name}" should show ${text}, in\n${shown}`);
      }
    }
  }
  console.log(`gdb: ${passed} of ${passed + failed} values are shown as expected`);
  return { passed, failed };
}
