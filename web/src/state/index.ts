export type { Json } from "./codec.js";
export { restore, type RestoreOptions } from "./restore.js";
export { snapshot, type Bytes, type SnapshotOptions } from "./snapshot.js";
