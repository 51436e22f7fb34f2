// The members of requests, and errors as answers.
import type { Entity } from "../module/entity.js";
import { EcsError, badArgument, isHandle, show, stale } from "./internals.js";
import type { Failure } from "./protocol.js";

const MOST_ROWS = 1000;

/** A member that need not be there. Throws `BAD_ARGUMENT` for one of another type. */
export function optional<T extends "string" | "number" | "boolean">(
  what: string,
  type: T,
  value: unknown,
): TypeNamed<T> | undefined {
  if (value !== undefined && typeof value !== type) throw badArgument(`${what} must be a ${type}, not ${show(value)}`);
  return value as TypeNamed<T> | undefined;
}
/** A member that must be there. */
export function required<T extends "string" | "number" | "boolean">(
  what: string,
  type: T,
  value: unknown,
): TypeNamed<T> {
  if (value === undefined) throw badArgument(`${what} is missing`);
  return optional(what, type, value)!;
}
type TypeNamed<T> = T extends "string" ? string : T extends "number" ? number : boolean;

/** A handle, also of an entity that is not alive. Throws `BAD_ARGUMENT` and `STALE_ENTITY`. */
export function entityOf(call: string, entity: unknown): Entity {
  if (typeof entity !== "number") throw badArgument(`${call}: the entity must be a number, not ${show(entity)}`);
  if (!isHandle(entity)) throw stale(call, entity);
  return entity;
}
/** A number that is finite and not negative. */
export function amount(what: string, value: unknown): number {
  if (typeof value !== "number" || !(value >= 0 && value < Infinity))
    throw badArgument(`${what} must be a finite, non-negative number, not ${show(value)}`);
  return value;
}
/** The page that a request asks for. Throws `BAD_ARGUMENT`. */
export function pageOf({ from = 0, count = 100 }: { from?: unknown; count?: unknown }): [from: number, count: number] {
  for (const [name, value] of Object.entries({ from, count }))
    if (!Number.isInteger(value) || (value as number) < 0)
      throw badArgument(`${name} must be a whole number that is not negative, not ${show(value)}`);
  return [from as number, Math.min(count as number, MOST_ROWS)];
}

/** The answer to a request that failed. */
export function failure(error: unknown): Failure {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const known = error instanceof EcsError;
  return { error: { code: known ? String(code) : "FAILED", message: String(message ?? error) } };
}
