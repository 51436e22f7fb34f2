// The first example of the README in each environment of docs/environments.md.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { root } from "../package/consumer.js";
import type { Environment } from "./environment.js";
import { pages } from "./pages.js";
import { makeProjects, printed, versionOf, type Entry, type Projects } from "./project.js";
import { runtimes } from "./runtimes.js";

let browser: Browser;
let projects: Projects;
beforeAll(async () => {
  projects = makeProjects();
  browser = await connectToChromium();
});
afterAll(async () => {
  for (const { dispose } of environments) await dispose?.();
  await browser?.close();
  projects?.consumer.dispose();
});

const environments = [...pages(() => browser), ...runtimes];
const entries = ["crateful", "crateful/inline"] as const;
const cases = environments.flatMap((environment) =>
  (environment.entries ?? entries).map((entry): [string, Entry, Environment] => [environment.name, entry, environment]),
);

test.each(cases)("%s: %s", async (_, entry, { needs, run }) => {
  if (needs && (needs.entry ?? entry) === entry)
    await expect((async () => run(projects.make(), entry, false))()).rejects.toThrow(needs.message);
  expect(await run(projects.make(), entry, true)).toEqual(printed);
});

/** Those that find the binary in different ways. `crateful/state` has its binary in the same ways as `crateful`. */
const several = ["webpack, production", "Parcel", "Vite 5, build", "Bun", "Cloudflare Workers (workerd)"].map(
  (name) => environments.find((environment) => environment.name === name)!,
);
test.each(several.map((environment): [string, Environment] => [environment.name, environment]))(
  "%s: the larger binary of crateful/state",
  async (_, { run, entries: some }) => {
    expect(await run(projects.make(), "crateful/state", true)).toEqual(printed);
    if (some === undefined) expect(await run(projects.make(), "crateful/state/inline", true)).toEqual(printed);
  },
);

/** The table, from what the tests above run. */
function table(): string {
  const cell = ({ needs, entries: some = [...entries] }: Environment, entry: Entry) =>
    !some.includes(entry) ? "not possible" : needs && (needs.entry ?? entry) === entry ? needs.text : "works";
  const version = ({ version: name }: Environment) => (/^(Node.*)?$/.test(name) ? name : versionOf(name));
  const rows = environments.map((environment) => [
    environment.name,
    version(environment),
    ...entries.map((entry) => cell(environment, entry)),
  ]);
  const lines = [
    ["environment", "version", ...entries.map((entry) => `\`${entry}\``)],
    ["---", "---", "---", "---"],
  ];
  return [...lines, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

test("docs/environments.md has the table of what is tested", () => {
  const file = path.join(root, "docs/environments.md");
  const [before, after] = ["<!-- table -->\n", "<!-- end of the table -->"];
  const document = readFileSync(file, "utf8");
  const [start, end] = [document.indexOf(before) + before.length, document.indexOf(after)];
  if (process.env["CRATEFUL_UPDATE"]) writeFileSync(file, document.slice(0, start) + table() + document.slice(end));
  else expect(document.slice(start, end)).toBe(table());
});
