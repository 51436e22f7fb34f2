// The core with the default C++ compiler, or at night with every one that is found here. With the first set of options: all sources as
// one file; with the others: the sources in the opposite order. Each public header alone with the first compiler and with Emscripten's,
// which have different standard libraries; with the others, all headers together. Nothing is linked or run. A compiler with one set of options is one test, which is not run again with the same sources.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { compilerMemory } from "../cmake.mjs";
import { cppFiles } from "../format.mjs";
import { cores, fromRoot, Stop } from "../process.mjs";
import { contentsOf, remembered } from "../remember.mjs";
import { ensureEmscripten } from "../toolchain.mjs";

const flags = ["-fsyntax-only", `-I${fromRoot("core/include")}`, `-I${fromRoot("bindings/include")}`];
/** Those that teams use, because a header that a program includes is compiled with its flags. */
const warnings = [
  "all",
  "extra",
  "pedantic",
  "conversion",
  "sign-conversion",
  "shadow",
  "overloaded-virtual",
  "non-virtual-dtor",
  "error",
].map((name) => `-W${name}`);
/** The columns of the table. The standards have the names that older compilers know too. */
const optionSets = {
  "C++20": ["-std=c++20"],
  "C++23": ["-std=c++2b"],
  "C++26": ["-std=c++2c"],
  "no exceptions, no RTTI": ["-std=c++20", "-fno-exceptions", "-fno-rtti"],
};

const numbered = (name, first, last) => Array.from({ length: last - first + 1 }, (_, i) => `${name}-${first + i}`);
const names = ["g++", "clang++", ...numbered("g++", 11, 16), ...numbered("clang++", 13, 23)];

/** What all of the core's code needs of a standard library. Some compilers cannot compile a newer one. */
const probe = `
#include <map>
#include <memory>
#include <ranges>
#include <string>
int main() { std::map<int, std::shared_ptr<std::string>> map; return map[1] ? 1 : 0; }
`;

const list = (folder, ending) => readdirSync(fromRoot(folder)).filter((name) => name.endsWith(ending));
const include = (...parts) => `#include "${parts.join("/")}"\n`;

/** A line for each source in a folder, and in those inside of it, that includes it. */
const sourcesIn = (folder) =>
  readdirSync(fromRoot(folder), { recursive: true })
    .filter((name) => name.endsWith(".cpp"))
    .map((name) => include(fromRoot(folder, name)));
/** The same for the core, without the inspector, which needs a library. */
export const coreSources = () => sourcesIn("core/src").filter((line) => !line.includes("/inspector/"));

/** A file for each header in a folder that includes it, twice. */
const eachHeader = (folder) =>
  Object.fromEntries(list(folder, ".hpp").map((name) => [`${name}.cpp`, include("crateful", name).repeat(2)]));
/** One file for all of them. */
const allHeaders = (folder) => ({
  [`${folder.split("/")[0]}_headers.cpp`]: list(folder, ".hpp")
    .map((name) => include("crateful", name))
    .join(""),
});
/** The files that need exceptions, and a library that Emscripten does not have. */
const inspectorUnits = () => ({ "inspector.cpp": sourcesIn("core/src/inspector").join("") });
/** The core's sources as two files: name and text. */
export const unitsOfSources = () => ({ "all_sources.cpp": coreSources().join(""), ...inspectorUnits() });

/** The files to compile with a set of options: name and text. */
function units({ name, options, first, alone }) {
  const headers = alone ? eachHeader : allHeaders;
  const sources = coreSources();
  return {
    ...headers("core/include/crateful"),
    ...Object.fromEntries(
      list("tests/headers", ".cpp").map((file) => [file, include(fromRoot("tests/headers", file))]),
    ),
    ...(first
      ? { "all_sources.cpp": sources.join("") }
      : { "all_sources_backwards.cpp": sources.toReversed().join("") }),
    ...(options.includes("-fno-exceptions")
      ? {}
      : name.startsWith("em++")
        ? headers("bindings/include/crateful")
        : inspectorUnits()),
  };
}

/** Writes files into a folder of `build`; returns their names. @param {Record<string, string>} files */
export function writeUnits(folder, files) {
  mkdirSync(fromRoot(folder), { recursive: true });
  return Object.entries(files).map(([name, text]) => {
    const file = fromRoot(folder, name);
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
    return file;
  });
}

/** Finds the default compiler, or all; one with two names is found once. Each can be used with each of its standard libraries. */
function findCompilers(which) {
  const found = new Map();
  const missing = [];
  const add = (command, given = process.env, label = "") => {
    const env = { ...given, ...compilerMemory };
    const [version] = spawnSync(command, ["--version"], { env, encoding: "utf8" }).stdout?.split("\n") ?? [];
    if (!version) return missing.push(command);
    const clang = label === "" && version.includes("clang");
    const name = `${label || (clang ? "clang++" : "g++")} ${/\d+\.\d+\.\d+/.exec(version)?.[0]}`;
    if (!found.has(name)) found.set(name, { command, env, options: [] });
    if (clang) found.set(`${name}, libc++`, { command, env, options: ["-stdlib=libc++"] });
  };
  if (which === "one") {
    add(process.env.CXX ?? "c++");
    return { found, missing };
  }
  for (const name of process.env.CXX ? [process.env.CXX, ...names] : names) add(name);
  try {
    add("em++", ensureEmscripten(), "em++");
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    missing.push("em++");
  }
  return { found, missing };
}

const supports = ({ command, env, options }, more) =>
  spawnSync(command, [...options, ...more, "-fsyntax-only", "-x", "c++", "-"], { env, input: probe }).status === 0;

/** Runs a program; resolves to its output if it failed, and to an empty text if not. */
export function complaints(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (text += data));
    child.on("error", (error) => resolve(error.message));
    child.on("close", (status) => resolve(status === 0 ? "" : text || `exit code ${status}`));
  });
}

/** `which`: the default compiler with the first options, or all with all. @param {"one" | "all"} which */
export async function checkHeaders(which) {
  const { found, missing } = findCompilers(which);
  const versions = [...found.keys()]; // of all, because one can use the standard library of another
  const cells = [];
  for (const [name, compiler] of found) {
    const sets = Object.entries(optionSets).slice(0, which === "all" ? undefined : 1);
    const supported = sets.filter(([, options]) => supports(compiler, options));
    if (supported.length === 0) missing.push(name);
    for (const [column, options] of supported) {
      const first = column === supported[0][0];
      const alone = first && (name === versions[0] || name.startsWith("em++"));
      cells.push({ name, column, compiler, options, first, alone, failed: false });
    }
  }
  const sources = contentsOf(cppFiles().filter((file) => /^(core|bindings|tests\/headers)\//.test(file)));
  const check = (cell) => {
    const { command, options, env } = cell.compiler;
    const files = writeUnits("build/headers", units(cell));
    const args = [...options, ...cell.options, ...warnings, ...flags, ...files];
    return remembered(`${cell.name}, ${cell.column}`, [versions, args, sources], async () => {
      const text = await complaints(command, args, env);
      if (text !== "") console.log(`${cell.name}, ${cell.column}:\n${text.slice(0, 8000)}`);
      return text === "";
    });
  };
  const waiting = [...cells];
  const worker = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) cell.failed = !(await check(cell));
  };
  await Promise.all(Array.from({ length: cores }, worker));

  printTable(cells);
  console.log("-: the compiler, or the standard library that it uses, does not support this");
  if (missing.length > 0) console.log(`not here: ${missing.join(", ")}`);
  const failed = cells.filter((cell) => cell.failed).length;
  return { passed: cells.length - failed, failed };
}

function printTable(cells) {
  const columns = Object.keys(optionSets);
  const print = (name, texts) =>
    console.log(name.padEnd(24) + texts.map((text, i) => text.padStart(columns[i].length + 3)).join(""));
  print("", columns);
  for (const name of new Set(cells.map((cell) => cell.name))) {
    const results = columns.map((column) => cells.find((cell) => cell.name === name && cell.column === column));
    print(
      name,
      results.map((cell) => (cell === undefined ? "-" : cell.failed ? "FAILED" : "ok")),
    );
  }
}
