// The core without Emscripten, used from the packed package as docs/your-own-module.md says: installed, and as a part of
// another project.
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeConsumer, root, run, type Consumer } from "../package/consumer.js";
import { section } from "../package/snippets.js";

const { blocks } = section("docs/your-own-module.md", "C++ alone");
const [added, fetched, found] = blocks.filter(({ info }) => info === "cmake").map(({ text }) => text) as [
  string,
  string,
  string,
];
const [install] = blocks.filter(({ info }) => info === "sh").map(({ text }) => text) as [string];
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };

let consumer: Consumer;
beforeAll(() => {
  consumer = makeConsumer();
});
afterAll(() => consumer?.dispose());

const program = `
#include <crateful/ecs.hpp>
#include <cstdio>
struct Position { float x = 0; };
int main() {
    crateful::ECS ecs;
    ecs.add_entity(Position{2});
    ecs.each<Position>([](const Position& p) { std::printf("%g\\n", p.x); });
    std::printf("%d.%d.%d\\n", CRATEFUL_VERSION_MAJOR, CRATEFUL_VERSION_MINOR, CRATEFUL_VERSION_PATCH);
}
`;

/** Builds a project with that CMake code and program; returns what it prints. */
function built(name: string, cmake: string, source: string, ...options: string[]): string {
  consumer.write(`${name}/main.cpp`, source);
  consumer.write(
    `${name}/CMakeLists.txt`,
    `cmake_minimum_required(VERSION 3.25)\nproject(game LANGUAGES CXX)\nadd_executable(game main.cpp)\n${cmake}`,
  );
  const folder = path.join(consumer.folder, name);
  run("cmake", ["-B", "build", ...options], folder);
  run("cmake", ["--build", "build", "--parallel", "2"], folder);
  return run("./build/game", [], folder);
}
const expected = `2\n${version}\n`;
const NOT_OPTIMISED = "-DCMAKE_BUILD_TYPE=Debug"; // what is compiled is installed as documented above
const { blocks: ofInspector } = section("docs/inspector.md", "A native program");
/** The block of the document in a language. */
const inspected = (language: string): string => ofInspector.find(({ info }) => info === language)!.text;
const sources = () => path.join(consumer.folder, "node_modules/crateful");

test("the commands of the document install the core alone, and find_package finds it", () => {
  const folder = path.join(consumer.folder, "installing");
  mkdirSync(folder);
  symlinkSync(sources(), path.join(folder, "crateful"));
  run("sh", ["-ec", install], folder);
  const files = readdirSync(path.join(folder, "build"), { recursive: true, encoding: "utf8" });
  expect(files.filter((file) => /\.(?:a|so)$/.test(file))).toEqual(["core/libcrateful_core.a"]);
  expect(readdirSync(path.join(folder, "installed/share/crateful"))).toContain("crateful_gdb.py");
  const prefix = `-DCMAKE_PREFIX_PATH=${folder}/installed`;
  expect(built("installing/find", found, program, prefix)).toBe(expected);
  expect(() => built("installing/newer", found.replace(/0\.1/, "0.2"), program, prefix)).toThrow(
    'compatible with requested version "0.2"',
  );

  // I1 the inspector, in the same folder, in which the core is compiled
  run("sh", ["-ec", install.replace(" \\\n", " -DCRATEFUL_INSTALL_INSPECTOR=ON \\\n")], folder);
  const [find] = found.split("\n") as [string];
  expect(built("installing/inspected", `${find}\n${inspected("cmake")}`, inspected("cpp"), prefix)).toBe(
    inspected("text"),
  );
});

test("the core, and I1 the inspector, can be a part of another project, which builds nothing else", () => {
  const adding = added.replace("crateful)", `${sources()} crateful)`);
  expect(built("add", adding, program, NOT_OPTIMISED)).toBe(expected);
  const targets = run("cmake", ["--build", "build", "--target", "help"], path.join(consumer.folder, "add"));
  expect(targets).not.toMatch(/gtest|core_tests|crate_room|bench/);
  const [add] = adding.split("\n") as [string];
  expect(built("add", `${add}\n${inspected("cmake")}`, inspected("cpp"))).toBe(inspected("text"));
});

test("FetchContent accepts the package", () => {
  const archive = pathToFileURL(consumer.tarball).href;
  expect(built("fetch", fetched.replace(/https:\S+\.gz/, archive), program, NOT_OPTIMISED)).toBe(expected);
});

test("all files with the version agree", () => {
  const vcpkg = JSON.parse(readFileSync(path.join(root, "port/vcpkg/vcpkg.json"), "utf8")) as { version: string };
  const named = readFileSync(path.join(root, "docs/your-own-module.md"), "utf8").match(/v\d+\.\d+\.\d+/);
  expect([vcpkg.version, named?.[0]]).toEqual([version, `v${version}`]);
});
