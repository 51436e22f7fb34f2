// How entities are drawn: 20 updates a second arrive, not at regular times, and the page draws more often.
import { Aspect, defineSystem } from "crateful";
import { Coin, Crate, Place, Player, STEP } from "./rules.js";
import type { Session } from "./session.js";

const LATE = 2; // updates by which others are drawn later than they arrive, so that the next place is known
const JUMP = 2; // metres in one update: not a motion

/** Where an entity is drawn, and where it was at the server after its last updates. */
class Track extends Aspect {
  x = 0;
  y = 0;
  samples: { frame: number; x: number; y: number }[] = [];

  /** The place at a time, counted in updates. */
  at(time: number): { x: number; y: number } {
    const { samples } = this;
    while (samples.length > 2 && samples[1]!.frame <= time) samples.shift();
    const [from, to] = samples;
    if (!from || !to) return from ?? this;
    const part = Math.min(Math.max(0, (time - from.frame) / (to.frame - from.frame)), 1);
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  }
}

const options = { optional: { crate: Crate, coin: Coin, player: Player }, watch: [Place], aspect: Track };
export class Motion extends defineSystem({ place: Place }, options) {
  /** What is not drawn yet where it is. */
  readonly #moving = new Set<Track>();
  readonly #session: Session;
  /** The number of the server's update now, minus the time of this page, counted in updates. */
  #offset = -Infinity;
  constructor(session: Session) {
    super();
    this.#session = session;
  }
  override onAdd(track: Track): void {
    const { x, y } = track.get(Place);
    Object.assign(track, { x, y });
  }
  override onRemove(track: Track): void {
    this.#moving.delete(track);
  }
  override update(): void {
    const { frame } = this.#session.replica;
    for (const { place, aspect: track } of this.dirty) {
      const { x, y } = place;
      if (Math.hypot(x - track.x, y - track.y) > JUMP) Object.assign(track, { x, y, samples: [] });
      const { samples } = track;
      const last = samples.at(-1) ?? { x: track.x, y: track.y, frame: -1 };
      if (last.frame < frame - 1) samples.push({ ...last, frame: frame - 1 }); // it stood there
      if (last.frame === frame) samples.pop();
      samples.push({ frame, x, y });
      this.#moving.add(track);
    }
  }

  /** Notes that bytes have arrived: those that were fastest say what time it is at the server. */
  arrived(): void {
    const offset = this.#session.replica.frame - performance.now() / 1000 / STEP;
    this.#offset = Math.max(offset, this.#offset - 0.01);
  }
  /** Moves what is drawn; returns whether something has moved. */
  advance(delta: number): boolean {
    const time = performance.now() / 1000 / STEP + this.#offset - LATE;
    const part = 1 - Math.exp(-25 * delta); // smooths corrections, too
    const moves = this.#moving.size > 0;
    for (const track of this.#moving) {
      const isPredicted = this.#session.isPredicted(track.entity);
      const to = isPredicted ? track.get(Place) : track.at(time);
      track.x += (to.x - track.x) * part;
      track.y += (to.y - track.y) * part;
      const isLast = isPredicted || time >= track.samples.at(-1)!.frame;
      if (isLast && Math.hypot(to.x - track.x, to.y - track.y) < 0.001) {
        Object.assign(track, { x: to.x, y: to.y, samples: [] });
        this.#moving.delete(track);
      }
    }
    return moves;
  }
}
