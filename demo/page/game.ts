// The world, the room in it, and the operations of the page on both.
import type { ECS } from "crateful/module";
import type { CrateRoom } from "./crate_room.js";
import type { Inspection } from "./inspection.js";
import type { Nudge } from "./nudge.js";
import type { Settings } from "./settings.js";
import { Signal } from "./signal.js";
import type { Pedometer, ScoreKeeper } from "./systems.js";

/** The systems in TypeScript. */
export interface Scripts {
  score: ScoreKeeper;
  pedometer: Pedometer;
  nudge: Nudge;
  inspection: Inspection;
}

/** Returns the current time in milliseconds. Tests replace it, so that measured times do not depend on the machine. */
export type Clock = () => number;

/** Durations of the parts of a frame, in milliseconds. */
export interface FrameTimes {
  update: number;
  render: number;
}

const SLOWNESS = 4;
/** Game time: normal, slow motion in every frame, or slow motion that runs every fourth frame. */
export type Speed = "1" | "4" | "step";

export class Game {
  /** A setting changed that affects the next frames. */
  readonly changed = new Signal();
  /** A new run began. */
  readonly begun = new Signal();
  /** Emitted in each frame before the update, when its input is known, and after the update. */
  readonly between = new Signal();
  clock: Clock = () => performance.now();
  /** The operation during which controls are disabled ("replay" or "measurement"), or an empty string. */
  #busy = "";
  #speed: Speed = "1";
  /** A change of the room that is not input and therefore not recorded, in words; or an empty string. */
  unrecorded = "";

  constructor(
    readonly ecs: ECS,
    readonly room: CrateRoom,
    readonly settings: Settings,
    readonly scripts: Scripts,
  ) {}

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

  /** Runs one frame of `delta` seconds. `drawn` has no influence on the game. */
  frame(delta: number, drawn = true): FrameTimes {
    const { ecs, room, clock } = this;
    const length = room.beginFrame(delta);
    this.between.emit();
    if (room.roomDue) {
      ecs.clear();
      room.enter();
    }
    const started = clock();
    const effective = ecs.update(length);
    const updated = clock();
    room.endFrame(effective);
    this.between.emit();
    const ended = clock();
    if (drawn) ecs.profiler.measure("Overall", "render", () => room.render());
    return { update: updated - started, render: clock() - ended };
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
    if (on === this.ecs.paused) return;
    this.ecs.paused = on;
    this.changed.emit();
  }

  get speed(): Speed {
    return this.#speed;
  }
  set speed(speed: Speed) {
    this.#speed = speed;
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
