// Moving with rows: a fountain of 1,500 drops. A loop over rows has the components of each entity, with their types.
import { ECS, defineComponent, defineSystem, init, startLoop } from "crateful";

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Fall extends defineSystem({ velocity: Velocity }) {
  override update(delta: number) {
    for (const { velocity } of this.rows) velocity.y += 300 * delta;
  }
}
class Move extends defineSystem({ position: Position, velocity: Velocity }) {
  override update(delta: number) {
    for (const { position, velocity } of this.rows) {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
      if (position.y < canvas.height) continue;
      position.x = canvas.width / 2;
      position.y = canvas.height;
      velocity.x = 120 * (Math.random() + Math.random() - 1);
      velocity.y = -450 * Math.sqrt(Math.random());
    }
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Fall()); // lower priorities run first
ecs.addSystem(20, new Move());
for (let i = 0; i < 1500; i++) {
  ecs.addEntity([Position, { x: canvas.width / 2, y: canvas.height + i }], [Velocity, { y: 100 }]);
}
console.log(ecs.count, "drops");

const drops = ecs.query({ position: Position, velocity: Velocity });
startLoop(ecs, {
  frame() {
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const { position, velocity } of drops) {
      context.fillStyle = velocity.y < 0 ? "#9be1ff" : "#3f8cff";
      context.fillRect(position.x, position.y, 3, 3);
    }
  },
});
