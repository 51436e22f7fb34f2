// The programs of the README are compiled and run as they are, and the links of all documents are checked. Those that need
// a page are in vite_project.test.ts, those in C++ in cpp_snippets.test.ts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "./consumer.js";
import { compilePrograms, joined, section, sectionsOf } from "./snippets.js";

test("the TypeScript of the README compiles with all strict flags and prints what the README shows", () => {
  const program = section("README.md", "A first example");
  const programs = compilePrograms({ readme: joined(program, "ts") });
  try {
    expect(programs.run("readme")).toBe(joined(program, "text"));
  } finally {
    programs.dispose();
  }
});

test("the README has at most 150 lines", () => {
  expect(readFileSync(path.join(root, "README.md"), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

test("no TypeScript of the README is left out", () => {
  const withCode = sectionsOf("README.md").filter((part) => joined(part, "ts") !== "");
  expect(withCode.map(({ title }) => title)).toEqual(["A first example", "What every game needs"]);
});

test("every relative link in a document leads to a file", () => {
  const files = (folder: string) => readdirSync(path.join(root, folder)).map((file) => path.join(folder, file));
  const examples = files("examples").map((folder) => path.join(folder, "README.md"));
  const documents = [
    ...files("."),
    ...files("docs"),
    ...files("docs/guide"),
    ...files("docs/tutorial"),
    ...files("docs/recipes"),
    ...files("docs/coming-from"),
    ...files("docs/api"),
    "examples/README.md",
    ...examples,
  ].filter((file) => file.endsWith(".md") && existsSync(path.join(root, file)));
  expect(documents).toContain(path.join("examples", "cpp", "README.md"));
  const read = (file: string) => readFileSync(path.join(root, file), "utf8").replace(/```[\s\S]*?```/g, "");
  /** The anchors of a document's headings, as GitHub makes them. */
  const anchors = (file: string) =>
    [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    );
  const broken = documents.flatMap((file) =>
    [
      ...read(file)
        .replace(/`[^`]*`/g, "")
        .matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
    ]
      .filter(([, target, anchor]) => {
        const to = target === "" ? file : path.join(path.dirname(file), target!);
        if (!existsSync(path.join(root, to))) return true;
        return anchor !== undefined && !anchors(to).includes(anchor);
      })
      .map(([link]) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});
