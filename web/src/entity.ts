import { EcsError, badArgument } from "./errors.js";

/** A handle: 22 bits of index, 10 bits of generation. No handle is ever issued twice. */
export type Entity = number;

/** Never an entity; what an `entity` field starts with. */
export const NONE: Entity = 0xffffffff;

/** @internal */
export const INDEX_MASK = (1 << 22) - 1;

/**
 * The index of an entity: its place in the columns of classes with the policy `linear`, where they have it.
 * What a stale handle or NONE names is not checked.
 */
export function entityIndex(e: Entity): number {
  return e & INDEX_MASK;
}

/** For messages. @internal */
export function describe(e: Entity): string {
  return e === NONE ? "entity NONE" : `entity ${e} (index ${e & INDEX_MASK}, generation ${e >>> 22})`;
}

/** @internal */
export function stale(call: string, e: unknown): EcsError {
  if (typeof e !== "number") return badArgument(`${call}: an entity is a number, not ${String(e)}`);
  return new EcsError("STALE_ENTITY", `${call}: ${e >>> 0 === e ? describe(e) : `entity ${e}`} is not alive`);
}
