import "./checks.js";

export * from "../node.js";
export { startLoop } from "./loop.js";
