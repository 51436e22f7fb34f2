// Values of the game as JSON, and back.
import type { Json } from "../state/codec.js";

const MOST_ELEMENTS = 100;
const MOST_LEVELS = 4;

/** A number; those that JSON does not have are strings. */
export const numberToJson = (value: number): Json => (Number.isFinite(value) ? value : String(value));

/** The number for what `numberToJson` returns; anything else as it is. */
export const numberFromJson = (value: Json): Json | number =>
  value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : value;

/** An object without the members that have no value, as JSON has none of them. */
export const present = <T extends object>(object: T): Present<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Present<T>;
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Any value as JSON. `whole` is called unless the result says everything that the value contains. */
export function toJson(value: unknown, incomplete: () => void = () => {}): Json {
  const seen = new Set<object>();
  const lost = <T>(text: T): T => (incomplete(), text);
  const convert = (inner: unknown, level: number): Json => {
    switch (typeof inner) {
      case "number":
        return Number.isFinite(inner) ? inner : lost(String(inner));
      case "string":
      case "boolean":
        return inner;
      case "undefined":
        return lost(null);
      case "object":
        return inner === null ? null : object(inner, level);
      case "function":
        return lost(`[function ${inner.name}]`);
      default:
        return lost(String(inner));
    }
  };
  const object = (inner: object, level: number): Json => {
    if (inner instanceof Date) return lost(Number.isNaN(inner.getTime()) ? "NaN" : inner.toISOString());
    const isList = Array.isArray(inner) || inner instanceof Set || (ArrayBuffer.isView(inner) && "length" in inner);
    const name = nameOf(inner);
    if (!isList && !(inner instanceof Map) && name !== "Object") return lost(`[${name}]`);
    if (seen.has(inner) || level === MOST_LEVELS) return lost(isList ? "[…]" : "{…}");
    if (!Array.isArray(inner) && name !== "Object") incomplete();
    seen.add(inner);
    const made = isList ? list(inner as unknown as Iterable<unknown>, level) : fields(inner, level);
    seen.delete(inner);
    return made;
  };
  const list = (inner: Iterable<unknown>, level: number): Json => {
    const made: Json[] = [];
    for (const element of inner) {
      if (made.length === MOST_ELEMENTS) return [...made, lost("…")];
      made.push(convert(element, level + 1));
    }
    return made;
  };
  const fields = (inner: object, level: number): Json => {
    const made: Record<string, Json> = {};
    let n = 0;
    for (const [key, element] of inner instanceof Map ? inner : Object.entries(inner)) {
      if (++n > MOST_ELEMENTS) return { ...made, "…": lost("…") };
      made[String(key)] = convert(element, level + 1);
    }
    return made;
  };
  try {
    return convert(value, 0);
  } catch (error) {
    return lost(`[${String((error as Error)?.message ?? error)}]`); // a getter or a proxy of the game threw
  }
}

/** The name of an object's class. */
export function nameOf(object: object): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === null) return "Object";
  const name: unknown = (prototype as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" ? name : "object";
}
