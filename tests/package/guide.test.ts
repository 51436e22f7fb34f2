// Every section of the guide is a program: it is compiled, run, and compared with the output that the guide shows.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { compilePrograms, joined, sectionsOf, type Programs } from "./snippets.js";

const [introduction, ...sections] = sectionsOf("docs/guide.md");
const fileName = (title: string) => title.toLowerCase().replaceAll(/\W+/g, "-");

let programs: Programs;
beforeAll(() => {
  programs = compilePrograms({
    world: joined(introduction!, "ts"),
    ...Object.fromEntries(sections.map((section) => [fileName(section.title), joined(section, "ts")])),
  });
});
afterAll(() => programs?.dispose());

test.each(sections)("the program of the section $title prints what the guide shows", (section) => {
  expect(section.blocks.map(({ info }) => info)).toEqual(expect.arrayContaining(["ts", "text"]));
  expect(programs.run(fileName(section.title))).toBe(joined(section, "text"));
});
