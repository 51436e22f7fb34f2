/**
 * What can be iterated any number of times. A class, because V8 creates an object literal with a `[Symbol.iterator]` by a slow
 * call.
 * @internal
 */
export class Repeatable<T> implements Iterable<T> {
  readonly #begin: () => Iterator<T>;
  constructor(begin: () => Iterator<T>) {
    this.#begin = begin;
  }
  [Symbol.iterator](): Iterator<T> {
    return this.#begin();
  }
}
