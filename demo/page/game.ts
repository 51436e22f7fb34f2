// The world, the room in it, and what may be done to both from outside.
import type { ECS } from "crateful";
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

/** In milliseconds. */
export interface FrameTimes {
  update: number;
  render: number;
}

const SLOWNESS = 4;
/** How game time passes: at its pace, slowed smoothly, or one frame in four. */
export type Speed = "1" | "4" | "step";

export class Game {
  /** The conditions of the frames to come are different now. */
  readonly changed = new Signal();
  /** A new run began. */
  readonly begun = new Signal();
  /** The input of the frame is there, or the frame is over. */
  readonly between = new Signal();
  /** What the controls must not disturb, or an empty string. */
  #busy = "";
  #speed: Speed = "1";
  /** What reached the room in another way than as input, so that no recording knows of it. */
  meddled = "";

  constructor(
    readonly ecs: ECS,
    readonly room: CrateRoom,
    readonly settings: Settings,
    readonly scripts: Scripts,
  ) {}

  /** Starts a new run, in the first room. */
  begin(): void {
    const { crates, seed, guards } = this.settings;
    this.ecs.clear();
    this.scripts.score.restart();
    this.scripts.pedometer.restart();
    this.room.begin(seed, crates, guards);
    this.meddled = "";
    this.begun.emit();
    this.changed.emit();
  }

  /** Starts this run over, from its recording. */
  replay(): void {
    this.speed = "1";
    this.paused = false;
    this.ecs.clear();
    this.scripts.score.restart();
    this.scripts.pedometer.restart();
    this.room.replay();
    this.changed.emit();
  }

  /** One frame, `delta` seconds long; drawn or not, the room goes on the same. */
  frame(delta: number, drawn = true): FrameTimes {
    const { ecs, room } = this;
    const length = room.beginFrame(delta);
    this.between.emit();
    if (room.roomDue) {
      ecs.clear();
      room.enter();
    }
    const started = performance.now();
    const effective = ecs.update(length);
    const updated = performance.now();
    room.endFrame(effective);
    this.between.emit();
    const ended = performance.now();
    if (drawn) ecs.profiler.measure("Overall", "render", () => room.render());
    return { update: updated - started, render: performance.now() - ended };
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
  set busy(with_: string) {
    this.#busy = with_;
    this.changed.emit();
  }
}
