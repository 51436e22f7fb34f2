import { badArgument } from "./errors.js";
import type { World } from "./world.js";

/** Slows game time down for a while. Of several requests the largest factor wins. */
export class SlowMotion {
  readonly #world: World;
  /** @internal */
  constructor(world: World) {
    this.#world = world;
  }
  /**
   * Divides the speed of the game by `factor` (at least 1) for `duration` seconds of wall time (above 0,
   * may be infinite) in which the world is not paused.
   */
  request(factor: number, duration: number): void {
    if (typeof factor !== "number" || typeof duration !== "number")
      throw badArgument("slow motion takes a factor and a duration in seconds");
    this.#world.check(this.#world.live().slowMotion(factor, duration));
  }
  /** `scale`: every frame runs with its delta divided. `step`: every factor-th frame runs with its whole delta. */
  get style(): "scale" | "step" {
    return this.#world.live().slowMotionStep ? "step" : "scale";
  }
  set style(style: "scale" | "step") {
    if (style !== "scale" && style !== "step") throw badArgument(`slow motion: there is no style ${String(style)}`);
    this.#world.live().slowMotionStep = style === "step";
  }
  /** The factor in force; 1 when there is none. */
  get factor(): number {
    return this.#world.live().slowMotionFactor;
  }
  /** Ends all requests. */
  clear(): void {
    this.#world.live().endSlowMotion();
  }
}
