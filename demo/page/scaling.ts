// The measured update times by number of entities, with tracking and without.
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

const MINIMUM = 1000; // milliseconds of samples for a measurement

export class Scaling {
  readonly every = 250;
  /** Incremented with each change. */
  version = 0;
  readonly #points = new Map<string, Measured>();

  constructor(
    readonly game: Game,
    readonly figures: Figures,
  ) {}

  /** Records the current figures, if the room has run at normal speed for long enough. */
  show(): void {
    const { game, figures } = this;
    if (game.paused || game.speed !== "1" || figures.update.span < MINIMUM) return;
    this.record();
  }
  record(): void {
    const { ecs, settings, tracking } = this.game;
    const update = Math.max(this.figures.update.median ?? 0, RESOLUTION); // short times may be below the clock's resolution
    const { crates } = settings;
    this.#points.set(`${crates} ${tracking}`, { crates, tracking, entities: ecs.count, update });
    this.version += 1;
  }
  /** Sorted by the number of entities. */
  points(tracking: boolean): Measured[] {
    return [...this.#points.values()]
      .filter((point) => point.tracking === tracking)
      .sort((a, b) => a.entities - b.entities);
  }
}
