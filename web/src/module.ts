import { EcsError, badArgument } from "./errors.js";
import { follow } from "./heap.js";
import { hostCalls } from "./host.js";
import type { RawModule } from "./raw.js";

/** How `init` finds the WebAssembly module. */
export interface InitOptions {
  /** Where to fetch `crateful.wasm` from; called with its name and the folder of the JavaScript. */
  locateFile?: (path: string, prefix: string) => string;
  /** A module of your own that links `crateful::bindings`, already instantiated. */
  module?: unknown;
}

type Factory = (options: object) => Promise<unknown>;

let current: RawModule | undefined;
let pending: Promise<void> | undefined;
let requested: unknown;

/** The module; an error before `init` has resolved. @internal */
export function rawModule(): RawModule {
  if (current === undefined) throw new EcsError("NOT_INITIALISED", "await init() first");
  return current;
}

function adopt(module: unknown): void {
  const raw = module as RawModule;
  if (typeof raw?.World !== "function" || !(raw.HEAPU8 instanceof Uint8Array)) {
    throw badArgument("init: options.module is no instantiated module that links crateful::bindings");
  }
  (raw as unknown as { crateful: object }).crateful = hostCalls;
  follow(raw);
  current = raw;
}

/** Loads once; further calls wait for the same module. After a failure it may be tried again. @internal */
export function initialise(load: () => Promise<{ default: Factory }>, options: InitOptions = {}): Promise<void> {
  if (pending !== undefined) {
    if (options.module !== undefined && options.module !== requested) {
      return Promise.reject(badArgument("init: another module is in use already"));
    }
    return pending;
  }
  requested = options.module;
  pending = (async () => {
    if (options.module !== undefined) adopt(options.module);
    else adopt(await (await load()).default(options.locateFile ? { locateFile: options.locateFile } : {}));
  })();
  pending.catch(() => (pending = requested = undefined));
  return pending;
}
