// What `init` can load the binary from. Each test gets a fresh copy of the package, because `init` has an effect once.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";

const file = fileURLToPath(new URL("../../dist/crateful.wasm", import.meta.url));
const binary = readFileSync(file);
const bytes = Uint8Array.from(binary);
const wasm = { "Content-Type": "application/wasm" };

/** A package whose `init` was not called yet. */
async function fresh() {
  jest.resetModules();
  return await import("crateful");
}
type Wasm = string | object;

const answers: Record<string, [status: number, type: string, body: string | Uint8Array]> = {
  "/crateful.wasm": [200, "application/wasm", binary],
  "/typeless": [200, "text/plain", binary],
  "/page": [200, "text/html", "<!doctype html><title>game</title>"],
  "/streamed-page": [200, "application/wasm", "<!doctype html>"],
};
const server = createServer(({ url }, response) => {
  const [status, type, body] = answers[url!] ?? [404, "text/html", "<!doctype html>"];
  response.writeHead(status, { "Content-Type": type }).end(body);
});
let base = "";
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((closed) => server.close(closed)));

const sources: [string, () => Wasm][] = [
  ["a path", () => file],
  ["the address of a file", () => pathToFileURL(file).href],
  ["a URL", () => pathToFileURL(file)],
  ["an address", () => `${base}/crateful.wasm`],
  ["a URL of a server that names a wrong type", () => new URL(`${base}/typeless`)],
  ["a Response", () => new Response(bytes, { headers: wasm })],
  ["a promise of a Response", () => fetch(`${base}/crateful.wasm`)],
  ["a Uint8Array", () => bytes],
  ["another view", () => new Int8Array(bytes.buffer)],
  ["an ArrayBuffer", () => bytes.buffer],
  ["a WebAssembly.Module", () => new WebAssembly.Module(bytes)],
  ["a promise of a WebAssembly.Module", () => WebAssembly.compile(bytes)],
];
test.each(sources)("B2 init accepts %s", async (_, source) => {
  const { ECS, init } = await fresh();
  await init({ wasm: source() });
  expect(new ECS().count).toBe(0);
});

const unusable: [string, () => Wasm, string | RegExp][] = [
  ["an address without a file", () => `${base}/missing.wasm`, "/missing.wasm can't be used: 404 Not Found; pass"],
  ["an address with a page", () => `${base}/page`, "/page can't be used: it is HTML instead of WebAssembly; pass"],
  ["a page that is called WebAssembly", () => `${base}/streamed-page`, /\/streamed-page can't be used: .*magic/],
  ["an address without a server", () => "http://127.0.0.1:1/x.wasm", "http://127.0.0.1:1/x.wasm can't be used: "],
  ["a missing file", () => "/missing/x.wasm", "/missing/x.wasm can't be used: ENOENT"],
  ["other bytes", () => new TextEncoder().encode("export {}"), /options.wasm can't be used: .*magic/],
  ["no bytes", () => new ArrayBuffer(0), "options.wasm can't be used: "],
  ["a number", () => 3 as unknown as object, "options.wasm can't be used: "],
  ["half of the binary", () => bytes.subarray(0, 1000), /options.wasm can't be used: .*WebAssembly/],
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

test("B2 an address in Vite's cache of dependencies is INIT_FAILED, and the message says what to configure", async () => {
  const { init } = await fresh();
  const wasm = `${base}/node_modules/.vite/deps/crateful.wasm`;
  await expect(init({ wasm })).rejects.toMatchObject({
    code: "INIT_FAILED",
    message: `init: ${wasm} can't be used: 404 Not Found; in Vite 7 set optimizeDeps: { exclude: ["crateful"] }`,
  });
});

test("B2 a module that a Content-Security-Policy refuses is INIT_FAILED, and the message says what to allow", async () => {
  const { init } = await fresh();
  const why = "Refused to compile WebAssembly because 'unsafe-eval' is not allowed by the Content Security Policy";
  await expect(init({ wasm: Promise.reject(new WebAssembly.CompileError(why)) })).rejects.toMatchObject({
    code: "INIT_FAILED",
    message: `init: options.wasm can't be used: ${why}; the Content-Security-Policy must allow 'wasm-unsafe-eval'`,
  });
});
