// docs/your-own-module.md, followed word for word with the packed package in a new project: a module with C++ components and
// systems, built by CMake and by Emscripten's port, in a page and in Node.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Served } from "../pages/server.js";
import { compileTypeScript, root, run, tool } from "../package/consumer.js";
import { STRICT, joined, section, thenRun } from "../package/snippets.js";
import { ending } from "../pages/page.js";
import { makeViteProject, type ViteProject } from "../pages/vite.js";

const page = section("docs/your-own-module.md", "A page with both languages");
const main = joined(page, "ts");
const printed = joined(page, "text").trimEnd().split("\n");
const systems = section("docs/your-own-module.md", "Systems");

let project: ViteProject;
const inProject = (...names: string[]) => path.join(project.consumer.folder, ...names);
/** Runs commands in a shell, as a reader does. */
const shell = (commands: string) => run("sh", ["-ec", commands], project.consumer.folder);
const commandsOf = (title: string) => joined(section("docs/your-own-module.md", title), "sh");

beforeAll(async () => {
  project = await makeViteProject();
  project.consumer.write("game.cpp", joined(page, "cpp"));
  project.consumer.write("CMakeLists.txt", joined(page, "cmake"));
  project.consumer.write("src/main.ts", ending(main));
  const build = joined(page, "sh")
    .split("\n")
    .filter((line) => line.includes("cmake"));
  shell(build.join("\n"));
});
afterAll(() => project?.dispose());

test("CMake builds the module and its types, and nothing else, optimised", () => {
  const built = readdirSync(inProject("build")).filter((name) => /\.(mjs|wasm|mts|js|a)$/.test(name));
  expect(built.sort()).toEqual(["game.d.mts", "game.mjs", "game.wasm"]);
  const cache = readFileSync(inProject("build/CMakeCache.txt"), "utf8");
  expect(cache).toContain("CMAKE_BUILD_TYPE:STRING=Release");
  expect(shell("cmake --build build --target help")).not.toMatch(/gtest|core_tests|crate_room|crateful_package/);
});

test.each(["typescript", "typescript-7"])("%s accepts the program and the types of the module", (compiler) => {
  const compilerOptions = { ...STRICT, skipLibCheck: false };
  project.consumer.write("tsconfig.strict.json", JSON.stringify({ extends: "./tsconfig.json", compilerOptions }));
  tool(`${compiler}/bin/tsc`, ["-p", "tsconfig.strict.json"], project.consumer.folder);
  project.consumer.write("src/wrong.ts", main.replace("addMove(ecs.raw, 10)", 'addMove(ecs.raw, "10")'));
  expect(() => tool(`${compiler}/bin/tsc`, ["-p", "tsconfig.strict.json"], project.consumer.folder)).toThrow("TS2345");
  shell("rm src/wrong.ts");
});

/** What the page prints on the console. */
async function printedBy(served: Served): Promise<string[]> {
  try {
    const { page: opened, lines } = await project.open(served.url);
    await opened.close();
    return lines;
  } finally {
    await served.close();
  }
}

test("the page that Vite serves for development prints what the document shows", async () => {
  expect(await printedBy(await project.serveForDevelopment())).toEqual(printed);
});

test("the page that Vite builds prints the same, without warnings and without crateful.wasm", async () => {
  expect(await printedBy(await project.build())).toEqual(printed);
  const assets = readdirSync(inProject("dist/assets")).map((name) => name.replace(/-.*\./, "."));
  expect(assets.sort()).toEqual(["game.wasm", "index.js"]);
});

/** Runs a program with the module in Node; returns what it prints. */
function inNode(program: string): string[] {
  const file = project.consumer.write("node/main.ts", program);
  const compilerOptions = { ...STRICT, target: "ES2022", module: "NodeNext", types: [], skipLibCheck: false };
  const options = {
    compilerOptions: { ...compilerOptions, lib: ["ES2023", "DOM", "ESNext.Disposable"] },
    files: [file],
  };
  project.consumer.write("node/tsconfig.json", JSON.stringify(options));
  compileTypeScript(path.join(project.consumer.folder, "node"));
  return run(process.execPath, [file.replace(/ts$/, "js")], project.consumer.folder)
    .trimEnd()
    .split("\n");
}

test("the same script runs in Node, with C++ systems that TypeScript orders, disables and enables", () => {
  expect(inNode(thenRun(main, joined(systems, "ts")))).toEqual([...printed, joined(systems, "text").trimEnd()]);
});

test("C++ options of the user take precedence, and keep what the package needs", () => {
  const options = joined(section("docs/your-own-module.md", "Options"), "cmake");
  project.consumer.write("CMakeLists.txt", joined(page, "cmake") + options);
  const linked = shell("cmake --build build --verbose 2>&1 | grep game.cpp");
  expect(linked).toMatch(/-std=(gnu|c)\+\+2[3b]/);
  expect(linked.lastIndexOf("-sSTACK_SIZE=1MB")).toBeGreaterThan(linked.lastIndexOf("-sSTACK_SIZE=262144"));
  expect(readFileSync(inProject("build/game.mjs"), "utf8")).toMatch(/Module\[.stackSave.\]/);
  expect(inNode(main)).toEqual(printed);
});

test("a module that links crateful::state saves and restores", () => {
  const [link] = /target_link_libraries\(.*crateful::state\)/.exec(
    readFileSync(path.join(root, "docs/your-own-module.md"), "utf8"),
  )!;
  project.consumer.write("CMakeLists.txt", `${joined(page, "cmake")}${link}\n`);
  shell("cmake --build build");
  const saves = "const saved = snapshot(ecs);\necs.clear();\nrestore(ecs, saved);\nconsole.log(ecs.count);\n";
  const program = `import { restore, snapshot } from "crateful/state";\n${thenRun(main, saves)}`;
  expect(inNode(program)).toEqual([...printed, "3"]);
});

/** C++ catches what it throws, and `guarded` passes it on. */
const guarded = `
try {
  game.addMove(ecs.raw, Number.NaN);
} catch (error) {
  console.log((error as Error).message);
}
`;
const refused = "addSystem: system Move: the priority must be a finite number, not NaN";

test("a guarded function of the module throws an error that TypeScript can read", () => {
  expect(inNode(thenRun(main, guarded))).toEqual([...printed, refused]);
});

test("the port builds the same without CMake", () => {
  shell("rm -r build");
  shell(commandsOf("Without CMake"));
  expect(inNode(thenRun(main, guarded))).toEqual([...printed, refused]);
});

test("CMake without Emscripten says what to do", () => {
  expect(() => shell("cmake -B native")).toThrow(/crateful_add_module needs Emscripten: delete\s+\S*native, then run/);
});

const PORT = "--use-port=node_modules/crateful/port/crateful.py";
const HOST = "node_modules/crateful/bindings/src/host.js";
test.each([
  [`${PORT} -sMODULARIZE=0 -sEXPORT_ES6=0 -o build/wrong.js`, "-sMODULARIZE -sEXPORT_ES6"],
  [`${PORT} -sALLOW_MEMORY_GROWTH=0 -o build/wrong.mjs`, "-sALLOW_MEMORY_GROWTH -sGROWABLE_ARRAYBUFFERS=0"],
  [`${PORT} -sMAXIMUM_MEMORY=4GB -o build/wrong.mjs`, "-sMAXIMUM_MEMORY=2GB or less"],
  [`--js-library ${HOST} -o build/wrong.mjs`, "-lembind"],
  [`--js-library ${HOST} -lembind -o build/wrong.mjs`, "-fwasm-exceptions"],
])("linking with %s says which option is missing", (flags, option) => {
  if (!existsSync(inProject("build/game.o"))) shell(`em++ -c game.cpp ${PORT} -o build/game.o`);
  // The error precedes the linking, so the standard libraries, which would be compiled without exceptions first, are not needed.
  expect(() => shell(`em++ build/game.o -nostdlib ${flags}`)).toThrow(
    `crateful: link with ${option}; crateful_add_module in CMake`,
  );
});

test("an older C++ standard says what to set", () => {
  expect(() => shell(`em++ -std=c++17 -c game.cpp ${PORT} -o build/old.o`)).toThrow(
    "crateful needs C++20: compile with",
  );
});

test("X1 a script that is no such module, and a module of another version, are refused", () => {
  const program = (module: string) => `
import { init } from "crateful/module";
import createGame from "../build/game.mjs";
void createGame;
await init({ module: ${module} }).then(console.log, (error: Error) => console.log(error.message));
`;
  const wrong =
    "init: options.module must be what the script of a module with crateful::bindings exports, or an instance of it";
  const plain = "async (o: any) => o.instantiateWasm({}, () => {}) ?? (await new Promise(() => {}))";
  for (const module of ["async () => ({})", "(() => ({})) as any", plain])
    expect(inNode(program(module))).toEqual([wrong]);
  expect(inNode(program("undefined as any"))).toEqual([expect.stringContaining("pass the module of your own")]);
  expect(inNode(program("async (o?: object) => ({ ...(await createGame(o)), _crateful_version: () => 1 })"))).toEqual([
    "init: the module was built from another version of crateful than this package; build it again",
  ]);
});
