// Modules that the compiler does not find by itself.

// What Emscripten generates from bindings/; the build bundles it under these names (scripts/build.mjs).

declare module "crateful:glue" {
  const factory: (options?: object) => Promise<unknown>;
  export default factory;
}

declare module "crateful:state_glue" {
  export { default } from "crateful:glue";
}

declare module "crateful:inspector_glue" {
  export { default } from "crateful:glue";
}

declare module "crateful:inspector_binary" {
  export { default } from "crateful:binary";
}

declare module "crateful:binary" {
  /** crateful.wasm, in base64. */
  const text: string;
  export default text;
}

declare module "crateful:state_binary" {
  export { default } from "crateful:binary";
}

declare module "crateful:module" {
  /** crateful.wasm */
  const binary: WebAssembly.Module;
  export default binary;
}

declare module "crateful:state_module" {
  export { default } from "crateful:module";
}

/** The address of crateful.wasm, relative to the script; the build defines it. */
declare const BINARY_ADDRESS: string;

/** The same of crateful_state.wasm. */
declare const STATE_ADDRESS: string;

/** The version of the package as a number, as in version.hpp; the build defines it. */
declare const VERSION: number;

/** The style sheet of the inspector's panel; the build defines it. */
declare const INSPECTOR_STYLES: string;
