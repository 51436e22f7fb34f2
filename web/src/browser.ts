import { initialise, type InitOptions } from "./module.js";

export * from "./api.js";

/** Loads the WebAssembly module. Await it once before the first `new ECS()`; more calls do no harm. */
export function init(options?: InitOptions): Promise<void> {
  return initialise(() => import("./crateful.web.mjs"), options);
}
