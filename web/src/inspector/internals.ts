// What the inspector uses of the folders below: the only file here that imports from them, because `require` finds all of it in one file
// (scripts/build.mjs).
export { Component, infos, type ClassInfo, type ComponentClass } from "../component/component.js";
export { ComponentTable } from "../component/component_table.js";
export { checked, isField, requireLength, type FieldInfo } from "../component/fields.js";
export { nativeComponent } from "../component/native_component.js";
export { DefinedObject } from "../component/object_class.js";
export { Parent } from "../component/parent.js";
export { describeClass, memoryReport, systems } from "../core/reports.js";
export { ECS } from "../ecs/ecs.js";
export { System, type AddedSystem } from "../ecs/system.js";
export { NONE, describe, entityIndex, stale, type Entity } from "../module/entity.js";
export { EcsError, badArgument, requireNone, requireObject, show } from "../module/errors.js";
export { core } from "../module/instance.js";
export { requireCodec } from "../state/codec.js";
export { eventClasses } from "../state/events.js";
export { History } from "../state/history.js";
export { Rewind } from "../state/rewind.js";
export type { World } from "../world/world.js";
