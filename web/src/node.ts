import { readFileSync } from "node:fs";
import { initialise, type InitOptions } from "./init.js";

export * from "./api.js";

// Not asynchronously, because that takes longer.
function load(address: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(address.startsWith("file:") ? new URL(address) : address));
}

/**
 * Loads the WebAssembly module. Await it before the first `new ECS()`. Further calls have no effect. Throws `BAD_ARGUMENT`
 * if a different module was given before.
 */
export function init(options?: InitOptions): Promise<void> {
  return initialise(load, new URL("crateful.wasm", import.meta.url).href, options);
}
