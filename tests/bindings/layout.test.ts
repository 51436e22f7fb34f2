// web/src/module/layout.ts against what C++ reports (tests/bindings/native/layout.cpp).
import { expect, test } from "@jest/globals";
import * as layout from "../../web/src/module/layout.js";

interface Fixture {
  layout(): string;
}

// Built by tests/bindings/CMakeLists.txt.
const { default: create } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as { default: () => Promise<Fixture> };
const native = await create();

/** Every value of layout.ts by name, for example `PoolControl.count`. */
function valuesOfTypeScript(): Record<string, number> {
  const values: Record<string, number> = {};
  for (const [name, members] of Object.entries(layout as unknown as Record<string, Record<string, unknown>>)) {
    // An enum maps names to numbers, and numbers to names.
    for (const [member, value] of Object.entries(members)) {
      if (typeof value === "number") values[`${name}.${member}`] = value;
    }
  }
  return values;
}

/** The same from C++. */
function valuesOfCpp(): Record<string, number> {
  const lines = native.layout().trim().split("\n");
  return Object.fromEntries(lines.map((line) => [line.split(" ")[0]!, Number(line.split(" ")[1])]));
}

test("X2 the memory layout, flags, codes and limits of layout.ts are those of C++", () => {
  const expected = valuesOfTypeScript();
  expect(Object.keys(expected).length).toBeGreaterThan(60);
  expect(valuesOfCpp()).toEqual(expected);
});
