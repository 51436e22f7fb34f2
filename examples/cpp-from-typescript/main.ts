// The TypeScript part: creates the boxes and prints those that the C++ system moved.
import { Component, ECS, System, init, nativeComponent, type Aspect, type DirtySet, type EntityMap } from "crateful";
import createGame from "./game.mjs";

const game = await createGame();
await init({ module: game }); // instead of the module of the package

const Position = nativeComponent("Position", { y: "f32" });
const Velocity = nativeComponent("Velocity", { y: "f32" });

class Name extends Component {
  constructor(readonly text: string) {
    super();
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
game.addPhysics(ecs.raw, 10); // lower priorities run first
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
