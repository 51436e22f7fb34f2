export type { Json } from "./codec.js";
export { restore, type RestoreLimits, type RestoreOptions } from "./restore.js";
export { snapshot, type Bytes, type SnapshotOptions } from "./snapshot.js";
export type { ClassNames } from "./state_call.js";
