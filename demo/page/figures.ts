// The live figures: what a frame costs, and what it processes.
import { nativeComponent } from "crateful/module";
import { element, write } from "./element.js";
import type { FrameTimes, Game } from "./game.js";
import { drawGraph } from "./graph.js";
import { History } from "./history.js";
import { meanMilliseconds, milliseconds, size, whole } from "./text.js";

// The first frames after a change of settings are not measured: all entities are dirty once, and code is being
// compiled.
const SETTLING = 8;

export class Figures {
  readonly every = 250; // milliseconds
  readonly update = new History();
  readonly render = new History();
  readonly #Crate = nativeComponent("Crate");
  readonly #graph = element("graph", HTMLCanvasElement);
  #settling = SETTLING;

  constructor(readonly game: Game) {
    game.changed.listen(() => this.restart());
  }

  /** Records a frame; `now` in milliseconds. */
  frame(now: number, { update, render }: FrameTimes): void {
    if (this.#settling > 0 && --this.#settling === 0) this.game.ecs.profiler.clear();
    if (this.#settling > 0) return;
    this.update.add(now, update);
    this.render.add(now, render);
  }

  /** Discards all measurements, for example after a change of settings. */
  restart(): void {
    this.update.clear();
    this.render.clear();
    this.#settling = SETTLING;
  }

  show(): void {
    const { ecs, room, scripts } = this.game;
    write("update-now", milliseconds(this.update.last));
    write("update-mean", meanMilliseconds(this.update.mean));
    write("render-now", milliseconds(this.render.last));
    write("render-mean", meanMilliseconds(this.render.mean));
    write("entities", whole(ecs.count));
    write("crates-left", whole(ecs.storage(this.#Crate).count));
    write("smashed", whole(scripts.score.smashed));
    write("walked", `${whole(scripts.pedometer.metres)} m`);
    write("sprites", whole(room.spritesDrawn));
    write("calls", whole(room.drawCalls));
    write("uploaded", size(room.uploadedBytes));
    write("room-number", whole(room.roomNumber));
    drawGraph(this.#graph, this.update, this.render, room.tracking);
  }
}
