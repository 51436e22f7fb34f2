import { createWorld, trait } from "koota";

export function run() {
  const world = createWorld();
  const Position = trait({ x: 0, y: 0 });
  const e = world.spawn(Position);
  world.query(Position).updateEach(([position]) => {
    position.x += 1;
  });
  return e.get(Position).x;
}
