// The texts of the documents: links, lengths, and that what a document shows in parts is what its program contains.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "./consumer.js";
import { documentsWithPrograms, joined, section, sectionsOf, type Document } from "./snippets.js";

const textOf = (file: string) => readFileSync(path.join(root, file), "utf8");
/** Code without the indentation of its lines. */
const flat = (code: string) => code.trim().replaceAll(/^ +/gm, "");
/** The snippets of a page that are not in its program. */
const strangeSnippets = (document: Document): string[] =>
  document.blocks
    .filter(({ info, text }) => info === "ts" && !flat(document.program).includes(flat(text)))
    .map(({ text }) => text);

test.each([
  ["README.md", 150],
  ["docs/for-assistants.md", 300],
])("%s has at most %i lines", (file, most) => {
  expect(textOf(file).trimEnd().split("\n").length).toBeLessThanOrEqual(most);
});

test("the first example of the README has at most 25 lines, and no other code of it is left out of the tests", () => {
  const withCode = sectionsOf("README.md").filter((part) => joined(part, "ts") !== "");
  expect(withCode.map(({ title }) => title)).toEqual(["A first example", "What every game needs"]);
  expect(joined(withCode[0]!, "ts").trimEnd().split("\n").length).toBeLessThanOrEqual(25);
});

test.each(["docs/guide/systems.md", "docs/for-assistants.md"])("%s names every option of a system", (file) => {
  const [, members] = /^export interface SystemOptions<.*\n([^}]*)/m.exec(textOf("docs/api/crateful.api.md"))!;
  const options = [...members!.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name!);
  expect(options).toContain("watch");
  expect(options.filter((name) => !new RegExp(`\`${name}\\b`).test(textOf(file)))).toEqual([]);
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

const recipes = documentsWithPrograms("docs/recipes");
test("the list of recipes has a link to each", () => {
  const list = textOf("docs/recipes/README.md");
  const linked = Array.from(list.matchAll(/\]\(([\w-]+)\.md\)/g), ([, name]) => name!);
  const files = readdirSync(path.join(root, "docs/recipes")).filter((file) => file !== "README.md");
  expect(linked.sort()).toEqual(files.map((file) => file.replace(".md", "")).sort());
  expect(recipes.map(({ name }) => name).sort()).toEqual(linked);
});

test.each(recipes)("$title: the page has at most 80 lines of code, and shows only its program", (recipe) => {
  expect(recipe.program.split("\n").length).toBeLessThanOrEqual(80);
  expect(strangeSnippets(recipe)).toEqual([]);
});

const steps = documentsWithPrograms("docs/tutorial");
test("the tutorial lists its steps in their order, and each page leads to the next one", () => {
  const read = (name: string) => textOf(`docs/tutorial/${name}.md`);
  const listed = Array.from(read("README").matchAll(/^\d\. \[.*\]\((.*)\.md\)/gm), ([, name]) => name!);
  expect(listed).toHaveLength(8);
  expect([...listed].sort()).toEqual(steps.map(({ name }) => name));
  listed.forEach((name, i) => {
    expect(read(name)).toContain(`# ${i + 1}. `);
    if (i < 7) expect(read(name)).toMatch(new RegExp(`\\nNext: \\[.*\\]\\(${listed[i + 1]}\\.md\\)\\.\\n$`));
  });
});

test.each(steps)("$title: the page shows parts of its program, and then the program", (step) => {
  expect(strangeSnippets(step)).toEqual([]);
  expect(step.blocks.at(-1)!.playground).toBe(true);
  expect(step.program.split("\n").length).toBeLessThanOrEqual(200);
});

const workers = "docs/workers.md";
const example = (name: string) => textOf(`examples/worker/${name}`);

test("the pattern in docs/workers.md is the code of the example", () => {
  const files = ["worker.ts", "main.ts"].map((name) => flat(example(name)));
  const { blocks } = section(workers, "The pattern");
  expect(blocks.length).toBeGreaterThan(6);
  for (const { text } of blocks) expect(files.filter((file) => file.includes(flat(text)))).toHaveLength(1);
});

test("the headers in docs/workers.md are those of the example, for every server", () => {
  const { blocks } = section(workers, "Shared memory needs two headers");
  expect(blocks[0]!.text).toBe(`// vite.config.ts\n${example("vite.config.ts")}`);
  expect(blocks).toHaveLength(3);
  for (const { text } of blocks) {
    expect(text).toMatch(/Cross-Origin-Opener-Policy\W+same-origin/);
    expect(text).toMatch(/Cross-Origin-Embedder-Policy\W+require-corp/);
  }
});

test("every section of docs/workers.md is linked from its beginning", () => {
  const titles = sectionsOf(workers)
    .slice(1)
    .map(({ title }) => title);
  const text = textOf(workers);
  const links = Array.from(text.matchAll(/^- \[(.*)\]\(#(.*)\)$/gm), ([, title, anchor]) => [title, anchor]);
  expect(links).toEqual(titles.map((title) => [title, title.toLowerCase().replaceAll(" ", "-")]));
});
