// The package with snapshots. Its binary is larger, and the same for everything else; what this entry shares with the others is
// in their common file, so a program can import from both.
import factory from "crateful:state_glue";
import { initialise, type InitOptions, type ModuleFactory } from "./init.js";

export * from "./api.js";
export * from "./state/index.js";

/**
 * As `init` of "crateful", for the module with the code for snapshots. Call it in place of that one.
 */
export function init<M>(options: InitOptions & { module: ModuleFactory<M> }): Promise<M>;
export function init(options?: InitOptions): Promise<void>;
export function init(options?: InitOptions): Promise<unknown> {
  const binary = () => new URL(STATE_ADDRESS, import.meta.url).href;
  return initialise({ factory, binary, file: "crateful_state.wasm" }, options);
}
