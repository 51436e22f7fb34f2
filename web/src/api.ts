// Everything that the package exports except `init`, which depends on where the module is loaded from.
export type { BulkValues } from "./component/bulk_values.js";
export { Component, type ComponentClass } from "./component/component.js";
export { defineObject, type ObjectClass, type ObjectFields } from "./component/object_class.js";
export { Parent } from "./component/parent.js";
export type {
  FieldCopies,
  FieldInputs,
  FieldSpec,
  FieldType,
  Fields,
  Numbers,
  Schema,
  TypeOf,
  Vector,
  VectorInput,
  VectorMethods,
  VectorType,
} from "./component/schema.js";
export {
  defineComponent,
  type Inspectable,
  type SchemaOf,
  type Stored,
  type StoredClass,
  type StoredValues,
} from "./component/stored_class.js";
export { nativeComponent } from "./component/native_component.js";
export type { DirtySet, EntityMap } from "./core/live_sets.js";
export { ECS } from "./ecs/ecs.js";
export type { EventClass } from "./ecs/event_class.js";
export { EventsManager } from "./ecs/events.js";
export type { Inbox } from "./ecs/inbox.js";
export { startLoop, type Loop } from "./ecs/loop.js";
export {
  Prefab,
  type CheckedPart,
  type Part,
  type Parts,
} from "./ecs/prefab.js";
export type { Index } from "./ecs/index_of.js";
export { Profiler } from "./ecs/profiler.js";
export { DirtyRows, RowSystem, defineSystem } from "./ecs/row_system.js";
export { Query, type Row, type RowOf } from "./ecs/query.js";
export type { Filters, OrderBy, Shape } from "./ecs/query_classes.js";
export { Runs } from "./ecs/runs.js";
export { SlowMotion } from "./ecs/slow_motion.js";
export { Storage, type Columns } from "./ecs/storage.js";
export type {
  AnySystem,
  Register,
  RegisteredECS,
  System as SystemBase,
  SystemClass,
} from "./ecs/system.js";
export type { SystemOptions } from "./ecs/system_options.js";
export { System, type SystemWithAspects } from "./ecs/typed_system.js";
export type { InitOptions, ModuleFactory } from "./init.js";
export { NONE, entityIndex, type Entity } from "./module/entity.js";
export { EcsError, type ErrorCode } from "./module/errors.js";
export type { RawWorld } from "./module/raw.js";
export { Aspect } from "./world/aspect.js";
export type { Components } from "./world/entity_components.js";
