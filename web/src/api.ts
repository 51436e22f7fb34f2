// Everything of the package but `init`, which differs with where the module is loaded.
export { Aspect } from "./aspect.js";
export type { BulkColumns, BulkValues } from "./bulk.js";
export { Component, type ComponentClass } from "./component.js";
export type { Components } from "./components.js";
export { ECS } from "./ecs.js";
export { NONE, entityIndex, type Entity } from "./entity.js";
export { EcsError, type ErrorCode } from "./errors.js";
export { EventsManager, type EventClass, type SubscribeOptions } from "./events.js";
export type { ColumnArray, FieldType, FieldValue, Fields, Schema } from "./fields.js";
export type { DirtySet, EntityMap } from "./live_sets.js";
export type { InitOptions } from "./module.js";
export { Profiler, type ProfileGroup, type ProfileReading, type Span } from "./profiler.js";
export type { RawWorld } from "./raw.js";
export { Runs, type Run } from "./runs.js";
export { SlowMotion } from "./slow_motion.js";
export { Storage, type Columns, type MemoryReport } from "./storage.js";
export {
  defineComponent,
  nativeComponent,
  type SchemaOf,
  type Stored,
  type StoredClass,
  type StoredOptions,
  type StoredValues,
} from "./stored.js";
export { System, type AnySystem, type SystemClass, type SystemInfo } from "./system.js";
