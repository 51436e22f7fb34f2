// Where the player wants the paddle, and when to start.
import { ecs, game, width } from "./world.ts";

const keys = new Set<string>();
let target = width / 2;

/** The place of the paddle that the pointer or the keys have chosen. */
export function chosen(delta: number): number {
  target += 130 * delta * (Number(keys.has("ArrowRight")) - Number(keys.has("ArrowLeft")));
  return (target = Math.min(Math.max(10, target), width - 10));
}

const start = () => game.playing || ecs.clear(); // calls the systems' onClear
const svg = document.querySelector("svg")!;
addEventListener("pointerdown", start);
addEventListener("pointermove", ({ clientX, clientY }) => {
  target = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()!.inverse()).x;
});
addEventListener("keydown", ({ code }) => (code === "Space" ? start() : keys.add(code)));
addEventListener("keyup", ({ code }) => keys.delete(code));
addEventListener("blur", () => keys.clear());
