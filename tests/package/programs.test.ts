// The programs of the documents that need no page: compiled with all strict flags, run in Node, and compared with the output that the
// document shows. Those for a page are in tests/pages, those in C++ in tests/cpp.
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { root } from "./consumer.js";
import {
  compilePrograms,
  documentsWithPrograms,
  joined,
  page,
  section,
  sectionsOf,
  type Programs,
  type Section,
} from "./snippets.js";

interface Program {
  title: string;
  code: string;
  printed: string;
}

/** A document, or a part of one, whose blocks continue each other. */
const whole = (part: Section): Program => ({
  title: part.title,
  code: joined(part, "ts"),
  printed: joined(part, "text"),
});
const isShown = ({ code, printed }: Program) => code !== "" && printed !== "";
/** Such a program is only compiled here. */
const needsPage = ({ code }: Program) => /\b(document|startLoop|requestAnimationFrame)\b/.test(code);
const pagesOf = (folder: string) =>
  readdirSync(path.join(root, folder))
    .filter((file) => file !== "README.md")
    .map((file) => page(`${folder}/${file}`));

const introduction = page("docs/guide/README.md");
const hotReload = page("docs/guide/hot-reload.md").title; // tests/pages/hot_reload.test.ts
const developmentBuild = page("docs/guide/development-build.md").title;
const guide = pagesOf("docs/guide").filter(({ title }) => title !== hotReload);

/** Programs that load the module themselves. */
const complete = ["docs/tutorial", "docs/recipes"]
  .flatMap(documentsWithPrograms)
  .map((document) => ({ ...whole(document), code: document.program }));
const savesState = ({ code }: Program) => code.includes('from "crateful/state"');

/** The programs by the entry and the modules with which they are compiled. */
const documents: [entry: string, modules: string, Program[]][] = [
  [
    "crateful",
    "ES2020",
    [
      whole(section("README.md", "A first example")),
      ...guide.map(whole),
      ...pagesOf("docs/coming-from").map(whole),
      whole(section("docs/three.md", "Use")),
    ],
  ],
  ["crateful", "ES2022", complete.filter((program) => !savesState(program))],
  ["crateful/state", "ES2022", complete.filter(savesState)],
  [
    "crateful/state",
    "ES2020",
    [
      ...sectionsOf("docs/for-assistants.md").map(whole).filter(isShown),
      ...sectionsOf("docs/saving.md")
        .slice(1)
        .filter(({ title }) => title !== "In a page")
        .map(whole),
      ...sectionsOf("docs/multiplayer.md").map(whole).filter(isShown),
    ],
  ],
];

describe.each(documents)("%s, modules of %s", (entry, modules, list) => {
  const name = (i: number) => `program${i}`;
  let programs: Programs;
  beforeAll(() => {
    programs = compilePrograms(
      {
        world: introduction.blocks.find(({ text }) => text.startsWith("// world.ts"))!.text,
        ...Object.fromEntries(list.map(({ code }, i) => [name(i), `${code}export {};\n`])),
      },
      entry,
      modules,
    );
  });
  afterAll(() => programs?.dispose());

  const inNode = list.map((program, i) => [program.title, program, i] as const).filter(([, each]) => !needsPage(each));
  test.each(inNode)("%s", (title, { code, printed }, i) => {
    expect(printed).not.toBe("");
    const develops = title === developmentBuild || /\b(verifyReplay|shuffle)\b/.test(code);
    expect(programs.run(name(i), ...(develops ? ["--conditions=development"] : []))).toBe(printed);
  });
});
