// For programs with a module of their own: the package without crateful.wasm, so that bundlers do not copy it.
import { initialise, type InitOptions, type ModuleFactory } from "./init.js";

export * from "./api.js";

/**
 * Loads a module of your own; resolves with its instance. Await it before the first `new ECS()`. Further calls return the
 * same instance. Throws `INIT_FAILED` if the module can't be loaded; then it can be called again. Throws `BAD_ARGUMENT` for
 * invalid options, and if a different module was given before (rule B2).
 */
export function init<M>(options: InitOptions & { module: ModuleFactory<M> }): Promise<M>;
export function init(options: InitOptions & { module: object }): Promise<void>;
export function init(options?: InitOptions): Promise<unknown> {
  return initialise(undefined, options);
}
