import type { ECS } from "../ecs/ecs.js";
import { type Loop, startLoop as start } from "../ecs/loop.js";
import { warnOnce } from "./replace.js";

const loops = new WeakMap<ECS, Loop[]>();

/** As the production build's, and warns if the ECS has a running loop already. */
export function startLoop(ecs: ECS, options?: Parameters<typeof start>[1]): Loop {
  const loop = start(ecs, options);
  const others = (loops.get(ecs) ?? []).filter(({ running }) => running);
  loops.set(ecs, [...others, loop]);
  if (others.length > 0)
    warnOnce(
      ecs,
      "loop",
      "startLoop: this ECS has a running loop already, so each frame updates it twice; call stop() of the first loop",
    );
  return loop;
}
