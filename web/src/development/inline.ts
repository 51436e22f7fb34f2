import "./checks.js";

export * from "../inline.js";
export { startLoop } from "./loop.js";
