// Copies of what fields of object components contain (rule C16).

const prototypeOf = (object: object | null): object | null =>
  object && (Object.getPrototypeOf(object) as object | null);
const same = <T>(value: T): T => value;

/**
 * A copy of arrays, plain objects, Map, Set, Date and typed arrays, and of what is inside of them. It contains everything else
 * as it is, or what `other` returns for an instance of a class. `made` is called for each copied array and plain object.
 * @internal
 */
export function deepCopy<T>(
  value: T,
  made: (copy: object) => object = same,
  other: (instance: object) => object = same,
  copies = new Map<object, object>(),
): T {
  if (typeof value !== "object" || value === null) return value;
  const copy = <V>(inner: V) => deepCopy(inner, made, other, copies);
  /** Before the copy is filled, as it may contain itself. */
  const start = <C extends object>(started: C): C => (copies.set(value, started), started);
  const make = (): object => {
    const prototype = prototypeOf(value);
    const parent = prototypeOf(prototype);
    const isBuiltIn = prototypeOf(parent) === null; // of any realm: tests and frames have prototypes of their own
    if (Array.isArray(value) && isBuiltIn) {
      const list: unknown[] = start([]);
      for (const element of value) list.push(copy(element));
      return made(list);
    }
    if (parent === null) {
      const object = start<Record<string, unknown>>({});
      for (const [key, inner] of Object.entries(value)) object[key] = copy(inner);
      return made(object);
    }
    if (value instanceof Date && isBuiltIn) return start(new Date(value));
    if (value instanceof Set && isBuiltIn) {
      const set = start(new Set());
      for (const element of value) set.add(copy(element));
      return set;
    }
    if (value instanceof Map && isBuiltIn) {
      const map = start(new Map());
      for (const [key, inner] of value) map.set(copy(key), copy(inner));
      return map;
    }
    if (ArrayBuffer.isView(value) && "slice" in value && prototypeOf(prototypeOf(parent)) === null)
      return start((value as unknown as Uint8Array).slice());
    return start(other(value));
  };
  return (copies.get(value) ?? make()) as T;
}
