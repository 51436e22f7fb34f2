export { Changes, type ChangesOptions, type Receiver, type ReceiverOptions, type TakeOptions } from "./changes.js";
export type { Json } from "./codec.js";
export { Replica, type ReplicaOptions } from "./replica.js";
export { merge, restore, type RestoreOptions, type StateLimits } from "./restore.js";
export { snapshot, type Bytes, type SnapshotOptions } from "./snapshot.js";
export type { ClassNames } from "./state_call.js";
export { Rewind, type RewindOptions } from "./rewind.js";
