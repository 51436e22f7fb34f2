// The package with the binary in the JavaScript: for Node, and where a file beside the scripts is a burden.
import text from "crateful:binary";
import factory from "crateful:glue";
import type { init as Init } from "./browser.js";
import { decoded, initialise, type InitOptions } from "./init.js";

export * from "./api.js";

/** As `init` of browser.ts, whose types the package has for this entry, too. */
export const init = ((options?: InitOptions) =>
  initialise({ factory, binary: () => decoded(text) }, options)) as typeof Init;
