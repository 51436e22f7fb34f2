// The declarations of the entry crateful/crateful_state.wasm; the file itself is the binary.
export { default } from "./crateful.wasm.js";
