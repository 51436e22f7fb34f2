export { Changes, type Receiver } from "./changes.js";
export type { Json } from "./codec.js";
export { Replica } from "./replica.js";
export { merge, restore, type RestoreOptions } from "./restore.js";
export { snapshot, type Bytes } from "./snapshot.js";
export type { ClassNames } from "./state_call.js";
export { Rewind } from "./rewind.js";
