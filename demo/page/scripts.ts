// Adds the systems in TypeScript.
import type { ECS } from "crateful/module";
import type { CrateRoom } from "./crate_room.js";
import type { Scripts } from "./game.js";
import { Nudge } from "./nudge.js";
import { Pedometer, ScoreKeeper } from "./systems.js";

/**
 * Their priorities are between those of the C++ systems. Pedometer runs after CollisionMovement (60), because it is added
 * later (rule S1).
 */
export function addScripts(ecs: ECS, room: CrateRoom): Scripts {
  return {
    pedometer: ecs.addSystem(60, new Pedometer()),
    nudge: ecs.addSystem(65, new Nudge(room)),
    score: ecs.addSystem(110, new ScoreKeeper()),
  };
}
