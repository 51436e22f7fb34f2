// Does not run: type-checking it tells whether web/src/module/raw.ts still says what Emscripten generates.
import type { MainModule } from "../../build/wasm/bindings/web/crateful.raw.js";
import type { RawModule } from "../../web/src/module/raw.js";

export const asWeUseIt = (generated: MainModule): Omit<RawModule, "HEAPU8"> => generated;
