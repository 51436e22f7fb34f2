// The component classes of the cases, for all adapters of Crateful. A component class belongs to no world, so each case
// can define its own.
import { defineComponent } from "../../dist/inline.js";
import manifest from "../../package.json" with { type: "json" };

export const { version } = manifest;

export class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
export class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}
export class Age extends defineComponent("Age", { value: "f32" }) {}
export class Speed extends defineComponent("Speed", { value: "f32" }) {}
export class Body extends defineComponent("Body", { x: "f32", y: "f32", mass: "f32", forceX: "f32", forceY: "f32" }) {}
export class Health extends defineComponent("Health", { value: "i32" }) {}
export class Sprite extends defineComponent("Sprite", { x: "f32", y: "f32", frame: "i32" }) {}

/** A component with one integer. */
export const valueClass = (name, options) => class extends defineComponent(name, { value: "i32" }, options) {};
/** A component without fields. */
export const tagClass = (name) => class extends defineComponent(name) {};
