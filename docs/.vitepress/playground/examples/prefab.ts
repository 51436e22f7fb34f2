// A prefab: 40 ships are created in one call, each with two lights as its children.
import { ECS, defineComponent, defineSystem, init, startLoop } from "crateful";

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {} // relative to the parent
class Velocity extends defineComponent("Velocity", { x: "f32" }) {}
class Shape extends defineComponent("Shape", { width: "f32", height: "f32", colour: "string" }) {}

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Fly extends defineSystem({ position: Position, velocity: Velocity }) {
  override update(delta: number) {
    for (const { position, velocity } of this.rows)
      position.x = (position.x + velocity.x * delta) % (canvas.width + 50);
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Fly());

const ships = ecs.prefab({
  position: Position,
  velocity: [Velocity, { x: 60 }],
  shape: [Shape, { width: 44, height: 14, colour: "#7d8bb0" }],
});
const lights = ecs.prefab({ position: Position, shape: [Shape, { width: 8, height: 6, colour: "#ffd76a" }] });

// Columns: a list has a value for each entity, and one value is for all of them.
const fleet = ships.spawn(40, {
  position: {
    x: Array.from({ length: 40 }, () => canvas.width * Math.random()),
    y: Array.from({ length: 40 }, (_, i) => 10 + 9.5 * i),
  },
  velocity: { x: Array.from({ length: 40 }, () => 30 + 120 * Math.random()) },
});
for (const ship of fleet) {
  ecs.setParent(lights.spawn({ position: { x: 4, y: 4 } }), ship);
  ecs.setParent(lights.spawn({ position: { x: 32, y: 4 }, shape: { colour: "#ff6a6a" } }), ship);
}
console.log(`${fleet.length} ships, ${ecs.count} entities`);
ecs.removeEntity(fleet[0]!); // its lights are removed, too
ecs.removeMarked();
console.log(`without the first ship: ${ecs.count} entities`);

const shapes = ecs.query({ position: Position, shape: Shape }, { parent: { above: Position } });
startLoop(ecs, {
  frame() {
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const { position, shape, above } of shapes) {
      context.fillStyle = shape.colour;
      const [x, y] = [position.x + (above?.x ?? 0) - 50, position.y + (above?.y ?? 0)];
      context.fillRect(x, y, shape.width, shape.height);
    }
  },
});
