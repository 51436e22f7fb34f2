import { EcsError, badArgument, show } from "./errors.js";
import { Handle } from "./layout.js";

/** An entity handle: 22 bits of index, 10 bits of generation (rule E1). No handle is issued twice (rule E2). */
export type Entity = number;

/** Never an entity (rule E6); the initial value of an `entity` field. */
export const NONE: Entity = Handle.none;

/**
 * The index of an entity. For a class with the policy `linear` it is also the entity's slot in the columns.
 * It is not checked whether the entity is alive. Throws `BAD_ARGUMENT` for a value that is no number.
 */
export function entityIndex(e: Entity): number {
  if (typeof e !== "number") throw stale("entityIndex", e);
  return e & Handle.indexMask;
}

/** Calls `run` with what `static mapEntities` gets, which can be used until it returns. A value that is no handle is an error. @internal */
export function withMap<R>(call: string, find: (e: Entity) => Entity, run: (map: (e: Entity) => Entity) => R): R {
  let isOver = false;
  try {
    return run((e) => {
      if (isOver) throw badArgument(`${call}: mapEntities: map can't be used when ${call} has returned`);
      if (!isHandle(e)) throw badArgument(`${call}: mapEntities: an entity must be a number, not ${show(e)}`);
      return find(e);
    });
  } finally {
    isOver = true;
  }
}
/** Whether the value is a number that can be a handle. @internal */
export function isHandle(value: unknown): value is Entity {
  return typeof value === "number" && value >>> 0 === value;
}

/** Throws unless an ECS can have `n` entities. @internal */
export function requireCount(call: string, n: number): void {
  if (!Number.isInteger(n) || n < 0)
    throw badArgument(`${call}: the number of entities must be a non-negative integer, not ${show(n)}`);
  // Numbers cross as 32 bits, so that a much greater number would arrive as a small one.
  if (n > Handle.maxEntities)
    throw new EcsError("OUT_OF_MEMORY", `${call}: ${n} entities are more than an ECS can have`);
}

/** Describes an entity for an error message. @internal */
export function describe(e: Entity): string {
  if (e === NONE) return "entity NONE";
  return e === 0 ? "the world" : `entity ${e} (index ${e & Handle.indexMask}, generation ${e >>> Handle.indexBits})`;
}

/** The error for an entity that is not alive, or for a value that is not an entity. @internal */
export function stale(call: string, e: unknown): EcsError {
  if (typeof e !== "number") return badArgument(`${call}: an entity must be a number, not ${show(e)}`);
  return new EcsError("STALE_ENTITY", `${call}: ${isHandle(e) ? describe(e) : `entity ${e}`} is not alive`);
}
