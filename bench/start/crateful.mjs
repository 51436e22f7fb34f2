// The smallest program: until the first update has returned.
import { defineComponent, ECS, init, System } from "../../dist/inline.js";

export async function run() {
  await init();
  class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
  class Move extends System {
    componentsRequired = new Set([Position]);
    update(_delta, entities) {
      for (const aspect of entities.values()) aspect.get(Position).x += 1;
    }
  }
  const ecs = new ECS();
  ecs.addSystem(0, new Move());
  const e = ecs.addEntity();
  ecs.addComponent(e, new Position());
  ecs.update();
  return ecs.getComponents(e).get(Position).x;
}
