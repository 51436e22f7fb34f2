import { badArgument, show } from "../module/errors.js";

/** Of objects in objects. */
const MOST_LEVELS = 500;

/**
 * The value as JSON. Throws `BAD_ARGUMENT` unless that is possible without loss: null, booleans, finite numbers, strings, arrays, and
 * plain objects of these, up to 500 levels. -0 stays -0, other than with `JSON.stringify`. `what` names it, and `advice` says what to do otherwise. O(what
 * is in it).
 * @internal
 */
export function jsonOf(what: string, value: unknown, advice: string, above: readonly object[] = []): string {
  if (Object.is(value, -0)) return "-0";
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value))
    return JSON.stringify(value);
  const problem = typeof value === "object" ? problemOf(value!, above) : show(value);
  if (problem !== undefined) throw badArgument(`${what} can't be saved as JSON: ${problem}; ${advice}`);
  const inside = [...above, value as object];
  if (Array.isArray(value)) {
    const elements = Array.from(value, (each: unknown, i) => jsonOf(`${what}[${i}]`, each, advice, inside));
    return `[${elements.join()}]`;
  }
  const members = Object.entries(value as object).map(
    ([key, inner]) => `${JSON.stringify(key)}:${jsonOf(`${what}.${key}`, inner, advice, inside)}`,
  );
  return `{${members.join()}}`;
}

function problemOf(value: object, above: readonly object[]): string | undefined {
  if (above.includes(value)) return "it contains itself";
  if (above.length >= MOST_LEVELS) return `it is nested more than ${MOST_LEVELS} times`;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // Of any realm: tests and frames have prototypes of their own.
  if (Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  return `it is a ${value.constructor.name}`;
}
