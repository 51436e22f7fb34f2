// The code of Crateful in docs/coming-from. That of other libraries has the library's name behind the language, and is not run
// here.
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { root } from "./consumer.js";
import { compilePrograms, joined, page, type Programs } from "./snippets.js";

const pages = readdirSync(path.join(root, "docs/coming-from"))
  .filter((file) => file !== "README.md")
  .map((file) => ({ name: file.replace(".md", ""), ...page(`docs/coming-from/${file}`) }));

let programs: Programs;
beforeAll(() => {
  programs = compilePrograms(Object.fromEntries(pages.map((each) => [each.name, joined(each, "ts")])));
});
afterAll(() => programs?.dispose());

test.each(pages)("$title: the program with Crateful prints what the page shows", (each) => {
  expect(joined(each, "text")).not.toBe("");
  expect(programs.run(each.name)).toBe(joined(each, "text"));
});
