// Every rule of docs/rules.md against the titles of the tests that name it. `npm test -- rules`
// runs it; `node scripts/rules.mjs` lists the tests of every rule.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { fromRoot, isMain, main } from "./process.mjs";

/** Where a rule of each side must have been tested. A group is satisfied by any of its folders. */
const demands = {
  both: [["core"], ["bindings", "browser"]],
  web: [["bindings", "browser", "development"]],
  cpp: [["core"]],
};

/** What a rule has at most, with its heading. */
const MOST_WORDS = 120;

/** The rules, in the document's order. */
export function readRules() {
  const sections = readFileSync(fromRoot("docs/rules.md"), "utf8").split(/^##+ /m);
  return sections
    .filter((section) => /^[A-Z]\d+ /.test(section))
    .map((section) => ({
      rule: section.slice(0, section.indexOf(" ")),
      side: /^\*\*(\w+)\.\*\* /m.exec(section)?.[1],
      wording: section.trim(),
      words: section.trim().split(/\s+/).length,
    }));
}

/** The cases of each rule in a language (`web` or `cpp`), as ["A2 sparse clear", …]. */
export function readCases(language) {
  const text = readFileSync(fromRoot("docs/rules.md"), "utf8").split("\n## Cases\n")[1];
  const rows = [...text.matchAll(/^\| (\w+) \| ([^|]+) \|$/gm)].map(([, first, list]) => [first, list.split(", ")]);
  const words = new Map(rows.filter(([word]) => /^[a-z]+$/.test(word) && word !== "rule" && word !== "word"));
  const other = language === "web" ? "(cpp)" : "(web)";
  const casesOf = (word) =>
    words
      .get(word)
      .filter((name) => !name.endsWith(other))
      .map((name) => name.replace(/ \(\w+\)$/, ""));
  return rows
    .filter(([rule]) => /^[A-Z]\d+$/.test(rule))
    .flatMap(([rule, combination]) =>
      combination
        .map(casesOf)
        .reduce((all, cases) => all.flatMap((before) => cases.map((name) => `${before} ${name}`)), [rule]),
    );
}

/** Prints the cases that none of these tests has tested, and returns how many there are. */
export function countMissingCases(language, titles) {
  const plain = (text) => text.replace(/[_ ]/g, "").toLowerCase();
  const tested = new Set();
  for (const title of titles) {
    const [, words] = /\[([\w ]+)\]$/.exec(title) ?? [];
    for (const [rule] of words === undefined ? [] : title.matchAll(/\b[A-Z]\d+\b/g))
      tested.add(plain(`${rule} ${words}`));
  }
  const missing = readCases(language).filter((name) => !tested.has(plain(name)));
  for (const name of missing) console.log(`${name}: this case of the rule was not tested`);
  return missing.length;
}

/** Test titles below tests/<folder>: GoogleTest's names and the strings of Jest's test, it and describe. */
export function readTitles(folder) {
  const place = fromRoot("tests", folder);
  if (!existsSync(place)) return [];
  const sources = readdirSync(place, { recursive: true }).map(String);
  const titles = (ending, pattern) =>
    sources
      .filter((file) => file.endsWith(ending))
      .flatMap((file) => [...readFileSync(fromRoot("tests", folder, file), "utf8").matchAll(pattern)])
      .map((match) => match.at(-1));
  return [
    ...titles(".cpp", /\b(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*\w+\s*,\s*(\w+)\s*\)/g).map((name) =>
      name.replaceAll("_", " "),
    ),
    // .each(…) stands between the name and the title; skipped and to-do tests prove nothing.
    ...titles(
      ".test.ts",
      /\b(?:test|it|describe)(?:\.(?:each|concurrent|only)\b(?:\([\s\S]*?\)(?=\())?)*\s*\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g,
    ),
  ];
}

/** Prints what is missing; each rule counts as one test. */
export function checkRules({ verbose = false } = {}) {
  const folders = ["core", "bindings", "browser", "development"];
  const titles = Object.fromEntries(folders.map((folder) => [folder, readTitles(folder)]));
  let passed = 0;
  let failed = 0;
  for (const { rule, side, wording, words } of readRules()) {
    const named = new RegExp(`(?<![A-Za-z0-9])${rule}(?![A-Za-z0-9])`);
    const tests = Object.fromEntries(
      folders.map((folder) => [folder, titles[folder].filter((title) => named.test(title))]),
    );
    const problems = (demands[side] ?? [])
      .filter((group) => group.every((folder) => tests[folder].length === 0))
      .map((group) => `has no test in ${group.map((folder) => `tests/${folder}`).join(" or ")}`);
    if (!(side in demands)) problems.push("does not begin with **both.**, **web.** or **cpp.**");
    if (words > MOST_WORDS) problems.push(`has ${words} words, more than ${MOST_WORDS}`);
    if (problems.length === 0) passed += 1;
    else failed += 1;
    for (const problem of problems) console.log(`${rule} ${problem}`);
    if (verbose) {
      console.log(wording);
      for (const folder of folders) for (const title of tests[folder]) console.log(`    ${folder.padEnd(9)} ${title}`);
    }
  }
  console.log(`Rules: ${passed} are right, ${failed} are not`);
  return { passed, failed };
}

if (isMain(import.meta.url)) {
  await main(() => {
    if (checkRules({ verbose: true }).failed > 0) process.exitCode = 1;
  });
}
