// Rewind: each frame is recorded. Drag over the picture to go back and forth, and release it to continue from there.
import { ECS, Rewind, defineComponent, defineSystem, init, startLoop } from "crateful/state";

class Ball extends defineComponent("Ball", { x: "f32", y: "f32", dx: "f32", dy: "f32", hue: "u16" }) {}

const RADIUS = 14;
const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Bounce extends defineSystem({ ball: Ball }) {
  override update(delta: number) {
    for (const { ball } of this.rows) {
      ball.dy += 500 * delta;
      ball.x += ball.dx * delta;
      ball.y += ball.dy * delta;
      if (ball.x < RADIUS) ball.dx = Math.abs(ball.dx);
      if (ball.x > canvas.width - RADIUS) ball.dx = -Math.abs(ball.dx);
      if (ball.y > canvas.height - 30) ball.dy = -Math.abs(ball.dy);
    }
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Bounce());
for (let i = 0; i < 12; i++) ecs.addEntity([Ball, { x: 40 + 50 * i, y: 60 + 12 * i, dx: 20 * i - 110, hue: 30 * i }]);
const rewind = new Rewind(ecs, { bytes: 2 ** 20 });

/** Shows the frame at this part of what is recorded. */
function scrub({ offsetX }: PointerEvent) {
  const part = Math.min(1, Math.max(0, offsetX / canvas.clientWidth));
  rewind.show(Math.round(rewind.oldest + part * (rewind.newest - rewind.oldest))); // pauses the ECS
}
canvas.style.touchAction = "none";
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  scrub(event);
});
canvas.addEventListener("pointermove", (event) => event.buttons > 0 && scrub(event));
canvas.addEventListener("pointerup", () => {
  ecs.paused = false; // the next update discards the later frames
  console.log(`continued from frame ${ecs.frame}`);
});

const balls = ecs.query({ ball: Ball });
startLoop(ecs, {
  frame() {
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const { ball } of balls) {
      context.fillStyle = `hsl(${ball.hue} 80% 65%)`;
      context.beginPath();
      context.arc(ball.x, ball.y, RADIUS, 0, 2 * Math.PI);
      context.fill();
    }
    const shown = (ecs.frame - rewind.oldest) / Math.max(1, rewind.newest - rewind.oldest);
    context.fillStyle = "#333a4a";
    context.fillRect(0, canvas.height - 10, canvas.width, 10);
    context.fillStyle = "#ffb757";
    context.fillRect(0, canvas.height - 10, shown * canvas.width, 10);
  },
});
console.log("drag over the picture");
