// Two systems in TypeScript, in the same world as the C++ ones and over components that are C++ structs. Their results are
// components of the world entity, so that they are saved with the room.
import { NONE, defineComponent, defineSystem } from "crateful/module";
import { Player, Position, Smashed } from "./components.js";

class Score extends defineComponent("Score", { smashed: "u32" }) {}

/**
 * Counts smashed crates: an entity that gets the C++ component Smashed is a bursting crate, and dirty once. The system is
 * exact, because it counts: restoring a save must not make others dirty for it.
 */
export class ScoreKeeper extends defineSystem(
  { smashed: Smashed },
  { watch: [Smashed], onlyWhenDirty: true, exact: true },
) {
  override init(): void {
    this.restart();
  }
  override update(): void {
    this.ecs.get(this.ecs.world, Score).smashed += this.dirty.size;
  }
  get smashed(): number {
    return this.ecs.get(this.ecs.world, Score).smashed;
  }
  /** Called when a new run starts. `onClear` would not do: the world is also cleared between the rooms of a run. */
  restart(): void {
    this.ecs.addComponent(this.ecs.world, Score);
  }
}

const PIXELS_PER_METRE = 16;
/** How far the player has walked, and where which player was in the last update. */
class Walk extends defineComponent("Walk", { metres: "f64", player: "entity", x: "f32", y: "f32" }) {}

/** Measures how far the player walked. Its update is not called while the player stands still. */
export class Pedometer extends defineSystem(
  { player: Player, position: Position },
  { watch: [Position], onlyWhenDirty: true },
) {
  override init(): void {
    this.restart();
  }
  override update(): void {
    const walk = this.ecs.get(this.ecs.world, Walk);
    for (const { entity, position } of this.dirty) {
      const { x, y } = position;
      // In a new room there is a new player, who did not walk there.
      if (walk.player === entity) walk.metres += Math.hypot(x - walk.x, y - walk.y) / PIXELS_PER_METRE;
      Object.assign(walk, { player: entity, x, y });
    }
  }
  get metres(): number {
    return this.ecs.get(this.ecs.world, Walk).metres;
  }
  restart(): void {
    this.ecs.addComponent(this.ecs.world, Walk, { player: NONE });
  }
}
