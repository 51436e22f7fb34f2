// Boxes fall, bounce and come to rest. The renderer prints only the boxes that moved.
import { Component, ECS, defineComponent, defineSystem, init } from "crateful";

// Stored components: their values are in WebAssembly memory, and their setters signal changes.
class Position extends defineComponent("Position", { y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { y: "f32" }) {}

// An object component: an ordinary class.
class Name extends Component {
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
}

/** Moves the boxes that have a velocity. A box at rest loses its velocity and costs nothing any more. */
class Physics extends defineSystem({ position: Position, velocity: Velocity }) {
  override update(delta: number): void {
    for (const { entity, position, velocity } of this.rows) {
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
class Renderer extends defineSystem({ name: Name, position: Position }, { watch: [Position], onlyWhenDirty: true }) {
  runs = 0;

  override update(): void {
    const changed = Array.from(this.dirty, ({ name, position }) => `${name.text} at ${position.y}`);
    console.log(`${this.ecs.gameTime} s: ${changed.join(", ")}`);
    this.runs += 1;
  }
}

function run(): void {
  const ecs = new ECS();
  ecs.addSystem(10, new Physics()); // lower priorities run first
  const renderer = ecs.addSystem(90, new Renderer());

  for (const [name, y] of [
    ["a", 4],
    ["b", 1],
    ["c", 0],
  ] as const) {
    const box = ecs.addEntity();
    ecs.addComponent(box, new Name(name));
    ecs.addComponent(box, Position, { y });
    if (y > 0) ecs.addComponent(box, Velocity);
  }

  const frames = 10;
  for (let frame = 0; frame < frames; frame++) ecs.update(0.25);
  console.log(`The renderer ran in ${renderer.runs} of ${frames} frames.`);
  ecs.dispose();
}

init().then(run); // when the WebAssembly module is loaded
