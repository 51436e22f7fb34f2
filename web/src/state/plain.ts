import { badArgument, show } from "../module/errors.js";

/** Of objects in objects. */
const MOST_LEVELS = 500;

/** The names of the built-in objects that fields can contain. In JSON, each is an object with this name behind "$" as its only key (docs/format.md). */
const BUILT_IN = /^(Map|Set|Date|(Big)?(Int|Uint)\d+(Clamped)?Array|Float\d+Array)$/;
/** The key of a built-in object, or that of a plain object with such a key, which has one more "$". */
const KEY = /^\$(\$*)(\w+)$/;
const isKey = (key: string): boolean => BUILT_IN.test(KEY.exec(key)?.[2] ?? "");

/**
 * The value as JSON. Throws `BAD_ARGUMENT` unless that is possible without loss: null, booleans, finite numbers, strings, arrays, and
 * plain objects of these, up to 500 levels; with `builtIns` also Map, Set, Date and typed arrays. -0 stays -0, other than with
 * `JSON.stringify`. `what` names it, and `advice` says what to do otherwise. O(what is in it).
 * @internal
 */
export function jsonOf(
  what: string,
  value: unknown,
  advice: string,
  builtIns = false,
  above: readonly object[] = [],
): string {
  if (Object.is(value, -0)) return "-0";
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value))
    return JSON.stringify(value);
  const builtIn = builtIns && typeof value === "object" && !isPlain(value!) ? builtInName(value!) : undefined;
  const problem = typeof value === "object" ? problemOf(value!, above, builtIn !== undefined) : show(value);
  if (problem !== undefined) throw badArgument(`${what} can't be saved as JSON: ${problem}; ${advice}`);
  const inside = [...above, value as object];
  const json = (path: string, inner: unknown): string => jsonOf(path, inner, advice, builtIns, inside);
  if (builtIn !== undefined) return `{"$${builtIn}":${json(what, contents(value as object))}}`;
  if (Array.isArray(value)) return `[${Array.from(value, (each: unknown, i) => json(`${what}[${i}]`, each)).join()}]`;
  const entries = Object.entries(value as object);
  const prefix = builtIns && entries.length === 1 && isKey(entries[0]![0]) ? "$" : "";
  return `{${entries.map(([key, inner]) => `${JSON.stringify(prefix + key)}:${json(`${what}.${key}`, inner)}`).join()}}`;
}

function builtInName(value: object): string | undefined {
  const name = Object.prototype.toString.call(value).slice(8, -1); // of any realm
  return BUILT_IN.test(name) && value.constructor?.name === name ? name : undefined; // no derived class
}
/** What the JSON of a built-in object contains: entries, elements, milliseconds, or bytes in base64. */
function contents(value: object): unknown {
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }
  const time = (value as Date).getTime?.();
  if (time !== undefined) return Number.isNaN(time) ? null : time;
  return [...(value as Iterable<unknown>)];
}

/** JSON with built-in objects as a value. Throws if one is not possible. @internal */
export function parsed(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return json.includes('{"$') ? withBuiltIns(value) : value;
}
function withBuiltIns(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withBuiltIns);
  const entries = Object.entries(value).map(([key, inner]) => [key, withBuiltIns(inner)] as const);
  const [key, inner] = entries[0] ?? [""];
  if (entries.length !== 1 || !isKey(key)) return Object.fromEntries(entries);
  const [, prefix, name] = KEY.exec(key)!;
  if (prefix !== "") return { [key.slice(1)]: inner };
  const Made = (globalThis as unknown as Record<string, new (from: unknown) => unknown>)[name!]!;
  if (name === "Date" && inner !== null && typeof inner !== "number") throw badArgument("no time");
  if (name === "Date") return new Made(inner ?? Number.NaN);
  if (!name!.endsWith("Array")) return new Made(inner);
  return new Made(Uint8Array.from(atob(inner as string), (byte) => byte.charCodeAt(0)).buffer);
}

function problemOf(value: object, above: readonly object[], isBuiltIn: boolean): string | undefined {
  if (above.includes(value)) return "it contains itself";
  if (above.length >= MOST_LEVELS) return `it is nested more than ${MOST_LEVELS} times`;
  return isBuiltIn || isPlain(value) ? undefined : `it is a ${value.constructor.name}`;
}
/** Whether it is an array or a plain object, of any realm: tests and frames have prototypes of their own. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
