// What the inspector uses of the folders below: the only file here that imports from them, because `require` finds all of it in one file
// (scripts/build.mjs).
/** @internal */
export { Component, infos, type ClassInfo, type ComponentClass } from "../component/component.js";
/** @internal */
export { ComponentTable } from "../component/component_table.js";
/** @internal */
export { writeField } from "../component/stored_accessors.js";
/** @internal */
export { checked, isField, requireLength, type FieldInfo } from "../component/fields.js";
/** @internal */
export { nativeComponent } from "../component/native_component.js";
/** @internal */
export { DefinedObject } from "../component/object_class.js";
/** @internal */
export { Parent } from "../component/parent.js";
/** @internal */
export { describeClass, memoryReport, systems } from "../core/reports.js";
export { ECS } from "../ecs/ecs.js";
/** @internal */
export { System, type AddedSystem } from "../ecs/system.js";
/** @internal */
export { NONE, describe, entityIndex, isHandle, stale, type Entity } from "../module/entity.js";
/** @internal */
export { EcsError, badArgument, requireNone, requireObject, show } from "../module/errors.js";
/** @internal */
export { core } from "../module/instance.js";
/** @internal */
export { requireCodec } from "../state/codec.js";
/** @internal */
export { eventClasses } from "../state/events.js";
export { History } from "../state/history.js";
/** @internal */
export { restore } from "../state/restore.js";
export { Rewind } from "../state/rewind.js";
/** @internal */
export { snapshot } from "../state/snapshot.js";
/** @internal */
export { nameOf, namesOf, stateCode, worldOf } from "../state/state_call.js";
/** @internal */
export type { World } from "../world/world.js";
