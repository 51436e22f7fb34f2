// The system of the tab "One frame apart" that changes a Position late in the frame.
import { NONE, nativeComponent, System, type Entity } from "crateful";
import type { CrateRoom } from "./crate_room.js";

export const NUDGE = 2; // pixels
const CLEAR = 40; // pixels; a nearer crate could push the player, and then more than one entity would move

/** Moves a crate near the player by some pixels on request, and back on the next request. */
export class Nudge extends System {
  readonly #Position = nativeComponent("Position", { x: "f32", y: "f32" });
  readonly #Crate = nativeComponent("Crate");
  readonly #Player = nativeComponent("Player");
  override readonly componentsRequired = new Set([this.#Player]);
  override readonly dirtyComponents = new Set([this.#Player]);
  /** A request marks the player dirty, so without requests `update` is not called. */
  override readonly onlyWhenDirty = true;
  /** The crate that was moved at the last request, or NONE. */
  moved: Entity = NONE;
  #requested = false;
  #displaced: Entity = NONE;

  constructor(readonly room: CrateRoom) {
    super();
  }

  /** Requests that the next update moves a crate. */
  request(): void {
    const { ecs, room } = this;
    this.moved = NONE;
    if (!ecs.alive(room.player)) return;
    this.#requested = true;
    ecs.storage(this.#Player).markDirty(room.player);
  }
  override update(): void {
    if (!this.#requested) return; // the player is dirty only because it is newly tracked (rule D5)
    this.#requested = false;
    const back = this.ecs.alive(this.#displaced);
    const crate = back ? this.#displaced : this.#nearest();
    if (crate === NONE) return;
    // An ordinary write to a C++ component: its setter signals.
    this.ecs.getComponents(crate).get(this.#Position).x += back ? -NUDGE : NUDGE;
    this.moved = crate;
    this.#displaced = back ? NONE : crate;
  }
  override onClear(): void {
    this.moved = this.#displaced = NONE;
    this.#requested = false;
  }

  #nearest(): Entity {
    const { ecs, room } = this;
    if (!ecs.alive(room.player)) return NONE;
    const positions = ecs.storage(this.#Position);
    const crates = ecs.storage(this.#Crate).entities;
    const [x, y] = [positions.columns.x, positions.columns.y];
    const { x: strideX, y: strideY } = positions.strides;
    const here = positions.slot(room.player);
    const at = positions.slots(crates);
    let nearest: Entity = NONE;
    let least = Infinity;
    for (let i = 0; i < crates.length; i++) {
      const distance = Math.hypot(x[at[i]! * strideX]! - x[here * strideX]!, y[at[i]! * strideY]! - y[here * strideY]!);
      if (distance < CLEAR || distance >= least) continue;
      least = distance;
      nearest = crates[i]!;
    }
    return nearest;
  }
}
