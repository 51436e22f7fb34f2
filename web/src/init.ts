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
  /**
   * A module of your own that links `crateful::bindings`: what its script exports, so that `init` creates the instance, or
   * an instance.
   */
  module?: unknown;
}

/** What the script of a module with C++ exports: a function that creates an instance. */
export type ModuleFactory<M = unknown> = (options?: object) => Promise<M>;

/** What the module has for the package before it has run; see bindings/src/host.js. */
interface Unfinished {
  instantiateWasm: (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => void;
  crateful?: { binary?: () => unknown };
}

let pending: Promise<unknown> | undefined;
let requested: unknown;

const wrongModule = (): EcsError =>
  badArgument(
    "init: options.module must be what the script of a module with crateful::bindings exports, or an instance of it",
  );

function adopt(module: unknown): unknown {
  const raw = module as RawModule & { crateful?: object };
  if (raw?.crateful === undefined || !(raw.HEAPU8 instanceof Uint8Array)) throw wrongModule();
  if (raw._crateful_version?.() !== VERSION)
    throw badArgument("init: the module was built from another version of crateful than this package; build it again");
  Object.assign(raw.crateful, hostCalls);
  setModule(raw);
  return raw;
}

/** Creates an instance of the binary that `find` returns. */
function instantiate(factory: ModuleFactory, find: (unfinished: Unfinished) => Promise<WebAssembly.Module>) {
  return new Promise<unknown>((resolve, reject) => {
    const unfinished: Unfinished = {
      instantiateWasm(imports, receive) {
        const created = find(unfinished).then((binary) => WebAssembly.instantiate(binary, imports));
        created.then(receive).catch(reject);
      },
    };
    Promise.resolve(factory(unfinished)).then(resolve, reject); // never settles if the binary can't be used
  });
}

function failed(from: string, why: string): EcsError {
  const advice = /CSP|-eval/.test(why)
    ? "the Content-Security-Policy must allow 'wasm-unsafe-eval'"
    : /\/\.vite\//.test(from)
      ? 'in Vite 7 set optimizeDeps: { exclude: ["crateful"] }'
      : "pass the address of the file: init({ wasm })";
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

/** The library module: what its script exports, and the address of its binary or its bytes. @internal */
export interface Library {
  factory: ModuleFactory;
  binary: unknown;
}

/**
 * Loads the module: that of `options`, or else `library`. `load` returns what is at an address, as `InitOptions.wasm` can be.
 * Resolves with the instance. Further calls return the same promise. After a failure, the next call tries again.
 * @internal
 */
export function initialise(load: Load, library: Library | undefined, options: InitOptions = {}): Promise<unknown> {
  const { module } = options;
  if (pending !== undefined) {
    if (module !== undefined && module !== requested) {
      return Promise.reject(badArgument("init: another module is in use already; a page can use only one"));
    }
    return pending;
  }
  requested = module;
  pending = (async () => {
    const given = await module;
    if (given === undefined && library === undefined)
      throw badArgument(
        'init: pass the module of your own, init({ module: createGame }), or import from "crateful" instead of "crateful/module"',
      );
    if (given !== undefined && typeof given !== "function") return adopt(given);
    let from = "options.wasm";
    const find = async ({ crateful }: Unfinished) => {
      if (crateful === undefined) throw wrongModule();
      const source = await chosen(given === undefined ? library!.binary : crateful.binary?.(), options);
      const { href, url } = Object(source) as { href?: string; url?: string };
      from = typeof source === "string" ? source : href || url || from;
      return compile(source, from, load);
    };
    try {
      return adopt(await instantiate((given as ModuleFactory | undefined) ?? library!.factory, find));
    } catch (error) {
      throw error instanceof EcsError ? error : failed(from, String((error as Error)?.message ?? error));
    }
  })();
  pending.catch(() => (pending = requested = undefined));
  return pending;
}
