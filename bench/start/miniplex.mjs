import { World } from "miniplex";

export function run() {
  const world = new World();
  const e = world.add({ position: { x: 0, y: 0 } });
  for (const { position } of world.with("position")) position.x += 1;
  return e.position.x;
}
