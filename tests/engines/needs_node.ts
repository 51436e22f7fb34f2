// The tests of tests/bindings that are not run in pages, or not in the page itself.

/** Tests that need Node, by the file that they are in: what their titles begin with, and why. */
export const needNode: { file: string; titles: string[]; because: string }[] = [
  {
    file: "init.test.ts",
    titles: ["B2 init accepts a path", "B2 a missing file is INIT_FAILED"],
    because: "a page has addresses instead of paths",
  },
  {
    file: "init.test.ts",
    titles: ["B2 where the binary is in the JavaScript", "B2 a runtime whose process.getBuiltinModule throws"],
    because: "pages have the file crateful.wasm and no process",
  },
  {
    file: "inspection.test.ts",
    titles: [
      ...["plain", "added", "found", "of policy linear", "at a cursor"].map(
        (holder) => `C8 a stored component that is ${holder} is inspected and written as JSON`,
      ),
      "C8 components of one class are strictly equal",
      "C8 after the removal of a component, showing it says so",
      "C8 the fields of an object component are its own properties",
      "C8 a row shows its entity",
      "C8 getComponents shows the entity",
      "C8 showing a prototype or a frozen component",
      "C8 accessors of a subclass are used, and undeclared properties",
    ],
    because: "they test what util.inspect of Node shows",
  },
  { file: "object_class.test.ts", titles: ["C16 printing"], because: "it tests what util.inspect of Node shows" },
];

/** Files that replace `document`, which only a worker allows. */
export const inWorker = ["loop.test.ts"];
