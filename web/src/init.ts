import factory from "crateful:glue";
import { EcsError, badArgument } from "./module/errors.js";
import { setModule } from "./module/instance.js";
import type { RawModule } from "./module/raw.js";
import { hostCalls } from "./world/host_calls.js";

/** Selects the WebAssembly module that `init` loads. */
export interface InitOptions {
  /**
   * `crateful.wasm`: its address (a string or a URL; in Node also a path), a `Response`, its bytes, or the compiled
   * `WebAssembly.Module`; or a promise of one of these.
   */
  wasm?: string | object;
  /** Returns the address of `crateful.wasm`; called with its name and the folder of the JavaScript. */
  locateFile?: (path: string, prefix: string) => string;
  /** A module of your own that links `crateful::bindings`, already instantiated. */
  module?: unknown;
}

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
function instantiate(binary: WebAssembly.Module): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => {
      WebAssembly.instantiate(binary, imports).then(receive).catch(reject);
    };
    factory({ instantiateWasm }).then(resolve, reject);
  });
}

function failed(from: string, why: string): EcsError {
  const advice = /CSP|-eval/.test(why)
    ? "the Content-Security-Policy must allow 'wasm-unsafe-eval'"
    : "pass the address of crateful.wasm: init({ wasm })";
  return new EcsError("INIT_FAILED", `init: ${from} can't be used: ${why}; ${advice}`);
}

type Load = (address: string) => unknown;

/** Compiles what `InitOptions.wasm` can be. `from` is its address. */
async function compile(source: unknown, from: string, load: Load): Promise<WebAssembly.Module> {
  const found = typeof source === "string" || source instanceof URL ? await load(from) : source;
  if (found instanceof WebAssembly.Module) return found;
  if (!(found instanceof Response)) return WebAssembly.compile(found as BufferSource);
  const type = found.headers.get("Content-Type");
  if (!found.ok) throw failed(from, `${found.status} ${found.statusText}`);
  if (type?.includes("html")) throw failed(from, "it is HTML instead of WebAssembly");
  // Only with this type can a browser compile the module while it is loaded.
  return type === "application/wasm"
    ? WebAssembly.compileStreaming(found)
    : WebAssembly.compile(await found.arrayBuffer());
}

/** What the options select: `own`, unless they say otherwise. */
function chosen(own: unknown, { wasm, locateFile }: InitOptions): unknown {
  if (wasm !== undefined || typeof own !== "string" || locateFile === undefined) return wasm ?? own;
  const slash = own.lastIndexOf("/") + 1;
  return locateFile(own.slice(slash), own.slice(0, slash));
}

/**
 * Loads the module. `own` is the address of `crateful.wasm` or its bytes, which are used unless the options say otherwise.
 * `load` returns what is at an address, as `InitOptions.wasm` can be. Further calls return the same promise. After a failure,
 * the next call tries again.
 * @internal
 */
export function initialise(load: Load, own: unknown, options: InitOptions = {}): Promise<void> {
  if (pending !== undefined) {
    if (options.module !== undefined && options.module !== requested) {
      return Promise.reject(badArgument("init: another module is in use already; a page can use only one"));
    }
    return pending;
  }
  requested = options.module;
  pending = (async () => {
    if (options.module !== undefined) return adopt(options.module);
    let from = "options.wasm";
    try {
      const source = await chosen(own, options);
      const { href, url } = Object(source) as { href?: string; url?: string };
      from = typeof source === "string" ? source : href || url || from;
      adopt(await instantiate(await compile(source, from, load)));
    } catch (error) {
      throw error instanceof EcsError ? error : failed(from, String((error as Error)?.message ?? error));
    }
  })();
  pending.catch(() => (pending = requested = undefined));
  return pending;
}
