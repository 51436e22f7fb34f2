import { createComponent, createSystem, Types, World } from "elics";

export function run() {
  const Position = createComponent("Position", { x: { type: Types.Float32, default: 0 } });
  const world = new World().registerComponent(Position);
  class Move extends createSystem({ entities: { required: [Position] } }) {
    update() {
      for (const entity of this.queries.entities.entities)
        entity.setValue(Position, "x", entity.getValue(Position, "x") + 1);
    }
  }
  world.registerSystem(Move);
  const e = world.createEntity().addComponent(Position);
  world.update(0, 0);
  return e.getValue(Position, "x");
}
