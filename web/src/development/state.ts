import "./checks.js";

export * from "../state_inline.js";
export { startLoop } from "./loop.js";
