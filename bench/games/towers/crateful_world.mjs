// The components and prefabs of the game with Crateful.
import { defineComponent } from "../../../dist/inline.js";
import { ecs, motion, played } from "../crateful.mjs";
import { enemyHealth } from "./rules.mjs";

/** `options`: of the components that are read by an entity's index; `reference`: the type of a field with an entity. */
export function componentsOf(options, reference) {
  const common = motion(options);
  class Sprite extends defineComponent("Sprite", { slot: "i32" }, options) {}
  class Walker extends defineComponent("Walker", { number: "u32", lane: "i8", next: "u8" }, options) {}
  class Health extends defineComponent("Health", { value: { type: "i32", default: enemyHealth } }, options) {}
  class Slow extends defineComponent("Slow", { frames: "u8" }, options) {}
  class Tower extends defineComponent("Tower", { target: reference, reload: "u8" }) {}
  class Shot extends defineComponent("Shot", { target: reference }) {}
  return { ...common, Sprite, Walker, Health, Slow, Tower, Shot };
}

export function prefabsOf({ Position, Velocity, Cell, Sprite, Walker, Health, Slow, Tower, Shot }) {
  const moving = { position: Position, velocity: Velocity, sprite: Sprite };
  return {
    towers: ecs.prefab({ tower: Tower, position: Position, sprite: Sprite }),
    enemies: ecs.prefab({ ...moving, walker: Walker, health: Health, slow: Slow, cell: Cell }),
    shots: ecs.prefab({ ...moving, shot: Shot }),
  };
}

export function playedWith(components) {
  const { Shot, Tower, Walker } = components;
  return played(components, {
    target(e) {
      const { target } = ecs.get(e, ecs.has(e, Tower) ? Tower : Shot);
      return ecs.alive(target) ? ecs.get(target, Walker).number : -1;
    },
  });
}
