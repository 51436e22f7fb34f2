import type { CoreWorld } from "../core/core_world.js";
import { badArgument, show } from "../module/errors.js";
import { core } from "../module/instance.js";
import { SlowMotionStyle, WorldMemory } from "../module/layout.js";

/** Slows down game time for a while. Of several requests, the largest factor applies (rule M2). */
export class SlowMotion {
  readonly #world: CoreWorld;
  /** @internal */
  constructor(world: CoreWorld) {
    this.#world = world;
  }
  /**
   * Divides the speed of the game by `factor` (at least 1) for `duration` seconds of wall time (greater than 0, may be
   * infinite). Time during which the ECS is paused does not count. Throws `BAD_ARGUMENT`.
   */
  request(factor: number, duration: number): void {
    if (typeof factor !== "number" || typeof duration !== "number")
      throw badArgument(
        `slowMotion.request: the factor and the duration in seconds must be numbers, not ${show(factor)} and ${show(duration)}`,
      );
    this.#world.check(core._crateful_slow_motion(this.#world.live(), factor, duration));
  }
  /** `scale`: every frame runs with its delta divided. `step`: every factor-th frame runs with its whole delta. */
  get style(): "scale" | "step" {
    return this.#world.byte(WorldMemory.style) === SlowMotionStyle.step ? "step" : "scale";
  }
  set style(style: "scale" | "step") {
    if (style !== "scale" && style !== "step")
      throw badArgument(`slowMotion.style: the style must be "scale" or "step", not ${show(style)}`);
    this.#world.setByte(WorldMemory.style, style === "step" ? SlowMotionStyle.step : SlowMotionStyle.scale);
  }
  /** The factor that applies now; 1 if there is no request. */
  get factor(): number {
    return core._crateful_slow_motion_factor(this.#world.live());
  }
  /** Ends all requests. */
  clear(): void {
    core._crateful_end_slow_motion(this.#world.live());
  }
}
