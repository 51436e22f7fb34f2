// crateful/module in Node.
import { readFileSync } from "node:fs";
import { initialise, type InitOptions, type ModuleFactory } from "./init.js";

export * from "./api.js";

// As in node.ts: a file that both import would be one more file to load.
function load(address: string): unknown {
  if (/^(?!file:)\w\w+:/.test(address)) return fetch(address);
  // Not asynchronously, because that takes longer.
  return new WebAssembly.Module(readFileSync(address.startsWith("file:") ? new URL(address) : address));
}

/**
 * Loads a module of your own; resolves with its instance. Await it before the first `new ECS()`. Further calls return the
 * same instance. Throws `INIT_FAILED` if the module can't be loaded; then it can be called again. Throws `BAD_ARGUMENT` for
 * invalid options, and if a different module was given before (rule B2).
 */
export function init<M>(options: InitOptions & { module: ModuleFactory<M> }): Promise<M>;
export function init(options: InitOptions & { module: object }): Promise<void>;
export function init(options?: InitOptions): Promise<unknown> {
  return initialise(load, undefined, options);
}
