// Runs the frames: one whenever the browser is about to show a picture, or one by hand.
import type { FrameTimes, Game } from "./game.js";
import { showProblem } from "./problem.js";

const LONGEST_FRAME = 0.05; // seconds: a tab that was hidden does not make up for it in one leap
const STEP = 1 / 60;

export class Loop {
  /** While true, frames run by hand only. */
  hold = false;
  /** While true, none run: there is nothing to draw on. */
  stopped = false;
  /** None will ever run again. */
  broken = false;
  #waiting: (() => void)[] = [];

  /** `ran` hears of each frame: when it was, what it cost, and whether it was run by hand. */
  constructor(
    readonly game: Game,
    readonly ran: (now: number, times: FrameTimes, byHand: boolean) => void,
  ) {}

  start(): void {
    let before = performance.now();
    const frame = (now: number) => {
      requestAnimationFrame(frame); // first: an error in one frame does not keep the next from coming
      const delta = Math.min(LONGEST_FRAME, Math.max(0, (now - before) / 1000));
      before = now;
      if (!this.hold && !this.stopped && !this.broken) this.#runOrStop(delta, now);
    };
    requestAnimationFrame(frame);
  }

  // After a trap nobody knows what state the C++ side is in, so that is the end.
  #runOrStop(delta: number, now: number): void {
    try {
      this.#run(delta, now, false);
    } catch (problem) {
      if (problem instanceof WebAssembly.RuntimeError) {
        this.broken = true;
        showProblem("The room broke down", `${problem.message}\nLoading the page again brings back a new one.`);
      }
      throw problem;
    }
  }

  /** Runs exactly one frame. */
  frame(delta: number, drawn = true): void {
    this.#run(delta, performance.now(), true, drawn);
  }

  /** Runs one frame of the room, and leaves it paused. */
  step(): void {
    const { game } = this;
    const { ecs } = game;
    game.paused = true;
    // With every fourth frame only, most steps would be none.
    const { speed } = game;
    if (speed === "step") ecs.slowMotion.clear();
    ecs.paused = false;
    try {
      this.frame(STEP);
    } finally {
      ecs.paused = true;
      if (speed === "step") game.speed = speed;
    }
  }

  /** Resolves after the next frame, or once `signal` says stop. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #run(delta: number, now: number, byHand: boolean, drawn = true): void {
    const times = this.game.frame(delta, drawn);
    this.ran(now, times, byHand);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
