import { CachedArray } from "../core/cached_array.js";
import { badArgument } from "../module/errors.js";
import { type AnyColumn, heap } from "../module/heap.js";
import { replace } from "./replace.js";

/** The generation of the memory of which an array is a view. */
const generations = new WeakMap<object, number>();
/** By the prototype of a kind of typed array. */
const guards = new Map<object, object>();

/**
 * The prototype of views of memory. It is behind what an array has itself, so that programs and browsers use the array as
 * before. That is why the access to an element can't be checked.
 */
function guardOf(prototype: object): object {
  let guard = guards.get(prototype);
  if (guard === undefined) {
    guard = new Proxy(Object.create(prototype) as object, {
      get(target, name, array: object) {
        const generation = generations.get(array);
        if (generation !== undefined && generation !== heap.generation)
          throw badArgument(
            `${String(name)}: this array of a storage is empty, because memory has grown since it was read. ` +
              "Read storage(Class).columns again before each loop",
          );
        return Reflect.get(target, name, array);
      },
    });
    guards.set(prototype, guard);
  }
  return guard;
}

/** Using an array of a storage or a system after memory has grown is an error (rule X2). */
export function checkViews(): void {
  replace(
    CachedArray.prototype,
    "at",
    (at) =>
      function (address, length) {
        const array = at.call(this, address, length) as AnyColumn;
        if (!generations.has(array)) {
          generations.set(array, heap.generation);
          Object.setPrototypeOf(array, guardOf(Object.getPrototypeOf(array) as object));
        }
        return array;
      },
  );
}
