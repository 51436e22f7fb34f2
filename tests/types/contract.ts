// The example of the TypeScript contract, unchanged.
import { init, ECS, System, Component, Aspect, defineComponent, type Entity } from "crateful";

await init(); // idempotent; { locateFile?, module? }
const ecs = new ECS(); // also [Symbol.dispose], so `using` works

class Position extends defineComponent("Position", { x: "f32", y: "f32", angle: "f32" }) {}
class Health extends Component {
  /* plain fields, calls this.dirty() */
}

class Mover extends System {
  // System<A extends Aspect = Aspect> for custom aspects
  componentsRequired = new Set([Position]);
  dirtyComponents = new Set([Position]); // may name classes that are not required
  update(delta: number, entities: ReadonlyMap<Entity, Aspect>, dirty: ReadonlySet<Entity>) {
    for (const e of dirty) ecs.getComponents(e).get(Position).x += delta;
  }
}
ecs.addSystem(10, new Mover());
const e = ecs.addEntity();
ecs.addComponent(e, new Position({ x: 1, y: 2 }));
ecs.update(1 / 60);

export { Health };
