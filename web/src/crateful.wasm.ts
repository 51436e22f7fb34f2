// The declarations of the entry crateful/crateful.wasm; the file itself is the binary.

/** What a bundler or a runtime makes of the import: an address or a `WebAssembly.Module`. Pass it: `init({ wasm })`. */
declare const wasm: string | object;
export default wasm;
