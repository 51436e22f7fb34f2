import { World, worlds } from "../world/world.js";
import { warnOnce } from "./replace.js";

/** How many ECS a program has at the same time, at most, if it means to. */
const MANY = 20;

/** Warns of the twentieth living ECS: one that is not disposed of is never freed. */
export function checkWorlds(): void {
  worlds.push = (...added) => {
    const length = Array.prototype.push.apply(worlds, added);
    const living = worlds.filter((world) => world !== undefined && !world.disposed).length;
    if (living >= MANY)
      warnOnce(
        World,
        "many",
        `new ECS: there are ${living} of them. Each exists until dispose() is called, also if the program does not refer to it any more`,
      );
    return length;
  };
}
