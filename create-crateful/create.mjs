#!/usr/bin/env node
// npm create crateful@latest my-game -- --template cpp: copies a template into a new folder.
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** @type {Record<string, { title: string, tools: string[] }>} */
const templates = {
  typescript: { title: "TypeScript", tools: [] },
  cpp: { title: "TypeScript, with components and a system in C++", tools: ["emcmake", "cmake"] },
  sdl2: { title: "C++ with SDL2, in a page and as a native program", tools: ["emcmake", "cmake"] },
};
const list = Object.entries(templates).map(([name, { title }]) => `  ${name.padEnd(10)}  ${title}`);

const usage = `Usage: npm create crateful@latest FOLDER -- --template TEMPLATE

Creates a small game in FOLDER, which must not exist or be empty. Its name is also the name of the package.
Asks for what is missing if it runs in a terminal.

Templates:
${list.join("\n")}

Options:
  -t, --template TEMPLATE
  -h, --help
`;

/** What the user has to change. Nothing was created. */
class Problem extends Error {}

/** @param {string} folder */
function checkFolder(folder) {
  const name = path.basename(path.resolve(folder));
  if (!/^[a-z\d~-][a-z\d._~-]*$/.test(name) || name.length > 214 || name === "node_modules")
    throw new Problem(
      `"${name}" can't be the name of a package: choose another name for the folder, ` +
        "of lower-case letters, digits and hyphens, such as my-game",
    );
  let existing = path.resolve(folder);
  while (!existsSync(existing)) existing = path.dirname(existing);
  if (!statSync(existing).isDirectory())
    throw new Problem(`${path.relative("", existing)} is a file: choose another name for the folder`);
  if (existing === path.resolve(folder) && readdirSync(folder).some((file) => file !== ".git"))
    throw new Problem(`the folder ${folder} is not empty: choose another name, or empty the folder`);
}

/** @param {string} name */
function checkTemplate(name) {
  if (!Object.hasOwn(templates, name))
    throw new Problem(`there is no template "${name}": choose one of ${Object.keys(templates).join(", ")}`);
}

/** Asks for what is missing, until the answers are valid. @param {string} [folder] @param {string} [template] */
async function ask(folder, template) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise((_, reject) => {
    terminal.once("close", reject); // by Ctrl+C, Ctrl+D or this function
  });
  closed.catch(() => {});
  /** @type {(question: string, standard: string, check: (answer: string) => void) => Promise<string>} */
  const answer = async (question, standard, check) => {
    const text = await Promise.race([terminal.question(`${question} (${standard}): `), closed]).catch(() => {
      console.log();
      throw new Problem("cancelled: nothing was created");
    });
    const answered = text.trim() || standard;
    try {
      check(answered);
      return answered;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      console.log(error.message);
      return answer(question, standard, check);
    }
  };
  folder ??= await answer("Folder", "my-game", checkFolder);
  if (template === undefined) {
    console.log(`Templates:\n${list.join("\n")}`);
    template = await answer("Template", "typescript", checkTemplate);
  }
  terminal.close();
  return [folder, template];
}

/** @param {string} folder @param {string} template */
function create(folder, template) {
  cpSync(fileURLToPath(new URL(`templates/${template}`, import.meta.url)), folder, { recursive: true });
  renameSync(path.join(folder, "_gitignore"), path.join(folder, ".gitignore")); // npm publishes no .gitignore
  const file = path.join(folder, "package.json");
  const { name: _, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify({ name: path.basename(path.resolve(folder)), ...rest }, undefined, 2)}\n`);
}

/** @param {string} command */
const installed = (command) =>
  (process.env.PATH ?? "")
    .split(path.delimiter)
    .some((folder) => ["", ".exe", ".bat"].some((end) => existsSync(path.join(folder, command + end))));

/** @param {string} folder @param {string} template */
function printNext(folder, template) {
  const agent = (process.env.npm_config_user_agent ?? "").split("/")[0] ?? "";
  const manager = ["pnpm", "yarn", "bun"].includes(agent) ? agent : "npm";
  const place = path.relative("", folder);
  const quoted = place.includes(" ") ? `"${place}"` : place;
  const commands = [...(place === "" ? [] : [`cd ${quoted}`]), `${manager} install`, `${manager} run dev`];
  console.log(`Created ${folder} from the template ${template}. Next:\n`);
  for (const command of commands) console.log(`  ${command}`);
  const missing = templates[template]?.tools.filter((tool) => !installed(tool)) ?? [];
  if (missing.length > 0)
    console.log(
      `\nIt needs Emscripten 6 and CMake 3.25. Not found on PATH: ${missing.join(", ")}. README.md says what to do.`,
    );
}

async function main() {
  const { values, positionals } = parseArgs({
    options: { template: { type: "string", short: "t" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help) return console.log(usage);
  let [folder, ...others] = positionals;
  let { template } = values;
  if (others.length > 0) throw new Problem(`pass one folder, not also ${others.join(", ")}`);
  if (folder !== undefined) checkFolder(folder);
  if (template !== undefined) checkTemplate(template);
  if (folder === undefined || template === undefined) {
    const missing = [...(folder ? [] : ["FOLDER"]), ...(template ? [] : ["--template TEMPLATE"])];
    if (!process.stdin.isTTY)
      throw new Problem(`pass ${missing.join(" and ")}; this is not a terminal in which it could ask\n\n${usage}`);
    [folder, template] = await ask(folder, template);
  }
  create(folder, template);
  printNext(folder, template);
}

main().catch((error) => {
  const known = error instanceof Problem || error?.code?.startsWith("ERR_PARSE_ARGS") || error?.syscall !== undefined;
  console.error(known ? `create-crateful: ${error.message}` : error);
  process.exitCode = 1;
});
