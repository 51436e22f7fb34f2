// Filters, order and intervals: twice a second some dots freeze. Move leaves out what is frozen.
import { ECS, type Entity, defineComponent, defineSystem, init, startLoop } from "crateful";

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { angle: "f32" }) {}
class Frozen extends defineComponent("Frozen", { left: "f32" }) {}

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Move extends defineSystem({ position: Position, velocity: Velocity }, { without: [Frozen] }) {
  override update(delta: number) {
    for (const { position, velocity } of this.rows) {
      const { width, height } = canvas;
      position.x = (position.x + 60 * Math.cos(velocity.angle) * delta + width) % width;
      position.y = (position.y + 60 * Math.sin(velocity.angle) * delta + height) % height;
    }
  }
}
/** Runs before Move, though it is added later: both have the same priority. */
class Steer extends defineSystem({ velocity: Velocity }, { without: [Frozen], before: [Move] }) {
  override update(delta: number) {
    for (const { velocity } of this.rows) velocity.angle += 3 * (Math.random() - 0.5) * delta;
  }
}
class Freeze extends defineSystem({ position: Position }, { without: [Frozen], interval: 0.5 }) {
  override update(delta: number) {
    const chosen: Entity[] = [];
    for (const { entity } of this.rows) if (Math.random() < 0.2) chosen.push(entity);
    this.ecs.addComponents(chosen, Frozen, { left: 1.5 });
    console.log(`after ${delta.toFixed(2)} s: ${chosen.length} freeze`);
  }
}
class Thaw extends defineSystem({ frozen: Frozen }) {
  override update(delta: number) {
    for (const { entity, frozen } of this.rows) {
      frozen.left -= delta;
      if (frozen.left <= 0) this.ecs.removeComponent(entity, Frozen);
    }
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Move());
ecs.addSystem(10, new Steer());
ecs.addSystem(20, new Freeze());
ecs.addSystem(30, new Thaw());
console.log("order:", ecs.systems.map(({ name }) => name).join(", "));
for (let i = 0; i < 200; i++)
  ecs.addEntity(
    [Position, { x: 640 * Math.random(), y: 400 * Math.random() }],
    [Velocity, { angle: 6.3 * Math.random() }],
  );

const dots = ecs.query({ position: Position }, { optional: { frozen: Frozen } });
startLoop(ecs, {
  frame() {
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const { position, frozen } of dots) {
      context.fillStyle = frozen ? "#7fd4ff" : "#ff9d5c";
      context.fillRect(position.x, position.y, 7, 7);
    }
  },
});
