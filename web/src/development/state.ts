import "./checks.js";
import { checkRecordings } from "./recordings.js";

export * from "../state_inline.js";
export { startLoop } from "./loop.js";

checkRecordings();
