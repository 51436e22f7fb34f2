// How the update time follows the number of entities, with tracking and without: what was measured so far.
import type { Figures } from "./figures.js";
import type { Game } from "./game.js";
import { RESOLUTION } from "./text.js";

export interface Measured {
  crates: number;
  tracking: boolean;
  entities: number;
  /** Median, in milliseconds. */
  update: number;
}

const ENOUGH = 1000; // milliseconds

export class Scaling {
  readonly every = 250;
  /** Goes up with each change. */
  version = 0;
  readonly #points = new Map<string, Measured>();

  constructor(
    readonly game: Game,
    readonly figures: Figures,
  ) {}

  /** Remembers what the figures say, if the room has run long enough at its own pace to say it. */
  show(): void {
    const { game, figures } = this;
    if (game.paused || game.speed !== "1" || figures.update.span < ENOUGH) return;
    this.record();
  }
  record(): void {
    const { ecs, settings, tracking } = this.game;
    const update = Math.max(this.figures.update.median ?? 0, RESOLUTION); // a quick one may be too short for the clock
    const { crates } = settings;
    this.#points.set(`${crates} ${tracking}`, { crates, tracking, entities: ecs.count, update });
    this.version += 1;
  }
  /** By rising number of entities. */
  points(tracking: boolean): Measured[] {
    return [...this.#points.values()]
      .filter((point) => point.tracking === tracking)
      .sort((a, b) => a.entities - b.entities);
  }
}
