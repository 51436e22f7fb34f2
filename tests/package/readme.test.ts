// Runs the examples of the README unchanged.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";

const root = path.resolve(".");
const readme = readFileSync(path.join(root, "README.md"), "utf8");

function block(language: string, containing: string): string {
  const blocks = [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    (match) => match[1]!,
  );
  const found = blocks.find((text) => text.includes(containing));
  if (found === undefined) throw new Error(`the README has no ${language} block with ${containing}`);
  return found;
}

test("the README's TypeScript example compiles and prints the output that the README shows", () => {
  mkdirSync(path.join(root, "build"), { recursive: true });
  const folder = mkdtempSync(path.join(root, "build", "readme-")); // inside the repository, where "crateful" resolves to this package
  const source = path.join(folder, "example.mts");
  writeFileSync(source, block("ts", "addSystem"));
  execFileSync(
    process.execPath,
    [
      path.join(root, "node_modules/typescript/bin/tsc"),
      "--ignoreConfig",
      "--strict",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--types",
      "node",
      "--skipLibCheck",
      source,
    ],
    { cwd: root, encoding: "utf8" },
  );
  const printed = execFileSync(process.execPath, [path.join(folder, "example.mjs")], { cwd: root, encoding: "utf8" });
  expect(printed).toBe(block("text", "changed"));
});

test("the README's C++ example compiles without warnings and prints each change once", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "crateful-readme-"));
  const source = path.join(folder, "example.cpp");
  writeFileSync(source, block("cpp", "int main"));
  const cores = readFileSync(path.join(root, "core/CMakeLists.txt"), "utf8").match(/src\/\w+\.cpp/g)!;
  execFileSync(
    process.env.CXX ?? "c++",
    [
      "-std=c++20",
      "-Wall",
      "-Wextra",
      "-Werror",
      `-I${path.join(root, "core/include")}`,
      source,
      ...new Set(cores.map((file) => path.join(root, "core", file))),
      "-o",
      path.join(folder, "example"),
    ],
    { encoding: "utf8" },
  );
  expect(execFileSync(path.join(folder, "example"), { encoding: "utf8" })).toBe("1 of 1\n3 of 1\n");
});
