// The same as state.ts, for Cloudflare Workers.
import factory from "crateful:state_glue";
import binary from "crateful:state_module";
import { initialise, type InitOptions } from "./init.js";
import type { init as Init } from "./state.js";

export * from "./api.js";
export * from "./state/index.js";

/** As `init` of state.ts. */
export const init = ((options?: InitOptions) =>
  initialise({ factory, binary: () => binary, file: "crateful_state.wasm" }, options)) as typeof Init;
