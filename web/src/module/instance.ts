import { EcsError } from "./errors.js";
import { follow } from "./heap.js";
import type { RawModule } from "./raw.js";

let current: RawModule | undefined;

/** The module instance. Throws `NOT_INITIALISED` before `init()` has resolved. @internal */
export function rawModule(): RawModule {
  if (current === undefined)
    throw new EcsError("NOT_INITIALISED", "the WebAssembly module is not loaded: await init() first");
  return current;
}

/** Makes `raw` the module that the package uses. @internal */
export function setModule(raw: RawModule): void {
  follow(raw);
  current = raw;
}
