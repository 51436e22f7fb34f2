import { Component, System, Types, World } from "ecsy";

export function run() {
  class Position extends Component {
    static schema = { x: { type: Types.Number }, y: { type: Types.Number } };
  }
  class Move extends System {
    static queries = { entities: { components: [Position] } };
    execute() {
      for (const entity of this.queries.entities.results) entity.getMutableComponent(Position).x += 1;
    }
  }
  const world = new World().registerComponent(Position).registerSystem(Move);
  const e = world.createEntity().addComponent(Position);
  world.execute();
  return e.getComponent(Position).x;
}
