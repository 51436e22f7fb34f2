// Replaces the modules of Node in pages.
import { expect } from "./globals.js";

const onlyInNode = () => {
  throw new Error("this function exists only in Node: list the test in tests/engines/needs_node.ts");
};
// node:util
export const inspect = onlyInNode;
// node:url
export const fileURLToPath = onlyInNode;
// node:assert/strict
export const deepStrictEqual = (actual: unknown, expected: unknown): void => expect(actual).toStrictEqual(expected);
export const deepEqual = deepStrictEqual;
export const notDeepEqual = (actual: unknown, expected: unknown): void => expect(actual).not.toStrictEqual(expected);
