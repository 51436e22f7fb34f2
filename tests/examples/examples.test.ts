// Each example is built, run, and compared with the output that its README shows. Those with TypeScript use the packed
// package, in a folder outside of this repository, as a reader who copies them does.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { makeConsumer, root, run, tool, type Consumer } from "../package/consumer.js";
import { copyExample } from "./copy_example.js";

let consumer: Consumer;
beforeAll(() => {
  consumer = makeConsumer();
});
afterAll(() => consumer?.dispose());

/** The output that the README of an example shows. */
function shown(example: string): string {
  const readme = readFileSync(path.join(root, "examples", example, "README.md"), "utf8");
  const output = /```text\n([\s\S]*?)```/.exec(readme)?.[1];
  if (output === undefined) throw new Error(`examples/${example}/README.md shows no output`);
  return output;
}

/** Compiles the example's TypeScript as its tsconfig.json says, and runs it. */
function runTypeScript(folder: string): string {
  tool("typescript/bin/tsc", ["-p", "."], folder);
  return run(process.execPath, ["build/main.js"], folder);
}

test("the TypeScript example prints what its README shows", () => {
  expect(runTypeScript(copyExample("typescript", consumer))).toBe(shown("typescript"));
});

test("the C++ example, built alone by CMake, prints what its README shows", () => {
  const build = path.join(root, "build/examples/cpp"); // kept, so that the next run compiles nothing
  run("cmake", ["--fresh", "-S", path.join(root, "examples/cpp"), "-B", build], root);
  run("cmake", ["--build", build, "--parallel", "2"], root);
  expect(run(path.join(build, "example_cpp"), [], root)).toBe(shown("cpp"));
});

test("the example with C++ and TypeScript, built as its README says, prints what it shows", () => {
  const folder = copyExample("cpp-from-typescript", consumer);
  symlinkSync(path.join(consumer.folder, "node_modules"), path.join(folder, "node_modules"));
  run("npm", ["run", "build:cpp"], folder);
  tool("typescript/bin/tsc", ["-p", "."], folder);
  expect(run(process.execPath, ["out/main.js"], folder)).toBe(shown("cpp-from-typescript"));
});

test("all examples print the same", () => {
  expect([shown("cpp"), shown("cpp-from-typescript")]).toEqual([shown("typescript"), shown("typescript")]);
});
