// Only what changed: of 16,000 crates, only those that change are cooled and drawn. Move the pointer over them.
import { ECS, type Entity, defineComponent, defineSystem, init, startLoop } from "crateful";

class Cell extends defineComponent("Cell", { x: "u16", y: "u16" }) {}
class Heat extends defineComponent("Heat", { value: "f32" }) {}
class Hot extends defineComponent("Hot") {} // a tag: without fields

const SIZE = 4;
const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;
const columns = canvas.width / SIZE;
const count = (columns * canvas.height) / SIZE;

class Cool extends defineSystem({ heat: Heat, hot: Hot }) {
  override update(delta: number) {
    for (const { entity, heat } of this.rows) {
      heat.value = Math.max(0, heat.value - delta);
      if (heat.value === 0) this.ecs.removeComponent(entity, Hot); // it rests from now on
    }
  }
}
class Draw extends defineSystem({ cell: Cell, heat: Heat }, { watch: [Heat] }) {
  drawn = 0;
  override update() {
    for (const { cell, heat } of this.dirty) {
      context.fillStyle = `hsl(${20 + 25 * heat.value} ${25 + 65 * heat.value}% ${16 + 50 * heat.value}%)`;
      context.fillRect(cell.x, cell.y, SIZE - 1, SIZE - 1);
    }
    this.drawn = this.dirty.size;
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Cool());
const draw = ecs.addSystem(20, new Draw());
const crates = ecs.addEntities(count);
const left = Uint16Array.from(crates, (_, i) => (i % columns) * SIZE);
const top = Uint16Array.from(crates, (_, i) => Math.floor(i / columns) * SIZE);
ecs.addComponents(crates, Cell, { x: left, y: top });
ecs.addComponents(crates, Heat);

function heatAround(x: number, y: number) {
  for (let dy = -6; dy <= 6; dy++)
    for (let dx = -6; dx <= 6; dx++) {
      const [column, line] = [Math.floor(x / SIZE) + dx, Math.floor(y / SIZE) + dy];
      if (dx * dx + dy * dy > 36 || column < 0 || column >= columns) continue;
      const crate: Entity | undefined = crates[line * columns + column];
      if (crate === undefined) continue;
      ecs.get(crate, Heat).value = 1;
      if (!ecs.has(crate, Hot)) ecs.addComponent(crate, Hot);
    }
}
canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
  const scale = canvas.width / canvas.clientWidth;
  heatAround(offsetX * scale, offsetY * scale);
});
setInterval(() => heatAround(canvas.width * Math.random(), canvas.height * Math.random()), 150);
setInterval(() => console.log(`drawn: ${draw.drawn} of ${count}`), 1000);
startLoop(ecs);
