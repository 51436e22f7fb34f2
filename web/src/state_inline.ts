// The same as state.ts, with the binary in the JavaScript.
import text from "crateful:state_binary";
import factory from "crateful:state_glue";
import { decoded, initialise, type InitOptions } from "./init.js";
import type { init as Init } from "./state.js";

export * from "./api.js";
export * from "./state/index.js";

/** As `init` of state.ts. */
export const init = ((options?: InitOptions) =>
  initialise({ factory, binary: () => decoded(text), file: "crateful_state.wasm" }, options)) as typeof Init;
