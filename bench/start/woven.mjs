import { addComponent, createEntity, defineComponent, defineQuery, defineSystem, field, World } from "@woven-ecs/core";

export async function run() {
  const Position = defineComponent({ x: field.float32() });
  const entities = defineQuery((q) => q.with(Position));
  const world = new World([Position], { maxEntities: 100 });
  let x = 0;
  const move = defineSystem((ctx) => {
    for (const e of entities.current(ctx)) x = Position.write(ctx, e).x += 1;
  });
  await world.execute((ctx) => addComponent(ctx, createEntity(ctx), Position));
  world.sync();
  await world.execute(move);
  return x;
}
