// The C++ programs of the documents, compiled without warnings and run.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { root, run } from "../package/consumer.js";
import { type Block, joined, sectionsOf } from "../package/snippets.js";

/** The compiler, and ccache before it where it is installed. */
const compiler = [process.env["CMAKE_CXX_COMPILER_LAUNCHER"], process.env["CXX"] ?? "c++"].filter(Boolean) as [string];
const flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", `-I${path.join(root, "core/include")}`];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "crateful-snippets-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles or links. */
const build = (...args: string[]) => run(compiler[0], [...compiler.slice(1), ...flags, ...args], folder);

/** The core, compiled with these options. */
function compileCore(options: string[]): string {
  const object = path.join(folder, `core${options.join("")}.o`);
  if (existsSync(object)) return object;
  const sources = new Set(readFileSync(path.join(root, "core/CMakeLists.txt"), "utf8").match(/src\/[\w/]+\.cpp/g));
  const unit = path.join(folder, "core.cpp"); // one unit, as CMake compiles it
  writeFileSync(unit, [...sources].map((source) => `#include "${path.join(root, "core", source)}"\n`).join(""));
  build(...options, "-c", unit, "-o", object);
  return object;
}

function compileAndRun(program: string, options: string[] = []): string {
  const file = path.join(folder, "program");
  writeFileSync(`${file}.cpp`, program);
  const core = compileCore(options);
  build(...options, "-pthread", "-c", `${file}.cpp`, "-o", `${file}.o`);
  build(...options, "-pthread", `${file}.o`, core, "-o", file);
  return run(file, [], folder);
}

// The code of the other libraries has the library's name behind the language, and is not compiled here.
const comingFrom = sectionsOf("docs/coming-from-cpp.md").filter(({ blocks }) => blocks.length > 0);
test.each(comingFrom)("the C++ program for those who come from $title prints what the document shows", (section) => {
  expect(compileAndRun(joined(section, "cpp"))).toBe(joined(section, "text"));
});

const sections = sectionsOf("docs/cpp.md").filter(({ blocks }) => blocks.length > 0);
test.each(sections)("the C++ program of the section $title prints what the document shows", (section) => {
  const [{ info: language }, ...others] = section.blocks as [Block, ...Block[]];
  expect(language).toMatch(/^cpp( |$)/);
  expect(others.map(({ info }) => info)).toEqual(["text"]);
  const options = language.split(" ").slice(1); // of the compiler
  expect(compileAndRun(joined(section, language), options)).toBe(joined(section, "text"));
});
