// "System B" of the tab "One frame apart": changes a Position late in the frame.
import { NONE, nativeComponent, System, type Entity } from "crateful";
import type { CrateRoom } from "./crate_room.js";

export const NUDGE = 2; // pixels
const CLEAR = 40; // pixels: a crate that is nearer may push the player, and then more than one thing moves

/** Moves a crate near the player a little when asked, and back the next time. */
export class Nudge extends System {
  readonly #Position = nativeComponent("Position", { x: "f32", y: "f32" });
  readonly #Crate = nativeComponent("Crate");
  readonly #Player = nativeComponent("Player");
  override readonly componentsRequired = new Set([this.#Player]);
  override readonly dirtyComponents = new Set([this.#Player]);
  /** It costs nothing until it is asked. */
  override readonly onlyWhenDirty = true;
  /** Which crate it moved when it was last asked, or NONE. */
  moved: Entity = NONE;
  #asked = false;
  #displaced: Entity = NONE;

  constructor(readonly room: CrateRoom) {
    super();
  }

  /** The next update will move one. */
  ask(): void {
    const { ecs, room } = this;
    this.moved = NONE;
    if (!ecs.alive(room.player)) return;
    this.#asked = true;
    ecs.storage(this.#Player).markDirty(room.player);
  }
  override update(): void {
    if (!this.#asked) return; // the player is new, and nothing else
    this.#asked = false;
    const back = this.ecs.alive(this.#displaced);
    const crate = back ? this.#displaced : this.#nearest();
    if (crate === NONE) return;
    // An ordinary write through the C++ component: the setter signals, and nothing else is needed.
    this.ecs.getComponents(crate).get(this.#Position).x += back ? -NUDGE : NUDGE;
    this.moved = crate;
    this.#displaced = back ? NONE : crate;
  }
  override onClear(): void {
    this.moved = this.#displaced = NONE;
    this.#asked = false;
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
