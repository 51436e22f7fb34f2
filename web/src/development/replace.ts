// biome-ignore lint/suspicious/noExplicitAny: a method of any class
type Method = (this: any, ...args: any[]) => any;

/** Replaces a method of a class by what `make` returns for it. */
export function replace<T extends object>(prototype: T, name: keyof T, make: (original: Method) => Method): void {
  const value = make(prototype[name] as Method);
  Object.defineProperty(prototype, name, { configurable: true, writable: true, value });
}

const warned = new WeakMap<object, Set<string>>();

/** Writes a warning to the console, once for an object and key. */
export function warnOnce(about: object, key: string, message: string): void {
  let keys = warned.get(about);
  if (keys === undefined) warned.set(about, (keys = new Set()));
  if (keys.has(key)) return;
  keys.add(key);
  console.warn(`crateful: ${message}`);
}
