// The components of the game with Crateful, and its player.
import { defineComponent } from "../../../dist/inline.js";
import { ecs, game, motion } from "../crateful.mjs";

export function componentsOf(options) {
  const common = motion(options);
  class Sprite extends defineComponent("Sprite", { slot: "i32" }, options) {}
  class Health extends defineComponent("Health", { value: "i32" }) {}
  class Bullet extends defineComponent("Bullet", { life: "i32" }) {}
  class Player extends defineComponent("Player") {}
  class Gem extends defineComponent("Gem") {}
  return { ...common, Sprite, Health, Bullet, Player, Gem };
}

/** Returns the player. */
export function spawnPlayer({ Player, Position, Velocity, Sprite }) {
  const e = ecs.addEntity();
  ecs.addComponent(e, Player);
  ecs.addComponent(e, Position, game.centre);
  ecs.addComponent(e, Velocity);
  ecs.addComponent(e, Sprite, { slot: game.sprites.add() });
  return e;
}
