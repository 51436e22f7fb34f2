import { initialise, type InitOptions } from "./init.js";

export * from "./api.js";

async function load(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`init: ${address} can't be loaded: ${response.status} ${response.statusText}`);
  // Only with this type can a browser compile the module while it is loaded.
  return response.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Loads the WebAssembly module. Await it before the first `new ECS()`. Further calls have no effect. Throws `BAD_ARGUMENT`
 * if a different module was given before.
 */
export function init(options?: InitOptions): Promise<void> {
  return initialise(load, new URL("crateful.wasm", import.meta.url).href, options);
}
