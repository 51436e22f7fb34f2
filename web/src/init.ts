import { EcsError, badArgument } from "./module/errors.js";
import { setModule } from "./module/instance.js";
import type { RawModule } from "./module/raw.js";
import { hostCalls } from "./world/host_calls.js";

import "./state/index.js"; // so that it is in the file that all entries share, of which bundlers leave out what is not used

/** Selects the WebAssembly module that `init` loads. */
export interface InitOptions {
  /**
   * The binary, `crateful.wasm`: its address (a string or a URL; in Node also a path), a `Response`, its bytes, or the compiled
   * `WebAssembly.Module`; or a promise of one of these.
   */
  wasm?: string | object;
  /**
   * Returns the address of the binary; called with its name, `crateful.wasm`, and the folder of the JavaScript, which is "" where the
   * package contains the binary (Node, `crateful/inline`).
   */
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
function instantiate(
  factory: ModuleFactory,
  find: (unfinished: Unfinished) => Promise<WebAssembly.Module>,
  loaded: () => void,
) {
  return new Promise<unknown>((resolve, reject) => {
    const unfinished: Unfinished = {
      instantiateWasm(imports, receive) {
        const created = find(unfinished).then((binary) => WebAssembly.instantiate(binary, imports));
        created.then(receive).then(loaded, reject);
      },
    };
    Promise.resolve(factory(unfinished)).then(resolve, reject); // never settles if the binary can't be used
  });
}

/** `file`: `from` is the address of the package's own file, and not one that the user has named. */
function failed(from: string, cause: unknown, file: boolean, started: boolean): EcsError {
  const why = String((cause as Error)?.message ?? cause).trim();
  if (started) return new EcsError("INIT_FAILED", `init: the code of the module failed: ${why}`, { cause });
  const advice = /CSP|-eval/.test(why)
    ? "the Content-Security-Policy must allow 'wasm-unsafe-eval'"
    : `${file ? 'import from "crateful/inline", or ' : ""}pass the address of the file: init({ wasm })`;
  const shown = from.startsWith("data:") ? "a data: address" : from;
  return new EcsError("INIT_FAILED", `init: ${shown} can't be used: ${why}; ${advice}`, { cause });
}

interface FileSystem {
  readFileSync(path: string | URL): Uint8Array<ArrayBuffer>;
}

/** The file system of Node, Deno and Bun; undefined elsewhere. Bundlers do not take this for an import. */
function fileSystem(): FileSystem | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => FileSystem } };
  try {
    return process?.getBuiltinModule?.("fs");
  } catch {
    return undefined; // Next.js has the function in its edge runtime, where it throws
  }
}

/** What is at an address: the bytes of a file in Node, or else a `Response`. */
function load(address: string): unknown {
  const files = /^(?!file:)\w\w+:/.test(address) ? undefined : fileSystem();
  if (files === undefined) return fetch(address, { credentials: "same-origin" });
  return files.readFileSync(address.startsWith("file:") ? new URL(address) : address);
}

interface Decoder {
  from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer>;
}

/** The bytes of a binary that is in the JavaScript, in base64. @internal */
export function decoded(text: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: Decoder }; // Node's decoder, ten times as fast
  if (Buffer?.from !== undefined) return Buffer.from(text, "base64");
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** Compiles what `InitOptions.wasm` can be. */
async function compile(source: unknown): Promise<WebAssembly.Module> {
  const found = typeof source === "string" || source instanceof URL ? await load(String(source)) : source;
  // Not with `instanceof`: in Next.js's edge runtime modules are of another realm, and `Response`, which Node loads at its
  // first use, in 18 ms, does not exist in jsdom.
  const kind = Object.prototype.toString.call(found);
  if (kind === "[object WebAssembly.Module]") return found as WebAssembly.Module;
  if (kind !== "[object Response]") {
    const bytes = found as BufferSource;
    // In Node not asynchronously, because that takes longer.
    return fileSystem() === undefined ? WebAssembly.compile(bytes) : new WebAssembly.Module(bytes);
  }
  const response = found as Response;
  const type = response.headers.get("Content-Type");
  if (!response.ok) throw Error(`${response.status} ${response.statusText}`);
  if (type?.includes("html")) throw Error("it is HTML instead of WebAssembly");
  // Only with this type can a browser compile the module while it is loaded.
  return type === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** What the options select: what `own` returns, unless they say otherwise. */
function chosen(own: () => unknown, file: string, { wasm, locateFile }: InitOptions): unknown {
  if (wasm !== undefined || locateFile === undefined) return wasm ?? own();
  const found = own();
  const address = typeof found === "string" ? found : file;
  const slash = address.lastIndexOf("/") + 1;
  return locateFile(address.slice(slash), address.slice(0, slash));
}

/** The library module: what its script exports, and what returns the address of its binary, or its bytes. @internal */
export interface Library {
  factory: ModuleFactory;
  binary: () => unknown;
  /** The name of the binary; crateful.wasm, unless it is given. */
  file?: string;
}

/**
 * Loads the module: that of `options`, or else `library`. Resolves with the instance. Further calls return the same promise.
 * After a failure, the next call tries again.
 * @internal
 */
export function initialise(library: Library | undefined, options: InitOptions = {}): Promise<unknown> {
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
    const own = given === undefined && options.wasm === undefined && options.locateFile === undefined;
    const name = library?.file ?? "crateful.wasm";
    let from = own ? name : "options.wasm";
    let file = own;
    let started = false; // the binary was loaded
    const find = async ({ crateful }: Unfinished) => {
      if (crateful === undefined) throw wrongModule();
      const source = await chosen(given === undefined ? library!.binary : () => crateful.binary?.(), name, options);
      const { href, url } = Object(source) as { href?: string; url?: string };
      from = typeof source === "string" ? source : href || url || from;
      file &&= from !== name; // crateful/inline has bytes, which have no address
      return compile(source);
    };
    try {
      return adopt(
        await instantiate((given as ModuleFactory | undefined) ?? library!.factory, find, () => (started = true)),
      );
    } catch (error) {
      throw error instanceof EcsError ? error : failed(from, error, file, started);
    }
  })();
  pending.catch(() => (pending = requested = undefined));
  return pending;
}
