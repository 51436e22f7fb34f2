// The module with the code for snapshots; imported before ./world.js, which loads the other one unless one is loaded.
import { init } from "crateful/state";

await init();

export { Rewind, merge, restore, snapshot, type RestoreOptions } from "crateful/state";
