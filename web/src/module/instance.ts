import { EcsError } from "./errors.js";
import { follow } from "./heap.js";
import type { RawModule } from "./raw.js";

/** The module instance; undefined before `init()` has resolved. Wherever there is a world, there is an instance. @internal */
export let core: RawModule;

/** The module instance. Throws `NOT_INITIALISED` before `init()` has resolved. @internal */
export function rawModule(): RawModule {
  if (core === undefined)
    throw new EcsError("NOT_INITIALISED", "the WebAssembly module is not loaded: await init() first");
  return core;
}

/** Makes `raw` the module that the package uses. @internal */
export function setModule(raw: RawModule): void {
  follow(raw);
  core = raw;
}
