// Random choices of entities.
import { NONE, type Entity } from "crateful";
import { OWN_CLASSES, classOf } from "./components.js";
import { dirtyOf, trackedIds, type ModelSystem, type World } from "./state.js";

/** The world (E10) is chosen less often than other entities. */
export function randomLiving(w: World): Entity {
  const e = w.random.pick(w.alive);
  return e !== 0 || w.random.chance(400) ? e : w.random.pick(w.alive);
}
/** Also one that was removed, or NONE. */
export function randomEntity(w: World): Entity {
  if (w.random.chance(920)) return randomLiving(w);
  return w.stale.length > 0 ? w.random.pick(w.stale) : NONE;
}
/** A system that is added. In chaos, a callback may have removed it. */
export function randomSystem(w: World): ModelSystem | undefined {
  const s = w.systems.length > 0 ? w.random.pick(w.systems) : undefined;
  if (s === undefined || !w.chaos) return s;
  try {
    return s.real.ecs === w.ecs ? s : undefined;
  } catch {
    return undefined;
  }
}
/** A list of entities for a call, often memory of the ECS (X3). */
export function randomEntities(w: World): Uint32Array | Entity[] {
  const { random, ecs } = w;
  const sparse = classOf(random.pick([0, 2, 4, 5]));
  const s = randomSystem(w);
  switch (random.below(9)) {
    case 0:
      return ecs.storage(sparse).entities;
    case 1:
      return (s && trackedIds(s)) ?? [];
    case 2:
      return (s?.watching ? dirtyOf(s)?.ids : undefined) ?? [];
    case 3: {
      const { entities } = ecs.storage(sparse);
      return entities.subarray(random.below(entities.length + 1));
    }
    case 4:
      return w.queryOfClass[random.below(OWN_CLASSES)]!.ids();
    case 5:
      return s?.entities?.ids ?? [];
    default: {
      const list = Array.from({ length: random.below(4) }, () => randomLiving(w));
      return random.chance(500) ? list : Uint32Array.from(list);
    }
  }
}
