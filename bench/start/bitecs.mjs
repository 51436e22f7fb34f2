import { addComponent, addEntity, createWorld, query } from "bitecs";

export function run() {
  const world = createWorld();
  const Position = { x: new Float32Array(100), y: new Float32Array(100) };
  const e = addEntity(world);
  addComponent(world, e, Position);
  for (const entity of query(world, [Position])) Position.x[entity] += 1;
  return Position.x[e];
}
