// Cloudflare Workers, which compile WebAssembly only when a program is deployed: there the import is a WebAssembly.Module.
import binary from "crateful:module";
import factory from "crateful:glue";
import type { init as Init } from "./browser.js";
import { initialise, type InitOptions } from "./init.js";

export * from "./api.js";

/** As `init` of browser.ts. */
export const init = ((options?: InitOptions) => initialise({ factory, binary: () => binary }, options)) as typeof Init;
