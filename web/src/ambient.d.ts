// Modules that the compiler does not find by itself.

// What Emscripten generates from bindings/; the build bundles it under these names (scripts/build.mjs).

declare module "crateful:glue" {
  const factory: (options?: object) => Promise<unknown>;
  export default factory;
}

declare module "crateful:binary" {
  /** crateful.wasm */
  const binary: Uint8Array<ArrayBuffer>;
  export default binary;
}

/** The address of crateful.wasm, relative to the script; the build defines it. */
declare const BINARY_ADDRESS: string;

/** The version of the package as a number, as in version.hpp; the build defines it. */
declare const VERSION: number;

// The only function of Node that the package calls, so that its source is checked without Node's types.
declare module "node:fs" {
  export function readFileSync(path: string | URL): Uint8Array<ArrayBuffer>;
}
