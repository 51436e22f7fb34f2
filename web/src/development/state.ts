import "./checks.js";
import text from "crateful:state_binary";
import factory from "crateful:state_glue";
import inspectorText from "crateful:inspector_binary";
import inspectorFactory from "crateful:inspector_glue";
import { decoded } from "../init.js";
import type { init as Init } from "../state_inline.js";
import { developing } from "./init.js";
import { checkRecordings } from "./recordings.js";

export * from "../state_inline.js";
export { startLoop } from "./loop.js";

export const init = developing(
  { factory, binary: () => decoded(text), file: "crateful_state.wasm" },
  { factory: inspectorFactory, binary: () => decoded(inspectorText), file: "crateful_state.wasm" },
  true,
) as typeof Init;

checkRecordings();
