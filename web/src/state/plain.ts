import { badArgument, show } from "../module/errors.js";

/**
 * Throws `BAD_ARGUMENT` unless JSON can contain the value without loss: null, booleans, finite numbers, strings, arrays, and plain
 * objects of these. `what` names it, and `advice` says what to do otherwise. O(what is in it).
 * @internal
 */
export function requirePlain(what: string, value: unknown, advice: string, above: readonly object[] = []): void {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return;
  const problem = typeof value === "object" ? problemOf(value!, above) : show(value);
  if (problem !== undefined) throw badArgument(`${what} can't be saved as JSON: ${problem}; ${advice}`);
  const inside = [...above, value as object];
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; ++i) requirePlain(`${what}[${i}]`, value[i], advice, inside);
  } else {
    for (const [key, inner] of Object.entries(value as object)) requirePlain(`${what}.${key}`, inner, advice, inside);
  }
}

function problemOf(value: object, above: readonly object[]): string | undefined {
  if (above.includes(value)) return "it contains itself";
  const prototype = Object.getPrototypeOf(value) as object | null;
  // Of any realm: tests and frames have prototypes of their own.
  if (Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  return `it is a ${value.constructor.name}`;
}
