import { System, Type, World } from "@lastolivegames/becsy/lib/perf.js";

export async function run() {
  class Position {
    static schema = { x: Type.float32, y: Type.float32 };
  }
  let x = 0;
  class Move extends System {
    entities = this.query((q) => q.current.with(Position).write);
    execute() {
      for (const entity of this.entities.current) x = entity.write(Position).x += 1;
    }
  }
  const world = await World.create({ maxEntities: 100, defs: [Position, Move] });
  world.createEntity(Position);
  await world.execute();
  return x;
}
