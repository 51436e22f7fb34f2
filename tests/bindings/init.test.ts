// What `init` can load the binary from. Each test gets a fresh copy of the package, because `init` has an effect once.
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { fresh, readBinary, serveAnswers } from "./fresh.js";

const file = new URL("../../dist/crateful.wasm", import.meta.url);
const bytes = await readBinary(file);
const base = await serveAnswers();
const wasm = { "Content-Type": "application/wasm" };
type Wasm = string | object;

/** A module as another realm creates it. */
const foreignModule = () =>
  Object.setPrototypeOf(new WebAssembly.Module(bytes), { [Symbol.toStringTag]: "WebAssembly.Module" }) as object;

const sources: [string, () => Wasm][] = [
  ["a path", () => fileURLToPath(file)],
  ["the address of a file", () => file.href],
  ["a URL", () => file],
  ["an address", () => `${base}/crateful.wasm`],
  ["a URL of a server that names a wrong type", () => new URL(`${base}/typeless`)],
  ["a Response", () => new Response(bytes, { headers: wasm })],
  ["a promise of a Response", () => fetch(`${base}/crateful.wasm`)],
  ["a Uint8Array", () => bytes],
  ["another view", () => new Int8Array(bytes.buffer)],
  ["an ArrayBuffer", () => bytes.buffer],
  ["a WebAssembly.Module", () => new WebAssembly.Module(bytes)],
  ["a promise of a WebAssembly.Module", () => WebAssembly.compile(bytes)],
  ["a WebAssembly.Module of another realm", foreignModule],
];
test.each(sources)("B2 init accepts %s", async (_, source) => {
  const { ECS, init } = await fresh();
  await init({ wasm: source() });
  expect(new ECS().count).toBe(0);
});

const unusable: [string, () => Wasm, string | RegExp][] = [
  ["an address without a file", () => `${base}/missing.wasm`, "/missing.wasm can't be used: 404 Not Found; pass"],
  ["an address with a page", () => `${base}/page`, "/page can't be used: it is HTML instead of WebAssembly; pass"],
  [
    "a page that is called WebAssembly",
    () => `${base}/streamed-page`,
    /\/streamed-page can't be used: .*(magic|start with)/,
  ],
  ["an address without a server", () => "http://127.0.0.1:1/x.wasm", "http://127.0.0.1:1/x.wasm can't be used: "],
  ["a missing file", () => "/missing/x.wasm", "/missing/x.wasm can't be used: ENOENT"],
  ["other bytes", () => new TextEncoder().encode("export {}"), /options.wasm can't be used: .*(magic|start with)/],
  ["no bytes", () => new ArrayBuffer(0), "options.wasm can't be used: "],
  ["a number", () => 3 as unknown as object, "options.wasm can't be used: "],
  ["half of the binary", () => bytes.subarray(0, 1000), /options.wasm can't be used: .*(WebAssembly|wasm)/],
  ["another module", () => Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), "options.wasm can't be used: "],
  [
    "a failed request",
    () => Promise.reject(new TypeError("Failed to fetch")),
    "options.wasm can't be used: Failed to fetch",
  ],
];
test.each(unusable)("B2 %s is INIT_FAILED, and init can be called again", async (_, source, message) => {
  const { ECS, EcsError, init } = await fresh();
  const error = await init({ wasm: source() }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EcsError);
  expect(error).toMatchObject({
    code: "INIT_FAILED",
    message: expect.stringMatching(/^init: .*; pass the address of the file: init\(\{ wasm \}\)$/),
  });
  expect((error as Error).message).toMatch(message);
  await init();
  expect(new ECS().count).toBe(0);
});

test("B2 a module that a Content-Security-Policy refuses is INIT_FAILED, and the message says what to allow", async () => {
  const { init } = await fresh();
  const why = "Refused to compile WebAssembly because 'unsafe-eval' is not allowed by the Content Security Policy";
  await expect(init({ wasm: Promise.reject(new WebAssembly.CompileError(why)) })).rejects.toMatchObject({
    code: "INIT_FAILED",
    message: `init: options.wasm can't be used: ${why}; the Content-Security-Policy must allow 'wasm-unsafe-eval'`,
  });
});

test("B2 a message contains no data: address, which can be as long as the binary", async () => {
  const { init } = await fresh();
  await expect(init({ wasm: "data:application/wasm;base64,AGFzbQ==" })).rejects.toMatchObject({
    code: "INIT_FAILED",
    message: expect.stringMatching(/^init: a data: address can't be used: /),
  });
});

test("B2 where the binary is in the JavaScript, the message does not advise to import that", async () => {
  const { init } = await fresh();
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = (() => Promise.reject(new RangeError("no memory"))) as never;
  const error = await init().catch((thrown: unknown) => thrown);
  WebAssembly.instantiate = instantiate;
  expect((error as Error).message).toBe(
    "init: crateful.wasm can't be used: no memory; pass the address of the file: init({ wasm })",
  );
});

test("B2 a runtime whose process.getBuiltinModule throws is one without files", async () => {
  const { ECS, init } = await fresh();
  const { getBuiltinModule } = process;
  process.getBuiltinModule = (() => {
    throw new Error("not in the edge runtime");
  }) as typeof getBuiltinModule;
  try {
    await init({ wasm: bytes });
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
  expect(new ECS().count).toBe(0);
});

test("X1 objects of another copy of the package are named as such", async () => {
  const { ECS, EcsError, defineComponent, init } = await fresh();
  const other = await fresh();
  await init();
  class Position extends defineComponent("Position", { x: "f32" }) {}
  class Foreign extends other.defineComponent("Foreign", { x: "f32" }) {}
  class Mover extends other.defineSystem({}) {}
  class Health extends other.Component {}
  const ecs = new ECS();
  const calls: [() => unknown, string][] = [
    [() => ecs.addEntity(new Position(), new Health() as never), "a Health of another copy of crateful"],
    [() => ecs.addEntity([Foreign, {}] as never), "of the same copy of crateful"],
    [() => ecs.addComponent(ecs.world, new Health() as never), "a Health of another copy of crateful"],
    [() => ecs.addSystem(0, new Mover() as never), "not a Mover of another copy of crateful"],
    [() => ecs.addSystem(0, {} as never), "not an object"],
    [() => ecs.addSystem(0, new Position() as never), "not an object"],
  ];
  for (const [call, message] of calls) {
    expect(call).toThrow(EcsError);
    expect(call).toThrow(message);
  }
});

// A module of the user, built by tests/bindings/CMakeLists.txt.
const { default: create } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as { default: (options?: object) => Promise<{ parse(text: string): number; _crateful_version: unknown }> };

test("B2 init creates the instance of a module of the user, and returns it", async () => {
  const { ECS, init } = await fresh();
  const native = await init({ module: create });
  expect(native.parse("12")).toBe(12);
  expect(await init({ module: create })).toBe(native);
  expect(new ECS().count).toBe(0);
});

const wrong =
  "init: options.module must be what the script of a module with crateful::bindings exports, or an instance of it";
const old = "init: the module was built from another version of crateful than this package; build it again";
/** As Emscripten's scripts, it waits for an instance, also if there will be none. */
const withoutBindings = ({ instantiateWasm }: { instantiateWasm(): void }) => {
  instantiateWasm();
  return new Promise(() => {});
};
const otherModules: [string, unknown, string][] = [
  ["a function that returns no module", () => ({}), wrong],
  ["the script of a module without the bindings", withoutBindings, wrong],
  ["a module of another version", async () => ({ ...(await create()), _crateful_version: () => 1 }), old],
];
test.each(otherModules)("B2 %s is BAD_ARGUMENT, and init can be called again", async (_, module, message) => {
  const { EcsError, init } = await fresh();
  const error = await init({ module }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EcsError);
  expect(error).toMatchObject({ code: "BAD_ARGUMENT", message });
  await init({ module: create });
});

test("B2 a module of the user whose binary is not found is INIT_FAILED, with its address", async () => {
  const { init } = await fresh();
  await expect(init({ module: create, wasm: `${base}/game.wasm` })).rejects.toMatchObject({
    code: "INIT_FAILED",
    message: expect.stringContaining(`${base}/game.wasm can't be used: 404`),
  });
  await init({ module: create });
});

test("B2 a module whose code fails after loading is INIT_FAILED without advice about the file, with the cause", async () => {
  const { init } = await fresh();
  const cause = new Error("Assertion failed: run");
  const failing = async (options?: object): Promise<never> => {
    await create(options);
    throw cause;
  };
  await expect(init({ module: failing })).rejects.toMatchObject({
    code: "INIT_FAILED",
    message: "init: the code of the module failed: Assertion failed: run",
    cause,
  });
  const missing = (await init({ wasm: `${base}/missing.wasm` }).catch((error: unknown) => error)) as Error;
  expect(missing.cause).toMatchObject({ message: "404 Not Found" });
});
