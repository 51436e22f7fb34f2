// Runs the frames: one per animation frame of the browser, or single ones on request.
import type { FrameTimes, Game } from "./game.js";
import { showProblem } from "./problem.js";

const LONGEST_FRAME = 0.05; // seconds; limits the delta after the tab was hidden
const STEP = 1 / 60;

export class Loop {
  /** While true, frames run only on request. */
  hold = false;
  /** While true, no animation frames run, because the graphics card is lost. */
  stopped = false;
  /** True after an error in WebAssembly; no animation frames run any more. */
  broken = false;
  #waiting: (() => void)[] = [];

  /** `ran` is called after each frame, with its time in milliseconds, its costs, and whether it was requested. */
  constructor(
    readonly game: Game,
    readonly ran: (now: number, times: FrameTimes, requested: boolean) => void,
  ) {}

  start(): void {
    let before = performance.now();
    const frame = (now: number) => {
      requestAnimationFrame(frame); // first, so that an error in this frame does not prevent the next one
      const delta = Math.min(LONGEST_FRAME, Math.max(0, (now - before) / 1000));
      before = now;
      if (!this.hold && !this.stopped && !this.broken) this.#runOrStop(delta, now);
    };
    requestAnimationFrame(frame);
  }

  // After a trap the state of the C++ module is undefined, so the loop stops.
  #runOrStop(delta: number, now: number): void {
    try {
      this.#run(delta, now, false);
    } catch (problem) {
      if (problem instanceof WebAssembly.RuntimeError) {
        this.broken = true;
        showProblem("The room stopped because of an error", `${problem.message}\nReload the page to start a new one.`);
      }
      throw problem;
    }
  }

  /** Runs exactly one frame of `delta` seconds. */
  frame(delta: number, drawn = true): void {
    this.#run(delta, this.game.clock(), true, drawn);
  }

  /** Runs one frame of 1/60 s and pauses the room. */
  step(): void {
    const { game } = this;
    const { ecs } = game;
    game.paused = true;
    // In the slow motion that runs every fourth frame, most steps would otherwise have no effect.
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

  /** Resolves after the next frame, or when `signal` is aborted. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #run(delta: number, now: number, requested: boolean, drawn = true): void {
    const times = this.game.frame(delta, drawn);
    this.ran(now, times, requested);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
