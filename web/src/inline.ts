import binary from "crateful:binary";
import { initialise, type InitOptions } from "./init.js";

export * from "./api.js";

/**
 * Loads the WebAssembly module. Await it before the first `new ECS()`. Further calls have no effect. Throws `BAD_ARGUMENT`
 * if a different module was given before.
 */
export function init(options?: InitOptions): Promise<void> {
  return initialise(() => WebAssembly.compile(binary), "", options);
}
