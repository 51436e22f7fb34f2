// `System` as programs see it: with a class of aspects of its own, it must have `makeAspect`.
import type { Aspect } from "../world/aspect.js";
import { System as SystemBase } from "./system.js";

/** A system with a class of aspects of its own. */
export declare abstract class SystemWithAspects<A extends Aspect> extends SystemBase<A> {
  /** Creates the aspect of a newly tracked entity (rule A1). */
  abstract override makeAspect(): A;
}

/**
 * Code that runs once per frame over all entities that have certain components. List these in `componentsRequired`. List
 * in `dirtyComponents` the classes that make an entity dirty when they signal. `A` is the class of its aspects; unless it is
 * `Aspect`, `makeAspect` must create them.
 */
export const System = SystemBase as (abstract new (
  disabled?: boolean,
  debug?: boolean,
) => SystemBase) &
  (abstract new <A extends Aspect>(
    disabled?: boolean,
    debug?: boolean,
  ) => SystemWithAspects<A>);
/** A system with aspects of class `A`. */
export type System<A extends Aspect = Aspect> = SystemBase<A>;
