// Modules that the compiler does not find by itself.

// What Emscripten generates from bindings/; the build bundles it under these names (scripts/build.mjs).

declare module "crateful:glue" {
  const factory: (options?: object) => Promise<unknown>;
  export default factory;
}

declare module "crateful:binary" {
  /** crateful.wasm, in base64. */
  const text: string;
  export default text;
}

declare module "crateful:module" {
  /** crateful.wasm */
  const binary: WebAssembly.Module;
  export default binary;
}

/** The address of crateful.wasm, relative to the script; the build defines it. */
declare const BINARY_ADDRESS: string;

/** The version of the package as a number, as in version.hpp; the build defines it. */
declare const VERSION: number;
