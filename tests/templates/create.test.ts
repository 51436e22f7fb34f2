// The command: what it creates, what it asks, and its errors.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { env, root, run } from "../package/consumer.js";
import { contents, folderOf, makeCreator, templates, type Creator } from "./projects.js";

let creator: Creator;
beforeAll(() => {
  creator = makeCreator();
});
afterAll(() => creator?.dispose());
afterEach(() => {
  for (const name of readdirSync(creator.folder)) rmSync(path.join(creator.folder, name), { recursive: true });
});
const inFolder = (...names: string[]) => path.join(creator.folder, ...names);
const json = (...names: string[]) => JSON.parse(readFileSync(path.join(...names), "utf8"));

describe("the packages", () => {
  const own = json(root, "package.json");
  const { packages } = json(root, "package-lock.json");

  test("create-crateful has the version of crateful, its licence, and no dependencies", () => {
    const { version, license, dependencies, devDependencies, engines } = json(root, "create-crateful/package.json");
    expect({ version, license, dependencies, devDependencies, engines }).toEqual({
      version: own.version,
      license: "MIT",
      engines: { node: ">=20.16" },
    });
    const licence = (folder: string) => readFileSync(path.join(root, folder, "LICENSE"), "utf8");
    expect(licence("create-crateful")).toBe(licence("."));
  });

  test("the tarball contains the script and the templates, and nothing else", () => {
    const files = templates.flatMap((template) =>
      readdirSync(folderOf(template), { recursive: true, encoding: "utf8" })
        .filter((name) => !statSync(path.join(folderOf(template), name)).isDirectory())
        .map((name) => `templates/${template}/${name.replaceAll(path.sep, "/")}`),
    );
    expect(creator.files.sort()).toEqual([...files, "LICENSE", "README.md", "create.mjs", "package.json"].sort());
  });

  test.each(templates)("%s has the exact versions of this repository", (template) => {
    const { dependencies = {}, devDependencies = {} } = json(folderOf(template), "package.json");
    const expected: Record<string, string> = { crateful: own.version };
    for (const name of template === "sdl2" ? ["vite"] : ["vite", "typescript"]) {
      expected[name] = packages[`node_modules/${name}`].version;
      expect(own.devDependencies[name]).toBe(expected[name]);
    }
    expect({ ...dependencies, ...devDependencies }).toEqual(expected);
  });

  test.each(templates)("%s has fewer than 200 lines of code that are not blank", (template) => {
    const files = readdirSync(folderOf(template), { recursive: true, encoding: "utf8" });
    const lines = files
      .filter((name) => /(\.(ts|[ch]pp|html|css)|CMakeLists\.txt)$/.test(name))
      .flatMap((name) => readFileSync(path.join(folderOf(template), name), "utf8").split("\n"))
      .filter((line) => line.trim() !== "");
    expect(lines.length).toBeLessThan(200);
  });
});

describe("create-crateful", () => {
  test.each(templates)("creates a project from %s", (template) => {
    const { status, stdout, stderr } = creator.create("my-game", "--template", template);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(
      `Created my-game from the template ${template}. Next:\n\n  cd my-game\n  npm install\n  npm run dev\n`,
    );
    const { _gitignore, "package.json": listed, ...files } = contents(folderOf(template));
    expect(contents(inFolder("my-game"))).toEqual({
      ...files,
      ".gitignore": _gitignore,
      "package.json": listed!.replace(`"crateful-template-${template}"`, '"my-game"'),
    });
  });

  test("creates it in an empty folder, in one that contains only .git, and in this folder", () => {
    mkdirSync(inFolder("empty"));
    mkdirSync(inFolder("games/cloned/.git"), { recursive: true });
    mkdirSync(inFolder("here"));
    expect(creator.create("empty", "-t", "typescript").status).toBe(0);
    expect(creator.create("games/cloned", "-t", "typescript").stdout).toContain("  cd games/cloned\n");
    expect(json(inFolder("games/cloned/package.json")).name).toBe("cloned");
    expect(creator.create("my games/mine", "-t", "typescript").stdout).toContain('  cd "my games/mine"\n');
    const options = { cwd: inFolder("here"), encoding: "utf8" } as const;
    const { stdout } = spawnSync(process.execPath, [creator.script, ".", "-t", "typescript"], options);
    expect(stdout).not.toContain("cd ");
    expect(json(inFolder("here/package.json")).name).toBe("here");
  });

  test("names the package manager that runs it, and the tools for C++ that are missing", () => {
    const create = (name: string, template: string) =>
      spawnSync(process.execPath, [creator.script, name, "-t", template], {
        cwd: creator.folder,
        encoding: "utf8",
        env: { PATH: "/nowhere", npm_config_user_agent: "pnpm/10.0.0 npm/? node/v20.16.0" },
      }).stdout;
    expect(create("one", "typescript")).toMatch(/\n {2}pnpm install\n {2}pnpm run dev\n$/);
    expect(create("two", "cpp")).toContain(
      "\nIt needs Emscripten 6 and CMake 3.25. Not found on PATH: emcmake, cmake. README.md says what to do.\n",
    );
  });

  test("prints its usage with --help", () => {
    for (const option of ["--help", "-h"]) {
      const { status, stdout } = creator.create(option);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^Usage: npm create crateful@latest FOLDER -- --template TEMPLATE\n/);
      for (const template of templates) expect(stdout).toMatch(new RegExp(`^ {2}${template} `, "m"));
    }
  });

  const unnamed = (name: string) =>
    `"${name}" can't be the name of a package: choose another name for the folder, of lower-case letters, digits and ` +
    "hyphens, such as my-game";
  test.each([
    [["my-game", "-t", "rust"], 'there is no template "rust": choose one of typescript, cpp, sdl2'],
    [["my-game", "-t", "toString"], 'there is no template "toString": choose one of typescript, cpp, sdl2'],
    [["full", "-t", "cpp"], "the folder full is not empty: choose another name, or empty the folder"],
    [["file", "-t", "cpp"], "file is a file: choose another name for the folder"],
    [["file/game", "-t", "cpp"], "file is a file: choose another name for the folder"],
    [["My Game", "-t", "cpp"], unnamed("My Game")],
    [["games/.hidden", "-t", "cpp"], unnamed(".hidden")],
    [["node_modules", "-t", "cpp"], unnamed("node_modules")],
    [["my-game", "other", "-t", "cpp"], "pass one folder, not also other"],
    [["my-game", "--tempalte", "cpp"], "Unknown option '--tempalte'"],
    [["my-game", "--template"], "Option '-t, --template <value>' argument missing"],
    [["my-game"], "pass --template TEMPLATE; this is not a terminal in which it could ask"],
    [[], "pass FOLDER and --template TEMPLATE; this is not a terminal in which it could ask"],
    [["-t", "cpp"], "pass FOLDER; this is not a terminal in which it could ask"],
  ])("%j is an error that says what to do and changes nothing", (args, message) => {
    mkdirSync(inFolder("full"));
    writeFileSync(inFolder("full/README.md"), "mine");
    writeFileSync(inFolder("file"), "mine");
    const before = contents(creator.folder);
    const { status, stdout, stderr } = creator.create(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr.startsWith(`create-crateful: ${message}`)).toBe(true);
    expect(stderr).not.toContain("    at ");
    expect(contents(creator.folder)).toEqual(before);
  });
});

/** Runs the script in a terminal; each answer is typed when its question is shown. Returns what the terminal shows. */
async function inTerminal(args: string[], answers: [question: RegExp, answer: string][]) {
  const spawnScript = "import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
  const child = spawn("python3", ["-c", spawnScript, process.execPath, creator.script, ...args], {
    cwd: creator.folder,
    env: { ...env, NO_COLOR: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  let seen = 0;
  const waiting = [...answers];
  child.stdout.on("data", (data) => {
    shown += String(data);
    const found = waiting[0]?.[0].exec(shown.slice(seen));
    if (!found) return;
    seen = shown.length;
    child.stdin.write(waiting.shift()![1]);
  });
  const status = await new Promise((resolve) => {
    child.once("close", resolve);
  });
  return { status, shown, unanswered: waiting.length };
}

describe("in a terminal", () => {
  const folderQuestion = /Folder \(my-game\): /;
  const templateQuestion = /Template \(typescript\): /;

  test("it asks for what is missing, with standard answers", async () => {
    const { status, shown, unanswered } = await inTerminal(
      [],
      [
        [folderQuestion, "\r"],
        [templateQuestion, "\r"],
      ],
    );
    expect({ status, unanswered }).toEqual({ status: 0, unanswered: 0 });
    expect(shown).toContain("Created my-game from the template typescript.");
    expect(existsSync(inFolder("my-game/src/game.ts"))).toBe(true);

    await inTerminal(["other"], [[templateQuestion, "sdl2\r"]]);
    expect(existsSync(inFolder("other/src/main.cpp"))).toBe(true);
    await inTerminal(["-t", "cpp"], [[folderQuestion, "third\r"]]);
    expect(existsSync(inFolder("third/game.cpp"))).toBe(true);
  });

  test("it asks again after an answer that is not possible", async () => {
    const { status, shown } = await inTerminal(
      [],
      [
        [folderQuestion, "My Game\r"],
        [/such as my-game[\s\S]*Folder \(my-game\): /, "mine\r"],
        [templateQuestion, "rust\r"],
        [/choose one of typescript, cpp, sdl2[\s\S]*Template \(typescript\): /, "cpp\r"],
      ],
    );
    expect(status).toBe(0);
    expect(shown).toContain("Created mine from the template cpp.");
  });

  test.each([
    ["Ctrl+C", "\x03"],
    ["Ctrl+D", "\x04"],
  ])("%s ends it, and it has created nothing", async (_, key) => {
    const { status, shown } = await inTerminal(
      [],
      [
        [folderQuestion, "\r"],
        [templateQuestion, key],
      ],
    );
    expect(status).toBe(1);
    expect(shown).toContain("create-crateful: cancelled: nothing was created");
    expect(readdirSync(creator.folder)).toEqual([]);
  });
});

test.each(["cpp", "sdl2"] as const)("without Emscripten, %s prints the error that its README shows", (template) => {
  const project = creator.project(template);
  const bin = inFolder("bin"); // all that is on PATH
  mkdirSync(bin);
  for (const name of ["node", "npm", "sh"])
    symlinkSync(run("sh", ["-c", `command -v ${name}`], bin).trim(), path.join(bin, name));
  const options = { cwd: project, encoding: "utf8", env: { ...env, PATH: bin } } as const;
  const { status, stderr } = spawnSync("npm", ["run", "build"], options);
  expect(status).not.toBe(0);
  const shown = /emcmake: (command )?not found/.exec(stderr)?.[0];
  expect(readFileSync(path.join(project, "README.md"), "utf8")).toContain(`\`${shown}\``);
});
