// The world, the room in it, and the operations of the page on both.
import { defineComponent, nativeComponent, type ECS } from "crateful/module";
import { restore, snapshot } from "crateful/state";
import type { CrateRoom } from "./crate_room.js";
import type { Nudge } from "./nudge.js";
import type { Settings } from "./settings.js";
import { Signal } from "./signal.js";
import type { Pedometer, ScoreKeeper } from "./systems.js";

/** The systems in TypeScript. */
export interface Scripts {
  score: ScoreKeeper;
  pedometer: Pedometer;
  nudge: Nudge;
}

/** Returns the current time in milliseconds. Tests replace it, so that measured times do not depend on the machine. */
export type Clock = () => number;

/** Durations of the parts of a frame, in milliseconds. */
export interface FrameTimes {
  update: number;
  render: number;
}

/** The settings with which the run began; a component of the world entity. */
const Run = nativeComponent("Run", { seed: "u32", crates: "u32", guards: "i32" });
class Unrecorded extends defineComponent("Unrecorded", { change: "string" }) {}

const SLOWNESS = 4;
/** Game time: normal, slow motion in every frame, or slow motion that runs every fourth frame. */
export type Speed = "1" | "4" | "step";

export class Game {
  /** A setting changed that affects the next frames. */
  readonly changed = new Signal();
  /** A new run began, or a saved one was loaded. */
  readonly begun = new Signal();
  /** The player entered another room of the run, or the same one again. */
  readonly entered = new Signal();
  /** Emitted in each frame before the update, when its input is known, and after the update. */
  readonly between = new Signal();
  clock: Clock = () => performance.now();
  /** While true, frames are recorded so that the room can go back; an update does this work, too. */
  keepsPast = false;
  /** The operation during which controls are disabled ("replay" or "measurement"), or an empty string. */
  #busy = "";
  #frame = 0;
  #paused = false;

  constructor(
    readonly ecs: ECS,
    readonly room: CrateRoom,
    readonly settings: Settings,
    readonly scripts: Scripts,
  ) {
    ecs.addComponent(ecs.world, Unrecorded);
  }

  /** Starts a new run, in the first room. With `opening`, explosions go around the player at first. */
  begin(opening = false): void {
    const { crates, seed, guards } = this.settings;
    this.ecs.clear();
    this.scripts.score.restart();
    this.scripts.pedometer.restart();
    this.room.begin(seed, crates, guards, opening);
    this.unrecorded = "";
    this.begun.emit();
    this.changed.emit();
  }

  /** Replays this run from its start. */
  replay(): void {
    this.speed = "1";
    this.paused = false;
    this.ecs.clear();
    this.scripts.score.restart();
    this.scripts.pedometer.restart();
    this.room.replay();
    this.changed.emit();
  }

  /** The state of the room, of its systems, and of the run. Call it between frames. */
  save(): Uint8Array {
    return snapshot(this.ecs, { systems: true });
  }
  /**
   * Makes the room equal to a saved one. The debug view stays as it is. Call it between frames. Throws an `EcsError` if the bytes
   * are damaged or from another version; then nothing has changed.
   */
  load(bytes: Uint8Array): void {
    const { ecs, room, settings } = this;
    const ignore = ecs.systems.filter(({ debug }) => debug).map(({ name }) => name);
    restore(ecs, bytes, { ignore });
    room.showRestored();
    const { seed, crates, guards } = ecs.get(ecs.world, Run);
    Object.assign(settings, { seed, crates, guards });
    this.begun.emit();
    this.changed.emit();
  }

  /** Runs one frame of `delta` seconds. `drawn` has no influence on the game. */
  frame(delta: number, drawn = true): FrameTimes {
    const { ecs, room, clock } = this;
    this.noticeFrame(); // also the inspector goes back
    const length = room.beginFrame(delta);
    this.between.emit();
    if (room.roomDue) {
      ecs.clear();
      room.enter();
      this.entered.emit();
    }
    const started = clock();
    const effective = ecs.update(length);
    const updated = clock();
    room.endFrame(effective);
    this.between.emit();
    const ended = clock();
    this.#frame = ecs.frame;
    if (drawn) ecs.profiler.measure("Overall", "render", () => room.render());
    return { update: updated - started, render: clock() - ended };
  }

  /** Draws another frame, if the ECS has gone to one. */
  noticeFrame(): void {
    const { frame } = this.ecs;
    if (frame !== this.#frame) this.room.showRestored();
    this.#frame = frame;
  }
  /** Updates the controls, if the ECS was paused or continues. */
  noticePause(): void {
    const { paused } = this.ecs;
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.changed.emit();
  }

  get tracking(): boolean {
    return this.room.tracking;
  }
  set tracking(on: boolean) {
    this.settings.tracking = this.room.tracking = on;
    this.changed.emit();
  }

  get paused(): boolean {
    return this.ecs.paused;
  }
  set paused(on: boolean) {
    this.ecs.paused = on;
    this.noticePause();
  }

  /** A change of the room that is not input and therefore not recorded, in words; or an empty string. */
  get unrecorded(): string {
    return this.ecs.get(this.ecs.world, Unrecorded).change;
  }
  set unrecorded(change: string) {
    this.ecs.get(this.ecs.world, Unrecorded).change = change;
  }

  get speed(): Speed {
    const { factor, style } = this.ecs.slowMotion;
    return factor === 1 ? "1" : style === "step" ? "step" : "4";
  }
  set speed(speed: Speed) {
    const { slowMotion } = this.ecs;
    slowMotion.clear();
    if (speed !== "1") {
      slowMotion.style = speed === "step" ? "step" : "scale";
      slowMotion.request(SLOWNESS, Infinity);
    }
    this.changed.emit();
  }

  get busy(): string {
    return this.#busy;
  }
  set busy(operation: string) {
    this.#busy = operation;
    this.changed.emit();
  }
}
