// The C++ programs of the documents, compiled without warnings and run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { root, run } from "./consumer.js";
import { joined, section, sectionsOf } from "./snippets.js";

const compiler = process.env["CXX"] ?? "c++";
const flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", `-I${path.join(root, "core/include")}`];
let folder: string;
let core: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "crateful-snippets-"));
  const sources = new Set(readFileSync(path.join(root, "core/CMakeLists.txt"), "utf8").match(/src\/\w+\.cpp/g));
  core = path.join(folder, "core.o");
  const unit = path.join(folder, "core.cpp"); // one unit, as CMake compiles it
  writeFileSync(unit, [...sources].map((source) => `#include "${path.join(root, "core", source)}"\n`).join(""));
  run(compiler, [...flags, "-c", unit, "-o", core], folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function compileAndRun(program: string): string {
  const source = path.join(folder, "program.cpp");
  writeFileSync(source, program);
  run(compiler, [...flags, "-pthread", source, core, "-o", path.join(folder, "program")], folder);
  return run(path.join(folder, "program"), [], folder);
}

test("the C++ program of the README prints each change once", () => {
  expect(compileAndRun(joined(section("README.md", "From C++"), "cpp"))).toBe("1 of 1\n3 of 1\n");
});

test("the C++ program for those who come from EnTT prints what the document shows", () => {
  const entt = section("docs/coming-from.md", "EnTT");
  expect(compileAndRun(joined(entt, "cpp"))).toBe(joined(entt, "text"));
});

const sections = sectionsOf("docs/cpp.md").filter(({ blocks }) => blocks.length > 0);
test.each(sections)("the C++ program of the section $title prints what the document shows", (section) => {
  expect(section.blocks.map(({ info }) => info)).toEqual(["cpp", "text"]);
  expect(compileAndRun(joined(section, "cpp"))).toBe(joined(section, "text"));
});
