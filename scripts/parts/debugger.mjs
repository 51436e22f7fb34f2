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

/** Each value is one test. */
export function checkDebugger() {
  if (!which("gdb")) {
    console.log("gdb: not here");
    return { passed: 0, failed: 0 };
  }
  const folder = fromRoot("build/debugger");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/core.cpp`, coreSources().join(""));
  const sources = [fromRoot("tests/debugger/storages.cpp"), `${folder}/core.cpp`];
  const flags = ["-std=c++20", "-g", "-O0", `-I${fromRoot("core/include")}`, "-o", `${folder}/storages`];
  output(process.env.CXX ?? "c++", [...flags, ...sources]);

  const commands = [`source ${fromRoot("core/debug/crateful_gdb.py")}`, "break look_at", "run"];
  const prints = Object.keys(values).map((name) => `print ${name}`);
  const args = [...commands, ...prints].flatMap((command) => ["-ex", command]);
  const shown = output("gdb", ["-nx", "-batch", ...args, `${folder}/storages`]);
  let passed = 0;
  for (const [i, [name, expected]] of Object.entries(values).entries()) {
    if (shown.includes(`\n$${i + 1} = ${expected}\n`)) passed += 1;
    else console.log(`gdb: "print ${name}" should show ${expected}, in\n${shown}`);
  }
  console.log(`gdb: ${passed} of ${prints.length} values are shown as expected`);
  return { passed, failed: prints.length - passed };
}
