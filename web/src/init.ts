import factory from "crateful:glue";
import { badArgument } from "./module/errors.js";
import { setModule } from "./module/instance.js";
import type { RawModule } from "./module/raw.js";
import { hostCalls } from "./world/host_calls.js";

/** Selects the WebAssembly module that `init` loads. */
export interface InitOptions {
  /** Returns the address of `crateful.wasm`; called with its name and the folder of the JavaScript. */
  locateFile?: (path: string, prefix: string) => string;
  /** A module of your own that links `crateful::bindings`, already instantiated. */
  module?: unknown;
}

type Binary = WebAssembly.Module;

let pending: Promise<void> | undefined;
let requested: unknown;

function adopt(module: unknown): void {
  const raw = module as RawModule & { crateful?: object };
  if (raw?.crateful === undefined || !(raw.HEAPU8 instanceof Uint8Array)) {
    throw badArgument("init: options.module must be an instantiated module that links crateful::bindings");
  }
  Object.assign(raw.crateful, hostCalls);
  setModule(raw);
}

/** An instance of the library module. */
function instantiate(binary: Binary): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => {
      WebAssembly.instantiate(binary, imports).then(receive, reject);
    };
    factory({ instantiateWasm }).then(resolve, reject);
  });
}

function located(address: string, { locateFile }: InitOptions): string {
  if (address === "" || locateFile === undefined) return address;
  const slash = address.lastIndexOf("/") + 1;
  return locateFile(address.slice(slash), address.slice(0, slash));
}

/**
 * Loads the module. `load` compiles `crateful.wasm`, which is at `address` ("": in the script itself) unless the options say
 * otherwise. Further calls return the same promise. After a failure, the next call tries again.
 * @internal
 */
export function initialise(
  load: (address: string) => Binary | Promise<Binary>,
  address: string,
  options: InitOptions = {},
): Promise<void> {
  if (pending !== undefined) {
    if (options.module !== undefined && options.module !== requested) {
      return Promise.reject(badArgument("init: another module is in use already; a page can use only one"));
    }
    return pending;
  }
  requested = options.module;
  pending = (async () => {
    if (options.module !== undefined) return adopt(options.module);
    adopt(await instantiate(await load(located(address, options))));
  })();
  pending.catch(() => (pending = requested = undefined));
  return pending;
}
