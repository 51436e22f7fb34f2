// The snippets of the README are compiled and run as they are, and the links of all documents are checked.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";

const root = path.resolve(".");
const readme = readFileSync(path.join(root, "README.md"), "utf8");

/** The first code block of the README in this language that contains the text. */
function block(language: string, containing: string): string {
  const blocks = [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    (match) => match[1]!,
  );
  const found = blocks.find((text) => text.includes(containing));
  if (found === undefined) throw new Error(`README.md contains no ${language} block with "${containing}"`);
  return found;
}

test("the TypeScript snippet of the README compiles and prints what the README shows", () => {
  mkdirSync(path.join(root, "build"), { recursive: true });
  const folder = mkdtempSync(path.join(root, "build", "readme-")); // in the repository, so that "crateful" is this package
  const source = path.join(folder, "example.mts");
  writeFileSync(source, block("ts", "addSystem"));
  execFileSync(
    process.execPath,
    [
      path.join(root, "node_modules/typescript/bin/tsc"),
      "--ignoreConfig",
      "--strict",
      ...["noImplicitOverride", "noUncheckedIndexedAccess", "exactOptionalPropertyTypes"].map((flag) => `--${flag}`),
      ...["noUnusedLocals", "noUnusedParameters", "noPropertyAccessFromIndexSignature"].map((flag) => `--${flag}`),
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
  expect(printed).toBe(block("text", "crate 0"));
});

test("the C++ snippet of the README compiles without warnings and prints each change once", () => {
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

test("every relative link in a document leads to a file", () => {
  const files = (folder: string) => readdirSync(path.join(root, folder)).map((file) => path.join(folder, file));
  const examples = files("examples").map((folder) => path.join(folder, "README.md"));
  const documents = [...files("."), ...files("docs"), ...files("docs/api"), "examples/README.md", ...examples].filter(
    (file) => file.endsWith(".md") && existsSync(path.join(root, file)),
  );
  expect(documents).toContain(path.join("examples", "cpp", "README.md"));
  const prose = (file: string) => readFileSync(path.join(root, file), "utf8").replace(/```[\s\S]*?```|`[^`]*`/g, "");
  const broken = documents.flatMap((file) =>
    [...prose(file).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)]
      .filter(([, target]) => !existsSync(path.join(root, path.dirname(file), target!)))
      .map(([, target]) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});
