import "./checks.js";

export * from "../cjs.js";
export { startLoop } from "./loop.js";
