// The types of the package; at run time `exports` in package.json chooses browser.js, inline.js or workerd.js.
export * from "./browser.js";
