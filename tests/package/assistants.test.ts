// The page for assistants: short, and each section with code is a program that prints what the page shows.
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { root } from "./consumer.js";
import { compilePrograms, joined, sectionsOf, type Programs } from "./snippets.js";

const document = "docs/for-assistants.md";
const sections = sectionsOf(document).filter((section) => joined(section, "ts") !== "");
const fileName = (title: string) => title.toLowerCase().replaceAll(/\W+/g, "-");

let programs: Programs;
beforeAll(() => {
  const files = Object.fromEntries(sections.map((section) => [fileName(section.title), joined(section, "ts")]));
  programs = compilePrograms(files, "crateful/state");
});
afterAll(() => programs?.dispose());

test.each(sections)("the program of the section $title prints what the page shows", (section) => {
  expect(programs.run(fileName(section.title))).toBe(joined(section, "text"));
});

test("the page has at most 300 lines", () => {
  expect(readFileSync(path.join(root, document), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(300);
});
