// The code of Crateful in docs/coming-from.md. That of other libraries has the library's name behind the language, and is
// not run here.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { compilePrograms, joined, sectionsOf, type Programs } from "./snippets.js";

const sections = sectionsOf("docs/coming-from.md").filter((section) => joined(section, "ts") !== "");
const fileName = (title: string) => title.toLowerCase().replaceAll(/\W+/g, "-");

let programs: Programs;
beforeAll(() => {
  programs = compilePrograms(
    Object.fromEntries(sections.map((section) => [fileName(section.title), joined(section, "ts")])),
  );
});
afterAll(() => programs?.dispose());

test.each(sections)("$title: the program with Crateful prints what the document shows", (section) => {
  expect(programs.run(fileName(section.title))).toBe(joined(section, "text"));
});
