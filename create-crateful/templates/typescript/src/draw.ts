// Drawing: the document changes only where an entity or the score has changed.
import { Aspect, defineSystem } from "crateful";
import { Box, Game, Position, game } from "./world.ts";

const svg = document.querySelector("svg")!;
const score = document.querySelector("#score")!;
const title = document.querySelector("h1")!;

/** What Draw keeps for an entity. */
class Sprite extends Aspect {
  readonly rect = document.createElementNS(svg.namespaceURI, "rect") as SVGRectElement;
}

export class Draw extends defineSystem({ position: Position, box: Box }, { watch: [Position], aspect: Sprite }) {
  override onAdd(sprite: Sprite) {
    const { width, height, round, hue } = sprite.get(Box);
    const look = { width, height, rx: round, fill: `hsl(${hue} 85% 62%)` };
    for (const [name, value] of Object.entries(look)) sprite.rect.setAttribute(name, `${value}`);
    svg.append(sprite.rect);
  }
  override update() {
    for (const { position, box, aspect } of this.dirty) {
      aspect.rect.setAttribute("x", `${position.x - box.width / 2}`);
      aspect.rect.setAttribute("y", `${position.y - box.height / 2}`);
    }
  }
  override onRemove(sprite: Sprite) {
    sprite.rect.remove();
  }
}

export class Panel extends defineSystem({ game: Game }, { watch: [Game], onlyWhenDirty: true }) {
  override update() {
    score.textContent = `Score ${game.score} · Best ${game.best}`;
    document.body.dataset["state"] = game.playing ? "playing" : "over";
    if (game.playing) title.textContent = "Game over"; // for the next time
  }
}
