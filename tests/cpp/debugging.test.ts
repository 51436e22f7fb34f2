// The development build of a module of one's own, as docs/your-own-module.md describes it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { env, makeConsumer, run, type Consumer } from "../package/consumer.js";
import { joined, section } from "../package/snippets.js";

const commands = joined(section("docs/your-own-module.md", "Debugging"), "sh");
const source = `
#include <crateful/guarded.hpp>
#include <emscripten/bind.h>
#include <vector>

struct Position { float x = 0; };

int value_at(const std::vector<int>& values, int i) { return values.data()[i]; }
int read(int i) { return value_at({1, 2, 3}, i); }
void stop() { __builtin_trap(); }

EMSCRIPTEN_BINDINGS(game) {
    crateful::describe_component<Position>("Position").field("x", &Position::x);
    emscripten::function("read(i)", &read);
    emscripten::function("stop", &stop);
}
`;

let consumer: Consumer;
const inProject = (...names: string[]) => path.join(consumer.folder, ...names);
beforeAll(() => {
  consumer = makeConsumer();
  consumer.write("game.cpp", source);
  consumer.write("CMakeLists.txt", joined(section("docs/your-own-module.md", "A page with both languages"), "cmake"));
  run("sh", ["-ec", commands], consumer.folder);
});
afterAll(() => consumer?.dispose());

/** Runs JavaScript with the module, and with the development build of the package, in Node. */
function inNode(folder: string, program: string) {
  const file = consumer.write(
    "main.js",
    `import { ECS, init, nativeComponent } from "crateful/module";
import createGame from "./${folder}/game.mjs";
const Position = nativeComponent("Position", { x: "f32" });
const game = await init({ module: createGame });
const ecs = new ECS();
${program}`,
  );
  const options = ["--conditions=development", file];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, {
    cwd: consumer.folder,
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("a debug build runs in Node, and has assertions, names in stacks and a source map", () => {
  const found = inNode(
    "debug",
    `
console.log(ecs.get(ecs.addEntity([Position, { x: 2 }]), Position).x, game.read(1));
try { game.read("1", 2); } catch (error) { console.log(error.message); }
try { game.stop(); } catch (error) { console.log(error.stack); }
`,
  );
  expect(found.stderr).toBe("");
  expect(found.stdout).toMatch(/^2 2\nfunction read called with 2 arguments, expected 1\n.*unreachable\n.*\bstop\b/);
  const map = JSON.parse(readFileSync(inProject("debug/game.wasm.map"), "utf8")) as { sources: string[] };
  expect(map.sources.filter((name) => /(game|frame)\.cpp$/.test(name))).toHaveLength(2);
});

test("the sanitizers of the compiler report mistakes in C++", () => {
  expect(inNode("debug", "console.log(game.read(2));")).toMatchObject({ status: 0, stdout: "3\n", stderr: "" });
  const { status, stderr } = inNode("debug", "console.log(game.read(3));");
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/AddressSanitizer: heap-buffer-overflow/);
  expect(stderr).toContain("game.cpp:8:"); // the line of value_at
});
