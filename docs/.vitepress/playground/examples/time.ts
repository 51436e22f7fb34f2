// Timers and pauses: lamps go out when their time is over. A click pauses the game, and slow motion begins every four seconds.
import { ECS, defineComponent, defineSystem, init, startLoop } from "crateful";

class Lamp extends defineComponent("Lamp", { x: "f32", y: "f32" }) {}
class Timer extends defineComponent("Timer", { left: "f32", total: "f32" }) {}

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Countdown extends defineSystem({ timer: Timer }) {
  override update(delta: number) {
    for (const { entity, timer } of this.rows) {
      timer.left -= delta;
      if (timer.left <= 0) this.ecs.removeComponent(entity, Timer);
    }
  }
}
class Light extends defineSystem({ lamp: Lamp }, { without: [Timer], interval: 0.05 }) {
  override update() {
    const dark = [...this.rows.ids()];
    const chosen = dark[Math.floor(Math.random() * dark.length)];
    if (chosen === undefined) return;
    const total = 0.5 + 3 * Math.random();
    this.ecs.addComponent(chosen, Timer, { left: total, total });
  }
}
class SlowMotion extends defineSystem(undefined, { interval: 4 }) {
  override update() {
    this.ecs.slowMotion.request(5, 1); // a fifth of the speed, for one second of wall time
    console.log(`slow motion at ${this.ecs.gameTime.toFixed(1)} s`);
  }
}
class Draw extends defineSystem({ lamp: Lamp }, { optional: { timer: Timer }, whilePaused: true }) {
  override update() {
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const { lamp, timer } of this.rows) {
      const light = timer ? timer.left / timer.total : 0;
      context.fillStyle = `hsl(45 90% ${12 + 58 * light}%)`;
      context.beginPath();
      context.arc(lamp.x, lamp.y, 12, 0, 2 * Math.PI);
      context.fill();
    }
    context.fillStyle = "#e6e8ee";
    context.font = "22px system-ui";
    const { gameTime, wallTime, paused } = this.ecs;
    const times = `game ${gameTime.toFixed(1)} s, wall ${wallTime.toFixed(1)} s`;
    context.fillText(paused ? `${times}, paused` : times, 16, 386);
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Countdown());
ecs.addSystem(20, new Light());
ecs.addSystem(30, new SlowMotion());
ecs.addSystem(40, new Draw());
for (let y = 0; y < 9; y++) for (let x = 0; x < 16; x++) ecs.addEntity([Lamp, { x: 25 + 39 * x, y: 24 + 39 * y }]);

canvas.addEventListener("pointerdown", () => {
  ecs.paused = !ecs.paused;
  console.log(ecs.paused ? "paused" : "continued");
});
startLoop(ecs);
console.log("click to pause");
