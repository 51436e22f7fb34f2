// The loop of a page (rule M4).
import { badArgument, requireNone, requireObject, show } from "../module/errors.js";
import { ECS } from "./ecs.js";

/** A loop that `startLoop` has started. */
export interface Loop {
  /** False after `stop()`, after an exception, and when the ECS was disposed. */
  readonly running: boolean;
  /** Starts it again. The time since it was stopped does not count. */
  start(): void;
  /** Stops it: neither `update` nor `frame` is called any more. */
  stop(): void;
}

/**
 * Calls `ecs.update` in each animation frame of the page, and then `frame`, until it is stopped or the ECS is disposed. The
 * first frame only begins to measure time. While the page is hidden, nothing is called, and no time passes. If `update` or
 * `frame` throws, the loop stops, and the exception is uncaught, as that of any callback of the browser. Throws
 * `BAD_ARGUMENT` for invalid options, and where there is no `requestAnimationFrame`, as in Node and in shared workers (rule M4).
 *
 *     const loop = startLoop(ecs, { frame: () => renderer.render(scene, camera) });
 */
export function startLoop(
  ecs: ECS,
  options: {
    /**
     * Draws. Called once per animation frame, after the updates. `delta` is the time since the last frame in seconds. With
     * `fixedStep`, `alpha` is the time that was not updated yet as a part of a step, from 0 to 1: draw what moves at
     * `before + (now - before) * alpha`, from the states before and after the last update. Without it, `alpha` is 1.
     */
    readonly frame?: (delta: number, alpha: number) => void;
    /**
     * The most seconds that one animation frame advances the ECS; 0.1 by default. Slower frames slow the game down. So with
     * `fixedStep`, updates that take longer than their step can't cause more and more updates per frame.
     */
    readonly maxDelta?: number;
    /**
     * Each update has this delta, in seconds, also if `ecs.timeScale` is not 1. A frame runs as many updates as fit into its time,
     * multiplied by `ecs.timeScale`: none, one or several.
     */
    readonly fixedStep?: number;
  } = {},
): Loop {
  if (!(ecs instanceof ECS)) throw badArgument(`startLoop: pass an ECS, not ${show(ecs)}`);
  requireObject("startLoop: the options", options);
  const { frame, maxDelta = 0.1, fixedStep, ...others } = options;
  requireNone("startLoop", others);
  if (frame !== undefined && typeof frame !== "function")
    throw badArgument(`startLoop: frame must be a function, not ${show(frame)}`);
  for (const [name, value] of Object.entries({ maxDelta, fixedStep }))
    if (value !== undefined && !(typeof value === "number" && value > 0 && value < Infinity))
      throw badArgument(`startLoop: the ${name} must be a finite, positive number of seconds, not ${show(value)}`);
  try {
    cancelAnimationFrame(requestAnimationFrame(() => {})); // Chromium has both in a worker of a worker, but they throw
  } catch {
    throw badArgument("startLoop: there is no requestAnimationFrame here; call ecs.update(delta) yourself");
  }

  const page = globalThis.document as Document | undefined; // workers have none
  let running = false;
  let request = 0;
  /** When the last frame was; undefined if its distance to the next one does not count. */
  let before: number | undefined;
  /** With `fixedStep`: the time that was not updated yet. */
  let rest = 0;
  const resume = () => {
    cancelAnimationFrame(request);
    before = undefined;
    if (page?.hidden !== true) request = requestAnimationFrame(step);
  };
  const goesOn = () => running && !ecs.$world.disposed;
  const step = (now: number) => {
    request = requestAnimationFrame(step);
    const delta = Math.min(Math.max(0, now - (before ?? NaN)) / 1000, maxDelta);
    before = now;
    try {
      if (delta >= 0 && goesOn()) {
        if (fixedStep === undefined) ecs.update(delta);
        else {
          const scale = ecs.timeScale;
          // With 0, what runs during a pause still runs.
          for (rest += delta * (scale || 1); rest >= fixedStep && goesOn(); ) {
            rest -= fixedStep;
            ecs.update(fixedStep, scale === 0 ? 0 : 1);
          }
        }
        if (goesOn()) frame?.(delta, fixedStep === undefined ? 1 : rest / fixedStep);
      }
    } catch (error) {
      loop.stop();
      throw error;
    }
    if (ecs.$world.disposed) loop.stop();
  };
  const loop = {
    get running() {
      return goesOn();
    },
    start() {
      if (running) return;
      running = true;
      rest = 0;
      page?.addEventListener("visibilitychange", resume);
      resume();
    },
    stop() {
      running = false;
      page?.removeEventListener("visibilitychange", resume);
      cancelAnimationFrame(request);
    },
  };
  loop.start();
  return loop;
}
