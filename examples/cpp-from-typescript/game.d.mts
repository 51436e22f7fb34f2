// The types of the module that CMakeLists.txt builds.
import type { RawWorld } from "crateful";

export interface Game {
  addPhysics(world: RawWorld, priority: number): void;
}

export default function createGame(): Promise<Game>;
