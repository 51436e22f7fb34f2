import "./checks.js";

export * from "../module.js";
export { startLoop } from "./loop.js";
