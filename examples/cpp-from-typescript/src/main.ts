// The TypeScript part: creates the boxes and prints those that the C++ system moved.
import { ECS, defineComponent, defineSystem, init, nativeComponent } from "crateful/module";
import createGame from "../build/game.mjs";

class Position extends nativeComponent("Position", { y: "f32" }) {}
class Velocity extends nativeComponent("Velocity", { y: "f32" }) {}

class Name extends defineComponent("Name", { text: "string" }) {}

/** Prints the boxes that changed since its last run. It does not run while nothing changed. */
class Renderer extends defineSystem({ name: Name, position: Position }, { watch: [Position], onlyWhenDirty: true }) {
  runs = 0;

  override update(): void {
    const changed = Array.from(this.dirty, ({ name, position }) => `${name.text} at ${position.y}`);
    console.log(`${this.ecs.gameTime} s: ${changed.join(", ")}`);
    this.runs += 1;
  }
}

init({ module: createGame }).then((game) => {
  const ecs = new ECS();
  game.addPhysics(ecs.raw, 10); // lower priorities run first
  const renderer = ecs.addSystem(90, new Renderer());

  for (const [name, y] of [
    ["a", 4],
    ["b", 1],
    ["c", 0],
  ] as const) {
    const box = ecs.addEntity();
    ecs.addComponent(box, Name, { text: name });
    ecs.addComponent(box, Position, { y });
    if (y > 0) ecs.addComponent(box, Velocity);
  }

  const frames = 10;
  for (let frame = 0; frame < frames; frame++) ecs.update(0.25);
  console.log(`The renderer ran in ${renderer.runs} of ${frames} frames.`);
  ecs.dispose();
});
