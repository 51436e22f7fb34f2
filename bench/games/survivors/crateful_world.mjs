// The components and prefabs of the game with Crateful.
import { defineComponent } from "../../../dist/inline.js";
import { ecs, motion, played } from "../crateful.mjs";
import { bulletLife, enemyHealth, pictureTime } from "./rules.mjs";

/** `options`: of the components that are read by an entity's index; `reference`: the type of a field with an entity. */
export function componentsOf(options, reference) {
  const common = motion(options);
  class Sprite extends defineComponent("Sprite", { slot: "i32", picture: "u8", visible: "bool" }, options) {}
  class Animation extends defineComponent("Animation", { timer: { type: "u8", default: pictureTime } }, options) {}
  class Hero extends defineComponent("Hero", { number: "u8", health: "i32", experience: "i32" }, options) {}
  class Chaser extends defineComponent("Chaser", { target: reference, cooldown: "u8" }, options) {}
  class Health extends defineComponent("Health", { value: { type: "i32", default: enemyHealth } }, options) {}
  class Burn extends defineComponent("Burn", { frames: "u8" }, options) {}
  class Knock extends defineComponent("Knock", { x: "i32", y: "i32" }, options) {}
  class Bullet extends defineComponent("Bullet", { life: { type: "u8", default: bulletLife } }) {}
  class Gem extends defineComponent("Gem") {}
  class Attracted extends defineComponent("Attracted", { to: reference }) {}
  return { ...common, Sprite, Animation, Hero, Chaser, Health, Burn, Knock, Bullet, Gem, Attracted };
}

export function prefabsOf(components) {
  const { Position, Velocity, Cell, Sprite, Animation, Hero, Chaser, Health, Burn, Knock, Bullet, Gem } = components;
  const seen = { position: Position, sprite: Sprite };
  const moving = { ...seen, velocity: Velocity, animation: Animation };
  return {
    heroes: ecs.prefab({ ...moving, hero: Hero }),
    enemies: ecs.prefab({ ...moving, chaser: Chaser, health: Health, burn: Burn, knock: Knock, cell: Cell }),
    bullets: ecs.prefab({ ...moving, bullet: Bullet }),
    gems: ecs.prefab({ ...seen, gem: Gem, cell: Cell }),
  };
}

export function playedWith(components) {
  const { Attracted, Chaser, Hero } = components;
  return played(components, {
    hero: (e) => ecs.get(ecs.get(e, Chaser).target, Hero).number,
    flying: (e) => (ecs.has(e, Attracted) ? 1 : 0),
  });
}
