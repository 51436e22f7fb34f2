// Does not run. Type-checking it verifies that web/src/module/raw.ts matches what Emscripten generates.
import type { MainModule } from "../../build/wasm/bindings/crateful.raw.js";
import type { RawModule, RawWorld } from "../../web/src/module/raw.js";

export const asWeUseIt = (generated: MainModule): Omit<RawModule, "HEAPU8"> => generated;
/** Functions of a user's module take the World that Emscripten declares, and get `ecs.raw`. */
export const asUsersPassIt = (world: RawWorld): InstanceType<MainModule["World"]> => world;
