// The measured update times by number of crates, with tracking and without.
import type { Figures } from "./figures.js";
import type { Game } from "./game.js";
import type { SystemSwitches } from "./system_switches.js";
import { RESOLUTION } from "./text.js";

export interface Measured {
  crates: number;
  tracking: boolean;
  entities: number;
  /** Mean, in milliseconds. */
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
    readonly switches: SystemSwitches,
  ) {}

  /** Records the current figures, if they are of the usual work and the room has run for long enough. */
  show(): void {
    const { game, figures } = this;
    if (this.usual && figures.update.span >= SETTLED) this.record(game.tracking, figures.update.mean ?? 0);
  }
  /** Whether an update does the same work as in a new room: with the same systems, at normal speed, without recording. */
  get usual(): boolean {
    const { game, switches } = this;
    return !game.paused && !game.keepsPast && game.speed === "1" && switches.unusual.length === 0;
  }
  /** Records the update time of the current room, in milliseconds. */
  record(tracking: boolean, time: number): void {
    const { ecs, settings } = this.game;
    const update = Math.max(time, RESOLUTION / 100); // the clock may never have advanced during an update
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
