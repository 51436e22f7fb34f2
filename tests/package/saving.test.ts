// Every section of docs/saving.md is a program. That of "In a page" runs in Chromium.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { end } from "./page.js";
import { compilePrograms, joined, section, sectionsOf, starting, type Programs } from "./snippets.js";
import { makeViteProject, type ViteProject } from "./vite.js";

const sections = sectionsOf("docs/saving.md").slice(1);
const inPage = section("docs/saving.md", "In a page");
const fileName = (title: string) => title.toLowerCase().replaceAll(/\W+/g, "-");

let programs: Programs;
let project: ViteProject;
beforeAll(async () => {
  const files = Object.fromEntries(sections.map((each) => [fileName(each.title), joined(each, "ts")]));
  programs = compilePrograms(files, "crateful/state");
  project = await makeViteProject();
});
afterAll(async () => {
  programs?.dispose();
  await project?.dispose();
});

test.each(sections.filter(({ title }) => title !== inPage.title))(
  "the program of the section $title of docs/saving.md prints what the page shows",
  (each) => {
    expect(each.blocks.map(({ info }) => info)).toEqual(["ts", "text"]);
    expect(programs.run(fileName(each.title))).toBe(joined(each, "text"));
  },
);

test("the program of docs/saving.md for pages prints in Chromium what the page shows", async () => {
  project.consumer.write("src/main.ts", starting("saving", "crateful/state"));
  // The page has ended when main() has.
  project.consumer.write(
    "src/saving.ts",
    joined(inPage, "ts").replace("void main();", `void main().then(() => {${end}});`),
  );
  const served = await project.build();
  try {
    const { page, lines } = await project.open(served.url);
    const expected = joined(inPage, "text").trim().split("\n");
    await page.close();
    expect(lines).toEqual(expected);
  } finally {
    await served.close();
  }
});
