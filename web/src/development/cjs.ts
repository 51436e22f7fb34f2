import "./checks.js";
import { checkRecordings } from "./recordings.js";

export * from "../cjs.js";
export { startLoop } from "./loop.js";

checkRecordings();
