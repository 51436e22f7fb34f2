// An entity that a component of React owns.
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { NONE, type Entity, type RegisteredECS } from "../api.js";
import { badArgument, useProvided } from "./react_world.js";

/**
 * An entity that the calling component owns: `create` returns it when the component was mounted, and it is marked for removal
 * (rule E3) when the component is unmounted. NONE until then, and on a server; from then on always the same handle, also when the
 * component renders again: another `create` has no effect. To create another entity, give the component another `key`; to change
 * components, use `ecs.get` in effects.
 *
 *     const player = useEntity((ecs) => ecs.addEntity(Player, [Position, { x }]));
 *
 * A rendering that is not mounted creates nothing. In `StrictMode`, React mounts a component twice: `create` is called twice, and the
 * first entity is removed. If something else removes the entity, no other one is created, and the handle is that of an entity that is not
 * alive (rule E5). When the component is mounted, React throws the errors of `create`, and `BAD_ARGUMENT` if it returns no entity that is alive.
 */
export function useEntity(create: (ecs: RegisteredECS) => Entity): Entity {
  const ecs = useProvided("useEntity") as RegisteredECS;
  if (typeof create !== "function")
    throw badArgument("useEntity: pass a function that creates an entity and returns it");
  ecs.$world.live();
  const latest = useRef(create);
  useEffect(() => void (latest.current = create)); // before the subscription
  const store = useMemo(() => {
    let entity = NONE;
    const subscribe = () => {
      const created = latest.current(ecs);
      if (created === ecs.world || !ecs.alive(created))
        throw badArgument(`useEntity: the function must return an entity that it has created, not ${String(created)}`);
      entity = created;
      return () => {
        entity = NONE;
        if (!ecs.$world.disposed && ecs.alive(created)) ecs.removeEntity(created);
      };
    };
    return { read: () => entity, subscribe };
  }, [ecs]);
  return useSyncExternalStore(store.subscribe, store.read, store.read);
}
