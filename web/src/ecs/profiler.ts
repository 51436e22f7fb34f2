import type { CoreWorld } from "../core/core_world.js";
import { profile, spans, systems } from "../core/reports.js";
import { badArgument, show } from "../module/errors.js";
import { core } from "../module/instance.js";
import { WorldMemory } from "../module/layout.js";

/**
 * Measures where the time of a frame is spent (rule P1). Groups of clocks: `Overall` (update, render), `Systems` (one
 * clock per system, including C++ systems), and groups of your own. Off by default; it then costs nothing.
 */
export class Profiler {
  readonly #world: CoreWorld;
  /**
   * Also writes each frame's spans to the browser's User Timing, so that systems appear on the performance timeline of the developer
   * tools: a track for each group, where a system shows how many entities it tracks and how many were dirty (rule P2). Only while the
   * profiler is enabled.
   */
  userTiming = false;

  /** @internal */
  constructor(world: CoreWorld) {
    this.#world = world;
  }
  get enabled(): boolean {
    return this.#world.byte(WorldMemory.profiling) === 1;
  }
  set enabled(on: boolean) {
    if (typeof on !== "boolean") throw badArgument(`profiler.enabled: the value must be a boolean, not ${show(on)}`);
    this.#world.setByte(WorldMemory.profiling, Number(on));
  }
  /**
   * Calls `call` and measures it under a group and a name: `measure("Overall", "render", () => draw())`. Returns what it
   * returns.
   */
  measure<T>(group: string, name: string, call: () => T): T {
    this.#world.live();
    if (typeof group !== "string" || typeof name !== "string" || typeof call !== "function") {
      throw badArgument("profiler.measure: pass a group (string), a name (string) and a function");
    }
    if (!this.enabled) return call();
    const start = performance.now();
    try {
      return call();
    } finally {
      if (!this.#world.disposed) core.record(this.#world.self, group, name, start, performance.now() - start);
    }
  }
  /**
   * All groups, in the order of their first use, with their clocks, largest average first: the average per frame, over the last 60 frames
   * in which the clock ran, and the time in the last frame, in milliseconds.
   */
  report(): { name: string; clocks: { name: string; average: number; last: number }[] }[] {
    return profile(this.#world.live());
  }
  /** The periods of the last frame, in order, in milliseconds; `start` is on the clock of `performance.now()`. */
  spans(): { group: string; name: string; start: number; duration: number }[] {
    return spans(this.#world.live());
  }
  /** Discards all measurements. */
  clear(): void {
    core._crateful_forget_profile(this.#world.live());
  }

  /** @internal */
  $frameEnded(): void {
    if (!this.userTiming || !this.enabled) return;
    const all = systems(this.#world.live());
    for (const { group, name, start, duration } of this.spans()) {
      const found = group === "Systems" ? all.find((system) => system.name === name) : undefined;
      const devtools = {
        trackGroup: "Crateful",
        track: group,
        color: found?.dirty === 0 ? "primary-light" : "primary",
        properties: found ? (["tracked", "dirty"] as const).map((count) => [count, `${found[count]}`]) : [],
      };
      performance.measure(`${group}: ${name}`, { start, duration, detail: { devtools } });
    }
  }
}
