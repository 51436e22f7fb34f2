// The ECS that hooks use.
import { createContext, createElement, useContext, type ReactNode } from "react";
import { EcsError, type ECS, type Entity, type RegisteredECS } from "../api.js";

export const badArgument = (message: string): EcsError => new EcsError("BAD_ARGUMENT", message);
const Provided = createContext<ECS | undefined>(undefined);

/** Provides an ECS to the components below it. */
export function World({ ecs, children }: { readonly ecs: ECS; readonly children?: ReactNode }): ReactNode {
  return createElement(Provided.Provider, { value: ecs }, children);
}

/** The ECS of the nearest `World` above. Throws `BAD_ARGUMENT` if there is none. */
export function useECS(): RegisteredECS {
  return useProvided("useECS") as RegisteredECS;
}
/** The same for a hook with this name. */
export function useProvided(hook: string): ECS {
  const ecs = useContext(Provided);
  if (ecs === undefined) throw badArgument(`${hook}: there is no <World ecs={ecs}> with an ECS above this component`);
  return ecs;
}
/** The same for a hook of an entity, which need not be alive. Throws `STALE_ENTITY` for what is no number (rule E5). */
export function useProvidedFor(hook: string, e: Entity): ECS {
  const ecs = useProvided(hook);
  ecs.$world.noEntity(hook, e);
  return ecs;
}
