// Boxes fall, bounce and come to rest. The renderer prints only the boxes that moved.
import { Component, ECS, System, defineComponent, init, type Aspect, type DirtySet, type EntityMap } from "crateful";

await init(); // loads the WebAssembly module

// Stored components: their values are in WebAssembly memory, and their setters signal changes.
class Position extends defineComponent("Position", { y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { y: "f32" }) {}

// An object component: an ordinary class.
class Name extends Component {
  constructor(readonly text: string) {
    super();
  }
}

/** Moves the boxes that have a velocity. A box at rest loses its velocity and costs nothing any more. */
class Physics extends System {
  readonly componentsRequired = new Set([Position, Velocity]);

  update(delta: number, entities: EntityMap<Aspect>): void {
    for (const [entity, box] of entities) {
      const position = box.get(Position);
      const velocity = box.get(Velocity);
      velocity.y -= 8 * delta;
      const y = position.y + velocity.y * delta;
      position.y = Math.max(0, y);
      if (y > 0) continue;
      velocity.y *= -0.5; // bounces with half of its speed
      if (velocity.y < 2) this.ecs.removeComponent(entity, Velocity);
    }
  }
}

/** Prints the boxes that changed since its last run. It does not run while nothing changed. */
class Renderer extends System {
  readonly componentsRequired = new Set([Position, Name]);
  override readonly dirtyComponents = new Set([Position]);
  override readonly onlyWhenDirty = true;
  runs = 0;

  update(_delta: number, entities: EntityMap<Aspect>, dirty: DirtySet): void {
    const changed: string[] = [];
    for (const entity of dirty) {
      const box = entities.get(entity)!;
      changed.push(`${box.get(Name).text} at ${box.get(Position).y}`);
    }
    console.log(`${this.ecs.gameTime} s: ${changed.join(", ")}`);
    this.runs += 1;
  }
}

const ecs = new ECS();
ecs.addSystem(10, new Physics()); // lower priorities run first
const renderer = new Renderer();
ecs.addSystem(90, renderer);

for (const [name, y] of [
  ["a", 4],
  ["b", 1],
  ["c", 0],
] as const) {
  const box = ecs.addEntity();
  ecs.addComponent(box, new Name(name));
  ecs.addComponent(box, new Position({ y }));
  if (y > 0) ecs.addComponent(box, new Velocity());
}

const frames = 10;
for (let frame = 0; frame < frames; frame++) ecs.update(0.25);
console.log(`The renderer ran in ${renderer.runs} of ${frames} frames.`);
ecs.dispose();
