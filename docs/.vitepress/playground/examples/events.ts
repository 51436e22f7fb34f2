// Events: a click is an event. A system collects explosions in its inbox, and pushes what is near them.
import { ECS, defineComponent, defineSystem, init, startLoop } from "crateful";

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}
class Explosion {
  readonly x: number;
  readonly y: number;
  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Push extends defineSystem({ position: Position, velocity: Velocity }) {
  readonly explosions = this.inbox(Explosion);
  override update() {
    for (const { x, y } of this.explosions) {
      for (const { position, velocity } of this.rows) {
        const [dx, dy] = [position.x - x, position.y - y];
        const distance = Math.max(20, Math.hypot(dx, dy));
        if (distance > 160) continue;
        velocity.x += (9000 * dx) / distance ** 2;
        velocity.y += (9000 * dy) / distance ** 2;
      }
    }
  }
}
class Move extends defineSystem({ position: Position, velocity: Velocity }) {
  override update(delta: number) {
    for (const { position, velocity } of this.rows) {
      position.x = (position.x + velocity.x * delta + canvas.width) % canvas.width;
      position.y = (position.y + velocity.y * delta + canvas.height) % canvas.height;
      velocity.x *= 1 - delta; // friction
      velocity.y *= 1 - delta;
    }
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Push());
ecs.addSystem(20, new Move());
for (let y = 20; y < canvas.height; y += 20)
  for (let x = 20; x < canvas.width; x += 20) ecs.addEntity([Position, { x, y }], Velocity);

ecs.events.subscribe(Explosion, ({ x, y }) => console.log(`explosion at ${Math.round(x)}, ${Math.round(y)}`));
ecs.events.dispatch(new Explosion(200, 200), 0.5); // in half a second
ecs.events.dispatch(new Explosion(440, 200), 1.5);
canvas.addEventListener("pointerdown", ({ offsetX, offsetY }) => {
  const scale = canvas.width / canvas.clientWidth;
  ecs.events.dispatch(new Explosion(offsetX * scale, offsetY * scale));
});

const boxes = ecs.query({ position: Position, velocity: Velocity });
startLoop(ecs, {
  frame() {
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const { position, velocity } of boxes) {
      context.fillStyle = `hsl(${200 - Math.min(170, Math.hypot(velocity.x, velocity.y))} 80% 65%)`;
      context.fillRect(position.x - 4, position.y - 4, 8, 8);
    }
  },
});
