import factory from "crateful:glue";
import { initialise, type InitOptions, type ModuleFactory } from "./init.js";

export * from "./api.js";

/**
 * Loads the WebAssembly module. Await it before the first `new ECS()`. Further calls have no effect. Throws `INIT_FAILED`
 * if the module can't be loaded; then it can be called again. Throws `BAD_ARGUMENT` for invalid options, and if a different
 * module was given before (rule B2). With a module of your own, resolves with its instance.
 */
export function init<M>(options: InitOptions & { module: ModuleFactory<M> }): Promise<M>;
export function init(options?: InitOptions): Promise<void>;
export function init(options?: InitOptions): Promise<unknown> {
  return initialise({ factory, binary: () => new URL(BINARY_ADDRESS, import.meta.url).href }, options);
}
