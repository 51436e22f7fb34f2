// Sorted drawing: what is farther down in the picture is drawn later, so that it covers what is behind it.
import { ECS, defineComponent, defineSystem, init, startLoop } from "crateful";

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Walk extends defineComponent("Walk", { speed: "f32" }) {}
class Figure extends defineComponent("Figure", { kind: ["tree", "walker"], hue: "f32" }) {}

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Move extends defineSystem({ position: Position, walk: Walk }) {
  override update(delta: number) {
    for (const { position, walk } of this.rows) {
      position.y += walk.speed * delta;
      if (position.y < 100) walk.speed = Math.abs(walk.speed);
      if (position.y > 390) walk.speed = -Math.abs(walk.speed);
    }
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Move());
for (let i = 0; i < 90; i++)
  ecs.addEntity(
    [Position, { x: 640 * Math.random(), y: 100 + 290 * Math.random() }],
    [Figure, { kind: "tree", hue: 120 + 40 * Math.random() }],
  );
for (let i = 0; i < 16; i++)
  ecs.addEntity(
    [Position, { x: 20 + 40 * i, y: 100 + 290 * Math.random() }],
    [Walk, { speed: 30 + 40 * Math.random() }],
    [Figure, { kind: "walker", hue: 20 * i }],
  );

// The order is kept: a loop costs what has moved since the last one, not what exists.
const figures = ecs.query({ position: Position, figure: Figure }, { orderBy: [Position, "y"] });
console.log("the one behind all others:", figures.first()?.position);

startLoop(ecs, {
  frame() {
    context.fillStyle = "#1c2a24";
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (const { position, figure } of figures) {
      const size = position.y / 8; // what is nearer is larger
      context.fillStyle = `hsl(${figure.hue} 45% ${15 + position.y / 12}%)`;
      context.beginPath();
      if (figure.kind === "tree") {
        context.moveTo(position.x, position.y - 2.4 * size);
        context.lineTo(position.x + size / 1.6, position.y);
        context.lineTo(position.x - size / 1.6, position.y);
      } else {
        context.fillStyle = `hsl(${figure.hue} 85% 70%)`;
        context.ellipse(position.x, position.y - size / 2, size / 5, size / 2, 0, 0, 2 * Math.PI);
      }
      context.fill();
    }
  },
});
