// The live figures: what a frame costs, and what for.
import { nativeComponent } from "crateful";
import { element, write } from "./element.js";
import type { FrameTimes, Game } from "./game.js";
import { drawGraph } from "./graph.js";
import { History } from "./history.js";
import { milliseconds, size, whole } from "./text.js";

// After a change of conditions all is new to every system once, and code is compiled: not what a figure should say.
const SETTLING = 8;

export class Figures {
  readonly every = 250; // milliseconds; nobody reads faster
  readonly update = new History();
  readonly render = new History();
  readonly #Crate = nativeComponent("Crate");
  readonly #graph = element("graph", HTMLCanvasElement);
  #settling = SETTLING;
  // The median with tracking, of the same room: what it costs without is so many times that.
  #tracked: { crates: number; median: number } | undefined;

  constructor(readonly game: Game) {
    game.changed.listen(() => this.restart());
  }

  /** A frame was run: `now` in milliseconds. */
  frame(now: number, { update, render }: FrameTimes): void {
    if (this.#settling > 0 && --this.#settling === 0) this.game.ecs.profiler.clear();
    if (this.#settling > 0) return;
    this.update.add(now, update);
    this.render.add(now, render);
  }

  /** Forgets the past, which was measured under other conditions. */
  restart(): void {
    this.update.clear();
    this.render.clear();
    this.#settling = SETTLING;
  }

  show(): void {
    const { ecs, room, scripts } = this.game;
    write("update-now", milliseconds(this.update.last));
    write("update-median", milliseconds(this.update.median));
    write("render-now", milliseconds(this.render.last));
    write("render-median", milliseconds(this.render.median));
    write("entities", whole(ecs.count));
    write("crates-left", whole(ecs.storage(this.#Crate).count));
    write("smashed", whole(scripts.score.smashed));
    write("walked", `${whole(scripts.pedometer.metres)} m`);
    write("sprites", whole(room.spritesDrawn));
    write("calls", whole(room.drawCalls));
    write("uploaded", size(room.uploadedBytes));
    write("room-number", whole(room.roomNumber));
    this.#showTracking();
    drawGraph(this.#graph, this.update, this.render, room.tracking);
  }

  /** Beside the switch, where everybody looks first. */
  #showTracking(): void {
    const { ecs, room, settings } = this.game;
    const { median } = this.update;
    if (room.tracking && median !== undefined) this.#tracked = { crates: settings.crates, median };
    const known = this.#tracked?.crates === settings.crates ? this.#tracked.median : undefined;
    const times = !room.tracking && median !== undefined && known ? ` (${whole(median / known)}×)` : "";
    write("tracking-cost", `update ${milliseconds(median)} ms${times}`);
    write(
      "tracking-hint",
      room.tracking
        ? `Without it systems look at all ${whole(ecs.count)} entities. Try it, and watch the update.`
        : `Systems look at all ${whole(ecs.count)} entities in each frame. Nothing else has changed.`,
    );
  }
}
