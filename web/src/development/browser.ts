import "./checks.js";

export * from "../browser.js";
