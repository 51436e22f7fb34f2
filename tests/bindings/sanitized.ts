// Loads the module of tests/bindings/native, built with the sanitizers, before the tests of a file: what they load then is this one.
// A test fails if a sanitizer has reported something, also if what the module throws then was caught.
import { afterEach, expect } from "@jest/globals";
import { init } from "crateful";

type Factory = (options: { printErr(line: string): void }) => Promise<object>;
const { default: create } = (await import(
  new URL("../../build/wasm-asan/tests/native_fixture.mjs", import.meta.url).href
)) as { default: Factory };

const report: string[] = [];
await init({ module: await create({ printErr: (line) => void report.push(line) }) });

afterEach(() => {
  expect(report.splice(0).join("\n")).toBe("");
});
