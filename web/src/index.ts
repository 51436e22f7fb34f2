// The types of the package; at run time `exports` in package.json chooses node.js or browser.js.
export * from "./browser.js";
