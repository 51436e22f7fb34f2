// Save and load: the world is saved as bytes once, and each click, or three seconds, makes it again what it was.
import { ECS, defineComponent, defineSystem, init, restore, snapshot, startLoop } from "crateful/state";

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}
// What exists once is a component of ecs.world, and saved, too.
class Clock extends defineComponent("Clock", { seconds: "f32" }) {}

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Move extends defineSystem({ position: Position, velocity: Velocity }) {
  override update(delta: number) {
    for (const { position, velocity } of this.rows) {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
      velocity.y += 80 * delta;
    }
  }
}
class Tick extends defineSystem() {
  override update(delta: number) {
    this.ecs.get(this.ecs.world, Clock).seconds += delta;
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Move());
ecs.addSystem(20, new Tick());
ecs.addComponent(ecs.world, Clock);
for (let row = 0; row < 10; row++)
  for (let column = 0; column < 16; column++) {
    const [x, y] = [200 + 15 * column, 60 + 15 * row];
    ecs.addEntity([Position, { x, y }], [Velocity, { x: (x - 312) * Math.random(), y: (y - 200) * Math.random() }]);
  }

const saved = snapshot(ecs);
console.log(`${ecs.count} entities in ${saved.length} bytes`);

let loads = 0;
function load() {
  restore(ecs, saved); // what differs is dirty
  console.log(`loaded ${++loads} times`);
}
canvas.addEventListener("pointerdown", load);

const boxes = ecs.query({ position: Position });
startLoop(ecs, {
  frame() {
    const { seconds } = ecs.get(ecs.world, Clock);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = "#c8a2ff";
    for (const { position } of boxes) context.fillRect(position.x, position.y, 12, 12);
    context.font = "22px system-ui";
    context.fillStyle = "#e6e8ee";
    context.fillText(`${seconds.toFixed(1)} s`, 16, 32);
    if (seconds > 3) load(); // between two updates
  },
});
