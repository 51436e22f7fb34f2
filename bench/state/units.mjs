// A Crateful world of the cases: entities with three components, five 32-bit floats.
import { defineComponent, ECS } from "../../dist/state_inline.js";

export class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
export class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}
export class Health extends defineComponent("Health", { points: "f32" }) {}
export const components = [Position, Velocity, Health];
export const fields = 5;

/** Creates entities in one step, with five columns of values. */
export function spawnUnits(ecs, [x, y, dx, dy, points]) {
  return ecs.prefab(components).spawn(x.length, [{ x, y }, { x: dx, y: dy }, { points }]);
}

/** A new world with `n` entities. */
export function unitWorld(columns) {
  const ecs = new ECS();
  const all = spawnUnits(ecs, columns);
  return { ecs, all, positions: ecs.query({ position: Position }) };
}
