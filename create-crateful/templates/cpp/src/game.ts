// The TypeScript part of the game: the spouts, the bowl, and the loop.
import { defineSystem, startLoop } from "crateful/module";
import type { MainModule } from "../build/game.mjs";
import { DrawGrains, Panel, canvas, draw } from "./draw.ts";
import { Falling, Grain, bowl, ecs, game } from "./world.ts";

const grains = ecs.prefab({ grain: Grain, falling: Falling });
const keys = new Set<string>();

/** Pours sand, from another spout every 15 seconds. */
class Pour extends defineSystem() {
  #time = 0;
  override onClear() {
    this.#time = 0;
    Object.assign(game, { playing: true, score: 0 });
  }
  override update(delta: number) {
    if (!game.playing) return;
    this.#time += delta;
    for (let spout = 0; spout <= this.#time / 15; spout++) {
      const x = 55 + 50 * Math.sin((0.8 + 0.3 * spout) * this.#time + spout);
      grains.spawn(2, { grain: { cell: [x + 5 * Math.random(), x + 5 + 5 * Math.random()] } });
    }
  }
}

class Steer extends defineSystem() {
  override update(delta: number) {
    moveTo(bowl.x + 90 * delta * (Number(keys.has("ArrowRight")) - Number(keys.has("ArrowLeft"))));
  }
}

const moveTo = (x: number) => (bowl.x = Math.min(Math.max(11, x), 108)); // does not signal if it is the same
const start = () => game.playing || ecs.clear(); // calls the systems' onClear
addEventListener("pointerdown", start);
const scale = () => Math.max(120 / canvas.clientWidth, 200 / canvas.clientHeight); // as large as fits
addEventListener("pointermove", ({ clientX }) => moveTo(60 + (clientX - canvas.clientWidth / 2) * scale()));
addEventListener("keydown", ({ code }) => (code === "Space" ? start() : keys.add(code)));
addEventListener("keyup", ({ code }) => keys.delete(code));
addEventListener("blur", () => keys.clear());

export function run(cpp: MainModule) {
  cpp.addFall(ecs.raw, 10); // the system in C++ runs first
  for (const system of [new Pour(), new Steer(), new DrawGrains(), new Panel()]) ecs.addSystem(20, system);
  startLoop(ecs, { fixedStep: 1 / 120, frame: draw });
}

if (import.meta.env.DEV)
  import("crateful/inspector").then(({ attachInspector }) => attachInspector(ecs, { place: "folded" }));
