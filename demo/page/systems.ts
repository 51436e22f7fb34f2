// Two systems in TypeScript, in the same world as the C++ ones and over components that are C++ structs.
import { defineSystem, type Aspect } from "crateful/module";
import { Exploding, Player, Position } from "./components.js";

/** Counts smashed crates: an entity that gets the C++ component Exploding is a bursting crate. */
export class ScoreKeeper extends defineSystem({ exploding: Exploding }) {
  smashed = 0;

  override onAdd(): void {
    this.smashed += 1;
  }
  override update(): void {}
  /** Called when a new run starts. `onClear` would not do: the world is also cleared between the rooms of a run. */
  restart(): void {
    this.smashed = 0;
  }
}

const PIXELS_PER_METRE = 16;

/** Measures how far the player walked. Its update is not called while the player stands still. */
export class Pedometer extends defineSystem(
  { player: Player, position: Position },
  { watch: [Position], onlyWhenDirty: true },
) {
  metres = 0;
  #x = 0;
  #y = 0;

  override onAdd(player: Aspect): void {
    ({ x: this.#x, y: this.#y } = player.get(Position));
  }
  override update(): void {
    for (const { position } of this.dirty) {
      const { x, y } = position;
      this.metres += Math.hypot(x - this.#x, y - this.#y) / PIXELS_PER_METRE;
      this.#x = x;
      this.#y = y;
    }
  }
  restart(): void {
    this.metres = 0;
  }
}
