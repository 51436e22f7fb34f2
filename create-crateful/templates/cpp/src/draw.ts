// Drawing. A grain is a pixel, and only the pixels of grains that have moved are written.
import { Aspect, defineSystem } from "crateful/module";
import { Game, Grain, bowl, ecs, game } from "./world.ts";

export const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;
const image = context.createImageData(canvas.width, canvas.height);
const empty = 0xff27211d; // alpha, blue, green, red
const pixels = new Uint32Array(image.data.buffer).fill(empty);
const shade = (angle: number) => 150 + 60 * Math.sin(angle) + 40 * Math.random();

/** What DrawGrains keeps for a grain: where it was drawn, and its colour. */
class Pixel extends Aspect {
  cell = 0;
  readonly colour = [0, 2, 4].reduce((sum, part) => (sum << 8) + shade(ecs.gameTime / 4 + part), 0xff);
}

export class DrawGrains extends defineSystem({ grain: Grain }, { watch: [Grain], aspect: Pixel }) {
  override update() {
    for (const { aspect } of this.dirty) pixels[aspect.cell] = empty; // before others are drawn there
    for (const { grain, aspect } of this.dirty) pixels[(aspect.cell = grain.cell)] = aspect.colour;
  }
  override onRemove({ cell }: Pixel) {
    pixels[cell] = empty;
  }
}

export class Panel extends defineSystem({ game: Game }, { watch: [Game], onlyWhenDirty: true }) {
  override update() {
    document.querySelector("#score")!.textContent = `Score ${game.score}`;
    document.body.dataset["state"] = game.playing ? "playing" : "over";
    if (game.playing) document.querySelector("h1")!.textContent = "Game over"; // for the next time
  }
}

export function draw() {
  context.putImageData(image, 0, 0);
  context.fillStyle = "#f3e9dc";
  context.fillRect(Math.floor(bowl.x) - 11, 150, 23, 4);
}
