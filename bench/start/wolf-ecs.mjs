import { ECS, types } from "wolf-ecs";

export function run() {
  const ecs = new ECS(100);
  const Position = ecs.defineComponent({ x: types.f32, y: types.f32 });
  const query = ecs.createQuery(Position);
  const e = ecs.createEntity();
  ecs.addComponent(e, Position);
  query.forEach((entity) => {
    Position.x[entity] += 1;
  });
  return Position.x[e];
}
