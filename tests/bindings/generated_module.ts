// Does not run. Type-checking it verifies that web/src/module/raw.ts matches what Emscripten generates.
import type { MainModule } from "../../build/wasm/bindings/crateful.raw.js";
import type { RawModule } from "../../web/src/module/raw.js";

export const asWeUseIt = (generated: MainModule): Omit<RawModule, "HEAPU8"> => generated;
