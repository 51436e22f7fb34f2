import "./checks.js";

export * from "../browser.js";
export { startLoop } from "./loop.js";
