import { createEntitySystem, World } from "piecs/dist/index.mjs";

export function run() {
  const world = new World();
  const Position = { id: world.createComponentId(), x: new Float32Array(100), y: new Float32Array(100) };
  world
    .registerSystem(
      createEntitySystem(
        (entities) => {
          for (let i = 0; i < entities.length; i++) Position.x[entities[i]] += 1;
        },
        (q) => q.every(Position),
      ),
    )
    .initialize();
  const e = world.createEntity(world.prefabricate([Position]));
  world.update();
  return Position.x[e];
}
