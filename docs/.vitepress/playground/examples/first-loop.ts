// A first loop: a box that moves, a system that moves it, and a picture in each frame.
import { ECS, defineComponent, defineSystem, init, startLoop } from "crateful";

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}

const SIZE = 48;
const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Move extends defineSystem({ position: Position, velocity: Velocity }) {
  override update(delta: number) {
    for (const { position, velocity } of this.rows) {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
      if (position.x < 0) velocity.x = 160;
      if (position.x > canvas.width - SIZE) velocity.x = -160;
      if (position.y < 0) velocity.y = 120;
      if (position.y > canvas.height - SIZE) velocity.y = -120;
    }
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Move());
const box = ecs.addEntity([Position, { x: 40, y: 40 }], [Velocity, { x: 160, y: 120 }]);
console.log("The box is entity", box, "at", ecs.get(box, Position));

const boxes = ecs.query({ position: Position });
startLoop(ecs, {
  frame() {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = "#ffb757";
    for (const { position } of boxes) context.fillRect(position.x, position.y, SIZE, SIZE);
  },
});
