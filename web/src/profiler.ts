import { profile, spans } from "./reports.js";
import { badArgument } from "./errors.js";
import type { World } from "./world.js";

/** One clock's figures, in milliseconds. */
export interface ProfileReading {
  name: string;
  /** A frame's, over the last 60 frames in which it ran. */
  average: number;
  /** In the last frame. */
  last: number;
}
/** A group of clocks, biggest average first. */
export interface ProfileGroup {
  name: string;
  clocks: ProfileReading[];
}
/** One stretch of time of the last frame; milliseconds on the clock of `performance.now()`. */
export interface Span {
  group: string;
  name: string;
  start: number;
  duration: number;
}

/**
 * Where the time of a frame goes: `Overall` (update, render), `Systems` (one clock per system, also of
 * C++ ones), and groups of your own. Off by default, and free then.
 */
export class Profiler {
  readonly #world: World;
  /**
   * Sends each frame's spans to the browser's User Timing too, so that systems show on the performance
   * timeline of the developer tools. Works while the profiler is enabled.
   */
  userTiming = false;

  /** @internal */
  constructor(world: World) {
    this.#world = world;
  }
  get enabled(): boolean {
    return this.#world.live().profiling;
  }
  set enabled(on: boolean) {
    if (typeof on !== "boolean") throw badArgument("profiler.enabled is true or false");
    this.#world.live().profiling = on;
  }
  /** Measures a call under a group and a name: `measure("Overall", "render", () => draw())`. */
  measure<T>(group: string, name: string, call: () => T): T {
    const raw = this.#world.live();
    if (typeof group !== "string" || typeof name !== "string" || typeof call !== "function") {
      throw badArgument("measure takes a group, a name and a function");
    }
    if (!raw.profiling) return call();
    const start = performance.now();
    try {
      return call();
    } finally {
      if (!this.#world.disposed) raw.record(group, name, start, performance.now() - start);
    }
  }
  /** All groups in the order of their first use. */
  report(): ProfileGroup[] {
    return profile(this.#world.live());
  }
  /** The stretches of the last frame, in order. */
  spans(): Span[] {
    return spans(this.#world.live());
  }
  /** Forgets all measurements. */
  clear(): void {
    this.#world.live().forgetProfile();
  }

  /** @internal */
  $frameEnded(): void {
    if (!this.userTiming || !this.enabled) return;
    for (const { group, name, start, duration } of this.spans()) {
      performance.measure(`${group}: ${name}`, { start, duration, detail: { devtools: { track: "Crateful" } } });
    }
  }
}
