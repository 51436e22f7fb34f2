// A forest of sprites that are sorted by depth. A few of them walk, and only these get another place in the order.
import { ECS, defineComponent, defineSystem, startLoop } from "crateful";

const ecs = new ECS();
const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;
const { width, height } = canvas;

const kinds = ["pine", "birch", "walker"] as const;
class Sprite extends defineComponent("Sprite", { kind: kinds, x: "f32", y: "f32" }) {} // x and y are those of its foot
class Walker extends defineComponent("Walker", { goal: "f32x2", rest: "f32" }) {} // rest: seconds until it walks

/** A picture that is painted once. Its foot is in the middle of the lower edge. */
function picture(width: number, height: number, paint: (context: OffscreenCanvasRenderingContext2D) => void) {
  const image = new OffscreenCanvas(width, height);
  paint(image.getContext("2d")!);
  return image;
}
const pictures = {
  pine: picture(56, 100, (context) => {
    context.fillStyle = "#4a3728";
    context.fillRect(24, 80, 8, 20);
    for (const [k, color] of ["#1d4a3a", "#24594a", "#2f6d5a"].entries()) {
      context.fillStyle = color;
      context.beginPath();
      context.moveTo(28, 46 - 23 * k);
      context.lineTo(56 - 6 * k, 86 - 25 * k);
      context.lineTo(6 * k, 86 - 25 * k);
      context.fill();
    }
  }),
  birch: picture(44, 84, (context) => {
    context.fillStyle = "#dcd6c8";
    context.fillRect(19, 40, 6, 44);
    context.fillStyle = "#d9a441";
    context.beginPath();
    context.ellipse(22, 30, 22, 30, 0, 0, 2 * Math.PI);
    context.fill();
  }),
  walker: picture(20, 36, (context) => {
    context.fillStyle = "#b8433a";
    context.beginPath();
    context.roundRect(2, 12, 16, 24, 6);
    context.fill();
    context.fillStyle = "#f3d9bd";
    context.beginPath();
    context.arc(10, 9, 8, 0, 2 * Math.PI);
    context.fill();
  }),
};

const anywhere = () => [Math.random() * width, 100 + Math.random() * (height - 100)] as const;
function add(kind: (typeof kinds)[number], [x, y] = anywhere()) {
  return ecs.addEntity([Sprite, { kind, x, y }]);
}

class Walk extends defineSystem({ sprite: Sprite, walker: Walker }) {
  override update(delta: number): void {
    for (const { sprite, walker } of this.rows) {
      walker.rest -= delta;
      if (walker.rest > 0) continue;
      const { goal } = walker;
      const [x, y] = [goal.x - sprite.x, goal.y - sprite.y];
      const [step, distance] = [60 * delta, Math.hypot(x, y)];
      const part = distance > step ? step / distance : 1;
      sprite.x += x * part;
      sprite.y += y * part;
      if (part < 1) continue;
      walker.rest = 8 * Math.random();
      goal.set(anywhere());
    }
  }
}

/** Draws from back to front. When nothing has moved, it does not run; sorting costs what has moved. */
class Draw extends defineSystem({ sprite: Sprite }, { watch: [Sprite], onlyWhenDirty: true, orderBy: [Sprite, "y"] }) {
  override update(): void {
    context.clearRect(0, 0, width, height);
    for (const { sprite } of this.rows) {
      const image = pictures[sprite.kind];
      context.drawImage(image, Math.round(sprite.x - image.width / 2), Math.round(sprite.y - image.height));
    }
    const [all, moved] = [this.rows.count, this.dirty.size].map((n) => n.toLocaleString("en"));
    document.querySelector("p")!.textContent = `${all} sprites, ${moved} of them new or moved. Click to plant.`;
  }
}

canvas.addEventListener("pointerdown", ({ offsetX, offsetY, button }) => {
  const scale = width / canvas.clientWidth;
  add(button === 0 ? "pine" : "birch", [offsetX * scale, offsetY * scale]);
});
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

for (let k = 0; k < 1200; k++) add(k % 4 === 0 ? "birch" : "pine");
for (let k = 0; k < 60; k++) ecs.addComponent(add("walker"), Walker, { goal: anywhere() });
for (const system of [new Walk(), new Draw()]) ecs.addSystem(0, system);
startLoop(ecs);

if (import.meta.env.DEV)
  import("crateful/inspector").then(({ attachInspector }) => attachInspector(ecs, { place: "folded" }));
