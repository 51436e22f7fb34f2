// The measured update times by number of crates, with tracking and without.
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

/** Milliseconds that a room must have run before its update time is recorded, and before its twin is made. */
export const SETTLED = 500;

export class Scaling {
  readonly every = 250;
  /** Incremented with each change. */
  version = 0;
  readonly #points = new Map<string, Measured>();

  constructor(
    readonly game: Game,
    readonly figures: Figures,
    /** Whether the heat view is on: its own work would be measured too. */
    readonly heated: () => boolean,
  ) {}

  /** Records the current figures, if the room has run at normal speed for long enough. */
  show(): void {
    const { game, figures } = this;
    if (game.paused || game.speed !== "1" || figures.update.span < SETTLED || this.heated()) return;
    this.record(game.tracking, figures.update.median ?? 0);
  }
  /** Records the update time of the current room, in milliseconds. */
  record(tracking: boolean, time: number): void {
    const { ecs, settings } = this.game;
    const update = Math.max(time, RESOLUTION); // short times may be below the clock's resolution
    const { crates } = settings;
    this.#points.set(`${crates} ${tracking}`, { crates, tracking, entities: ecs.count, update });
    this.version += 1;
  }
  /** What was measured with that number of crates. */
  at(crates: number, tracking: boolean): Measured | undefined {
    return this.#points.get(`${crates} ${tracking}`);
  }
  /** Sorted by the number of entities. */
  points(tracking: boolean): Measured[] {
    return [...this.#points.values()]
      .filter((point) => point.tracking === tracking)
      .sort((a, b) => a.entities - b.entities);
  }
}
