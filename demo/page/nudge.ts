// The system of the tab "One frame apart" that changes a Position late in the frame.
import { NONE, defineComponent, defineSystem, type Entity } from "crateful/module";
import { Crate, Player, Position } from "./components.js";
import type { CrateRoom } from "./crate_room.js";

export const NUDGE = 2; // pixels
const CLEAR = 40; // pixels; a nearer crate could push the player, and then more than one entity would move

/** The crate was moved and not yet moved back. */
class Displaced extends defineComponent("Displaced") {}

/**
 * Moves a crate near the player by some pixels on request, and back on the next request. A request marks the player dirty,
 * so without requests `update` is not called.
 */
export class Nudge extends defineSystem({ player: Player }, { watch: [Player], onlyWhenDirty: true }) {
  readonly #crates = this.query({ crate: Crate, position: Position });
  readonly #displaced = this.query({ displaced: Displaced });
  /** The crate that was moved at the last request, or NONE. */
  moved: Entity = NONE;
  #requested = false;

  constructor(readonly room: CrateRoom) {
    super();
  }

  /** Requests that the next update moves a crate. */
  request(): void {
    const { ecs, room } = this;
    this.moved = NONE;
    if (!ecs.alive(room.player)) return;
    this.#requested = true;
    ecs.storage(Player).markDirty(room.player);
  }
  override update(): void {
    if (!this.#requested) return; // the player is dirty only because it is newly tracked (rule D5)
    this.#requested = false;
    const displaced = [...this.#displaced].map(({ entity }) => entity);
    const back = displaced.length > 0;
    const crate = displaced[0] ?? this.#nearest();
    if (crate === NONE) return;
    // An ordinary write to a C++ component: its setter signals.
    this.ecs.get(crate, Position).x += back ? -NUDGE : NUDGE;
    this.moved = crate;
    if (back) this.ecs.removeComponent(crate, Displaced);
    else this.ecs.addComponent(crate, Displaced);
  }
  override onClear(): void {
    this.moved = NONE;
    this.#requested = false;
  }

  #nearest(): Entity {
    const { ecs, room } = this;
    if (!ecs.alive(room.player)) return NONE;
    const { x, y } = ecs.get(room.player, Position);
    let nearest: Entity = NONE;
    let least = Infinity;
    for (const { entity, position } of this.#crates) {
      const distance = Math.hypot(position.x - x, position.y - y);
      if (distance < CLEAR || distance >= least) continue;
      least = distance;
      nearest = entity;
    }
    return nearest;
  }
}
