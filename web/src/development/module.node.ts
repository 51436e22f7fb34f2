import "./checks.js";

export * from "../module.node.js";
export { startLoop } from "./loop.js";
