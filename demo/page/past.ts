// Records the last seconds of the room, and goes back to them.
import { EcsError } from "crateful/module";
import { Rewind } from "crateful/state";
import type { Game } from "./game.js";
import { Signal } from "./signal.js";
import type { SystemSwitches } from "./system_switches.js";

const SECONDS = 10; // of game time
/** Enough for ten seconds of a fight also in slow motion, with four times as many frames; see docs/demo.md. */
const BYTES = 2 ** 22;

/** The room after an update in which game time passed. */
export interface Moment {
  /** Counts these moments, also those that exist no more. */
  number: number;
  /** The number of the update, `ecs.frame`. */
  frame: number;
  /** Game time in seconds. */
  time: number;
}

/**
 * The last seconds of the room. A new room, a run that begins, a save that is loaded, a replay and a measurement start the recording
 * anew. The recording of the input is not part of it: that of a run contains all of its frames already.
 */
export class Past {
  /** It was turned on or off, or shows another moment. */
  readonly changed = new Signal();
  #on = false;
  #rewind: Rewind | undefined;
  #moments: Moment[] = [];
  #shown: number | undefined;

  constructor(
    readonly game: Game,
    readonly switches: SystemSwitches,
  ) {
    game.begun.listen(() => this.#start());
    game.entered.listen(() => this.#start());
    game.changed.listen(() => {
      if ((this.#rewind !== undefined) !== this.#wanted) this.#start();
    });
  }

  /** Whether the room is recorded. It costs time in each update, so it is off at first. */
  get on(): boolean {
    return this.#on;
  }
  set on(on: boolean) {
    const { game } = this;
    this.#on = on;
    this.#start();
    game.changed.emit(); // other work, other times
  }

  /** The moments to which `to` can go, oldest first. */
  get moments(): readonly Moment[] {
    return this.#moments;
  }
  /** The number of the moment that is shown. */
  get shown(): number {
    return this.#shown ?? this.#moments.at(-1)?.number ?? 0;
  }
  /** Whether it is not the newest one. */
  get back(): boolean {
    return this.#shown !== undefined;
  }

  /** Pauses the room and shows the moment with that number, or the nearest one. Later moments exist until the room continues. */
  to(number: number): void {
    const { game, switches } = this;
    const { ecs } = game;
    const first = this.#moments[0];
    if (this.#rewind === undefined || first === undefined) return;
    const newest = this.#moments.at(-1)!;
    const moment = this.#moments[Math.max(0, number - first.number)] ?? newest;
    if (moment.number === this.shown) return;
    const view = ecs.systems.filter(({ debug }) => debug).map(({ name, enabled }) => ({ name, enabled }));
    this.#rewind.show(moment.frame);
    this.#shown = moment === newest ? undefined : moment.number;
    for (const { name, enabled } of view) // the debug view stays as it is
      if (switches.enabled(name) !== enabled) switches.set(name, enabled);
    game.noticeFrame();
    switches.changed.emit();
    game.changed.emit();
    this.changed.emit();
  }

  /** Call it after each frame. */
  frame(): void {
    const { game } = this;
    const { frame, gameTime: time, paused } = game.ecs;
    if (this.#rewind === undefined) return;
    const moments = this.#moments;
    if (!paused) {
      this.#shown = undefined;
      while (moments.length > 0 && moments.at(-1)!.frame >= frame) moments.pop();
      const last = moments.at(-1);
      if (last === undefined || time > last.time) moments.push({ number: (last?.number ?? 0) + 1, frame, time });
    }
    const oldest = this.#oldest();
    while (moments.length > 0 && (moments[0]!.frame < oldest || moments[0]!.time < time - SECONDS)) moments.shift();
    if (moments.length === 0) this.#shown = undefined; // the inspector has gone back by its own recording
  }

  /** The oldest frame that is recorded. If recording failed, as without memory, it is turned off. */
  #oldest(): number {
    try {
      return this.#rewind!.oldest;
    } catch (problem) {
      if (!(problem instanceof EcsError)) throw problem;
      console.info(problem.message);
      this.on = false;
      return Infinity;
    }
  }

  get #wanted(): boolean {
    return this.#on && this.game.busy === "";
  }
  #start(): void {
    const { game } = this;
    this.#rewind?.dispose();
    this.#rewind = undefined;
    this.#moments = [];
    this.#shown = undefined;
    game.keepsPast = game.room.recordTimes = this.#wanted;
    if (this.#wanted) this.#rewind = new Rewind(game.ecs, { bytes: BYTES, without: ["RecordedFrames"] });
    this.changed.emit();
  }
}
