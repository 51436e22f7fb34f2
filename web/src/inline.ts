// The package with the binary in the JavaScript: for Node, and where a file beside the scripts is a burden.
import text from "crateful:binary";
import factory from "crateful:glue";
import { initialise, type InitOptions, type ModuleFactory } from "./init.js";

export * from "./api.js";

interface Decoder {
  from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer>;
}

function binary(): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: Decoder }; // Node's decoder, ten times as fast
  if (Buffer?.from !== undefined) return Buffer.from(text, "base64");
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/**
 * Loads the WebAssembly module. Await it before the first `new ECS()`. Further calls have no effect. Throws `INIT_FAILED`
 * if the module can't be loaded; then it can be called again. Throws `BAD_ARGUMENT` for invalid options, and if a different
 * module was given before (rule B2). With a module of your own, resolves with its instance.
 */
export function init<M>(options: InitOptions & { module: ModuleFactory<M> }): Promise<M>;
export function init(options?: InitOptions): Promise<void>;
export function init(options?: InitOptions): Promise<unknown> {
  return initialise({ factory, binary }, options);
}
