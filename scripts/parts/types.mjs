// tests/types contains mistakes that must not compile, each after a `@ts-expect-error`: the compiler reports those that
// do compile. Every TypeScript version that users may have must accept the same files and the emitted declarations.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { typescript } from "../build.mjs";
import { fromRoot } from "../process.mjs";

const fastest = "typescript-7";
const others = ["typescript-5.4", "typescript"];

/** The errors of one compiler for one project, one per line. */
function complaints(compiler, project) {
  const command =
    compiler === fastest ? typescript(project) : [fromRoot("node_modules", compiler, "bin/tsc"), "-p", project];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [...command, "--noEmit", "--pretty", "false"], {
    cwd: fromRoot(),
    encoding: "utf8",
  });
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => /error TS\d+/.test(line));
  if (lines.length === 0 && status !== 0) lines.push(`tsc failed: ${error?.message ?? stdout + stderr}`);
  return lines;
}

function versionOf(compiler) {
  return JSON.parse(readFileSync(fromRoot("node_modules", compiler, "package.json"), "utf8")).version;
}

const mistakes = () =>
  readdirSync(fromRoot("tests/types"), { recursive: true })
    .filter((file) => file.endsWith(".ts"))
    .map(
      (file) => readFileSync(fromRoot("tests/types", file), "utf8").match(/^\s*\/\/ @ts-expect-error/gm)?.length ?? 0,
    )
    .reduce((sum, count) => sum + count, 0);

/** The messages of tests/types/messages that the compiler words otherwise. */
function otherMessages(compiler) {
  const file = readFileSync(fromRoot("tests/types/messages/messages.ts"), "utf8");
  const expected = [...file.matchAll(/^\/\/ (Type .+)$/gm)].map(([, message]) => message);
  const found = complaints(compiler, "tests/types/messages").map((line) => line.replace(/^.*?error TS\d+: /, ""));
  return [...expected, ...found].filter((message) => !expected.includes(message) || !found.includes(message));
}

/** Each check is one test, or as many as it is worth. @param {[what: string, lines: string[], worth?: number][]} checks */
function count(checks) {
  let passed = 0;
  let failed = 0;
  for (const [what, lines, worth = 1] of checks) {
    console.log(lines.length === 0 ? `ok: ${what}` : `NOT ok: ${what}\n${lines.join("\n")}`);
    passed += Math.max(0, worth - lines.length);
    failed += lines.length;
  }
  console.log(`Types: ${passed} passed, ${failed} failed`);
  return { passed, failed };
}

/** The newest TypeScript, which needs half the time. Each mistake is a test. */
export function checkTypes() {
  const expectations = mistakes();
  if (expectations === 0) return { passed: 0, failed: 0 };
  return count([
    [
      `${expectations} mistakes are refused by TypeScript ${versionOf(fastest)}`,
      complaints(fastest, "tests/types"),
      expectations,
    ],
    [`a game's own ECS under TypeScript ${versionOf(fastest)}`, complaints(fastest, "tests/types/register")],
    [`messages of TypeScript ${versionOf(fastest)}`, otherMessages(fastest)],
    ["the tests themselves type-check", complaints(fastest, "tests")],
    ["the demo's page type-checks", complaints(fastest, "demo/page")],
  ]);
}

/** The other versions of TypeScript that users may have. */
export const checkOtherCompilers = () =>
  count(
    others.flatMap((compiler) => [
      [
        `mistakes and declarations under TypeScript ${versionOf(compiler)}`,
        complaints(compiler, "tests/types").slice(0, 20),
      ],
      [`a game's own ECS under TypeScript ${versionOf(compiler)}`, complaints(compiler, "tests/types/register")],
      [`messages of TypeScript ${versionOf(compiler)}`, otherMessages(compiler)],
    ]),
  );
